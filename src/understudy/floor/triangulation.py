"""Constrained Delaunay triangulation of a floor, refined so that its edges show every narrow place.

Deviation from the thesis: instead of Kallmann's local clearance refinement, the foot of each corner on each wall it
faces at close range is inserted. Then an edge shorter than ``2 r`` is impassable for a disc of radius ``r`` and nothing
else is: one forest answers for any radius whether two places are connected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.errors import SceneError
from understudy.floor import _sight_kernels as sight
from understudy.floor import _triangle_kernels as kernels
from understudy.floor._refine_kernels import insert_on_walls
from understudy.floor.noding import FINE_M, noded
from understudy.floor.segments import Outline
from understudy.floor.tables import Bottlenecks, Corners, SegmentGrid, Triangles
from understudy.typing import BoolArray, FloatArray, IntArray

_NONE = 2**32 - 1
#: [m] tried one after the other: how near a point must be to an edge to lie on it.
_TOLERANCES_M = (FINE_M, FINE_M, 1e-6, 1e-6, 1e-5, 1e-5, 1e-4, 1e-4)
#: Room for what corners see: a guess, it grows when it is full.
_SEEN_EACH = 16
#: [m] feet closer together on a wall are one.
_APART_M = 1e-6


@dataclass(eq=False)
class Triangulation:
    """Triangles, turning corners with what they see so far, and the narrowest passages."""

    mesh: Triangles
    corners: Corners
    bottlenecks: Bottlenecks

    def make_room(self) -> None:
        """Twice the room for what corners see."""
        self.corners = self.corners._replace(seen=np.concatenate([self.corners.seen, self.corners.seen]))


def triangulate(outline: Outline, grid: SegmentGrid) -> Triangulation:
    """Triangulate a floor.

    Args:
        outline: Points and edges of obstacles and of the floor's own edge; they may touch and cross.
        grid: The same edges in cells; seeds for point location share its cells.
    """
    coarse = _delaunay(outline, grid)
    leaving = kernels.edges_around(coarse.corners, len(coarse.points))
    turns, _ = kernels.find_turns(coarse.points, coarse.corners, coarse.walls, coarse.free, *leaving)
    mesh = _with_feet(coarse, turns)
    seeds = kernels.seed_cells(mesh.points, mesh.corners, mesh.neighbours, grid.frame, grid.shape)
    mesh = mesh._replace(seeds=seeds)
    leaving = kernels.edges_around(mesh.corners, len(mesh.points))
    turns, cones = kernels.find_turns(mesh.points, mesh.corners, mesh.walls, mesh.free, *leaving)
    spans, seen = np.full((len(mesh.points), 2), -1), np.empty(_SEEN_EACH * len(mesh.points), dtype=np.int64)
    corners = Corners(turns, cones, *leaving, spans, seen, np.zeros(1, dtype=np.int64))
    passages, widths = kernels.find_passages(mesh)
    order = np.argsort(-widths, kind="stable")
    forest = kernels.grow_forest(mesh, passages[order], widths[order])
    return Triangulation(mesh, corners, Bottlenecks(*forest))


def _delaunay(outline: Outline, grid: SegmentGrid) -> Triangles:
    """Triangles over the outline's points and those where its edges cross."""
    cut_points, edges = outline.points, outline.edges
    for tolerance in _TOLERANCES_M:
        cut_points, edges = noded(cut_points, edges, grid, tolerance_m=tolerance)
        try:
            points, corners, neighbours = _constrained(cut_points, edges)
        except RuntimeError:
            # Edges cross anew after cutting, or all but coincide: taking more of them for touching helps.
            continue
        walls, found = kernels.mark_walls(corners, edges + 3, len(points))
        if found == len(edges):
            break
    else:
        raise SceneError(
            "the floor's obstacles cross in ways that cannot be resolved; merge obstacles that nearly coincide"
        )
    free = kernels.mark_free(points, corners, neighbours, walls, outline.segments, outline.first, outline.boxes)
    return Triangles(points, corners, neighbours, walls, free, np.zeros(0, dtype=np.int64))


def _constrained(points: FloatArray, edges: IntArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Points, corners and neighbours of the constrained Delaunay triangulation; three far points come first."""
    import pythoncdt as cdt

    # Edges meet at ends only, so none have to be resolved; were one forgotten, this raises a RuntimeError.
    made = cdt.Triangulation(cdt.VertexInsertionOrder.AUTO, cdt.IntersectingConstraintEdges.NOT_ALLOWED, 0.0)
    # Before Python 3.12 the type checker does not know arrays as buffers.
    vertices_in: Any = np.ascontiguousarray(points)
    edges_in: Any = np.ascontiguousarray(edges, dtype=np.uint32)
    made.insert_vertices(vertices_in)
    made.insert_edges(edges_in)
    # The far points stay: with them every real point lies inside the triangulation.
    triangles = made.triangles_array()
    vertices = made.vertices_array().view(np.float64).reshape(-1, 2)
    neighbours = triangles["neighbors"].astype(np.int64)
    neighbours[neighbours == _NONE] = -1
    return vertices, triangles["vertices"].astype(np.int64), neighbours


def _with_feet(mesh: Triangles, turns: BoolArray) -> Triangles:
    """The triangulation with the feet of corners on the walls they face."""
    where, feet = sight.find_feet(mesh, turns)
    if len(where) == 0:
        return mesh
    # Walls are met from both sides; sort the feet along each wall's direction from its lower to its higher point.
    triangle, side = where // 3, where % 3
    one, other = mesh.corners[triangle, side], mesh.corners[triangle, (side + 1) % 3]
    shares = np.where(one < other, feet[:, 2], 1.0 - feet[:, 2])
    low, high = np.minimum(one, other), np.maximum(one, other)
    order = np.lexsort((shares, high, low))
    low, high, feet = low[order], high[order], feet[order, :2]
    again = (low[1:] == low[:-1]) & (high[1:] == high[:-1]) & (np.abs(feet[1:] - feet[:-1]).max(axis=1) < _APART_M)
    keep = np.concatenate([[True], ~again])
    low, high, feet = low[keep], high[keep], feet[keep]
    room = 2 * len(low)
    refined = Triangles(
        np.concatenate([mesh.points, feet]),
        np.concatenate([mesh.corners, np.full((room, 3), -1)]),
        np.concatenate([mesh.neighbours, np.full((room, 3), -1)]),
        np.concatenate([mesh.walls, np.zeros((room, 3), dtype=np.bool_)]),
        np.concatenate([mesh.free, np.zeros(room, dtype=np.bool_)]),
        mesh.seeds,
    )
    insert_on_walls(refined, low, high, len(mesh.points))
    return refined
