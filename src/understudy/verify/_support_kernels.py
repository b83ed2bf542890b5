"""The judge's compiled measure of balance: points and the ground between discs."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.typing import BoolArray, FloatArray

#: Directions a point is looked at from; with 64 a distance is short by 0.1 % at most.
_DIRECTIONS = 64


@njit(cache=True)
def outside_discs(points: FloatArray, centres: FloatArray, radii: FloatArray, there: BoolArray) -> FloatArray:
    """How far each point ``(n, 2)`` is outside the hull of its discs ``(n,)``, 0 inside; infinite without discs.

    A point is outside a convex shape by its distance beyond the tangent in some direction, the largest of them all.

    Args:
        points: ``(n, 2)`` [m].
        centres: ``(n, discs, 2)`` [m].
        radii: ``(discs,)`` [m].
        there: ``(n, discs)`` which discs there are for each point.
    """
    out = np.zeros(len(points))
    for k in range(_DIRECTIONS):
        angle = 2.0 * math.pi * k / _DIRECTIONS
        u, v = math.cos(angle), math.sin(angle)
        for n in range(len(points)):
            beyond = math.inf
            for d in range(len(radii)):
                if there[n, d]:
                    away = u * (points[n, 0] - centres[n, d, 0]) + v * (points[n, 1] - centres[n, d, 1]) - radii[d]
                    beyond = min(beyond, away)
            out[n] = max(out[n], beyond)
    return out
