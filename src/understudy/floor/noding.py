"""Edges that cross or touch, cut so that they only meet at their ends: what a triangulation can be built on.

Only the triangulation sees the cut edges, which may lie off by the tolerance; clearances are always taken from the
edges as they were given.
"""

from __future__ import annotations

import numpy as np

from understudy.floor._noding_kernels import find_cuts
from understudy.floor._segment_kernels import fill_cells
from understudy.floor.segments import distinct, rounded
from understudy.floor.tables import SegmentGrid
from understudy.typing import FloatArray, IntArray

#: Cutting moves edges a little, which may make them touch others: passes at most.
_PASSES = 8


def noded(points: FloatArray, edges: IntArray, grid: SegmentGrid, *, tolerance_m: float) -> tuple[FloatArray, IntArray]:
    """Points and edges of the same picture in which edges meet at ends only.

    Args:
        points: ``(n, 2)`` distinct.
        edges: ``(m, 2)`` distinct pairs.
        grid: Gives the cells to look in.
        tolerance_m: Points as near as this to an edge lie on it [m].
    """
    for _ in range(_PASSES):
        segments = np.ascontiguousarray(points[edges].reshape(-1, 4))
        cuts, shares, fresh = find_cuts(points, edges, *fill_cells(segments, grid.frame, grid.shape), tolerance_m)
        if len(cuts) == 0:
            break
        points = np.concatenate([points, rounded(fresh)])
        edges = _cut(edges, cuts, shares)
        points, edges = distinct(points[edges].reshape(-1, 4))
    return points, edges


def _cut(edges: IntArray, cuts: IntArray, shares: FloatArray) -> IntArray:
    """Every edge as the chain of its ends and the points that cut it."""
    whole = np.ones(len(edges), dtype=np.bool_)
    whole[cuts[:, 0]] = False
    order = np.lexsort((shares, cuts[:, 0]))
    edge, point = cuts[order, 0], cuts[order, 1]
    begins = np.concatenate([[True], edge[1:] != edge[:-1]])
    ends = np.concatenate([begins[1:], [True]])
    before = np.where(begins, edges[edge, 0], np.concatenate([[0], point[:-1]]))
    into = np.stack([before, point], axis=1)
    out = np.stack([point[ends], edges[edge[ends], 1]], axis=1)
    return np.concatenate([edges[whole], into, out])
