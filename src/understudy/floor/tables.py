"""What a floor is built into: plain arrays that compiled kernels read.

Named tuples pass through numba as they are, so other rooms may hand them on to kernels of their own.
"""

from __future__ import annotations

from typing import NamedTuple

from understudy.typing import BoolArray, FloatArray, IntArray


class SegmentGrid(NamedTuple):
    """Obstacle edges, sorted into square cells.

    Attributes:
        segments: ``(m, 4)`` ends (x, z, x, z) [m].
        owners: ``(m,)`` index of the obstacle each belongs to; -1 for the edge of the floor.
        frame: ``(3,)`` x and z of the grid's low corner and the width of a cell [m].
        shape: ``(2,)`` cells along x and z.
        first: ``(cells + 1,)`` where each cell's items begin; cell ``iz * nx + ix``.
        items: Segment indices, cell by cell.
    """

    segments: FloatArray
    owners: IntArray
    frame: FloatArray
    shape: IntArray
    first: IntArray
    items: IntArray


class Triangles(NamedTuple):
    """A constrained Delaunay triangulation, refined where a corner faces an edge.

    Attributes:
        points: ``(v, 2)`` (x, z) [m]; the first three are far outside.
        corners: ``(t, 3)`` point indices, counter-clockwise in the (x, z) plane.
        neighbours: ``(t, 3)`` triangle across the edge from corner ``i`` to ``i + 1``; -1 for none.
        walls: ``(t, 3)`` whether that edge belongs to an obstacle or the floor's edge.
        free: ``(t,)`` whether one may stand in it.
        seeds: One triangle per cell of the segment grid: where looking for a point begins.
    """

    points: FloatArray
    corners: IntArray
    neighbours: IntArray
    walls: BoolArray
    free: BoolArray
    seeds: IntArray


class Corners(NamedTuple):
    """The points a shortest path may turn at, and what they see, as far as queried.

    Attributes:
        turns: ``(v,)`` whether a point is such a corner.
        cones: ``(v, 4)`` unit directions of the two outermost walls at it.
        first: ``(v + 1,)`` where the list of edges that leave a point begins.
        leaving: Those edges as ``3 * triangle + i``.
        spans: ``(v, 2)`` begin and end of the list of corners a corner sees; -1 until it is made.
        seen: Room for those lists.
        used: ``(1,)`` how much of it is taken.
    """

    turns: BoolArray
    cones: FloatArray
    first: IntArray
    leaving: IntArray
    spans: IntArray
    seen: IntArray
    used: IntArray


class Bottlenecks(NamedTuple):
    """Forest over triangles; the narrowest passage between two is met on the way up to where they join.

    Attributes:
        parents: ``(t,)``; a root is its own parent.
        widths: ``(t,)`` squared length [m2] of the edge passed on the way to the parent; 0 for a root.
    """

    parents: IntArray
    widths: FloatArray


class DistanceGrid(NamedTuple):
    """Distance to the nearest obstacle at the centres of small cells, up to a limit.

    Attributes:
        frame: ``(4,)`` x and z of the low corner, width of a cell and the largest distance stored [m].
        values: ``(nz, nx)`` [m], 0 inside obstacles and off the floor.
    """

    frame: FloatArray
    values: FloatArray
