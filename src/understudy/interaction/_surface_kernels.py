"""Surfaces a ball can touch: distance, normal and its derivative at the ball's centre, in the surface's frame."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray

NOTHING, CAPSULE, PLANE, BOX = 0, 1, 2, 3


@njit(cache=True, error_model="numpy")
def surface(kind: int, shape: FloatArray, at: FloatArray, normal: FloatArray, bend: FloatArray) -> float:
    """Gap between a ball and a surface [m]; fills the unit normal and its derivative ``(3, 3)`` by the place.

    Args:
        kind: :data:`CAPSULE`, :data:`PLANE` or :data:`BOX`.
        shape: ``(8,)`` capsule: both ends and the sum of both radii; plane: unit normal, its distance from the origin
            in [3], the ball's radius in [6]; box: half its edges, the ball's radius in [6].
        at: ``(3,)`` the ball's centre [m].
        normal: Filled, ``(3,)``, away from the surface.
        bend: Filled, ``(3, 3)`` [1/m].
    """
    bend[:] = 0.0
    if kind == PLANE:
        gap = -shape[3] - shape[6]
        for i in range(3):
            normal[i] = shape[i]
            gap += shape[i] * at[i]
        return gap
    if kind == BOX:
        return _box(shape, at, normal, bend)
    length2, along = 0.0, 0.0
    for i in range(3):
        edge = shape[3 + i] - shape[i]
        length2 += edge * edge
        along += edge * (at[i] - shape[i])
    share = 0.0 if length2 < 1e-18 else min(max(along / length2, 0.0), 1.0)
    inside = 0.0 < share < 1.0
    d2 = 0.0
    for i in range(3):
        normal[i] = at[i] - shape[i] - share * (shape[3 + i] - shape[i])
        d2 += normal[i] * normal[i]
    d = max(math.sqrt(d2), 1e-12)
    for i in range(3):
        normal[i] /= d
    for i in range(3):
        for j in range(3):
            bend[i, j] = ((1.0 if i == j else 0.0) - normal[i] * normal[j]) / d
            if inside:
                bend[i, j] -= (shape[3 + i] - shape[i]) * (shape[3 + j] - shape[j]) / (length2 * d)
    return d - shape[6]


@njit(cache=True, error_model="numpy")
def _box(shape: FloatArray, at: FloatArray, normal: FloatArray, bend: FloatArray) -> float:
    d2 = 0.0
    for i in range(3):
        normal[i] = at[i] - min(max(at[i], -shape[i]), shape[i])
        d2 += normal[i] * normal[i]
    if d2 < 1e-20:
        return _inside_box(shape, at, normal)
    d = math.sqrt(d2)
    for i in range(3):
        normal[i] /= d
    for i in range(3):
        for j in range(3):
            outside = 1.0 if i == j and abs(at[i]) > shape[i] else 0.0
            bend[i, j] = (outside - normal[i] * normal[j]) / d
    return d - shape[6]


@njit(cache=True, error_model="numpy")
def _inside_box(shape: FloatArray, at: FloatArray, normal: FloatArray) -> float:
    """Depth below the nearest face, negative; its normal."""
    face, nearest = 0, -1e30
    for i in range(3):
        if abs(at[i]) - shape[i] > nearest:
            face, nearest = i, abs(at[i]) - shape[i]
    normal[:] = 0.0
    normal[face] = 1.0 if at[face] >= 0.0 else -1.0
    return nearest - shape[6]
