"""Where to take the door, with which hand, which steps, how far, and when to let go: one search for all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from understudy.core.skeleton import Skeleton
from understudy.floor import Floor
from understudy.skills.door.layout import Door
from understudy.skills.door.reach import ASIDE_M, BACK_M, CELL_M, reach_table
from understudy.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.skills.door._geometry_kernels import Ground, Leaf, Walker

#: [m] cell, headings in a turn, [rad] opening step.
GRID_M, HEADINGS, STEP_RAD = 0.1, 24, np.radians(5.0)
#: [m] half the width of the searched floor around the doorway; [m] where the search begins, away from the handle.
_HALF_M, _RING_M = 2.4, (1.35, 1.75)
#: [m/s] walking, holding; unused; [rad/s] the door.
_SPEEDS = (1.1, 0.5, 0.0, 1.15)
#: [m] walked beyond the door's plane before the search ends.
_BEYOND_M = 0.85
_MOST_EXPANSIONS = 400_000
#: [rad] a pulled door is let go at this opening at the latest: beyond it the arm would reach round its edge.
_PULLED_RAD = np.radians(40.0)


class Forbidden(NamedTuple):
    """A state that was built and failed: floor place [m], heading [rad], opening [rad]."""

    x: float
    z: float
    heading_rad: float
    opening_rad: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Crossing:
    """A way through a door.

    Attributes:
        before: ``(n, 2)`` floor points from the start to where the search begins (x, z) [m].
        modes: ``(k,)`` 0 free, 1 left hand holds, 2 right hand holds, 3 free again.
        place: ``(k, 2)`` (x, z) [m].
        heading: ``(k,)`` [rad], continuous.
        opening: ``(k,)`` [rad].
        after: ``(m, 2)`` floor points from there to the goal (x, z) [m].
        cost_s: What the search paid.
        expanded: States looked at.
    """

    before: FloatArray
    modes: IntArray
    place: FloatArray
    heading: FloatArray
    opening: FloatArray
    after: FloatArray
    cost_s: float
    expanded: int

    @property
    def hand(self) -> str:
        """Which hand holds."""
        return "left" if (self.modes == 1).any() else "right"


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """What the lattice is searched for.

    Attributes:
        door: The door.
        floor: The floor without it.
        skeleton: Who.
        start: (x, z) [m].
        start_heading_rad: Where it faces at first; ``None`` for anywhere.
        goal: (x, z) [m].
        hands: Hands that may hold.
        margin_m: Least clearance [m].
        least_rad: Least opening before letting go.
        forbidden: States that failed before.
    """

    door: Door
    floor: Floor
    skeleton: Skeleton
    start: FloatArray
    start_heading_rad: float | None
    goal: FloatArray
    hands: Sequence[str] = ("left", "right")
    margin_m: float = 0.03
    least_rad: float = 0.42
    forbidden: tuple[Forbidden, ...] = ()


def discs_of(stature_m: float) -> tuple[FloatArray, int]:
    """A walker from above: discs ``(n, 3)`` ahead, left and radius [m]; how many are as high as a lever."""
    scale = stature_m / 1.72
    return scale * np.array(
        [[0.0, 0.15, 0.14], [0.0, 0.0, 0.15], [0.0, -0.15, 0.14], [0.21, 0.0, 0.13], [-0.17, 0.0, 0.11]]
    ), 3


def swing_steps(door: Door) -> int:
    """How many opening steps a door swings on when let go."""
    if door.hinge.self_closing:
        return 0
    return 4 if door.pushed else 6


def crossing(problem: Problem) -> Crossing | str:
    """Search a way; without one a sentence that says why."""
    from understudy.skills.door import _geometry_kernels as shapes
    from understudy.skills.door._flood_kernels import downhill, flood
    from understudy.skills.door._lattice_kernels import search

    door, grid = problem.door, problem.floor.distances.grid
    cell = float(grid.frame[2])
    frame = np.array([grid.frame[0] + 0.5 * cell, grid.frame[1] + 0.5 * cell, cell])
    stature = _stature_m(problem.skeleton)
    least, easy = 0.2 * stature / 1.72, 0.45
    cells = [_cell(point, frame, grid.values) for point in (problem.start, problem.goal)]
    for name, at in zip(("start", "goal"), cells, strict=True):
        if at is None or grid.values[at] < least:
            return (
                f"the {name} is not free: {_owner(problem.floor, problem.start if name == 'start' else problem.goal)}"
            )
    start_cell, goal_cell = cells
    assert start_cell is not None and goal_cell is not None
    from_start = flood(grid.values, cell, *start_cell, least, easy)
    to_goal = flood(grid.values, cell, *goal_cell, least, easy)
    if not np.isfinite(to_goal[start_cell]):
        return "no way leads from the start through the doorway to the goal, even with the door wide open"
    discs, high = discs_of(stature)
    walker = shapes.Walker(
        discs,
        high,
        np.ascontiguousarray(reach_table(problem.skeleton, round(float(door.grip[1]) / 0.05) * 0.05).costs),
        np.array([BACK_M, ASIDE_M, CELL_M]),
        np.array(_SPEEDS),
    )
    ground = shapes.Ground(frame, np.ascontiguousarray(grid.values), to_goal)
    leaf = shapes.Leaf(
        door.pivot,
        door.spin,
        np.ascontiguousarray(door.corners),
        door.grip[[0, 2]].copy(),
        door.towards,
        float(STEP_RAD),
        swing_steps(door),
        door.hinge.self_closing,
        door.through,
        door.middle,
    )
    side = int(2 * _HALF_M / GRID_M) + 1
    openings = int(min(door.most_rad, np.radians(100.0)) / STEP_RAD + 1e-6) + 1
    shape = np.array([openings, HEADINGS, side, side])
    origin = np.array([*(np.round((door.middle - _HALF_M) / GRID_M) * GRID_M), GRID_M])
    seeds = _seeds(problem, from_start, frame)
    if not len(seeds):
        return f'no free place before "{door.name}" can be walked to'
    states = np.zeros((4000, 5), dtype=np.int64)
    held = door.most_rad if door.pushed or door.hinge.self_closing else _PULLED_RAD
    options = np.array([problem.margin_m, problem.least_rad, _MOST_EXPANSIONS, _hands(problem.hands), _BEYOND_M, held])
    count, expanded, cost = search(
        ground, leaf, walker, shape, origin, seeds, _blocked(problem, shape, origin), options, states
    )
    if count == 0:
        return _why(problem, ground, leaf, walker, shape, origin)
    found = states[:count]
    place = origin[:2] + GRID_M * found[:, [4, 3]]
    heading = np.unwrap(found[:, 2] * (2.0 * np.pi / HEADINGS))
    first, last = (_cell(point, frame, grid.values) for point in (place[0], place[-1]))
    assert first is not None and last is not None
    before = frame[:2] + cell * downhill(from_start, *first)[::-1][:, ::-1]
    after = frame[:2] + cell * downhill(to_goal, *last)[:, ::-1]
    before[0], after[-1] = problem.start, problem.goal
    return Crossing(
        before=before,
        modes=found[:, 0].copy(),
        place=place,
        heading=heading,
        opening=found[:, 1] * STEP_RAD,
        after=after,
        cost_s=cost,
        expanded=expanded,
    )


def _seeds(problem: Problem, from_start: FloatArray, frame: FloatArray) -> FloatArray:
    """``(n, 4)`` places, headings and walking times [s] from which the search begins."""
    grip = problem.door.grip[[0, 2]]
    near = float(np.hypot(*(problem.start - grip)))
    if near < _RING_M[1]:
        headings = np.arange(HEADINGS) * (2.0 * np.pi / HEADINGS)
        if problem.start_heading_rad is not None:
            headings = np.array([problem.start_heading_rad])
        return np.array([[*problem.start, heading, 0.0] for heading in headings])
    middle = np.round((problem.door.middle - _HALF_M) / GRID_M) * GRID_M
    out = []
    count = int(2 * _HALF_M / GRID_M) + 1
    for iz in range(count):
        for ix in range(count):
            at = middle + GRID_M * np.array([ix, iz])
            far = float(np.hypot(*(at - grip)))
            if not _RING_M[0] <= far <= _RING_M[1] or (at - problem.door.middle) @ problem.door.through > -0.3:
                continue
            cell = _cell(at, frame, from_start)
            if cell is None or not np.isfinite(from_start[cell]):
                continue
            slope = _slope(from_start, cell)
            if slope is None:
                continue
            out.append([*at, float(np.arctan2(slope[0], slope[1])), from_start[cell] / _SPEEDS[0]])
    return np.array(out)


def _slope(field_m: FloatArray, cell: tuple[int, int]) -> FloatArray | None:
    """Which way (x, z) a field grows."""
    j, i = cell
    if not (2 <= j < field_m.shape[0] - 2 and 2 <= i < field_m.shape[1] - 2):
        return None
    rise = np.array([field_m[j, i + 2] - field_m[j, i - 2], field_m[j + 2, i] - field_m[j - 2, i]])
    return rise if np.isfinite(rise).all() else None


def _cell(point: FloatArray, frame: FloatArray, values: FloatArray) -> tuple[int, int] | None:
    i, j = (round(value) for value in (point - frame[:2]) / frame[2])
    return (j, i) if 0 <= j < values.shape[0] and 0 <= i < values.shape[1] else None


def _hands(hands: Sequence[str]) -> int:
    return ("left" in hands) + 2 * ("right" in hands)


def _blocked(problem: Problem, shape: IntArray, origin: FloatArray) -> BoolArray:
    out = np.zeros(tuple(shape), dtype=np.bool_)
    for one in problem.forbidden:
        t = round(one.opening_rad / STEP_RAD)
        h = round(one.heading_rad / (2.0 * np.pi / HEADINGS))
        ix, iz = (round(value) for value in (np.array([one.x, one.z]) - origin[:2]) / GRID_M)
        for dt in (-1, 0, 1):
            for dh in (-1, 0, 1):
                if 0 <= t + dt < shape[0] and 0 <= iz < shape[2] and 0 <= ix < shape[3]:
                    out[t + dt, (h + dh) % HEADINGS, max(iz - 1, 0) : iz + 2, max(ix - 1, 0) : ix + 2] = True
    return out


def _owner(floor: Floor, point: FloatArray) -> str:
    return f'it is in or too near "{floor.owner_at(point)}"'


def _stature_m(skeleton: Skeleton) -> float:
    from understudy.performer.actions.figure import Figure

    return Figure(skeleton).stature_m


def _why(problem: Problem, ground: Ground, leaf: Leaf, walker: Walker, shape: IntArray, origin: FloatArray) -> str:
    """Why there is no way: the handle is out of reach everywhere, or there is no room."""
    from understudy.skills.door._geometry_kernels import floor_clearance, leaf_clearance, reach_cost

    door, turn = problem.door, 2.0 * np.pi / HEADINGS
    reachable = roomy = 0
    for iz in range(shape[2]):
        for ix in range(shape[3]):
            x, z = origin[0] + ix * GRID_M, origin[1] + iz * GRID_M
            if np.hypot(x - door.grip[0], z - door.grip[2]) > 1.0:
                continue
            for h in range(HEADINGS):
                costs = [reach_cost(leaf, walker, hand, x, z, h * turn, 0.0) for hand in range(2)]
                if min(costs) > 2.5:
                    continue
                reachable += 1
                clear = min(
                    floor_clearance(ground, walker, x, z, h * turn), leaf_clearance(leaf, walker, x, z, h * turn, 0.0)
                )
                roomy += clear >= problem.margin_m
    if reachable == 0:
        return (
            f'the handle of "{door.name}" is out of reach from anywhere: it is {door.grip[1]:.2f} m high, '
            f"and a person {_stature_m(problem.skeleton):.2f} m tall"
        )
    if roomy == 0:
        return f'there is no room to stand where the handle of "{door.name}" can be reached'
    return f'"{door.name}" cannot be opened far enough to pass: there is no room to step while it swings'
