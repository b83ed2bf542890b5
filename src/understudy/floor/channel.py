"""The channel of a path: the strip of triangles it runs through."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.floor import _path_kernels as kernels
from understudy.floor._channel_kernels import triangles_along
from understudy.floor.path import FloorPath
from understudy.floor.questions import floor_points
from understudy.floor.tables import DistanceGrid, Triangles
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Channel:
    """A corridor with an exact path in it (the thesis's channel, [Maps]).

    Attributes:
        path: The path.
        triangles: Indices ``(n,)`` into the floor's triangulation, each next to the one before.
        outlines: ``(n, 3, 2)`` their corners (x, z) [m].
    """

    path: FloorPath
    triangles: IntArray
    outlines: FloatArray

    @cached_property
    def band(self) -> DistanceGrid:
        """Distance to the path on a 5 cm grid up to twice the clearance, for kernels."""
        return band_of(self.path, reach_m=max(2.0 * self.path.clearance_m, 0.5))

    def holds(self, points: npt.ArrayLike, *, reach_m: float | None = None) -> bool:
        """Whether all points ``(n, 2)`` are within reach of the path, by default its clearance.

        A body whose points all are touches no obstacle: the cheap test a search prunes with.
        """
        flat = floor_points(points)
        reach = self.path.clearance_m if reach_m is None else float(reach_m)
        return bool(kernels.are_within(self.path.pieces, self.band.frame, self.band.values, flat, reach))


def channel_of(mesh: Triangles, path: FloorPath, first: int) -> Channel:
    """The channel of a path that begins in triangle ``first``."""
    triangles = triangles_along(mesh, first, path.sample(0.02))
    return Channel(path=path, triangles=triangles, outlines=mesh.points[mesh.corners[triangles]])


def band_of(path: FloorPath, *, reach_m: float, cell_m: float = 0.05) -> DistanceGrid:
    """Distance to a path on a grid.

    Args:
        path: The path.
        reach_m: Largest distance stored [m].
        cell_m: Width of a cell [m].
    """
    if not (reach_m > 0.0 and cell_m > 0.0 and np.isfinite(reach_m)):
        raise OptionError(f"reach_m is {reach_m} and cell_m {cell_m}; both must be positive")
    reach = reach_m + cell_m
    ends = path.points
    # Arcs bulge out beyond their ends by less than their radius.
    low = ends.min(axis=0) - reach - path.clearance_m
    size = np.ceil((ends.max(axis=0) + reach + path.clearance_m - low) / cell_m).astype(np.int64)
    frame = np.array([low[0], low[1], cell_m, reach])
    values = np.empty((size[1], size[0]))
    kernels.fill_band(path.pieces, frame, values)
    return DistanceGrid(frame, values)
