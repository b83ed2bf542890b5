"""Distance to the nearest obstacle on a fine grid, for searches that ask millions of times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy.floor import _distance_kernels as kernels
from understudy.floor.segments import Outline
from understudy.floor.tables import DistanceGrid
from understudy.typing import FloatArray

#: [m] width of a cell and the largest distance stored.
CELL_M, LIMIT_M = 0.05, 1.0
#: Floors so large that they would need more cells than this get wider ones.
MOST_CELLS = 16_000_000


@dataclass(frozen=True, eq=False)
class Distances:
    """Distance to the nearest obstacle, up to a limit; 0 inside obstacles and off the floor.

    Attributes:
        grid: The arrays, for kernels (``disc_is_free``, ``step_is_free`` in ``_distance_kernels``).
    """

    grid: DistanceGrid

    @property
    def cell_m(self) -> float:
        """Width of a cell [m]."""
        return float(self.grid.frame[2])

    @property
    def limit_m(self) -> float:
        """Largest distance stored [m]."""
        return float(self.grid.frame[3])

    def at(self, points: FloatArray) -> FloatArray:
        """``(...)`` distance of points ``(..., 2)`` (x, z) [m] from the nearest obstacle, linear between cells."""
        values = self.grid.values
        most = np.array(values.shape[::-1]) - 1
        cells = np.clip((points - self.grid.frame[:2]) / self.cell_m - 0.5, 0.0, most)
        low = np.minimum(cells.astype(np.int64), most - 1)
        x, z = np.moveaxis(low, -1, 0)
        u, v = np.moveaxis(cells - low, -1, 0)
        near = (1.0 - u) * values[z, x] + u * values[z, x + 1]
        return np.asarray((1.0 - v) * near + v * ((1.0 - u) * values[z + 1, x] + u * values[z + 1, x + 1]))

    def centres(self) -> FloatArray:
        """Centres of the cells ``(nz, nx, 2)`` (x, z) [m]."""
        nz, nx = self.grid.values.shape
        x = self.grid.frame[0] + (np.arange(nx) + 0.5) * self.cell_m
        z = self.grid.frame[1] + (np.arange(nz) + 0.5) * self.cell_m
        return np.stack(np.broadcast_arrays(x[None, :], z[:, None]), axis=-1)


def distances_of(outline: Outline, *, cell_m: float = CELL_M, limit_m: float = LIMIT_M) -> Distances:
    """Fill a grid over the whole floor."""
    low, high = outline.points.min(axis=0) - cell_m, outline.points.max(axis=0) + cell_m
    cell_m = max(cell_m, float(np.sqrt(np.prod(high - low) / MOST_CELLS)))
    size = np.ceil((high - low) / cell_m).astype(np.int64)
    grid = DistanceGrid(np.array([low[0], low[1], cell_m, limit_m]), np.empty((size[1], size[0])))
    window = np.array([0, 0, size[0], size[1]])
    kernels.fill(outline.segments, outline.first, outline.boxes, grid, window)
    return Distances(grid)


def redone(before: Distances, outline: Outline, touched: npt.NDArray[np.float64]) -> Distances:
    """The grid after a change within the box ``touched`` (x, z, x, z): only cells in its reach are filled anew."""
    frame, shape = before.grid.frame, np.array(before.grid.values.shape[::-1])
    low, high = outline.points.min(axis=0), outline.points.max(axis=0)
    end = frame[:2] + shape * frame[2]
    if (low < frame[:2]).any() or (high > end).any():
        return distances_of(outline, cell_m=before.cell_m, limit_m=before.limit_m)
    reach = before.limit_m + before.cell_m
    first = np.floor((touched[:2] - reach - frame[:2]) / frame[2]).astype(np.int64)
    last = np.ceil((touched[2:] + reach - frame[:2]) / frame[2]).astype(np.int64)
    window = np.concatenate([np.clip(first, 0, shape), np.clip(last, 0, shape)])
    grid = DistanceGrid(frame, before.grid.values.copy())
    kernels.fill(outline.segments, outline.first, outline.boxes, grid, window)
    return Distances(grid)
