"""The judge's compiled measure of balance: points and the ground between discs."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import BoolArray, FloatArray, IntArray

#: Directions a point is looked at from; with 64 a point half a metre from a disc's middle is 0.6 mm too near at most.
_DIRECTIONS = 64


@njit(cache=True)
def outside_discs(
    points: FloatArray, centres: FloatArray, radii: FloatArray, there: BoolArray, spans: IntArray
) -> FloatArray:
    """How far each point ``(n, 2)`` is outside the hull of the discs of its span, 0 inside; infinite without discs.

    A point is outside a convex shape by its distance beyond the tangent in some direction, the largest of them all.

    Args:
        points: ``(n, 2)`` [m].
        centres: ``(frames, discs, 2)`` [m].
        radii: ``(discs,)`` [m].
        there: ``(frames, discs)`` when there are which discs.
        spans: ``(n, 2)`` first and last frame whose discs count for a point.
    """
    out = np.zeros(len(points))
    farthest = np.empty(len(centres))
    for k in range(_DIRECTIONS):
        angle = 2.0 * math.pi * k / _DIRECTIONS
        u, v = math.cos(angle), math.sin(angle)
        for f in range(len(centres)):
            farthest[f] = -math.inf
            for d in range(len(radii)):
                if there[f, d]:
                    farthest[f] = max(farthest[f], u * centres[f, d, 0] + v * centres[f, d, 1] + radii[d])
        for n in range(len(points)):
            tangent = -math.inf
            for f in range(spans[n, 0], spans[n, 1] + 1):
                tangent = max(tangent, farthest[f])
            out[n] = max(out[n], u * points[n, 0] + v * points[n, 1] - tangent)
    return out
