"""Filling a window's tables: poses between frames, parts in their frames, pairs of them, moving solids."""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._segment_kernels import segments_nearest
from understudy.collision._sweep_kernels import turn_angle
from understudy.collision.tables import BOUND, CENTRE, PLACE, TrackArrays
from understudy.compiling.kernel import njit
from understudy.rotations._kernels import qconj_rot, qmul, qrot, qslerp
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def place_between(
    parents: IntArray,
    offsets: FloatArray,
    roots: FloatArray,
    local: FloatArray,
    steps: int,
    places: FloatArray,
    turns: FloatArray,
) -> None:
    """World positions ``(grid, joints, 3)`` and rotations of frames and ``steps - 1`` moments after each.

    Positions of the root are interpolated linearly, rotations by slerp; ``turns`` first holds the local ones.
    """
    for g in range(places.shape[0]):
        f = min(g // steps, max(roots.shape[0] - 2, 0))
        share = (g - f * steps) / steps
        for j in range(parents.shape[0]):
            if share == 0.0:
                w, x, y, z = local[f, j, 0], local[f, j, 1], local[f, j, 2], local[f, j, 3]
            else:
                a, b = local[f, j], local[f + 1, j]
                w, x, y, z = qslerp(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], share)
            p = parents[j]
            if p < 0:
                for i in range(3):
                    end = roots[min(f + 1, roots.shape[0] - 1), i]
                    places[g, j, i] = roots[f, i] + share * (end - roots[f, i])
            else:
                pw, px, py, pz = turns[g, p, 0], turns[g, p, 1], turns[g, p, 2], turns[g, p, 3]
                dx, dy, dz = qrot(pw, px, py, pz, offsets[j, 0], offsets[j, 1], offsets[j, 2])
                places[g, j, 0] = places[g, p, 0] + dx
                places[g, j, 1] = places[g, p, 1] + dy
                places[g, j, 2] = places[g, p, 2] + dz
                w, x, y, z = qmul(pw, px, py, pz, w, x, y, z)
            turns[g, j, 0], turns[g, j, 1], turns[g, j, 2], turns[g, j, 3] = w, x, y, z


@njit(cache=True, error_model="numpy")
def seen_segments(
    places: FloatArray,
    turns: FloatArray,
    joints: IntArray,
    ends: FloatArray,
    frames: IntArray,
    out: FloatArray,
) -> None:
    """Segments ``(grid, parts, 6)`` of ``ends (parts, 6)`` on ``joints``, seen from the joints ``frames``.

    A frame of -1 is the world.
    """
    for g in range(out.shape[0]):
        for c in range(joints.shape[0]):
            j, b = joints[c], frames[c]
            for e in (0, 3):
                x, y, z = ends[c, e], ends[c, e + 1], ends[c, e + 2]
                if j != b:
                    x, y, z = qrot(turns[g, j, 0], turns[g, j, 1], turns[g, j, 2], turns[g, j, 3], x, y, z)
                    x, y, z = x + places[g, j, 0], y + places[g, j, 1], z + places[g, j, 2]
                    if b >= 0:
                        x, y, z = x - places[g, b, 0], y - places[g, b, 1], z - places[g, b, 2]
                        x, y, z = qconj_rot(turns[g, b, 0], turns[g, b, 1], turns[g, b, 2], turns[g, b, 3], x, y, z)
                out[g, c, e], out[g, c, e + 1], out[g, c, e + 2] = x, y, z


@njit(cache=True, error_model="numpy")
def pairs_near(segments: FloatArray, pairs: IntArray, gaps: FloatArray) -> IntArray:
    """``(n,)`` pairs whose segments ``(grid, parts, 6)`` may ever be nearer than ``gaps`` [m], by balls around them."""
    near, count = np.empty(pairs.shape[0], dtype=np.int64), 0
    for k in range(pairs.shape[0]):
        a, b = pairs[k, 0], pairs[k, 1]
        length = 0.0
        for c in (a, b):
            square = 0.0
            for i in range(3):
                square += (segments[0, c, 3 + i] - segments[0, c, i]) ** 2
            length += 0.5 * math.sqrt(square)
        most = (gaps[k] + length + 1e-6) ** 2
        for g in range(segments.shape[0]):
            away = 0.0
            for i in range(3):
                one, two = segments[g, a, i] + segments[g, a, 3 + i], segments[g, b, i] + segments[g, b, 3 + i]
                away += 0.25 * (one - two) ** 2
            if away < most:
                near[count], count = k, count + 1
                break
    return near[:count].copy()


@njit(cache=True, error_model="numpy")
def pair_distances(segments: FloatArray, pairs: IntArray) -> FloatArray:
    """``(grid, pairs)`` distances of segments ``(grid, parts, 6)`` [m]."""
    out = np.empty((segments.shape[0], pairs.shape[0]))
    for t in range(segments.shape[0]):
        for k in range(pairs.shape[0]):
            a, b = segments[t, pairs[k, 0]], segments[t, pairs[k, 1]]
            d2, _, _ = segments_nearest(a[0], a[1], a[2], a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5])
            out[t, k] = math.sqrt(d2)
    return out


@njit(cache=True, error_model="numpy")
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
