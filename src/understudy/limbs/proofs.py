"""Proof that a hand cannot be somewhere, or not turned so: found before any posture is looked for.

The capsule of a hand whose palm or fingertips are at a place can only turn about that place. Directions are looked at
so densely that between two of them the capsule moves less than it is in the way: where it is that deep in something in
all of them, no arm, no trunk and no swivel can bring the hand there.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from understudy import rotations as rot
from understudy.kinematics._inputs import frozen
from understudy.limbs.rooms import Room
from understudy.limbs.seeds import posed
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.limbs.seeds import EndTarget
    from understudy.limbs.window import Window

#: Directions, and the angle [rad] within which every direction has one of them.
_DIRECTIONS, COVERED_RAD = 600, 0.115
#: [m] cells of space, large ones first; how many are looked at, and how far beyond the arm's length they lie.
_CELLS_M, _MOST_CELLS, _BEYOND_M = (0.04, 0.02), 25_000, 0.08
#: [m] places no farther from each other than this share what was found out about a room.
_SHARED_M = 0.15
#: [m] how far beyond the limb's reach a closed room is looked at, and in how many cells.
_FARTHER_M, _MOST_CELLS_BEYOND = 0.6, 10_000
#: A room of at most so many large cells is looked at in small ones as well.
_FEW_CELLS = 1000
#: [m] a point this far from the capsule's axis lies on it.
_ON_AXIS_M = 1e-6
#: Rooms that were looked at, by window, moment and reach.
_ROOMS: WeakKeyDictionary[Window, dict[tuple[float, bytes], list[Room]]] = WeakKeyDictionary()


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
    from understudy.limbs._proof_kernels import blocked_ends

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
    blame, free = np.zeros(len(window.world), dtype=np.int64), np.zeros(len(ends), dtype=np.bool_)
    setting, scratch = window.setting, window.scratch
    blocked_ends(setting, scratch, part, frozen(ends), float(time_s), float(least), blame, free, turns is None)
    if not free.any():
        return None, (window.part_names[part], window.world.names[int(blame.argmax())])
    return (target if turns is None else replace(target, rotations=turns[free])), ("", "")


def walled_in(window: Window, time_s: float, target: EndTarget, base: int, length_m: float) -> Room | None:
    """The closed room that a target is in and the joint at which the limb begins is not; nothing without proof.

    Args:
        window: The limb in its window.
        time_s: When [s].
        target: Where its end has to be.
        base: The joint at which the limb begins, whose place does not depend on the limb's parameters.
        length_m: How far from there any of it can be [m].
    """
    goal = posed(window.stage, time_s).places[base]
    start = np.array(target.position, dtype=np.float64)
    longest = _bones_m(window, base, target) + _BEYOND_M + _SHARED_M
    ball = np.array([*goal, length_m + _BEYOND_M])
    # Places on one thing mostly lie in one room: what closes it from one of them closes it from all.
    known = _ROOMS.setdefault(window, {}).setdefault((float(time_s), ball.tobytes()), [])
    for room in known:
        if room.holds(start) and float(np.linalg.norm(room.start - start)) <= _SHARED_M:
            return room if room.wall else None
    found: Room | None = None
    # Thick walls are known from large cells, which are few.
    for step_m in _CELLS_M:
        found = _filled(window, time_s, start, goal, ball, longest, step_m)
        if found is not None and found.wall:
            if found.always and step_m > _CELLS_M[-1] and found.reached <= _FEW_CELLS:
                # What a small room holds is worth knowing exactly: it is never looked at again.
                finer = _filled(window, time_s, start, goal, ball, longest, _CELLS_M[-1])
                found = finer if finer is not None and finer.always else found
            known.append(found)
            return found
    known += [] if found is None else [found]
    return None


def _filled(
    window: Window,
    time_s: float,
    start: FloatArray,
    goal: FloatArray,
    ball: FloatArray,
    longest_m: float,
    step_m: float,
) -> Room | None:
    """The room around a place in cells of one size; nothing where these are too large for the limb."""
    from understudy.limbs._enclosure_kernels import CLOSED, OPEN, is_walled_in

    arrays, names = window.setting.window, window.world.names
    # What some part may be in does not close anything.
    hard = np.asarray(arrays.depths.max(axis=0, initial=0.0) <= 0.0)
    thick_m = float(arrays.own_radii.min())
    need = thick_m - 0.5 * np.sqrt(3.0) * step_m
    if not hard.any() or need <= -0.5 * step_m:
        return None

    def fill(around: FloatArray, most: int, longest: float) -> tuple[int, Room, set[str]]:
        blame = np.zeros(len(names), dtype=np.int64)
        where = (start, goal, around, need, step_m, float(time_s), hard, most, longest, blame)
        ended, cells = is_walled_in(window.setting, window.scratch, *where)
        wall = names[int(blame.argmax())] if ended != OPEN and blame.any() else ""
        made = Room(start=start, ball=around, step_m=step_m, cells=cells, wall=wall, thick_m=thick_m)
        return ended, made, {names[k] for k in np.flatnonzero(blame).tolist()}

    ended, room, walls = fill(ball, _MOST_CELLS, longest_m)
    if ended not in (OPEN, CLOSED):
        # Perhaps it is closed beyond the limb's reach too, and so for whoever stands elsewhere.
        again = fill(np.array([*goal, ball[3] + _FARTHER_M]), _MOST_CELLS_BEYOND, np.inf)
        ended, room, walls = again if again[0] == CLOSED else (ended, room, walls)
    moving = {names[k] for k in window.world.tracks.spans[:, 0].tolist()}
    return replace(room, always=ended == CLOSED and not walls & moving and not _may_be_in(window, walls))


def _may_be_in(window: Window, walls: set[str]) -> bool:
    """Whether any part of the character may ever touch one of some things."""
    whose = window.stage.character
    return any(
        {rule.a, rule.b} & walls and whose in (rule.a.partition(".")[0], rule.b.partition(".")[0])
        for rule in window.stage.rules
    )


def _bones_m(window: Window, base: int, target: EndTarget) -> float:
    """Length of the limb's bones from a joint on to the point that has to be on the target [m]."""
    first = window.space.joints.index(base)
    bones = window.setting.space.offsets[first + 1 : window.space.ends_at + 1]
    return float(np.linalg.norm(bones, axis=1).sum()) + float(np.linalg.norm(target.point))


def _capsule(window: Window, point: FloatArray) -> tuple[int, FloatArray, FloatArray] | None:
    """The first part on the limb's end, and its segment from ``point`` on its axis, ``(3,)`` [m] each.

    Nothing where the part does not sit firmly on the end's joint, or has no length.
    """
    arrays = window.setting.window
    on_end = np.flatnonzero(arrays.carriers == window.space.ends_at)
    if arrays.own.shape[0] != 1 or not len(on_end):
        return None
    part = int(on_end[0])
    start, end = arrays.own[0, part, :3] - point, arrays.own[0, part, 3:] - point
    along = end - start
    length = float(np.linalg.norm(along))
    if length < _ON_AXIS_M or float(np.linalg.norm(np.cross(start, along))) > _ON_AXIS_M * length:
        return None
    return part, start, end
