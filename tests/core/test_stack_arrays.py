"""Arrays on the stack: as good as allocated ones, each call's own, in kernels with and without reference counts."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.stack_arrays import STACK_LENGTH, stack_floats, stack_ints


@njit
def _mixed(seed: int) -> float:
    numbers, whole = stack_floats(), stack_ints()
    for i in range(numbers.shape[0]):
        numbers[i], whole[i] = 0.5 * i + seed, seed - i
    total = 0.0
    for i in range(STACK_LENGTH):
        total += numbers[i] * whole[i]
    return total


@njit
def _many(calls: int) -> float:
    """Counts references; keeps an array of its own while others come and go below it."""
    own, total = stack_floats(), 0.0
    for i in range(STACK_LENGTH):
        own[i] = i
    for k in range(calls):
        total += _mixed(k)
    return total + own.sum()


def _expected(seed: int) -> float:
    i = np.arange(STACK_LENGTH)
    return float(((0.5 * i + seed) * (seed - i)).sum())


def test_both_kinds_hold_what_is_written() -> None:
    assert _mixed(3) == _expected(3)


def test_calls_do_not_share_and_loops_do_not_grow_the_stack() -> None:
    # A million rooms of a kilobyte would be far more than a stack is if each turn of the loop took a new one.
    assert _many(1000) == sum(_expected(k) for k in range(1000)) + sum(range(STACK_LENGTH))
    assert np.isfinite(_many(1_000_000))
