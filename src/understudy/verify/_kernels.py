"""The judge's compiled loops: capsules of one body against each other, and the deepest overlap of alike postures.

They are the judge's own; planners have theirs elsewhere.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.typing import FloatArray, IntArray


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
