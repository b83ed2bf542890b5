"""One specialisation where one will do, for Python and for other kernels; errors and zero divisions as documented."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


class Table(NamedTuple):
    rows: FloatArray
    scale: FloatArray


@njit(cache=False)
def scaled(table: Table, i: int, by: float) -> float:
    return table.rows[i] * table.scale[0] * by


@njit(cache=False)
def total(table: Table) -> float:
    out = scaled(table, 0, 1.0)
    for i in range(1, len(table.rows)):
        out += scaled(table, i, 1.0)
    return out


class Other(NamedTuple):
    first: FloatArray
    second: FloatArray


@njit(cache=False)
def of_both(values: FloatArray) -> float:
    return Table(values, values).rows[0] + Other(values, values).second[1]


LIMITS = np.array([1.0, 2.0])


@njit(cache=False)
def of_constants() -> float:
    return scaled(Table(LIMITS, LIMITS), 1, 3)


@njit(cache=False)
def times(value: float, by: int) -> float:
    return value * by


@njit(cache=False)
def tripled_and_doubled(value: float) -> float:
    return times(value, 3) + times(value, 2)


@njit(cache=False)
def divided(value: float, by: float) -> float:
    return value / by


@njit(cache=False)
def assigned(rows: FloatArray, row: FloatArray) -> None:
    rows[0] = row


def test_read_only_arrays_are_no_reason_to_compile_again() -> None:
    rows, scale = np.arange(4.0), np.array([2.0])
    frozen = scale.copy()
    frozen.flags.writeable = False
    assert total(Table(rows, scale)) == total(Table(rows, frozen)) == 12.0
    assert len(total.overloads) == 1


def test_numbers_written_in_the_caller_are_no_reason_either() -> None:
    assert tripled_and_doubled(1.0) == 5.0
    assert len(times._parts) == 1


def test_named_tuples_of_the_same_types_are_told_apart() -> None:
    assert of_both(np.array([1.0, 2.0])) == 3.0


def test_constant_arrays_are_handed_on_in_tuples() -> None:
    assert of_constants() == 6.0


def test_a_part_can_also_be_called_from_python() -> None:
    table = Table(np.arange(4.0), np.array([2.0]))
    total(table)
    assert scaled(table, 3, 1.0) == 6.0


def test_division_by_zero_is_infinite() -> None:
    assert divided(1.0, 0.0) == np.inf


def test_an_array_that_does_not_fit_is_an_error_without_strings() -> None:
    rows = np.zeros((2, 3))
    assigned(rows, np.ones(3))
    assert rows[0].tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(ValueError, match="does not fit"):
        assigned(rows, np.ones(2))
