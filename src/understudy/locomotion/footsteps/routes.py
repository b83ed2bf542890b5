"""Ways on the floor to a place with a heading: the last stretch leads straight to it, where there is room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from understudy.core.body import Body
from understudy.floor import Floor, build_floor
from understudy.locomotion.footsteps.footing import ahead_of
from understudy.locomotion.footsteps.moving import aside
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [m] room kept beside the path, widest first; what is tight is judged afterwards.
_CLEARANCES_M = (0.36, 0.30, 0.25)
#: [m] room kept where somebody stands, and how far before the goal the last straight stretch begins.
STANDING_M, _RUN_UPS_M = 0.26, (0.8, 0.45, 0.0)
#: [m] how far who stands close to something steps away from it, in one of so many directions, with how much room.
_OUT_M, _BESIDE, _TIGHT_M = (0.06, 0.12, 0.2, 0.3), 16, 0.12
#: [m] room for hands while turning on the spot.
_TURNING_M = 0.38
#: [m] room kept while side-stepping.
_BESIDE_M = 0.2
#: [m] who stands nearer to something than this steps back before turning away, by so much; [rad] smaller turns do.
_CLOSE_M, _BACK_M, _AWAY_RAD = 0.42, (0.36, 0.24, 0.14), 0.9
#: [m] floor around everything named.
_AROUND_M = 3.0


def floor_of(scene: Scene, points: Sequence[FloatArray], body: Body, *, ignore: Iterable[str] = ()) -> Floor:
    """The floor of a scene as it is at time zero, wide enough for all points."""
    ends = np.stack([np.asarray(point, dtype=np.float64) for point in points])
    low, high = ends.min(axis=0) - _AROUND_M, ends.max(axis=0) + _AROUND_M
    held = [hold.object for hold in scene.holds if "." in hold.to]
    return build_floor(
        scene,
        bounds=[*low, *high],
        ignore=(*dict.fromkeys((*held, *ignore)),),
        head_height_m=body.stature_m + 0.05,
        step_height_m=0.02,
    )


def routes(
    floor: Floor,
    start: FloatArray,
    goal: FloatArray,
    heading_rad: float | None,
    *,
    via: Sequence[FloatArray] = (),
    facing_rad: float | None = None,
) -> Iterator[FloatArray]:
    """Polylines ``(n, 2)`` (x, z) [m] from start to goal, roomy and well aimed ones first.

    Who faces something close begins a step farther back (``facing_rad`` says where they face).
    """
    if facing_rad is not None:
        beside = heading_rad is not None and not via and aside(start, facing_rad, goal, heading_rad)
        if beside and floor.segment_free(start, goal, _BESIDE_M):
            # As along a counter.
            yield np.stack([start, goal])
            return
        start = stepped_back(floor, start, goal, facing_rad)
    if not floor.free(start[None], STANDING_M)[0]:
        # Nearer to something than anybody walks.
        start = _beside(floor, start, STANDING_M)
    near = float(np.hypot(*(goal - start)))
    if near < 0.6 and not via and floor.segment_free(start, goal, 0.15):
        yield np.stack([start, goal])
        return
    for room in _CLEARANCES_M:
        # Who stands close to something steps away from it first.
        first = start if floor.free(start[None], room)[0] else _beside(floor, start, room)
        for back in _RUN_UPS_M if heading_rad is not None and near > 1.0 else (0.0,):
            points = _route(floor, first, goal, heading_rad, room, back, via)
            if points is not None:
                yield points


def stepped_back(floor: Floor, start: FloatArray, goal: FloatArray, facing_rad: float) -> FloatArray:
    """Where to turn: here, or a step back or aside where something is close."""
    away = goal - start
    turn = abs(float(np.remainder(np.arctan2(away[0], away[1]) - facing_rad + np.pi, 2.0 * np.pi) - np.pi))
    if float(np.hypot(*away)) < 0.3 or turn < _AWAY_RAD or floor.free(start[None], _CLOSE_M)[0]:
        return start
    for back in _BACK_M:
        there = start - back * ahead_of(facing_rad)
        if floor.segment_free(start, there, 0.2) and floor.free(there[None], STANDING_M + 0.5 * back)[0]:
            return there
    return _beside(floor, start, _TURNING_M)


def _beside(floor: Floor, start: FloatArray, room_m: float) -> FloatArray:
    """The nearest place around with room; where somebody stands if there is none."""
    turns = np.arange(_BESIDE) * 2.0 * np.pi / _BESIDE
    ring = np.stack([np.sin(turns), np.cos(turns)], axis=1)
    for away in _OUT_M:
        for there in (start + away * ring)[floor.free(start + away * ring, room_m)]:
            if floor.segment_free(start, there, _TIGHT_M):
                return np.asarray(there)
    return start


def _route(
    floor: Floor,
    start: FloatArray,
    goal: FloatArray,
    heading_rad: float | None,
    room: float,
    back: float,
    via: Sequence[FloatArray],
) -> FloatArray | None:
    before = goal
    if heading_rad is not None and back > 0.0:
        before = goal - back * ahead_of(heading_rad)
        if not floor.segment_free(before, goal, STANDING_M):
            return None
    elif not floor.free(goal[None], room)[0]:
        return None
    found = floor.path(start, before, room, via=list(via))
    if found.path is None:
        return None
    points = found.path.sample(0.05)
    return np.concatenate([points, goal[None]]) if back > 0.0 else points


def why_not(floor: Floor, start: FloatArray, goal: FloatArray) -> str:
    """Why no way leads from start to goal, in one sentence."""
    found = floor.path(start, goal, STANDING_M)
    if found.path is None:
        return found.reason
    found = floor.path(start, goal, _CLEARANCES_M[-1])
    return found.reason or "there is no room to turn on the way"
