"""Ways on the floor for a person of some width: as roomy as they may be, and as narrow as they have to be.

A metre costs more the less room there is beside it, so one search finds ways that are roomy where that is cheap and
narrow where nothing else leads there. They are smooth, and lead through the middle of what is narrow. What the judge
refuses makes a place dearer, and the next way avoids it where it can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.editing import raised, smoothstep
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.floor import Floor
from understudy.floor.costs import cost_field
from understudy.floor.nearest import nearest_free
from understudy.locomotion.footsteps.footing import ahead_of
from understudy.locomotion.footsteps.pathing import ROUNDED_M, aside, headings, length_of, rounded, wrapped
from understudy.performer.smoothing import gaussian
from understudy.typing import FloatArray

#: Cost of a metre beyond its length where there is least room; it falls in inverse proportion to the room to spare,
#: which counts as no less than this [m].
_SLOWER, _SPARE_M = 1.5, 0.02
#: Share of the room a body needs that it needs sideways, and [m] how far before and after a gap it is turned for that.
_CLOSED, _PASSING_M = 0.6, 0.5
#: Cost of a metre, beyond its length, where a walk was refused; and [m] how far that reaches.
_REFUSED, _REFUSED_M = 1.5, 0.4
#: How often a way is moved off things and smoothed, and [m] over which; ways of fewer points are straight.
_BANDS, _BAND_M, _FEW = 16, 0.12, 4
#: Share of the smoothing where there is hardly room.
_HELD = 0.1
#: [m] how far before the goal a last stretch that is straight begins.
_RUN_UP_M = 0.6
#: [m] that one walks in the time that turning by a radian on the spot takes.
_TURN_M = 1.0
#: [rad] nobody walks round a sharper corner shortly before the goal, nor sets off at a sharper one without a turn.
CORNER_RAD = 1.0
#: [m] room for hands while turning on the spot, and by which hips sway beside their way.
TURNING_M, _SWAY_M = 0.38, 0.03
#: [m] how far along the way who has to turn at one of its ends may step for room to turn in.
_STEP_M = 0.36
#: [m] a way is looked at so often; ends closer than this to a way's own are not.
_LOOK_M, _END_M = 0.05, 0.3
#: Rounding of a room that is just kept [m].
_JUST_M = 1e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """A way on the floor.

    Attributes:
        points: ``(n, 2)`` (x, z) [m]; its first point is where one sets off.
        rounded_m: How much its corners are rounded [m].
        stand: Where one stands in the end, if that is a step beyond its last point.
        room_m: Distance it keeps from things, but for its ends [m].
        slow: ``(k, 2)`` places (x, z) near which one walks more slowly [m].
        aside_rad: ``(n,)`` how far one turns aside from where the way leads, as in a gap narrower than the shoulders.
    """

    points: FloatArray
    rounded_m: float = ROUNDED_M
    stand: FloatArray | None = None
    room_m: float = np.inf
    slow: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))
    aside_rad: FloatArray | None = None

    def turned_over(self) -> Way:
        """The same way, turned aside to the other side in gaps."""
        return self if self.aside_rad is None else replace(self, aside_rad=-self.aside_rad)

    @property
    def end(self) -> FloatArray:
        """``(2,)`` where one stands in the end."""
        return self.points[-1] if self.stand is None else self.stand


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


@dataclass(eq=False, kw_only=True)
class Ways:
    """Ways from a start to a goal, the cheapest first.

    Attributes:
        floor: What stands around.
        stops: Start, points to pass, and goal, ``(2,)`` (x, z) [m] each.
        heading_rad: Where to face in the end; along the way unless given.
        facing_rad: Where one faces at first; along the way unless given.
        preferred_m: Room one would like to have beside the way [m].
        least_m: Room the body needs [m].
    """

    floor: Floor
    stops: Sequence[FloatArray]
    heading_rad: float | None = None
    facing_rad: float | None = None
    preferred_m: float
    least_m: float
    _avoided: list[FloatArray] = field(default_factory=list)

    def avoid(self, place: FloatArray) -> None:
        """Make a place ``(2,)`` (x, z) dearer."""
        self._avoided.append(place)

    def __iter__(self) -> Iterator[Way]:
        """Ways as long as there are other ones; places that are avoided count from the next one on."""
        known: list[FloatArray] = []
        while True:
            fresh = [points for points in self._found() if not any(_alike(points, one) for one in known)]
            if not fresh:
                return
            known.append(fresh[0])
            yield self._with_steps(fresh[0])

    def _found(self) -> list[FloatArray]:
        """Points ``(n, 2)`` of ways over the floor as it is now known, the cheapest first."""
        start, goal = self.stops[0], self.stops[-1]
        if self._is_beside():
            return [np.stack([start, goal])]
        metre = self._metre()
        points = self._through(metre, self.stops)
        if points is None:
            return []
        found = [points]
        if self.heading_rad is not None and float(np.hypot(*(goal - start))) > _RUN_UP_M:
            before = goal - _RUN_UP_M * ahead_of(self.heading_rad)
            room = min(self.least_m, room_at(self.floor, goal)) - _JUST_M
            free = self.floor.segment_free(before, goal, room)
            up_to = self._through(metre, [*self.stops[:-1], before]) if free else None
            if up_to is not None and _corner_rad(up_to, self.heading_rad) < CORNER_RAD:
                found.append(np.concatenate([up_to, goal[None]]))
        return sorted(found, key=self._cost_m)

    def _is_beside(self) -> bool:
        """Whether the goal is beside and one side-steps there, as along a counter."""
        start, goal = self.stops[0], self.stops[-1]
        if self.facing_rad is None or self.heading_rad is None or len(self.stops) > 2 or self._avoided:
            return False
        beside = aside(start, self.facing_rad, goal, self.heading_rad)
        return beside and self.floor.segment_free(start, goal, self.least_m * _CLOSED)

    def _metre(self) -> FloatArray:
        """``(nz, nx)`` what a metre costs in each cell."""
        distances = self.floor.distances
        clear = distances.grid.values
        lack = np.maximum(self.preferred_m - clear, 0.0)
        spare = clear - self.least_m
        metre = 1.0 + _SLOWER * lack / (np.maximum(spare, 0.0) + _SPARE_M)
        # Where there is less room than the body needs every centimetre counts.
        metre += np.maximum(-spare, 0.0) / _SPARE_M
        for place in self._avoided:
            away = np.linalg.norm(distances.centres() - place, axis=-1)
            metre += _REFUSED * np.exp(-((away / _REFUSED_M) ** 2))
        open_m = min([_CLOSED * self.least_m, *(room_at(self.floor, stop) - distances.cell_m for stop in self.stops)])
        return np.where(clear > max(open_m, 0.0), metre, np.inf)

    def _through(self, metre: FloatArray, stops: Sequence[FloatArray]) -> FloatArray | None:
        """Points ``(n, 2)`` of the cheapest way through all stops."""
        parts = [cost_field(self.floor, goal, metre).way(start) for start, goal in pairwise(stops)]
        if any(part is None for part in parts):
            return None
        return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])  # type: ignore[index]

    def _cost_m(self, points: FloatArray) -> float:
        """What walking a way ``(n, 2)`` costs [m]: turning at the end takes time."""
        turn = 0.0 if self.heading_rad is None else _corner_rad(points, self.heading_rad)
        return length_of(points) + _TURN_M * turn

    def _with_steps(self, points: FloatArray) -> Way:
        """The way, smooth; who has to turn at one of its ends steps to where there is room for that."""
        stand = None
        if len(points) == 2 or length_of(points) < 2.0 * _STEP_M:
            return Way(points=points)
        leaves = self.facing_rad is not None and abs(wrapped(_first_rad(points) - self.facing_rad)) > CORNER_RAD
        first = self._roomy(points) if leaves else 0
        turns = self.heading_rad is not None and _corner_rad(points, self.heading_rad) > CORNER_RAD
        last = len(points) - 1 - (self._roomy(points[::-1]) if turns else 0)
        if last <= first:
            first, last = 0, len(points) - 1
        if last < len(points) - 1:
            stand = points[-1]
        points = self._direct(points[first : last + 1])
        return self._banded(self._direct(points[::-1])[::-1], stand)

    def _direct(self, points: FloatArray) -> FloatArray:
        """The way ``(n, 2)`` whose first step leads straight ahead, not aside for a little more room."""
        room = min(self.least_m, room_at(self.floor, points[0])) - _JUST_M
        near = np.flatnonzero(np.linalg.norm(points - points[0], axis=1) > _STEP_M)
        for k in range(int(near[0]) if len(near) else len(points) - 1, 1, -1):
            if self.floor.segment_free(points[0], points[k], room):
                return np.concatenate([points[:1], points[k:]])
        return points

    def _roomy(self, points: FloatArray) -> int:
        """Which of the first points of a way has room to turn in, or the most."""
        arcs = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        near = points[arcs <= _STEP_M]
        rooms = np.minimum(_away_m(self.floor, near), self.preferred_m)
        return int(np.argmax(rooms > rooms.max() - _JUST_M))

    def _banded(self, points: FloatArray, stand: FloatArray | None) -> Way:
        """A way drawn like an elastic band: smooth, and as far from things as one would like where there is room.

        Rounding alone cuts corners; what comes too near is pushed off again, in a doorway from both sides to its
        middle.
        """
        way, distances = _resampled(rounded(points)), self.floor.distances
        for _ in range(_BANDS):
            if len(way) <= _FEW:
                break
            far = distances.at(way)
            pushed = way + self._aside(way, np.minimum(np.maximum(self.preferred_m - far, 0.0) / _LOOK_M, 1.0))
            # What is narrow holds the band, what is wide lets it straighten.
            loose = np.clip((far - self.least_m) / (self.preferred_m - self.least_m + _JUST_M), _HELD, 1.0)
            smooth = pushed + loose[:, None] * (gaussian(pushed, _BAND_M / _LOOK_M) - pushed)
            way = way + smoothstep(_from_ends_m(way) / _END_M)[:, None] * (smooth - way)
        far = np.where(_from_ends_m(way) > _END_M, _away_m(self.floor, way), np.inf)
        room = float(far.min())
        turned = self._turned_rad(way, far) if room < self.least_m else None
        return Way(points=way, room_m=room, rounded_m=_LOOK_M, stand=stand, aside_rad=turned)

    def _turned_rad(self, way: FloatArray, far: FloatArray) -> FloatArray:
        """``(n,)`` how far a body turns aside where there is less room ``(n,)`` beside its way than it is wide [m]."""
        wide, deep = self.least_m, _CLOSED * self.least_m
        # A rectangle turned by less than twice its diagonal's angle is wider than one that is not turned at all.
        turned = np.arctan2(deep, wide) + np.arccos(np.clip(far / np.hypot(wide, deep), 0.0, 1.0))
        turned = np.where(far < wide, np.minimum(turned, 0.5 * np.pi), 0.0)
        return _side(way, int(far.argmin())) * raised(turned, round(_PASSING_M / _LOOK_M))

    def _aside(self, way: FloatArray, share: FloatArray) -> FloatArray:
        """``(n, 2)`` to which side of a way there is more room, and how far; in the middle of a passage nowhere."""
        along = np.gradient(way, axis=0)
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
        across = np.stack([along[:, 1], -along[:, 0]], axis=1)
        left, right = (self.floor.distances.at(way + sign * _LOOK_M * across) for sign in (1.0, -1.0))
        return np.asarray((0.5 * share * (left - right))[:, None] * across)


def turning_place(floor: Floor, place: FloatArray, room_m: float = TURNING_M) -> FloatArray | None:
    """Where somebody steps who has no room to turn in; ``None`` for who has, and where there is no such place near."""
    if floor.free(place[None], room_m)[0]:
        return None
    own = room_at(floor, place)
    found = nearest_free(floor, place, room_m) if own > 0.0 else None
    if found is None or float(np.hypot(*(found - place))) > _STEP_M:
        return None
    return found if floor.segment_free(place, found, max(own - _JUST_M, 0.0)) else None


def thin_room_m(skeleton: Skeleton) -> float:
    """Room beside a way that somebody needs who walks sideways [m]."""
    return _CLOSED * body_room_m(skeleton)


def body_room_m(skeleton: Skeleton) -> float:
    """Room beside a way that somebody needs, whose hips sway and whose arms hang close [m]."""
    return half_width_m(skeleton) + _SWAY_M


def _side(way: FloatArray, gap: int) -> float:
    """To which side one turns in a gap on a way ``(n, 2)``, 1 for the left: whence one comes and where one goes on."""
    along = headings(way)
    far = round(2.0 * _PASSING_M / _LOOK_M)
    before, after = along[max(gap - far, 0)], along[min(gap + far, len(along) - 1)]
    return 1.0 if before + after >= 2.0 * along[gap] else -1.0


def _alike(one: FloatArray, other: FloatArray) -> bool:
    """Whether two ways are nowhere farther apart than they are looked at."""
    if len(one) != len(other):
        return False
    return bool(np.linalg.norm(one - other, axis=1).max() < _LOOK_M)


def _first_rad(points: FloatArray) -> float:
    """Where a way ``(n, 2)`` sets off to [rad]."""
    away = np.linalg.norm(points - points[0], axis=1)
    far = points[min(int(np.searchsorted(away > _END_M, True)), len(points) - 1)] - points[0]
    return float(np.arctan2(*far))


def _corner_rad(points: FloatArray, heading_rad: float) -> float:
    """How far a way ``(n, 2)`` ends off a heading [rad]."""
    return abs(wrapped(_first_rad(points[::-1]) + np.pi - heading_rad))


def fitting_m(floor: Floor, stops: Sequence[FloatArray], preferred_m: float) -> float:
    """The largest room beside a way through all stops, up to what one would like to have [m]; 0 without a way."""
    rooms = [room_at(floor, stop) for stop in stops]
    return min([preferred_m, *rooms, *(floor.widest_m(a, b) for a, b in pairwise(stops))])


def room_at(floor: Floor, place: FloatArray) -> float:
    """Distance of a place from the nearest thing [m]; 0 inside one."""
    if not floor.free(place[None])[0]:
        return 0.0
    return float(_away_m(floor, place[None])[0])


def _resampled(way: FloatArray) -> FloatArray:
    """The polyline ``(n, 2)`` with a point about every ``_LOOK_M``."""
    step = float(np.linalg.norm(way[1] - way[0]))
    few = way[:: max(1, round(_LOOK_M / max(step, 1e-6)))] if len(way) > _FEW else way
    return np.concatenate([few, way[-1:]]) if np.any(few[-1] != way[-1]) else few


def _from_ends_m(way: FloatArray) -> FloatArray:
    """``(n,)`` distance of a way's points from the nearer of its ends [m]."""
    return np.minimum(np.linalg.norm(way - way[0], axis=1), np.linalg.norm(way - way[-1], axis=1))


def _away_m(floor: Floor, points: FloatArray) -> FloatArray:
    """``(n,)`` distance of points ``(n, 2)`` from what is nearest [m], exactly."""
    a, b = floor.grid.segments[:, :2], floor.grid.segments[:, 2:]
    along = b - a
    seen = points[:, None] - a
    share = np.clip((seen * along).sum(axis=2) / np.maximum((along * along).sum(axis=1), 1e-12), 0.0, 1.0)
    return np.asarray(np.linalg.norm(seen - share[..., None] * along, axis=2).min(axis=1))
