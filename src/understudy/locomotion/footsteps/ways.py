"""Ways on the floor for a person of some width: as roomy as they may be, and as narrow as they have to be.

The widest passage between two places is known from the floor. Ways are searched with the room one would like to have,
with what the narrowest passage leaves, and between. They are smooth, and lead through the middle of what is narrow. Who
stands nearer to something than that steps away from it first, and steps up to what is near the goal in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.editing import smoothstep
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.floor import Floor
from understudy.floor.nearest import nearest_free
from understudy.locomotion.footsteps.footing import ahead_of
from understudy.locomotion.footsteps.pathing import ROUNDED_M, length_of, rounded, wrapped
from understudy.performer.smoothing import gaussian
from understudy.typing import FloatArray

#: Ways between the widest and the narrowest that are searched, and halvings in search of the widest passage.
_LEVELS, _HALVINGS = 4, 8
#: How often a way is pushed off things and smoothed, what share of the lack of room each time, and [m] over which; ways
#: of fewer points are straight.
_BANDS, _PUSH, _BAND_M, _FEW = 16, 0.5, 0.12, 4
#: [m] how far before the goal the last straight stretch begins, longest first.
_RUN_UPS_M = (0.8, 0.45, 0.0)
#: Share by which a way is slower that leaves [m] as much to spare as it is narrower than one would like.
_SLOWER, _SPARE_M = 0.1, 0.02
#: [m] that one walks in the time that turning by a radian on the spot takes.
_TURN_M = 1.0
#: [rad] nobody walks round a sharper corner shortly before the goal.
_CORNER_RAD = 1.0
#: [m] a way is looked at so often; ends closer than this to a way's own are not.
_LOOK_M, _END_M = 0.05, 0.3
#: Rounding of a room that is just kept [m].
_JUST_M = 1e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """A way on the floor.

    Attributes:
        points: ``(n, 2)`` (x, z) [m]; its first point is where one sets off.
        room_m: Distance it keeps from things, but for its ends [m].
        rounded_m: How much its corners are rounded [m].
        stand: Where one stands in the end, if that is a step beyond its last point.
    """

    points: FloatArray
    room_m: float
    rounded_m: float = ROUNDED_M
    stand: FloatArray | None = None


@lru_cache(maxsize=32)
def half_width_m(skeleton: Skeleton) -> float:
    """Half the width of somebody whose arms hang close: the shoulders' [m]."""
    return _half_width_m(fit_body(skeleton))


def _half_width_m(body: Body) -> float:
    roles = body.skeleton.humanoid
    places = t_pose_world(body.skeleton)[0]
    shoulders = [roles[f"{side}UpperArm"] for side in ("left", "right")]
    apart = float(np.linalg.norm(places[shoulders[0], [0, 2]] - places[shoulders[1], [0, 2]]))
    arms = [k for k, name in enumerate(body.capsule_names) if name.endswith("upper_arm")]
    return 0.5 * apart + float(body.capsule_radii[arms].max())


def ways(
    floor: Floor,
    start: FloatArray,
    goal: FloatArray,
    heading_rad: float | None,
    *,
    preferred_m: float,
    least_m: float,
    via: Sequence[FloatArray] = (),
) -> Iterator[Way]:
    """Ways from start to goal, short, roomy and well aimed ones first; those that keep less than ``least_m`` last.

    Args:
        floor: What stands around.
        start: ``(2,)`` (x, z) [m].
        goal: ``(2,)`` (x, z) [m].
        heading_rad: Where one is to face in the end.
        preferred_m: Room one would like to have beside the way [m].
        least_m: Room the body needs [m].
        via: Points to pass.
    """
    near = float(np.hypot(*(goal - start)))
    found: list[tuple[float, float, FloatArray, FloatArray | None]] = []
    for room in levels_m(floor, (start, *via, goal), preferred_m, least_m):
        first, last = (beside(floor, place, room) for place in (start, goal))
        if first is None or last is None:
            continue
        stand = None if last is goal else goal
        backs = _RUN_UPS_M if heading_rad is not None and near > 1.0 and stand is None else (0.0,)
        for back in backs:
            points = _points(floor, first, last, heading_rad, room, back, via)
            if points is not None:
                slower = _SLOWER * (preferred_m - room) / (max(room - least_m, 0.0) + _SPARE_M)
                found.append((_cost_m(points, heading_rad, 1.0 + slower), room, points, stand))
    narrow: list[Way] = []
    for _, room, points, stand in sorted(found, key=lambda one: one[0]):
        way = _banded(floor, points, preferred_m, stand)
        if way.room_m >= min(room, least_m) - _JUST_M:
            yield way
        else:
            narrow.append(way)
    yield from sorted(narrow, key=lambda way: -way.room_m)


def _cost_m(points: FloatArray, heading_rad: float | None, slower: float) -> float:
    """What walking a way ``(n, 2)`` costs [m]: narrow ones are walked slowly, and turning at the end takes time."""
    turn = 0.0
    if heading_rad is not None and len(points) > 1:
        turn = abs(wrapped(float(np.arctan2(*(points[-1] - points[-2]))) - heading_rad))
    return length_of(points) * slower + _TURN_M * turn


