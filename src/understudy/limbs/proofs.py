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
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.limbs.seeds import EndTarget
    from understudy.limbs.window import Window

#: Directions, and the angle [rad] within which every direction has one of them.
_DIRECTIONS, COVERED_RAD = 600, 0.115
#: [m] cells of space, how many are looked at, and how far beyond the arm's length they lie.
_CELL_M, _CELLS, _BEYOND_M = 0.02, 25_000, 0.04
#: [m] a point this far from the capsule's axis lies on it.
_ON_AXIS_M = 1e-6
#: By window, moment and reach: what closes a room, and its cells.
_REACHED = 2
_ROOMS: WeakKeyDictionary[Window, dict[tuple[float, bytes], list[tuple[str, np.ndarray]]]] = WeakKeyDictionary()


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


def walled_in(window: Window, time_s: float, target: EndTarget, base: FloatArray, length_m: float) -> str:
    """What closes the space between a target and where the limb begins; empty without proof.

    Args:
        window: The limb in its window.
        time_s: When [s].
        target: Where its end has to be.
        base: ``(3,)`` [m] where the limb begins then, whatever its parameters.
        length_m: How far from there any of it can be [m].
    """
    from understudy.limbs._enclosure_kernels import cell_of, is_walled_in

    arrays = window.setting.window
    # What some part may be in does not close anything.
    hard = np.asarray(arrays.depths.max(axis=0, initial=0.0) <= 0.0)
    if not hard.any():
        return ""
    need = float(arrays.own_radii.min()) - 0.5 * np.sqrt(3.0) * _CELL_M
    if need <= -0.5 * _CELL_M:
        return ""
    ball = np.array([*base, length_m + _BEYOND_M])
    start, goal = np.array(target.position, dtype=np.float64), np.array(base, dtype=np.float64)
    # Places on one thing mostly lie in one room: what closes it from one of them closes it from all.
    known = _ROOMS.setdefault(window, {}).setdefault((float(time_s), ball.tobytes()), [])
    cell = cell_of(start, ball, _CELL_M)
    for name, inside in known:
        if cell >= 0 and inside[cell] == _REACHED:
            return name
    blame = np.zeros(len(window.world), dtype=np.int64)
    closed, inside = is_walled_in(
        window.setting, window.scratch, start, goal, ball, need, _CELL_M, float(time_s), hard, _CELLS, blame
    )
    found = window.world.names[int(blame.argmax())] if closed and blame.any() else ""
    if found:
        known.append((found, inside))
    return found


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
