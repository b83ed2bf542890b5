"""The judge's compiled loops: capsules, boxes and discs against each other, alike postures, moments to measure.

They are the judge's own; planners have theirs elsewhere.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.typing import BoolArray, FloatArray, IntArray

#: Directions a point is looked at from; with 64 a point half a metre from a disc's middle is 0.6 mm too near at most.
_DIRECTIONS = 64


@uncounted_inline
def _point_to_segment(
    px: float, py: float, pz: float, ax: float, ay: float, az: float, ux: float, uy: float, uz: float
) -> float:
    """Squared distance of a point from the segment from ``a`` along ``u``."""
    x, y, z = px - ax, py - ay, pz - az
    size = ux * ux + uy * uy + uz * uz
    share = 0.0
    if size > 0.0:
        share = min(max((x * ux + y * uy + z * uz) / size, 0.0), 1.0)
    x, y, z = x - share * ux, y - share * uy, z - share * uz
    return x * x + y * y + z * z


@uncounted
def segment_gap(a: FloatArray, b: FloatArray) -> float:
    """Distance [m] of two segments ``(2, 3)``: the least of four ends and the inner critical point."""
    ax, ay, az, cx, cy, cz = a[0, 0], a[0, 1], a[0, 2], b[0, 0], b[0, 1], b[0, 2]
    ux, uy, uz = a[1, 0] - ax, a[1, 1] - ay, a[1, 2] - az
    vx, vy, vz = b[1, 0] - cx, b[1, 1] - cy, b[1, 2] - cz
    best = min(
        min(
            _point_to_segment(ax, ay, az, cx, cy, cz, vx, vy, vz),
            _point_to_segment(a[1, 0], a[1, 1], a[1, 2], cx, cy, cz, vx, vy, vz),
        ),
        min(
            _point_to_segment(cx, cy, cz, ax, ay, az, ux, uy, uz),
            _point_to_segment(b[1, 0], b[1, 1], b[1, 2], ax, ay, az, ux, uy, uz),
        ),
    )
    wx, wy, wz = ax - cx, ay - cy, az - cz
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    uv, uw, vw = ux * vx + uy * vy + uz * vz, ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    spread = uu * vv - uv * uv
    if spread > 1e-14 * uu * vv:
        s, t = (uv * vw - vv * uw) / spread, (uu * vw - uv * uw) / spread
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            x, y, z = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
            best = min(best, x * x + y * y + z * z)
    return math.sqrt(best)


@njit(cache=True)
def gaps_of_rows(first: FloatArray, second: FloatArray) -> FloatArray:
    """``(n,)`` distances [m] of segments ``(n, 2, 3)`` from others, row by row."""
    out = np.empty(len(first))
    for i in range(len(first)):
        out[i] = segment_gap(first[i], second[i])
    return out


@njit(cache=True)
def deepest_alike(
    postures: FloatArray,
    known: FloatArray,
    depths: FloatArray,
    balls: FloatArray,
    ball_starts: IntArray,
    reach: float,
    best: FloatArray,
) -> None:
    """Raise ``best`` ``(n,)`` to the largest depth among known postures within ``reach`` of each posture.

    Args:
        postures: ``(n, d)`` asked.
        known: ``(m, d)`` known, in groups.
        depths: ``(m,)`` theirs [m].
        balls: ``(groups, d + 2)`` centre and radius of a ball around each group, and its largest depth; deepest first.
        ball_starts: ``(groups, 2)`` first and stop of each group.
        reach: Largest distance that counts as alike [m].
        best: Changed in place.
    """
    size = postures.shape[1]
    for q in range(len(postures)):
        for g in range(len(balls)):
            if balls[g, size + 1] <= best[q]:
                break
            far, away = (reach + balls[g, size]) ** 2, 0.0
            for d in range(size):
                away += (postures[q, d] - balls[g, d]) ** 2
            if away > far * (1.0 + 1e-12):
                continue
            for k in range(ball_starts[g, 0], ball_starts[g, 1]):
                if depths[k] <= best[q]:
                    continue
                away = 0.0
                for d in range(size):
                    away += (postures[q, d] - known[k, d]) ** 2
                    if away > reach * reach:
                        break
                if away <= reach * reach:
                    best[q] = depths[k]


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


@njit(cache=True)
def moments_near(near: BoolArray, first: int, stop: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Samples and pairs at both ends of every interval that is near, in the order of time.

    Args:
        near: ``(n - 1, pairs)`` intervals between samples to look at.
        first: First sample.
        stop: One past the last. A single sample is looked at as it is, with every pair.

    Returns:
        Sample and pair of every moment, and the moments before and after every interval.
    """
    count, pairs, intervals = 0, near.shape[1], 0
    alone = stop - first == 1
    for n in range(first, stop):
        for k in range(pairs):
            begins = n + 1 < stop and near[n, k]
            intervals += begins
            count += begins or alone or (n > first and near[n - 1, k])
    samples, items = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    lefts, rights = np.empty(intervals, dtype=np.int64), np.empty(intervals, dtype=np.int64)
    opened, row, done = np.full(pairs, -1), 0, 0
    for n in range(first, stop):
        for k in range(pairs):
            begins, ends = n + 1 < stop and near[n, k], n > first and near[n - 1, k]
            if not (begins or ends or alone):
                continue
            samples[row], items[row] = n, k
            if ends:
                lefts[done], rights[done] = opened[k], row
                done += 1
            opened[k] = row
            row += 1
    return samples, items, lefts, rights
