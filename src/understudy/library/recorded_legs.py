"""Legs in the recordings: where their capsules are in every frame, how far apart, in which postures they overlap."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.library.footage import Footage
from understudy.library.scratch import blocks
from understudy.library.tables import BodyTable
from understudy.typing import FloatArray, IntArray


def capsules(footage: Footage, table: BodyTable) -> tuple[FloatArray, FloatArray]:
    """Ends of the legs' capsules in every frame, and how far the pairs are apart [m]."""
    from understudy.library._closeness_kernels import all_ends, leg_gaps

    count, world = len(footage), footage.world
    ends = footage.scratch.empty((count, len(table.joints), 2, 3))
    gaps = footage.scratch.empty((count, len(table.pairs)))
    for part in blocks(count, footage.scratch):
        ends[part] = all_ends(table, world.positions[part], world.rotations[part])
        gaps[part] = leg_gaps(table, ends[part])
    return ends, gaps


def overlaps(footage: Footage, table: BodyTable, ends: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Postures ``(n, 12)`` in which pairs of leg capsules overlap, their depths, and where each pair's begin.

    A posture is the four ends of both capsules, seen from the root; it is taken four times a frame.
    """
    from understudy.library._closeness_kernels import BETWEEN, leg_gaps

    inside = np.setdiff1d(np.arange(len(footage) - 1), footage.starts[1:-1] - 1)
    roots, turned = footage.table.roots, rot.continuous(footage.table.rotations[:, 0])
    found: list[list[tuple[FloatArray, FloatArray]]] = [[] for _ in table.pairs]
    for share in np.arange(BETWEEN) / BETWEEN:
        for part in blocks(len(inside), footage.scratch):
            now, then = inside[part], inside[part] + 1
            moved = np.ascontiguousarray((1.0 - share) * ends[now] + share * ends[then])
            gap = leg_gaps(table, moved)
            root = (1.0 - share) * roots[now] + share * roots[then]
            turn = (1.0 - share) * turned[now] + share * turned[then]
            turn /= np.linalg.norm(turn, axis=1, keepdims=True)
            for number in np.flatnonzero((gap < 0.0).any(axis=0)):
                over = np.flatnonzero(gap[:, number] < 0.0)
                away = moved[over][:, table.pairs[number]] - root[over, None, None]
                seen = rot.rotate(rot.conjugate(turn[over])[:, None, None], away)
                found[number].append((seen.reshape(-1, 12), gap[over, number]))
    rows, depths, starts = [np.empty((0, 12))], [np.empty(0)], [0]
    for pieces in found:
        seen = np.concatenate([np.empty((0, 12)), *(one for one, _ in pieces)])
        gap = np.concatenate([np.empty(0), *(other for _, other in pieces)])
        order = np.argsort(gap, kind="stable")
        rows.append(seen[order])
        depths.append(-gap[order])
        starts.append(starts[-1] + len(order))
    return np.concatenate(rows), np.concatenate(depths), np.array(starts, dtype=np.int64)
