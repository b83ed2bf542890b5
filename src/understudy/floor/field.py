"""Potential field: distance to a goal on a grid of obstacles grown by a radius ([Sampling]).

Deviation from the paper, which leaves the propagation open: distances come from fast marching, so they are near the
true length in every direction, not only along rows and diagonals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from understudy.core.planning import Status
from understudy.errors import OptionError
from understudy.floor import _field_kernels as kernels
from understudy.floor.distances import CELL_M, distances_of
from understudy.floor.questions import floor_point, floor_points
from understudy.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.floor.floor import Floor

#: Cells about the goal whose distance is taken straight.
_NEAR = 12


@dataclass(frozen=True, eq=False, kw_only=True)
class PotentialField:
    """How far it is to the goal from everywhere.

    Attributes:
        goal: (x, z) [m].
        radius_m: What obstacles were grown by.
        low: x and z of the grid's low corner [m].
        cell_m: Width of a cell.
        blocked: ``(nz, nx)`` cells whose centre is closer than the radius to an obstacle or off the floor.
        values: ``(nz, nx)`` distance to the goal [m]; infinite where there is no way.
        status: ``SOLVED``, or ``INFEASIBLE_GOAL`` when the goal's cell is blocked.
    """

    goal: FloatArray
    radius_m: float
    low: FloatArray
    cell_m: float
    blocked: BoolArray
    values: FloatArray
    status: Status = Status.SOLVED

    def cells(self, points: npt.ArrayLike) -> IntArray:
        """Cells ``(..., 2)`` as (z, x) of points ``(..., 2)`` (x, z), the nearest for points off the grid."""
        ahead = np.floor((floor_points(points) - self.low) / self.cell_m)[..., ::-1]
        cells = np.clip(ahead, 0, np.array(self.values.shape) - 1).astype(np.int64)
        return cells.reshape(np.shape(points))

    def distance(self, points: npt.ArrayLike) -> FloatArray:
        """Distance to the goal ``(...)`` [m] of points ``(..., 2)``, by the cell they are in."""
        cells = self.cells(points)
        return np.asarray(self.values[cells[..., 0], cells[..., 1]])

    def path(self, start: npt.ArrayLike) -> FloatArray:
        """Corners ``(n, 2)`` (x, z) of a straightened way to the goal; empty when there is none.

        All but the two ends are cell centres.
        """
        begin = floor_point(start, "start")
        iz, ix = self.cells(begin)
        if not np.isfinite(self.values[iz, ix]):
            return np.empty((0, 2))
        few = kernels.straighten(self.blocked, kernels.descend(self.values, iz, ix))
        points = self.low + (few[:, ::-1] + 0.5) * self.cell_m
        if len(points) == 1:
            return np.stack([begin, self.goal])
        return np.concatenate([begin[None], points[1:-1], self.goal[None]])


def potential_field(floor: Floor, goal: npt.ArrayLike, *, radius_m: float, cell_m: float = CELL_M) -> PotentialField:
    """The field of a goal.

    Args:
        floor: Where.
        goal: (x, z) [m].
        radius_m: Obstacles are grown by this [m], >= 0.
        cell_m: Width of a cell [m].

    Raises:
        OptionError: The radius or the cell's width is out of range.
    """
    if not (0.0 <= radius_m < np.inf and 0.005 <= cell_m <= 10.0):
        raise OptionError(f"radius_m is {radius_m} and cell_m {cell_m}; allowed: 0 or more, and 0.005..10 m")
    target = floor_point(goal, "goal")
    if cell_m == CELL_M and radius_m < floor.distances.limit_m:
        grid = floor.distances.grid
    else:
        grid = distances_of(floor.outline, cell_m=cell_m, limit_m=max(radius_m + cell_m, cell_m)).grid
    # Without growth a cell is blocked when its centre is inside, where the grid holds 0.
    blocked = grid.values < radius_m if radius_m > 0.0 else grid.values <= 0.0
    size, width = np.array(grid.values.shape), float(grid.frame[2])
    cell = np.floor((target - grid.frame[:2]) / width).astype(np.int64)[::-1]
    if (cell < 0).any() or (cell >= size).any() or blocked[cell[0], cell[1]]:
        values, status = np.full(grid.values.shape, np.inf), Status.INFEASIBLE_GOAL
    else:
        slow = np.where(blocked, np.inf, width)
        values, status = kernels.march(slow, cell[0], cell[1], _NEAR), Status.SOLVED
    return PotentialField(
        goal=target,
        radius_m=float(radius_m),
        low=grid.frame[:2].copy(),
        cell_m=width,
        blocked=blocked,
        values=values,
        status=status,
    )
