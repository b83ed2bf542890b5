"""Random numbers with explicit state, so that a search is the same on every machine and in every thread."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit


@njit(cache=True, forceinline=True, error_model="numpy")
def draw(state: np.ndarray) -> float:
    """The next number in [0, 1) of a ``(1,)`` uint64 state (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    x = state[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return float(x >> np.uint64(11)) / 9007199254740992.0
