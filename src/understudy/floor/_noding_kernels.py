"""Compiled search for places where edges cross, touch or overlap."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
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


@njit(cache=True)
def _place(first: int, second: int, keys: IntArray, slots: IntArray) -> int:
    """Slot of a pair of integers in a hash table: where it is, or the empty one where it belongs."""
    mask = slots.shape[0] - 1
    mixed = (first * 0x9E3779B1) ^ (second * 0x85EBCA77)
    mixed ^= mixed >> 29
    mixed ^= mixed >> 17
    slot = mixed & mask
    while slots[slot] >= 0 and (keys[slots[slot], 0] != first or keys[slots[slot], 1] != second):
        slot = (slot + 1) & mask
    return slot


@njit(cache=True)
def distinct_ends(segments: FloatArray) -> tuple[FloatArray, IntArray]:
    """Distinct ends ``(n, 2)`` of segments ``(m, 4)``, in order, and distinct edges ``(k, 2)`` between them.

    Ends are the same when all their bits are; edges from a point to itself are left out.
    """
    count = segments.shape[0]
    room = 16
    while room < 4 * count:
        room *= 2
    bits = segments.view(np.int64)
    slots, keys = np.full(room, -1, dtype=np.int64), np.empty((2 * count, 2), dtype=np.int64)
    points, size = np.empty((2 * count, 2)), 0
    index = np.empty((count, 2), dtype=np.int64)
    for s in range(count):
        for end in range(2):
            x, z = bits[s, 2 * end], bits[s, 2 * end + 1]
            slot = _place(x, z, keys, slots)
            if slots[slot] < 0:
                slots[slot] = size
                keys[size, 0], keys[size, 1] = x, z
                points[size, 0], points[size, 1] = segments[s, 2 * end], segments[s, 2 * end + 1]
                size += 1
            index[s, end] = slots[slot]
    slots[:] = -1
    edges, made = np.empty((count, 2), dtype=np.int64), 0
    for s in range(count):
        a, b = min(index[s, 0], index[s, 1]), max(index[s, 0], index[s, 1])
        slot = _place(a, b, edges, slots)
        if a != b and slots[slot] < 0:
            slots[slot] = made
            edges[made, 0], edges[made, 1] = a, b
            made += 1
    return points[:size].copy(), edges[:made].copy()
