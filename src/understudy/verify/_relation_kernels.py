"""The judge's compiled view of capsules from objects: their axes in an object's frame, and from its box."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def seen_in_frames(ends: FloatArray, at: FloatArray, turns: FloatArray, where: IntArray) -> FloatArray:
    """Segments ``(n, 2, 3)`` [m] in frames ``where`` ``(n,)`` at ``(m, 3)`` with matrices ``(m, 3, 3)``."""
    out = np.empty(ends.shape)
    for n in range(len(ends)):
        base, turn = at[where[n]], turns[where[n]]
        for e in range(2):
            x, y, z = ends[n, e, 0] - base[0], ends[n, e, 1] - base[1], ends[n, e, 2] - base[2]
            for i in range(3):
                out[n, e, i] = turn[0, i] * x + turn[1, i] * y + turn[2, i] * z
    return out


@njit(cache=True)
def gaps_to_box(segments: FloatArray, radii: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Lower bounds ``(n,)`` [m] of distances of capsules around segments ``(n, 2, 3)`` from a box: boxes of boxes."""
    out = np.empty(len(segments))
    for n in range(len(segments)):
        away = 0.0
        for i in range(3):
            one, two = segments[n, 0, i], segments[n, 1, i]
            away += max(low[i] - max(one, two), min(one, two) - high[i], 0.0) ** 2
        out[n] = math.sqrt(away) - radii[n]
    return out
