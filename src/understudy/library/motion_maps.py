"""Motion maps: where a person can be after every clip, computed once and shared by all who walk ([Maps]).

The map of a clip is a tree of ways through the graph that begin with it. The clip's own frame is the map's origin. A
*way* is known by its last clip: place and heading at that clip's end fall into a cell of 0.1 m, 0.1 m and 30 degrees,
and its parent is the way without that clip. Ways are sorted by cell, so those of one cell, and of neighbours along x,
lie side by side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy.library.array_tables import beyond
from understudy.typing import FloatArray, IntArray

#: Width of a cell [m], and how many cells a full turn has.
CELL_M, SECTORS = 0.1, 12
#: [rad] width of a cell.
CELL_RAD = 2.0 * math.pi / SECTORS
#: [m] lengths are kept in 32 bits.
_ROUNDING_M = 1e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class MotionMaps:
    """The maps of all clips of a library, in arrays that may lie in a file. All arrays are read-only.

    Attributes:
        clips: Most clips of a way, its first one included.
        fan: Most transitions that were followed out of a clip.
        starts: ``(nodes + 1,)`` ways ``starts[n]`` up to ``starts[n + 1]`` begin with clip ``n``.
        grids: ``(nodes, 4)`` lowest column (x) and row (z) of a map's cells, and how many columns and rows it has.
        average_m: ``(nodes,)`` mean length of a map's ways [m].
        cells: ``(ways,)`` cell number within the map, ``(row * columns + column) * SECTORS + sector``, ascending.
        parents: ``(ways,)`` the way without its last clip, counted from the map's start; -1 for the clip alone.
        edges: ``(ways,)`` the library's edge to the last clip; -1 for the clip alone.
        depths: ``(ways,)`` number of transitions.
        places: ``(ways, 3)`` x, z [m] and heading [rad] at the end, in the first clip's frame.
        lengths_m: ``(ways,)`` how far the root travels after the first clip [m].
    """

    clips: int
    fan: int
    starts: IntArray
    grids: npt.NDArray[np.int32]
    average_m: FloatArray
    cells: npt.NDArray[np.int32]
    parents: npt.NDArray[np.int32]
    edges: npt.NDArray[np.int32]
    depths: npt.NDArray[np.uint8]
    places: npt.NDArray[np.float32]
    lengths_m: npt.NDArray[np.float32]

    def __len__(self) -> int:
        """Number of ways in all maps."""
        return len(self.cells)

    def __repr__(self) -> str:
        """Maps, ways, depth and size in one line."""
        return (
            f"MotionMaps({self.nodes} maps, {len(self)} ways of up to {self.clips} clips "
            f"(depth {self.thesis_depth} as the thesis counts), {self.nbytes / 1e6:.1f} MB)"
        )

    @property
    def nodes(self) -> int:
        """Number of maps."""
        return len(self.starts) - 1

    @property
    def thesis_depth(self) -> int:
        """The depth as the thesis counts, clips and transitions alike."""
        return 2 * self.clips

    @property
    def nbytes(self) -> int:
        """Size of all arrays [bytes]."""
        return sum(getattr(self, name).nbytes for name in TYPES)

    def occupied(self) -> IntArray:
        """``(nodes,)`` cells that some way reaches, in every map."""
        new = np.ones(len(self), dtype=np.int64)
        new[1:] = np.diff(self.cells) != 0
        new[self.starts[:-1]] = 1
        return np.add.reduceat(new, self.starts[:-1])

    def way(self, node: int, place: int) -> list[int]:
        """The edges of a way, first to last; ``place`` counts from the map's start."""
        first, edges = int(self.starts[node]), []
        while self.parents[first + place] >= 0:
            edges.append(int(self.edges[first + place]))
            place = int(self.parents[first + place])
        return edges[::-1]


#: Type and shape of every array, with "n" for nodes and "w" for ways.
TYPES: dict[str, tuple[str, tuple[str | int, ...]]] = {
    "starts": ("<i8", ("n+1",)),
    "grids": ("<i4", ("n", 4)),
    "average_m": ("<f8", ("n",)),
    "cells": ("<i4", ("w",)),
    "parents": ("<i4", ("w",)),
    "edges": ("<i4", ("w",)),
    "depths": ("|u1", ("w",)),
    "places": ("<f4", ("w", 3)),
    "lengths_m": ("<f4", ("w",)),
}


def fault_in(maps: MotionMaps, *, sources: IntArray, targets: IntArray) -> str:
    """What contradicts itself in maps that came out of a file, or does not fit their graph; empty when nothing does.

    Args:
        maps: The maps; the arrays' shapes are as :data:`TYPES` says.
        sources: ``(edges,)`` clip an edge of the graph leaves.
        targets: ``(edges,)`` clip it leads to.
    """
    if not (1 <= maps.clips <= 255 and maps.fan >= 1):
        return "the depth"
    if maps.nodes < 1 or maps.starts[0] != 0 or maps.starts[-1] != len(maps) or (np.diff(maps.starts) < 1).any():
        return "where maps begin"
    cells = maps.grids[:, 2].astype(np.int64) * maps.grids[:, 3] * SECTORS
    if (maps.grids[:, 2:] < 1).any() or (cells >= 2**31).any():
        return "the grids"
    if any(beyond(values) for values in (maps.average_m, maps.places, maps.lengths_m)):
        return "a number"
    if (maps.average_m < 0.0).any() or (maps.lengths_m < 0.0).any():
        return "a length"
    return _fault_in_cells(maps, cells) or _fault_in_ways(maps, sources, targets)


def _fault_in_cells(maps: MotionMaps, cells: IntArray) -> str:
    steps = np.diff(maps.cells)
    steps[maps.starts[1:-1] - 1] = 0
    lowest, highest = maps.cells[maps.starts[:-1]], maps.cells[maps.starts[1:] - 1]
    return "the cells" if (steps < 0).any() or (lowest < 0).any() or (highest >= cells).any() else ""


def _fault_in_ways(maps: MotionMaps, sources: IntArray, targets: IntArray) -> str:
    sizes = np.diff(maps.starts)
    roots = maps.parents < 0
    alone = np.add.reduceat(roots.astype(np.int64), maps.starts[:-1]) == 1
    if (
        not alone.all()
        or (maps.depths[roots] != 0).any()
        or (maps.parents < -1).any()
        or (maps.edges[roots] != -1).any()
    ):
        return "the clips alone"
    here = np.repeat(np.arange(maps.nodes, dtype=np.int32), sizes)
    if (maps.parents >= sizes.astype(np.int32)[here]).any():
        return "the parents"
    grown = np.flatnonzero(~roots)
    parents, edges = maps.parents[grown] + maps.starts[here[grown]], maps.edges[grown]
    # A parent is one transition shallower, so no way can run in a circle.
    if (maps.depths[grown] != maps.depths[parents].astype(np.int64) + 1).any() or maps.depths.max() >= maps.clips:
        return "the depths"
    if len(edges) and not 0 <= edges.min() <= edges.max() < len(targets):
        return "the edges"
    # A way is as long as its parent or longer: what kernels count along it stays within it.
    if (maps.lengths_m[grown] < maps.lengths_m[parents] - _ROUNDING_M).any():
        return "a length"
    ends = here.copy()
    ends[grown] = targets[edges]
    return "the order of clips" if (sources[edges] != ends[parents]).any() else ""
