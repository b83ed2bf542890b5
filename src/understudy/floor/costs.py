"""Cheapest ways over a floor where a metre costs more the less room there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from understudy.floor import _field_kernels as kernels
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.floor.floor import Floor

#: Cells about the goal whose cost is taken straight, and length of a step down the field [cells].
_NEAR, _STEP = 3, 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class CostField:
    """What the cheapest way to a goal costs from everywhere.

    Attributes:
        goal: (x, z) [m].
        low: x and z of the grid's low corner [m].
        cell_m: Width of a cell [m].
        values: ``(nz, nx)`` cost of the way from each cell's centre; infinite where there is none.
    """

    goal: FloatArray
    low: FloatArray
    cell_m: float
    values: FloatArray

    def way(self, start: FloatArray) -> FloatArray | None:
        """Points ``(n, 2)`` (x, z) [m] of the cheapest way from a point to the goal; ``None`` where there is none."""
        z, x = (start - self.low)[::-1] / self.cell_m - 0.5
        iz, ix = round(float(z)), round(float(x))
        nz, nx = self.values.shape
        if not (0 <= iz < nz and 0 <= ix < nx and np.isfinite(self.values[iz, ix])):
            return None
        cells = kernels.streamline(self.values, float(z), float(x), _STEP)
        points = self.low + (cells[:, ::-1] + 0.5) * self.cell_m
        points[0] = start
        # About the goal the field is that of the straight way.
        far = np.linalg.norm(points - self.goal, axis=1) > _NEAR * self.cell_m
        return np.concatenate([points[far] if far.any() else points[:1], self.goal[None]])


def cost_field(floor: Floor, goal: FloatArray, metre: FloatArray) -> CostField:
    """The field of a goal.

    Args:
        floor: Where.
        goal: ``(2,)`` (x, z) [m].
        metre: ``(nz, nx)`` what a metre costs in each cell of the floor's distances; infinite where nobody walks.
    """
    frame = floor.distances.grid.frame
    cell_m = float(frame[2])
    iz, ix = (int(value) for value in np.floor((goal - frame[:2]) / cell_m)[::-1])
    values = np.full(metre.shape, np.inf)
    if 0 <= iz < metre.shape[0] and 0 <= ix < metre.shape[1] and np.isfinite(metre[iz, ix]):
        values = kernels.march(np.ascontiguousarray(metre * cell_m), iz, ix, _NEAR)
    return CostField(goal=goal, low=frame[:2].copy(), cell_m=cell_m, values=values)
