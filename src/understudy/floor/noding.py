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

#: [m] the tolerance of a first try.
FINE_M = 1e-7


def noded(points: FloatArray, edges: IntArray, grid: SegmentGrid, *, tolerance_m: float) -> tuple[FloatArray, IntArray]:
    """Points and edges of the same picture, cut where they meet.

    Cutting moves edges a little, which rarely makes them cross others anew: then it has to be done again.

    Args:
        points: ``(n, 2)`` distinct.
        edges: ``(m, 2)`` distinct pairs.
        grid: Gives the cells to look in.
        tolerance_m: Points as near as this to an edge lie on it [m]; above ``FINE_M`` points that near to each other
            are also made one.
    """
    if tolerance_m > FINE_M:
        points, edges = distinct((np.round(points / (2.0 * tolerance_m)) * 2.0 * tolerance_m)[edges].reshape(-1, 4))
    segments = np.ascontiguousarray(points[edges].reshape(-1, 4))
    cuts, shares, fresh = find_cuts(points, edges, *fill_cells(segments, grid.frame, grid.shape), tolerance_m)
    if len(cuts) == 0:
        return points, edges
    points = np.concatenate([points, rounded(fresh)])
    return distinct(points[_cut(edges, cuts, shares)].reshape(-1, 4))


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
