"""Proof that a hand cannot be somewhere, or not turned so: found before any posture is looked for.

The capsule of a hand whose palm or fingertips are at a place can only turn about that place. Directions are looked at
so densely that between two of them the capsule moves less than it is in the way: where it is that deep in something in
all of them, no arm, no trunk and no swivel can bring the hand there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from understudy import rotations as rot
from understudy.limbs.seeds import posed, triple
from understudy.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.limbs.seeds import EndTarget
    from understudy.limbs.window import Window

#: Directions, and the angle [rad] within which every direction has one of them.
_DIRECTIONS, COVERED_RAD = 600, 0.115
#: [m] cells of space, large ones first; how many are looked at, and how far beyond the arm's length they lie.
_CELLS_M, _MOST_CELLS, _BEYOND_M = (0.04, 0.02), 25_000, 0.08
#: What becomes of a cell.
_SEEN, _REACHED = 1, 2
#: [m] places no farther from each other than this share what was found out about a room.
_SHARED_M = 0.15
#: [m] a point this far from the capsule's axis lies on it.
_ON_AXIS_M = 1e-6
#: Rooms that were looked at, by window, moment and reach.
_ROOMS: WeakKeyDictionary[Window, dict[tuple[float, bytes], list[Room]]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False, kw_only=True)
class Room:
    """Where a thin limb could lead to from a place, in cells of space.

    Attributes:
        start: ``(3,)`` [m] the place.
        low: ``(3,)`` [m] the corner of the cells.
        step_m: Size of a cell [m].
        cells: ``(side, side, side)`` which were looked at, and which can be reached.
        wall: What closes it; empty where nothing was proved.
    """

    start: FloatArray
    low: FloatArray
    step_m: float
    cells: np.ndarray
    wall: str = ""

    def cell(self, point: FloatArray) -> IntArray:
        """The number of the cell that holds a point."""
        return np.asarray(((point - self.low) / self.step_m).astype(np.int64) @ len(self.cells) ** np.array([2, 1, 0]))

    def middles(self, cells: IntArray) -> FloatArray:
        """``(n, 3)`` [m] the middles of some cells."""
        places = np.stack(np.unravel_index(cells, self.cells.shape), axis=1)
        return np.asarray(self.low + (places + 0.5) * self.step_m)

    def holds(self, point: FloatArray) -> bool:
        """Whether a point is in one of the room's cells."""
        places = (point - self.low) / self.step_m
        inside = bool((places >= 0.0).all() and (places < len(self.cells)).all())
        return inside and bool(self.cells.reshape(-1)[self.cell(point)] == _REACHED)


@lru_cache(maxsize=1)
def directions() -> FloatArray:
    """``(n, 3)`` unit directions, evenly spread and in no particular order."""
    place = np.arange(_DIRECTIONS) + 0.5
    height, turn = 1.0 - 2.0 * place / _DIRECTIONS, np.pi * (1.0 + np.sqrt(5.0)) * place
    level = np.sqrt(1.0 - height**2)
    found = np.stack([level * np.cos(turn), height, level * np.sin(turn)], axis=1)
    return np.asarray(np.random.default_rng(0).permutation(found))


def room_for(
    window: Window, time_s: float, target: EndTarget, clear_m: float
) -> tuple[EndTarget | None, tuple[str, str]]:
    """A target without the rotations in which the end itself would be in something; nothing where none is left.

    Args:
        window: The limb in its window.
        time_s: When [s].
        target: Where; in any of its rotations, or in any rotation.
        clear_m: Room the end must have [m].

    Returns:
        The target, and what the end would be in: part and object.
    """
    from understudy.limbs._room_kernels import in_the_way

    found = _capsule(window, target.point)
    if found is None or not len(window.world):
        return target, ("", "")
    part, start, end = found
    turns = None if target.rotations is None else np.atleast_2d(target.rotations)
    if turns is not None:
        ends = np.hstack([rot.rotate(turns, start), rot.rotate(turns, end)]) + np.tile(target.position, 2)
        least = clear_m
    else:
        axis = (end - start) / np.linalg.norm(end - start)
        along = directions()
        ends = np.hstack([along * float(axis @ start), along * float(axis @ end)]) + np.tile(target.position, 2)
        least = clear_m - COVERED_RAD * max(float(np.linalg.norm(start)), float(np.linalg.norm(end)))
    met, arrays = np.full(len(ends), -1, dtype=np.int64), window.setting.window
    segments = np.hstack([ends, 0.5 * (ends[:, :3] + ends[:, 3:])])
    rows, need = window.world.at(time_s), float(arrays.own_radii[part]) + least
    in_the_way(window.setting.solids, rows, arrays.depths[part], segments, need, turns is None, met)
    if (met >= 0).all():
        return None, (window.part_names[part], window.world.names[int(np.bincount(met).argmax())])
    return (target if turns is None else replace(target, rotations=turns[met < 0])), ("", "")