def levels_m(floor: Floor, stops: Sequence[FloatArray], preferred_m: float, least_m: float) -> list[float]:
    """Rooms [m] that ways are searched with, widest first: no wider than the narrowest passage on the way."""

    def ends(room: float) -> list[FloatArray | None]:
        return [beside(floor, stops[0], room), *stops[1:-1], beside(floor, stops[-1], room)]

    widest = _widest_m(floor, ends, preferred_m)
    least = min(least_m, widest)
    return [] if widest <= 0.0 else np.unique(np.linspace(widest, least, _LEVELS))[::-1].tolist()


def fitting_m(floor: Floor, stops: Sequence[FloatArray], preferred_m: float) -> float:
    """The largest room beside a way through all stops, up to what one would like to have [m]; 0 without a way."""
    return _widest_m(floor, lambda _: list(stops), preferred_m)


def _widest_m(floor: Floor, stops_of: Callable[[float], Sequence[FloatArray | None]], most_m: float) -> float:
    """The largest room [m] with which the stops for that room are joined."""

    def joined(room: float) -> bool:
        stops = stops_of(room)
        free = [stop for stop in stops if stop is not None]
        return len(free) == len(stops) and all(floor.connected(a, b, room) for a, b in pairwise(free))

    if joined(most_m):
        return most_m
    low, high = 0.0, most_m
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if joined(middle) else (low, middle)
    return low


def room_at(floor: Floor, place: FloatArray) -> float:
    """Distance of a place from the nearest thing [m]; 0 inside one."""
    if not floor.free(place[None])[0]:
        return 0.0
    return float(_away(floor, place[None])[1][0])


def beside(floor: Floor, place: FloatArray, room_m: float) -> FloatArray | None:
    """The nearest place with some room that one can step to; the place itself where it has that room."""
    if floor.free(place[None], room_m)[0]:
        return place
    own = room_at(floor, place)
    found = nearest_free(floor, place, room_m) if own > 0.0 else None
    if found is None or not floor.segment_free(place, found, max(own - _JUST_M, 0.0)):
        return None
    return found


def _points(
    floor: Floor,
    start: FloatArray,
    goal: FloatArray,
    heading_rad: float | None,
    room_m: float,
    back_m: float,
    via: Sequence[FloatArray],
) -> FloatArray | None:
    before = goal
    if heading_rad is not None and back_m > 0.0:
        before = goal - back_m * ahead_of(heading_rad)
        if not floor.segment_free(before, goal, room_m - _JUST_M):
            return None
    found = floor.path(start, before, room_m, via=list(via))
    if found.path is None:
        return None
    points = found.path.sample(_LOOK_M)
    if heading_rad is None or back_m == 0.0:
        return points
    came = points[-1] - points[-2]
    if abs(wrapped(float(np.arctan2(*came)) - heading_rad)) > _CORNER_RAD:
        # Turning on the spot in the end is easier.
        return None
    return np.concatenate([points, goal[None]])


def _banded(floor: Floor, points: FloatArray, room_m: float, stand: FloatArray | None) -> Way:
    """A way drawn like an elastic band: smooth, and as far from things as one would like where there is room.

    Rounding alone cuts corners; what comes too near is pushed off again, in a doorway from both sides to its middle.
    """
    way = rounded(points)
    step = float(np.linalg.norm(way[1] - way[0])) if len(way) > 1 else _LOOK_M
    way = way[:: max(1, round(_LOOK_M / max(step, 1e-6)))] if len(way) > _FEW else way
    way = np.concatenate([way, points[-1:]]) if np.any(way[-1] != points[-1]) else way
    for _ in range(_BANDS):
        if len(way) <= _FEW:
            break
        off, far = _away(floor, way)
        push = _PUSH * np.maximum(room_m - far, 0.0)[:, None] * off
        smooth = gaussian(way + push, _BAND_M / _LOOK_M)
        ends = np.minimum(np.linalg.norm(way - way[0], axis=1), np.linalg.norm(way - way[-1], axis=1))
        way = way + smoothstep(ends / _END_M)[:, None] * (smooth - way)
    return Way(points=way, room_m=_least_room_m(floor, way), rounded_m=_BAND_M, stand=stand)


def _least_room_m(floor: Floor, way: FloatArray) -> float:
    """Distance of a polyline ``(n, 2)`` from things, but near its ends [m]."""
    ends = np.minimum(np.linalg.norm(way - way[0], axis=1), np.linalg.norm(way - way[-1], axis=1))
    inner = way[ends > _END_M]
    return float(_away(floor, inner)[1].min()) if len(inner) else np.inf


def _away(floor: Floor, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Directions ``(n, 2)`` away from what is nearest, and how far that is ``(n,)`` [m]."""
    a, b = floor.grid.segments[:, :2], floor.grid.segments[:, 2:]
    along = b - a
    seen = points[:, None] - a
    share = np.clip((seen * along).sum(axis=2) / np.maximum((along * along).sum(axis=1), 1e-12), 0.0, 1.0)
    off = seen - share[..., None] * along
    far = np.linalg.norm(off, axis=2)
    nearest = far.argmin(axis=1)
    rows = np.arange(len(points))
    least = far[rows, nearest]
    return off[rows, nearest] / np.maximum(least, 1e-9)[:, None], least
