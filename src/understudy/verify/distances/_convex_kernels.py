"""The judge's compiled golden section along segments, for boxes and cylinders."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray
from understudy.verify._kernels import segment_gap

_STEPS = 48
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@njit(cache=True)
def _depth(x: float, y: float, z: float, size: FloatArray, round_: bool) -> float:
    """Signed distance of a point from a box of half ``size``, or from a cylinder of radius and half height."""
    if round_:
        a, b, c = math.sqrt(x * x + z * z) - size[0], abs(y) - size[1], -math.inf
    else:
        a, b, c = abs(x) - size[0], abs(y) - size[1], abs(z) - size[2]
    p, q, r = max(a, 0.0), max(b, 0.0), max(c, 0.0)
    return math.sqrt(p * p + q * q + r * r) + min(max(a, max(b, c)), 0.0)


@njit(cache=True)
def lowest_along_segments(start: FloatArray, end: FloatArray, size: FloatArray, round_: bool) -> FloatArray:
    """Lowest signed distance ``(n,)`` [m] on segments ``(n, 3)`` to ``(n, 3)`` of a solid about the origin.

    Args:
        start: Where segments begin [m].
        end: Where they end [m].
        size: ``(3,)`` half sizes of a box [m]; of a cylinder along Y its radius and half height first.
        round_: Whether it is a cylinder.
    """
    out = np.empty(len(start))
    for n in range(len(start)):
        x, y, z = start[n, 0], start[n, 1], start[n, 2]
        u, v, w = end[n, 0] - x, end[n, 1] - y, end[n, 2] - z
        low, high = 0.0, 1.0
        best = min(_depth(x, y, z, size, round_), _depth(x + u, y + v, z + w, size, round_))
        left, right = 1.0 - _GOLDEN, _GOLDEN
        at_left = _depth(x + left * u, y + left * v, z + left * w, size, round_)
        at_right = _depth(x + right * u, y + right * v, z + right * w, size, round_)
        for _ in range(_STEPS):
            best = min(best, min(at_left, at_right))
            if at_left > at_right:
                low, left, at_left = left, right, at_right
                right = low + _GOLDEN * (high - low)
                at_right = _depth(x + right * u, y + right * v, z + right * w, size, round_)
            else:
                high, right, at_right = right, left, at_left
                left = high - _GOLDEN * (high - low)
                at_left = _depth(x + left * u, y + left * v, z + left * w, size, round_)
        out[n] = best
    return out


@njit(cache=True)
def distances_from_axis(start: FloatArray, end: FloatArray, half: float) -> FloatArray:
    """Distance ``(n,)`` [m] of segments ``(n, 3)`` to ``(n, 3)`` from one along Y, ``half`` [m] to both sides."""
    out, segment, axis = np.empty(len(start)), np.empty((2, 3)), np.zeros((2, 3))
    axis[0, 1], axis[1, 1] = half, -half
    for n in range(len(start)):
        segment[0], segment[1] = start[n], end[n]
        out[n] = segment_gap(segment, axis)
    return out
