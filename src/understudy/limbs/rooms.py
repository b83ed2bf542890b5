"""Rooms: where a thin limb could lead to from a place, in cells of space, and what closes it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.typing import FloatArray

#: Values of cells, as kernels fill them: not looked at, closed, free.
UNSEEN, SHUT, REACHED = range(3)


@dataclass(frozen=True, eq=False, kw_only=True)
class Room:
    """What was filled from a place.

    Attributes:
        start: ``(3,)`` [m] the place.
        ball: ``(4,)`` centre and radius [m] of the ball the cells are around.
        step_m: Size of a cell [m].
        cells: What became of every cell of the cube around the ball.
        wall: What closes it; empty where nothing was proved.
        thick_m: For limbs of at least this radius [m].
        always: Whether it is closed at all times: whatever closes it never moves, no part of the character may ever be
            in it, and nowhere was it the limb's length that ended it.
    """

    start: FloatArray
    ball: FloatArray
    step_m: float
    cells: np.ndarray
    wall: str = ""
    thick_m: float = 0.0
    always: bool = False

    @property
    def reached(self) -> int:
        """How many cells it has."""
        return int((self.cells == REACHED).sum())

    def holds(self, point: FloatArray) -> bool:
        """Whether a point is in one of the room's cells."""
        from understudy.limbs._enclosure_kernels import cell_of

        cell = cell_of(np.array(point, dtype=np.float64), self.ball, self.step_m)
        return bool(cell >= 0 and self.cells[cell] == REACHED)

    def surrounds(self, middle: FloatArray, radius_m: float) -> bool:
        """Whether every place within a distance [m] of a point is in the room or shut.

        In a shut cell there is no place at all for the middle of a limb, so none that leads out on its other side.
        """
        from understudy.limbs._enclosure_kernels import cells_a_side

        side = int(cells_a_side(float(self.ball[3]), self.step_m))
        low = self.ball[:3] - 0.5 * self.step_m * side
        far = radius_m + 0.5 * np.sqrt(3.0) * self.step_m
        first, last = (np.floor((middle + sign * far - low) / self.step_m).astype(int) for sign in (-1.0, 1.0))
        if (first < 0).any() or (last >= side).any():
            return False
        block = tuple(slice(a, b + 1) for a, b in zip(first.tolist(), last.tolist(), strict=True))
        axes = [low[k] + (np.arange(first[k], last[k] + 1) + 0.5) * self.step_m - middle[k] for k in range(3)]
        away = np.sqrt(sum(one**2 for one in np.meshgrid(*axes, indexing="ij", sparse=True)))
        return not bool(((self.cells.reshape(side, side, side)[block] == UNSEEN) & (away <= far)).any())