def walled_in(window: Window, time_s: float, target: EndTarget, length_m: float) -> Room | None:
    """The closed room that a target is in and the joint at which the limb begins is not; nothing without proof.

    Args:
        window: The limb in its window.
        time_s: When [s].
        target: Where its end has to be.
        length_m: How far from its first bone any of it can be [m]; with the trunk that is known.
    """
    # The joint at which the limb begins, whose place does not depend on the limb's parameters.
    spine = window.space.name.endswith("_spine")
    base = window.space.joints[0] if spine else triple(window.space)[0]
    length_m = float(window.setting.window.far.max()) if spine else length_m
    goal = posed(window.stage, time_s).places[base]
    start = np.array(target.position, dtype=np.float64)
    longest = _bones_m(window, base, target) + _BEYOND_M + _SHARED_M
    ball = np.array([*goal, length_m + _BEYOND_M])
    # Places on one thing mostly lie in one room: what closes it from one of them closes it from all.
    known = _ROOMS.setdefault(window, {}).setdefault((float(time_s), ball.tobytes()), [])
    for room in known:
        if room.holds(start) and float(np.linalg.norm(room.start - start)) <= _SHARED_M:
            return room if room.wall else None
    shoulder = posed(window.stage, time_s).places[triple(window.space)[0]]
    if float(np.linalg.norm(start - goal)) > ball[3] or _is_open(window, time_s, start, shoulder):
        return None
    found: Room | None = None
    # Thick walls are known from large cells, which are few.
    for step_m in _CELLS_M:
        found = _filled(window, time_s, start, goal, ball, longest, step_m)
        if found is not None and found.wall:
            known.append(found)
            return found
    known += [] if found is None else [found]
    return None


def _is_open(window: Window, time_s: float, start: FloatArray, end: FloatArray) -> bool:
    """Whether nothing at all is between two places."""
    from understudy.limbs._room_kernels import in_the_way

    met, line = np.zeros(1, dtype=np.int64), np.concatenate([start, end, 0.5 * (start + end)])[None]
    in_the_way(window.setting.solids, window.world.at(time_s), np.zeros(len(window.world)), line, 0.0, False, met)
    return bool(met[0] < 0)


def _filled(
    window: Window,
    time_s: float,
    start: FloatArray,
    goal: FloatArray,
    ball: FloatArray,
    longest_m: float,
    step_m: float,
) -> Room | None:
    """The room around a place in cells of one size; nothing where these are too large for the limb, or too many.

    A thin limb needs room at the middle of every cell it passes; it passes none from which it is too far to the goal.
    """
    from understudy.limbs._room_kernels import in_the_way

    arrays = window.setting.window
    # What some part may be in does not close anything.
    depths = np.where(arrays.depths.max(axis=0, initial=0.0) <= 0.0, 0.0, np.inf)
    need = float(arrays.own_radii.min()) - 0.5 * np.sqrt(3.0) * step_m
    if not np.isfinite(depths).any() or need <= -0.5 * step_m:
        return None
    side, rows = int(np.ceil(2.0 * ball[3] / step_m)) + 3, window.world.at(time_s)
    room = Room(start=start, low=ball[:3] - 0.5 * step_m * side, step_m=step_m, cells=np.zeros((side,) * 3, np.int8))
    cells, met = room.cells.reshape(-1), np.zeros(0, dtype=np.int64)
    front, blame, looked = room.cell(start)[None], np.zeros(len(depths), dtype=np.int64), 0
    cells[front] = _REACHED
    while len(front):
        if np.abs(room.middles(front) - goal).max(axis=1).min() <= step_m:
            return room
        front = np.unique(front[:, None] + np.array([1, -1, side, -side, side**2, -(side**2)]))
        front = front[cells[front] == 0]
        cells[front], middles = _SEEN, room.middles(front)
        ways = np.linalg.norm(middles - goal, axis=1) + np.linalg.norm(middles - start, axis=1)
        inside = (np.linalg.norm(middles - ball[:3], axis=1) <= ball[3]) & (ways <= longest_m)
        front, middles = front[inside], middles[inside]
        looked += len(front)
        if looked > _MOST_CELLS:
            return room
        met = np.zeros(len(front), dtype=np.int64)
        in_the_way(window.setting.solids, rows, depths, np.tile(middles, 3), need, False, met)
        blame += np.bincount(met[met >= 0], minlength=len(depths))
        front = front[met < 0]
        cells[front] = _REACHED
    return replace(room, wall=window.world.names[int(blame.argmax())] if blame.any() else "")


def _bones_m(window: Window, base: int, target: EndTarget) -> float:
    """Length of the limb's bones from a joint on to the point that has to be on the target [m]."""
    first = window.space.joints.index(base)
    bones = window.setting.space.offsets[first + 1 :]
    return float(np.linalg.norm(bones, axis=1).sum()) + float(np.linalg.norm(target.point))


def _capsule(window: Window, point: FloatArray) -> tuple[int, FloatArray, FloatArray] | None:
    """The first part on the limb's end, and its segment from ``point`` on its axis, ``(3,)`` [m] each.

    Nothing where the part does not sit firmly on the end's joint, or has no length.
    """
    arrays = window.setting.window
    on_end = np.flatnonzero(arrays.carriers == len(window.space.joints) - 1)
    if arrays.own.shape[0] != 1 or not len(on_end):
        return None
    part = int(on_end[0])
    start, end = arrays.own[0, part, :3] - point, arrays.own[0, part, 3:] - point
    along = end - start
    length = float(np.linalg.norm(along))
    if length < _ON_AXIS_M or float(np.linalg.norm(np.cross(start, along))) > _ON_AXIS_M * length:
        return None
    return part, start, end
