"""Compiled random numbers with their state in an argument: splitmix64."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.compiling.kernel import njit

RandomState = npt.NDArray[np.uint64]


@njit(cache=True, nogil=True)
def bits(state: RandomState) -> Any:
    """The next 64 random bits."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True)
def uniform(state: RandomState) -> float:
    """A number in [0, 1)."""
    return float(bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True)
def below(state: RandomState, count: int) -> int:
    """A whole number in 0..count - 1."""
    return int(uniform(state) * count)


@njit(cache=True, nogil=True)
def hashed(chain: npt.NDArray[np.int64], head: npt.NDArray[np.int64]) -> Any:
    """64 bits that stand for a sequence; never 0."""
    value = np.uint64(0x51ED270B27A1)
    for k in range(3):
        value = (value ^ np.uint64(head[k])) * np.uint64(0x100000001B3)
        value ^= value >> np.uint64(29)
    for k in range(head[0]):
        value = (value ^ np.uint64(chain[k])) * np.uint64(0x100000001B3)
        value ^= value >> np.uint64(32)
    return value | np.uint64(1)
