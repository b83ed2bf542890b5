"""Where to take a door, with which hand, how to move meanwhile and when to let go: a family of ways, all looked at.

Every way is a smooth path given by a few numbers (``_path_kernels``); for each of them and for each hand the best
swing of the leaf follows by dynamic programming over time, opening and speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from understudy.core.skeleton import Skeleton
from understudy.floor import Floor
from understudy.floor.costs import cost_field
from understudy.locomotion.footsteps.pathing import wrapped
from understudy.skills.door.family import rows_for
from understudy.skills.door.layout import Door
from understudy.skills.door.outline import discs_of
from understudy.skills.door.reach import ASIDE_M, BACK_M, CELL_M, forward_m, reach_table
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.skills.door._geometry_kernels import Ground, Leaf, Walker
    from understudy.skills.door._path_kernels import Manner
    from understudy.skills.door._swing_kernels import Swing

#: [s] grid of time, how long before taking hold and after it a way is looked at; [rad] grid of the opening.
STEP_S, BEFORE_S, _AFTER_S, STEP_RAD = 0.1, 1.2, 3.6, float(np.radians(2.5))
#: [m/s] walking, at a pushed handle and behind it; [m/s^2] braking.
WALK_MPS, _HANDLE_MPS, _PUSH_MPS, _BRAKE_MPS2 = 1.15, 0.42, 0.62, 0.95
#: [s] how long a pushed and a pulled leaf swings on; [rad] least opening at which one is let go; [rad/s] falling shut.
_COAST_S, LEAST_RAD, _SHUT_RADPS = (0.55, 1.7), 0.60, 0.35
#: [m] room beside which one walks at ease, and how much more a metre costs where there is none.
_EASY_M, _TIGHT = 0.45, 2.0
#: Steps of the opening from which the leaf is clear of its frame; [m] room it keeps from what stands.
_AJAR, _BESIDE_M = 4, 0.035
#: What it costs to let go of a leaf that moves, per squared step of speed: a pulled one follows the hand.
_LET_GO = (0.06, 2.0)
#: Share of its speed that a leaf keeps then: the hand that leaves a pulled one brakes it.
_KEPT = (1.0, 0.45)
HANDS = ("left", "right")


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """What is asked of the search.

    Attributes:
        door: The door.
        floor: The floor without it.
        above: The floor with only what is as high as a hanging hand, for trunk and arms; ``floor`` unless given.
        skeleton: Who.
        start: (x, z) [m].
        start_heading_rad: Where it faces at first; ``None`` for anywhere.
        goal: (x, z) [m].
        hands: Hands that may hold.
        margin_m: Least clearance [m].
    """

    door: Door
    floor: Floor
    skeleton: Skeleton
    start: FloatArray
    start_heading_rad: float | None
    goal: FloatArray
    hands: Sequence[str] = HANDS
    margin_m: float = 0.02
    above: Floor | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Passage:
    """A way past a door.

    Attributes:
        row: The numbers of the way (``_path_kernels``).
        hand: Which hand holds.
        profile: ``(n,)`` opening every 0.1 s from 1.2 s before taking hold [rad].
        release_s: When it lets go, after taking hold [s].
        before: ``(n, 2)`` floor points from the start to the straight stretch before the handle [m].
        after: ``(m, 2)`` floor points from beyond the door to the goal [m].
        cost_s: What it costs.
        keys: ``(k, 4)`` times from taking hold [s], x, z [m] and heading [rad] of the whole way, where it winds.
    """

    row: FloatArray
    hand: str
    profile: FloatArray
    release_s: float
    before: FloatArray
    after: FloatArray
    cost_s: float
    keys: FloatArray | None = None

    @property
    def stands_s(self) -> float:
        """How long somebody stands at the handle [s]; 0 for somebody who walks on."""
        from understudy.skills.door._path_kernels import STAND

        return float(self.row[STAND])


class Search:
    """The ways past a door, cheapest first."""

    def __init__(self, question: Question) -> None:
        """Look at the floor."""
        from understudy.skills.door import _geometry_kernels as shapes

        self.question = question
        door, grid = question.door, question.floor.distances.grid
        self.frame = _frame(grid.frame)
        self.clear_m = np.ascontiguousarray(grid.values)
        from understudy.performer.actions.figure import Figure

        self.stature_m = Figure(question.skeleton).stature_m
        self.least_m = 0.2 * self.stature_m / 1.72
        self.problem = ""
        cells = [self.cell(point) for point in (question.start, question.goal)]
        for name, point, at in zip(("start", "goal"), (question.start, question.goal), cells, strict=True):
            if at is None or self.clear_m[at] < self.least_m:
                self.problem = f'the {name} is not free: it is in or too near "{question.floor.owner_at(point)}"'
                return
        assert cells[0] is not None
        tight = np.maximum(_EASY_M - self.clear_m, 0.0) / _EASY_M
        metre = np.where(self.clear_m < self.least_m, np.inf, 1.0 + _TIGHT * tight)
        self.fields = tuple(cost_field(question.floor, point, metre) for point in (question.start, question.goal))
        self.from_start, self.to_goal = (field.values for field in self.fields)
        if not np.isfinite(self.to_goal[cells[0]]):
            self.problem = "no way leads from the start through the doorway to the goal, even with the door wide open"
        discs, high, outer = discs_of(self.stature_m, forward_m(question.skeleton, float(door.grip[1])))
        table = reach_table(question.skeleton, round(float(door.grip[1]) / 0.02) * 0.02).costs
        frame = np.array([BACK_M, ASIDE_M, CELL_M])
        self.walker: Walker = shapes.Walker(discs, high, outer, np.ascontiguousarray(table), frame)
        above = question.above.distances.grid if question.above is not None else grid
        self.ground: Ground = shapes.Ground(
            self.frame, self.clear_m, _frame(above.frame), np.ascontiguousarray(above.values)
        )
        self.leaf: Leaf = shapes.Leaf(
            door.pivot, door.spin, np.ascontiguousarray(door.corners), door.grip[[0, 2]].copy(), door.towards
        )
        self.openings = self._openings()

    def _openings(self) -> int:
        """How many openings there are before the leaf ends or meets something."""
        door = self.question.door
        most = int(min(door.most_rad, np.radians(105.0)) / STEP_RAD + 1e-6) + 1
        edge = door.pivot + np.linspace(0.3, 1.0, 15)[:, None] * door.width_m * door.latch_side
        for k in range(_AJAR, most):
            if min(self._clear(point) for point in door.turned(edge, k * STEP_RAD)) < _BESIDE_M:
                return k - 1
        return most

    def _clear(self, point: FloatArray) -> float:
        cell = self.cell(point)
        return 1.0 if cell is None else float(self.clear_m[cell])

    @property
    def swing(self) -> Swing:
        """How the leaf moves here."""
        return swing_of(self.question.door, self.question.margin_m)

    def cell(self, point: FloatArray) -> tuple[int, int] | None:
        """Grid cell of a floor point, inside the grid."""
        i, j = (round(float(value)) for value in (point - self.frame[:2]) / self.frame[2])
        return (j, i) if 0 <= j < self.clear_m.shape[0] and 0 <= i < self.clear_m.shape[1] else None

    def ways(self) -> list[tuple[float, int, int]]:
        """Cost, row and hand of every usual way there is, cheapest first."""
        from understudy.skills.door._swing_kernels import rated

        question = self.question
        self.rows = rows_for(question.door, question.start, question.goal)
        hands = ("left" in question.hands) + 2 * ("right" in question.hands)
        before, count = round(BEFORE_S / STEP_S), round((BEFORE_S + _AFTER_S) / STEP_S)
        costs = rated(
            self.ground,
            self.leaf,
            self.walker,
            self.rows,
            self._elsewhere(),
            manner(),
            self.swing,
            (self.openings, before, count),
            hands,
        )
        found = np.argwhere(np.isfinite(costs))
        order = sorted((float(costs[r, h]), int(r), int(h)) for r, h in found)
        return order

    def passage(self, row: int, hand: int) -> Passage:
        """One of the ways in full."""
        from understudy.skills.door._path_kernels import EX, EZ, GH, GX, GZ, RUN, walked
        from understudy.skills.door._swing_kernels import last_row, swung

        numbers, swing = self.rows[row], self.swing
        before, count = round(BEFORE_S / STEP_S), round((BEFORE_S + _AFTER_S) / STEP_S)
        path, profile = np.empty((count, 3)), np.empty(count)
        walked(numbers, manner(), -BEFORE_S, STEP_S, path)
        span = (before, last_row(numbers, before, swing))
        cost, release = swung(self.ground, self.leaf, self.walker, path, span, hand, swing, self.openings, profile)
        ahead = np.array([np.sin(numbers[GH]), np.cos(numbers[GH])])
        joint = numbers[[GX, GZ]] - numbers[RUN] * ahead
        approach, onward = (field.way(end) for field, end in zip(self.fields, (joint, numbers[[EX, EZ]]), strict=True))
        assert approach is not None and onward is not None
        return Passage(
            row=numbers,
            hand=HANDS[hand],
            profile=profile,
            release_s=(release - before) * STEP_S,
            before=approach[::-1],
            after=onward,
            cost_s=cost,
        )

    def _elsewhere(self) -> FloatArray:
        """``(rows,)`` what walking up and on costs [s]: longer ways and sharper turns count more."""
        from understudy.skills.door._path_kernels import EH, EX, EZ, GH, GX, GZ, RUN

        out = np.full(len(self.rows), np.inf)
        for k, row in enumerate(self.rows):
            ahead = np.array([np.sin(row[GH]), np.cos(row[GH])])
            ends = self.cell(row[[GX, GZ]] - row[RUN] * ahead), self.cell(row[[EX, EZ]])
            if ends[0] is None or ends[1] is None:
                continue
            far = self.from_start[ends[0]] + self.to_goal[ends[1]]
            if not np.isfinite(far):
                continue
            into = _slope(self.from_start, ends[0])
            onto = _slope(self.to_goal, ends[1])
            turn = 0.0 if into is None else abs(wrapped(float(np.arctan2(*into)) - row[GH]))
            away = 0.0 if onto is None else abs(wrapped(float(np.arctan2(*-onto)) - row[EH]))
            out[k] = 0.5 * far / WALK_MPS + 0.35 * turn**2 + 0.25 * away**2
        return out

    def why_not(self) -> str:
        """Why there is no way: the handle is out of reach everywhere, or there is no room."""
        from understudy.skills.door._geometry_kernels import floor_clearance, leaf_clearance, reach_cost
        from understudy.skills.door._path_kernels import GH, GX, GZ

        door = self.question.door
        reachable = roomy = 0
        for row in self.rows:
            at = (float(row[GX]), float(row[GZ]), float(row[GH]))
            if min(reach_cost(self.leaf, self.walker, hand, *at, 0.0) for hand in range(2)) > 2.5:
                continue
            reachable += 1
            clear = min(
                floor_clearance(self.ground, self.walker, *at), leaf_clearance(self.leaf, self.walker, *at, 0.0)
            )
            roomy += clear >= self.question.margin_m
        if reachable == 0:
            return (
                f'the handle of "{door.name}" is out of reach from anywhere: it is {door.grip[1]:.2f} m high, '
                f"and the person {self.stature_m:.2f} m tall"
            )
        if roomy == 0:
            return f'there is no room to stand where the handle of "{door.name}" can be reached'
        return f'"{door.name}" cannot be opened far enough to pass: there is no room to step while it swings'


def manner() -> Manner:
    """How somebody moves past a door."""
    from understudy.skills.door._path_kernels import Manner

    return Manner(WALK_MPS, _HANDLE_MPS, _PUSH_MPS, _BRAKE_MPS2)


def swing_of(door: Door, margin_m: float) -> Swing:
    """How the leaf of a door moves."""
    from understudy.skills.door._swing_kernels import Swing

    which = 0 if door.pushed else 1
    shut = _SHUT_RADPS if door.hinge.self_closing else 0.0
    return Swing(STEP_S, STEP_RAD, 3, _COAST_S[which], LEAST_RAD, shut, margin_m, _LET_GO[which], _KEPT[which])


def _frame(frame: FloatArray) -> FloatArray:
    """``(3,)`` middle of a grid's first cell (x, z) and the cell [m]."""
    return np.array([frame[0] + 0.5 * frame[2], frame[1] + 0.5 * frame[2], frame[2]])


def _slope(field_m: FloatArray, cell: tuple[int, int]) -> FloatArray | None:
    """Which way (x, z) a field grows."""
    j, i = cell
    if not (2 <= j < field_m.shape[0] - 2 and 2 <= i < field_m.shape[1] - 2):
        return None
    rise = np.array([field_m[j, i + 2] - field_m[j, i - 2], field_m[j + 2, i] - field_m[j - 2, i]])
    return rise if np.isfinite(rise).all() else None
