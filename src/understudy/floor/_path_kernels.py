"""Compiled distance from points to a path of lines and arcs."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._segment_kernels import nearest_on_segment
from understudy.typing import FloatArray


@njit(cache=True)
def piece_distance(pieces: FloatArray, k: int, x: float, z: float) -> float:
    """Distance [m] from a point to one piece."""
    if pieces[k, 0] == 0.0:
        return math.sqrt(nearest_on_segment(x, z, pieces[k, 1], pieces[k, 2], pieces[k, 3], pieces[k, 4])[0])
    dx, dz = x - pieces[k, 5], z - pieces[k, 6]
    sweep = pieces[k, 8]
    turn = math.atan2(dz, dx) - pieces[k, 7]
    turn = turn if sweep > 0.0 else -turn
    if turn % (2.0 * math.pi) <= abs(sweep):
        return abs(math.sqrt(dx * dx + dz * dz) - pieces[k, 9] / abs(sweep))
    from_start = math.hypot(x - pieces[k, 1], z - pieces[k, 2])
    return min(from_start, math.hypot(x - pieces[k, 3], z - pieces[k, 4]))


@njit(cache=True)
def path_distance(pieces: FloatArray, x: float, z: float) -> float:
    """Distance [m] from a point to a path."""
    best = np.inf
    for k in range(pieces.shape[0]):
        best = min(best, piece_distance(pieces, k, x, z))
    return best


@njit(cache=True)
def path_distances(pieces: FloatArray, points: FloatArray) -> FloatArray:
    """Distance [m] from each point ``(n, 2)`` to a path."""
    out = np.empty(points.shape[0])
    for i in range(points.shape[0]):
        out[i] = path_distance(pieces, points[i, 0], points[i, 1])
    return out


@njit(cache=True)
def fill_band(pieces: FloatArray, frame: FloatArray, values: FloatArray) -> None:
    """Distance to the path at the centres of a grid's cells, up to ``frame[3]``."""
    ox, oz, width, limit = frame[0], frame[1], frame[2], frame[3]
    values[:] = limit
    for k in range(pieces.shape[0]):
        radius = pieces[k, 9] / abs(pieces[k, 8]) if pieces[k, 0] == 1.0 else 0.0
        low_x = min(pieces[k, 1], pieces[k, 3]) - limit - radius
        high_x = max(pieces[k, 1], pieces[k, 3]) + limit + radius
        low_z = min(pieces[k, 2], pieces[k, 4]) - limit - radius
        high_z = max(pieces[k, 2], pieces[k, 4]) + limit + radius
        for iz in range(max(int((low_z - oz) / width), 0), min(int((high_z - oz) / width) + 1, values.shape[0])):
            for ix in range(max(int((low_x - ox) / width), 0), min(int((high_x - ox) / width) + 1, values.shape[1])):
                distance = piece_distance(pieces, k, ox + (ix + 0.5) * width, oz + (iz + 0.5) * width)
                values[iz, ix] = min(values[iz, ix], distance)


@njit(cache=True)
def is_within(pieces: FloatArray, frame: FloatArray, values: FloatArray, x: float, z: float, reach: float) -> bool:
    """Whether a point is within ``reach`` of a path: the band decides, the path itself where the band cannot."""
    ix, iz = math.floor((x - frame[0]) / frame[2]), math.floor((z - frame[1]) / frame[2])
    if reach < frame[3]:
        if ix < 0 or iz < 0 or ix >= values.shape[1] or iz >= values.shape[0]:
            return False
        dx, dz = x - frame[0] - (ix + 0.5) * frame[2], z - frame[1] - (iz + 0.5) * frame[2]
        off = math.sqrt(dx * dx + dz * dz)
        if values[iz, ix] + off <= reach:
            return True
        if values[iz, ix] - off > reach:
            return False
    return path_distance(pieces, x, z) <= reach


@njit(cache=True)
def are_within(pieces: FloatArray, frame: FloatArray, values: FloatArray, points: FloatArray, reach: float) -> bool:
    """Whether all points ``(n, 2)`` are within ``reach`` of a path."""
    held = True
    k = 0
    while held and k < points.shape[0]:
        held = is_within(pieces, frame, values, points[k, 0], points[k, 1], reach)
        k += 1
    return held
