"""Ways past a door where little room is left: the handle and the doorway as usual, before and after them a winding way.

Where to walk to the handle, and on from the doorway, is searched over places and headings (``lattice``); how the
handle is held and the doorway passed is one of a family, as everywhere.
"""

from __future__ import annotations

import numpy as np

from understudy.skills.door.family import rows_for
from understudy.skills.door.keyed import opened_along, roomy
from understudy.skills.door.lattice import PoseField
from understudy.skills.door.outline import slim_of
from understudy.skills.door.passing import BEFORE_S, STEP_S, Passage, Search, manner
from understudy.skills.door.winding import smoothed, timed
from understudy.typing import FloatArray

#: [s] how long after taking hold a way is looked at.
_AFTER_S = 5.0
#: Rounds of smoothing, fewer where the first leave no room.
_ROUNDS = (28, 9)
#: [m/s] at a pushed handle and at a pulled one.
_ARRIVES_MPS = (0.42, 0.15)


class Narrow:
    """The winding ways past a door, cheapest first."""

    def __init__(self, search: Search, *, slim: bool = False) -> None:
        """Remember what the search knows; nothing is searched before it is asked for.

        Args:
            search: The usual ways.
            slim: Whether somebody draws the arms in and takes short steps.
        """
        self.search = search
        self.walker = slim_of(search.walker) if slim else search.walker
        self.rows: FloatArray = np.empty((0, 0))

    def ways(self) -> list[tuple[float, int, int]]:
        """Cost, row and hand of every way there is, cheapest first."""
        from understudy.skills.door._path_kernels import EH, EX, EZ, GH, GX, GZ
        from understudy.skills.door._swing_kernels import rated

        search, question = self.search, self.search.question
        self.rows = rows_for(question.door, question.start, question.goal, narrow=True)
        self._fields()
        places = self.rows[:, [GX, GZ, GH]], self.rows[:, [EX, EZ, EH]]
        extra = np.array([self.up.nearest(*a)[0] + self.on.nearest(*b)[0] for a, b in zip(*places, strict=True)])
        hands = ("left" in question.hands) + 2 * ("right" in question.hands)
        grid = (search.openings, 0, round(_AFTER_S / STEP_S))
        costs = rated(search.ground, search.leaf, self.walker, self.rows, extra, manner(), search.swing, grid, hands)
        return sorted((float(costs[r, h]), int(r), int(h)) for r, h in np.argwhere(np.isfinite(costs)))

    def _fields(self) -> None:
        question = self.search.question
        things = (self.search.ground, self.search.leaf, self.walker)
        door = question.door
        near, far = np.stack([question.start, door.middle]), np.stack([door.middle, question.goal])
        self.up = PoseField(things, near, at=question.start, heading_rad=question.start_heading_rad, back=False)
        self.on = PoseField(things, far, at=question.goal, back=True)

    def passage(self, row: int, hand: int) -> Passage | None:
        """One of the ways in full, the leaf swung as is best on it; ``None`` when rounded corners leave no room."""
        from understudy.skills.door._swing_kernels import last_row

        search, numbers = self.search, self.rows[row]
        for rounds in _ROUNDS:
            keys = self._keys(numbers, rounds)
            if roomy(search, self.walker, keys):
                break
        else:
            return None
        until = last_row(numbers, round(BEFORE_S / STEP_S), search.swing)
        count = round((BEFORE_S + _AFTER_S) / STEP_S)
        return opened_along(search, self.walker, keys, hand, row=numbers, until=until, count=count)

    def _keys(self, numbers: FloatArray, rounds: int) -> FloatArray:
        """``(n, 4)`` time from taking hold, x, z and heading from start to goal."""
        from understudy.skills.door._path_kernels import EH, EX, EZ, GH, GX, GZ, STAND, walked

        step = 1.0 / 60.0
        middle = np.empty((round(_AFTER_S / step), 3))
        end = max(walked(numbers, manner(), 0.0, step, middle), 3)
        middle = middle[:end]
        up = smoothed(self.up.way(*numbers[[GX, GZ, GH]].tolist()), rounds)
        on = smoothed(self.on.way(*numbers[[EX, EZ, EH]].tolist()), rounds)
        speed = float(np.hypot(*(middle[-1, :2] - middle[-2, :2]))) / step
        before = timed(up, last_mps=_ARRIVES_MPS[int(numbers[STAND] > 0.0)])
        after = timed(on, first_mps=speed) + end * step
        times = np.concatenate([before[:-1] - before[-1], step * np.arange(end), after])
        poses = np.concatenate([up[:-1], middle, on])
        poses[:, 2] = np.unwrap(poses[:, 2])
        return np.column_stack([times, poses])
