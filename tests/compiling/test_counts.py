"""Kernels that make no arrays are compiled without reference counts; no kernel holds an array too long."""

from __future__ import annotations

import sys
from types import FunctionType
from typing import NamedTuple

import numpy as np
import pytest

from understudy.compiling.kernel import njit
from understudy.core.stack_arrays import stack_floats
from understudy.typing import FloatArray, IntArray


class Table(NamedTuple):
    rows: FloatArray
    order: IntArray


@njit(cache=False)
def added(row: FloatArray) -> float:
    total = 0.0
    for value in row:
        total += value
    return total


@njit(cache=False)
def views(table: Table) -> float:
    total = 0.0
    for i in range(len(table.rows)):
        row = table.rows[table.order[i]]
        total += added(row[1:]) + min(row[0], row.shape[0])
    return total


@njit(cache=False)
def writes(table: Table) -> float:
    for i in range(len(table.rows)):
        table.rows[i, 0] = i
        table.rows[i][1:] = 2.0
    return table.rows[0, 1]


@njit(cache=False)
def stacked(table: Table) -> float:
    room = stack_floats()
    room[0] = table.rows[0, 0]
    return added(room[:1])


@njit(cache=False)
def swapped(table: Table) -> float:
    here, there = table.rows[0], table.rows[1]
    for _ in range(3):
        here, there = there, here
    return added(here) - added(there)


@njit(cache=False)
def shown(table: Table) -> FloatArray:
    return table.rows[1]


@njit(cache=False)
def sums(table: Table) -> float:
    return (table.rows[0] + table.rows[1])[0]


@njit(cache=False)
def picks(table: Table) -> float:
    return table.rows[table.order][0, 0]


@njit(cache=False)
def fills(table: Table) -> float:
    made = np.zeros(3)
    made[:] = table.rows[0]
    return added(made)


@njit(cache=False)
def sorts(table: Table) -> float:
    return np.sort(table.rows[0])[0]


@njit(cache=False)
def copies(table: Table) -> float:
    table.rows[0] = table.rows[1]
    return table.rows[0, 0]


@njit(cache=False)
def calls_what_shows(table: Table) -> float:
    return added(shown(table))


@njit(cache=False)
def calls_what_makes(table: Table) -> float:
    return fills(table) + sums(table)


WITHOUT = [views, writes, stacked, swapped]
WITH = [shown, sums, picks, fills, sorts, copies, calls_what_shows]


def a_table() -> Table:
    return Table(np.arange(12.0).reshape(4, 3), np.array([2, 1, 0, 3]))


def counts(kernel: njit) -> bool:
    """Whether a kernel's own code counts who holds arrays."""
    (made,) = kernel.overloads.values()
    return "NRT_incref" in str(made.library._final_module) or "NRT_decref" in str(made.library._final_module)


@pytest.mark.parametrize("kernel", [*WITHOUT, *WITH, calls_what_makes])
def test_results_are_those_of_python_and_nothing_is_held(kernel: njit) -> None:
    ours, theirs = a_table(), a_table()
    held = [sys.getrefcount(one) for one in ours]
    for _ in range(3):
        assert np.array_equal(kernel(ours), _plainly(kernel, theirs))
        assert np.array_equal(ours.rows, theirs.rows)
    assert [sys.getrefcount(one) for one in ours] == held


def _plainly(kernel: njit, table: Table) -> object:
    """What Python makes of a kernel, and of those that it calls."""
    room = {**globals(), "stack_floats": lambda: np.zeros(64)}
    for name, one in globals().items():
        if hasattr(one, "py_func"):
            room[name] = FunctionType(one.py_func.__code__, room)
    return FunctionType(kernel.py_func.__code__, room)(table)


@pytest.mark.parametrize("kernel", WITHOUT)
def test_what_makes_no_arrays_does_not_count(kernel: njit) -> None:
    kernel(a_table())
    assert not counts(kernel)


def test_an_array_that_is_shown_outlives_its_table() -> None:
    table = a_table()
    row = shown(table)
    del table
    assert row.tolist() == [3.0, 4.0, 5.0]


def test_each_part_is_compiled_once_for_all_its_callers() -> None:
    for kernel in (views, fills, calls_what_shows):
        kernel(a_table())
    assert len(added._parts) == 1
