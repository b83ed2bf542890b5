"""Kernels without reference counts cannot allocate: whoever tries is refused when it is compiled, also through others.

Every kernel that is there has been compiled under this rule, so none of them allocates.
"""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import NumbaError

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=False)
def doubled(values: FloatArray) -> FloatArray:
    return 2.0 * values


@njit(cache=False)
def sorted_sum(values: FloatArray) -> float:
    return np.sort(values)[0] + doubled(values)[0]


@njit(cache=False, counted=False)
def allocates(values: FloatArray) -> float:
    return np.zeros(3)[0] + values[0]


@njit(cache=False, counted=False)
def calls_what_allocates(values: FloatArray) -> float:
    return doubled(values)[0]


@njit(cache=False, counted=False)
def calls_numpy_that_allocates(values: FloatArray) -> float:
    return np.sort(values)[0]


@njit(cache=False, counted=False)
def adds(values: FloatArray) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@pytest.mark.parametrize("kernel", [allocates, calls_what_allocates, calls_numpy_that_allocates])
def test_allocating_is_refused(kernel: njit) -> None:
    values = np.arange(3.0)
    assert sorted_sum(values) == 0.0  # what they call is compiled, with reference counts
    with pytest.raises((NumbaError, RuntimeError), match=r"NRT|passed into the function"):
        kernel(values)


def test_others_run() -> None:
    assert adds(np.arange(4.0)) == 6.0
