"""Signed distances of segments from the round and boxy solids, each in its own frame.

The signed distance function of a convex solid is convex, outside and inside. Along a segment it therefore has one
lowest value, which bracketing finds to rounding for any of them: no case analysis per shape, nothing to get wrong at
edges. The signed distance of a capsule is that of its axis less its radius.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from understudy.typing import FloatArray

#: Steps of the golden section; the bracket shrinks to 1e-10 of the segment.
_STEPS = 48
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


def lowest_along(field: Callable[[FloatArray], FloatArray], start: FloatArray, end: FloatArray) -> FloatArray:
    """Lowest value ``(n,)`` of a convex function of points ``(n, 3)`` on segments ``(n, 3)`` to ``(n, 3)``."""
    span = end - start

    def at(share: FloatArray) -> FloatArray:
        return field(start + share[:, None] * span)

    low, high = np.zeros(len(start)), np.ones(len(start))
    best = np.minimum(at(low), at(high))
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = at(left), at(right)
    for _ in range(_STEPS):
        best = np.minimum(best, np.minimum(at_left, at_right))
        falling = at_left > at_right
        low, high = np.where(falling, left, low), np.where(falling, high, right)
        fresh = np.where(falling, low + _GOLDEN * (high - low), high - _GOLDEN * (high - low))
        value = at(fresh)
        left, right = np.where(falling, right, fresh), np.where(falling, fresh, left)
        at_left, at_right = np.where(falling, at_right, value), np.where(falling, value, at_left)
    return best


def segment_sphere(start: FloatArray, end: FloatArray, radius_m: float) -> FloatArray:
    """Signed distance ``(n,)`` [m] of segments from a ball about the origin."""
    return _from_core(start, end, 0.0) - radius_m


def segment_capsule(start: FloatArray, end: FloatArray, radius_m: float, length_m: float) -> FloatArray:
    """Signed distance ``(n,)`` [m] of segments from a capsule along Y about the origin."""
    return _from_core(start, end, 0.5 * length_m) - radius_m


def segment_half_space(start: FloatArray, end: FloatArray) -> FloatArray:
    """Signed distance ``(n,)`` [m] of segments from everything below y = 0."""
    return np.minimum(start[:, 1], end[:, 1])


def segment_box(start: FloatArray, end: FloatArray, size_m: tuple[float, float, float]) -> FloatArray:
    """Signed distance ``(n,)`` [m] of segments from a box about the origin."""
    return _lowest(start, end, 0.5 * np.array(size_m), round_=False)


def segment_cylinder(start: FloatArray, end: FloatArray, radius_m: float, height_m: float) -> FloatArray:
    """Signed distance ``(n,)`` [m] of segments from a flat-ended cylinder along Y about the origin."""
    return _lowest(start, end, np.array([radius_m, 0.5 * height_m, 0.0]), round_=True)


def _from_core(start: FloatArray, end: FloatArray, half_m: float) -> FloatArray:
    """Distance ``(n,)`` [m] of segments from one along Y about the origin, ``half_m`` to both sides, compiled."""
    from understudy.verify.distances._convex_kernels import distances_from_axis

    first, last = (np.array(points, dtype=np.float64, order="C") for points in (start, end))
    return np.asarray(distances_from_axis(first, last, float(half_m)))


def _lowest(start: FloatArray, end: FloatArray, size: FloatArray, *, round_: bool) -> FloatArray:
    """:func:`lowest_along` a box's or a cylinder's depth, compiled."""
    from understudy.verify.distances._convex_kernels import lowest_along_segments

    first, last = (np.array(points, dtype=np.float64, order="C") for points in (start, end))
    return np.asarray(lowest_along_segments(first, last, size, round_))
