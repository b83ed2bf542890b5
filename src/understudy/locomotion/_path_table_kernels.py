"""Compiled sampling of a path of lines and arcs: points and smoothed headings."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=True)
def sampled(pieces: FloatArray, count: int, half: int) -> tuple[FloatArray, FloatArray]:
    """Points ``(count + 1, 2)`` evenly along a path, and its headings there, smoothed.

    Args:
        pieces: ``(n, 10)``, see :class:`understudy.floor.FloorPath`.
        count: Intervals.
        half: Directions are averaged over so many samples either way; the ends count as often as needed, and the
            last direction stays as it is.
    """
    points, toward = np.empty((count + 1, 2)), np.empty((count + 1, 2))
    total = 0.0
    for k in range(len(pieces)):
        total += pieces[k, 9]
    piece, before = 0, 0.0
    for k in range(count + 1):
        arc = total * k / count
        while piece < len(pieces) - 1 and arc >= before + pieces[piece, 9]:
            before += pieces[piece, 9]
            piece += 1
        _sample(pieces[piece], arc - before, points[k], toward[k])
    headings = np.empty(count + 1)
    x, z = half * toward[0, 0], half * toward[0, 1]
    for k in range(half + 1):
        x, z = x + toward[min(k, count), 0], z + toward[min(k, count), 1]
    for k in range(count + 1):
        headings[k] = math.atan2(x, z)
        old, new = max(k - half, 0), min(k + half + 1, count)
        x, z = x + toward[new, 0] - toward[old, 0], z + toward[new, 1] - toward[old, 1]
    headings[count] = math.atan2(toward[count, 0], toward[count, 1])
    return points, headings


@njit(cache=True, forceinline=True)
def _sample(piece: FloatArray, along: float, point: FloatArray, toward: FloatArray) -> None:
    """Point and unit direction on one line or arc."""
    length = piece[9]
    share = min(max(along / length, 0.0), 1.0) if length > 0.0 else 0.0
    if piece[0] == 0.0:
        dx, dz = piece[3] - piece[1], piece[4] - piece[2]
        point[0], point[1] = piece[1] + share * dx, piece[2] + share * dz
        size = math.sqrt(dx * dx + dz * dz)
        toward[0], toward[1] = (dx / size, dz / size) if size > 0.0 else (0.0, 1.0)
        return
    sweep = piece[8]
    angle = piece[7] + share * sweep
    radius = length / abs(sweep) if sweep != 0.0 else length
    sign = 1.0 if sweep > 0.0 else (-1.0 if sweep < 0.0 else 0.0)
    point[0], point[1] = piece[5] + radius * math.cos(angle), piece[6] + radius * math.sin(angle)
    toward[0], toward[1] = -sign * math.sin(angle), sign * math.cos(angle)
