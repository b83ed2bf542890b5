"""Compiled search for places where edges cross, touch or overlap."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def _share_on(points: FloatArray, a: int, b: int, v: int, tolerance: float) -> float:
    """Where along edge ab point ``v`` lies, when within the tolerance and at neither end; -1 otherwise."""
    if v in (a, b):
        return -1.0
    dx, dz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    px, pz = points[v, 0] - points[a, 0], points[v, 1] - points[a, 1]
    length2 = dx * dx + dz * dz
    share = (px * dx + pz * dz) / length2
    if share <= 0.0 or share >= 1.0 or abs(dx * pz - dz * px) > tolerance * math.sqrt(length2):
        return -1.0
    return share


@njit(cache=True)
def find_cuts(
    points: FloatArray, edges: IntArray, first: IntArray, items: IntArray, tolerance: float
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Cuts ``(n, 2)`` of edges as (edge, point), their shares along the edge, and the new points ``(m, 2)`` they use.

    Edges are given in cells (``first``, ``items``); a cut may be found more than once. New points are counted on from
    the last of ``points``.
    """
    cuts, shares = np.empty((64, 2), dtype=np.int64), np.empty(64)
    fresh = np.empty((16, 2))
    count, made = 0, 0
    for cell in range(first.shape[0] - 1):
        for k in range(first[cell], first[cell + 1]):
            for m in range(k + 1, first[cell + 1]):
                e, f = items[k], items[m]
                a, b, c, d = edges[e, 0], edges[e, 1], edges[f, 0], edges[f, 1]
                if count + 4 > shares.shape[0]:
                    cuts, shares = np.concatenate((cuts, cuts)), np.concatenate((shares, shares))
                before = count
                for j in range(4):
                    v = (c, d, a, b)[j]
                    share = _share_on(points, a, b, v, tolerance) if j < 2 else _share_on(points, c, d, v, tolerance)
                    if share >= 0.0:
                        cuts[count, 0], cuts[count, 1], shares[count] = e if j < 2 else f, v, share
                        count += 1
                if count > before or a in (c, d) or b in (c, d):
                    continue
                ux, uz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
                vx, vz = points[d, 0] - points[c, 0], points[d, 1] - points[c, 1]
                wx, wz = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1]
                across = ux * vz - uz * vx
                if across == 0.0:
                    continue
                s, t = (wx * vz - wz * vx) / across, (wx * uz - wz * ux) / across
                if 0.0 < s < 1.0 and 0.0 < t < 1.0:
                    if made == fresh.shape[0]:
                        fresh = np.concatenate((fresh, fresh))
                    fresh[made, 0], fresh[made, 1] = points[a, 0] + s * ux, points[a, 1] + s * uz
                    cuts[count, 0], cuts[count, 1], shares[count] = e, points.shape[0] + made, s
                    cuts[count + 1, 0], cuts[count + 1, 1], shares[count + 1] = f, points.shape[0] + made, t
                    made += 1
                    count += 2
    return cuts[:count], shares[:count], fresh[:made]
