"""Filling a window's tables: distances of pairs in the source, and how fast moving solids can be."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.collision._segment_kernels import segments_nearest
from understudy.collision._sweep_kernels import turn_angle
from understudy.collision.tables import BOUND, CENTRE, PLACE, TrackArrays
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def pair_distances(segments: FloatArray, pairs: IntArray) -> FloatArray:
    """``(grid, pairs)`` distances of segments ``(grid, parts, 6)`` [m]."""
    out = np.empty((segments.shape[0], pairs.shape[0]))
    for t in range(segments.shape[0]):
        for k in range(pairs.shape[0]):
            a, b = segments[t, pairs[k, 0]], segments[t, pairs[k, 1]]
            d2, _, _ = segments_nearest(a[0], a[1], a[2], a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5])
            out[t, k] = math.sqrt(d2)
    return out


@njit(cache=True)
def track_rates(tracks: TrackArrays, rows: FloatArray, start: float, step: float, cells: int) -> FloatArray:
    """``(cells, tracks)`` largest speed of any point of each moving solid within each cell [m/s]."""
    out = np.zeros((cells, tracks.spans.shape[0]))
    for k in range(tracks.spans.shape[0]):
        i, first, last = tracks.spans[k, 0], tracks.spans[k, 1], tracks.spans[k, 2]
        x, y, z = (
            rows[i, CENTRE] - rows[i, PLACE],
            rows[i, CENTRE + 1] - rows[i, PLACE + 1],
            rows[i, CENTRE + 2] - rows[i, PLACE + 2],
        )
        far = rows[i, BOUND] + math.sqrt(x * x + y * y + z * z)
        for a in range(first, last - 1):
            t0, t1 = tracks.times[a], tracks.times[a + 1]
            low, high = math.floor((t0 - start) / step), math.floor((t1 - start) / step)
            if high < 0 or low >= cells:
                continue
            shift = 0.0
            for m in range(3):
                shift += (tracks.poses[a + 1, m] - tracks.poses[a, m]) ** 2
            angle = turn_angle(tracks.poses[a : a + 1, 3:], tracks.poses[a + 1 : a + 2, 3:], 0)
            speed = (math.sqrt(shift) + angle * far) / (t1 - t0)
            for cell in range(max(int(low), 0), min(int(high), cells - 1) + 1):
                out[cell, k] = max(out[cell, k], speed)
    return out
