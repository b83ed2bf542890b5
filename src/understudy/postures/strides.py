"""Where feet are when somebody steps: each swing goes straight up, over and straight down.

Near the floor a foot moves along the vertical alone and keeps its turn, so a planted foot never drifts, and it moves no
faster than feet that publications count as standing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics import centre_of_mass, pose_world
from understudy.postures.bearing import SIDES, Foot, Side, foot_of
from understudy.postures.pacing import GRAVITY_MPS2, LOW_M, SLOW_MPS, SOLE_M
from understudy.postures.stepping import ball_height_m, heading_of, leg_length, other_side
from understudy.postures.timing import PEAK_OVER_MEAN, minimum_jerk
from understudy.typing import FloatArray

#: Share of the speed at which feet near the floor count as slow that they are given.
_SLOWER = 0.95
#: Over the speed of a pendulum as long as a leg: how fast a foot is at most on its way over.
_SWING = 0.7
#: [rad/s] how fast it turns at most.
_TURNING = 4.0
#: [rad] how far toes point down on the way over.
_POINTS = 0.5
#: Over the time in which a pendulum as long as a leg falls: how long a swing takes at least, and both feet stand.
_LEAST, _BOTH = 1.0, 0.7
#: Over the same time: how long the body takes to come to rest after the last step.
_RESTS = 3.5
#: [m] how far the weight goes to another place in the time of a fall.
_SHIFT_M = 0.15
#: Over the length of a leg: how far from each other feet pass.
_ROOM = 0.17
#: Over the length of a way: how much higher a foot is in the middle of it.
_RISE = 0.12
_LEVEL = [0, 2]
_UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Swing:
    """One foot from where it stands, or is in the air, to where it goes.

    Attributes:
        side: Left or right.
        start: Where it is.
        goal: Where it goes.
        begins_s: When it leaves the floor [s].
        up_s: How long it goes straight up [s]; 0 for a foot in the air.
        over_s: How long it is on its way over [s].
        down_s: How long it goes straight down [s].
        low_m: How far it goes straight up and down [m].
        rolled: ``(4,)`` world rotation of the ankle when the heel is up, and the ball about to leave the floor.
        roll_s: How long the heel rises before that [s].
        aside: ``(3,)`` how far it goes round the other foot [m].
        ball: ``(3,)`` the ball in the ankle's frame [m]; zero where the skeleton has no toes.
    """

    side: Side
    start: Foot
    goal: Foot
    begins_s: float
    up_s: float
    over_s: float
    down_s: float
    low_m: float
    rolled: FloatArray
    roll_s: float
    aside: FloatArray
    ball: FloatArray

    @property
    def ends_s(self) -> float:
        """When it is down [s]."""
        return self.begins_s + self.up_s + self.over_s + self.down_s

    def done(self, times_s: FloatArray) -> FloatArray:
        """``(n,)`` how much of its way over it has made."""
        return minimum_jerk(self._share(times_s))

    def _share(self, times_s: FloatArray) -> FloatArray:
        return np.asarray(np.clip((times_s - self.begins_s - self.up_s) / self.over_s, 0.0, 1.0))

    def at(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Places ``(n, 3)`` [m] of the ankle, its turns ``(n, 4)`` and those of the toes ``(n, 4)`` at times."""
        done = self.done(times_s)
        rolling = minimum_jerk(np.clip((times_s - self.begins_s) / self.roll_s + 1.0, 0.0, 1.0))
        turns = rot.slerp(rot.slerp(self.start.turn, self.rolled, rolling), self.goal.turn, done)
        turns = rot.multiply(rot.exp(_bow(self._share(times_s))[:, None] * self._pointed), turns)
        places = self._balls(times_s) - rot.rotate(turns, self.ball)
        if self.start.toes is None or self.goal.toes is None:
            return places, turns, None
        # Toes stay on the floor while the heel rises.
        flat = rot.multiply(rot.conjugate(turns), rot.multiply(self.start.turn, self.start.toes))
        return places, turns, rot.slerp(flat, self.goal.toes, done)

    @property
    def _pointed(self) -> FloatArray:
        """``(3,)`` turn of a foot whose toes point down on the way over [rad]."""
        ahead = rot.rotate(self.goal.turn, self.ball) * np.array([1.0, 0.0, 1.0])
        return np.asarray(_POINTS * np.cross(_UP, ahead) / max(float(np.linalg.norm(ahead)), 1e-9))

    def _balls(self, times_s: FloatArray) -> FloatArray:
        """Places ``(n, 3)`` of the ball of the foot [m]."""
        since, left = times_s - self.begins_s, self.ends_s - times_s
        share, done = self._share(times_s), self.done(times_s)
        first, last = (foot.place + rot.rotate(foot.turn, self.ball) for foot in (self.start, self.goal))
        way = last - first
        balls = first + done[:, None] * way
        lifts, lands = float(self.up_s > 0.0), float(self.down_s > 0.0)
        high = lifts + done * (lands - lifts)
        if lifts:
            high = np.where(since < self.up_s, _risen(since / self.up_s), high)
        if lands:
            high = np.where(left < self.down_s, _risen(left / self.down_s), high)
        balls[:, 1] += self.low_m * high
        # Upwards at first and downwards in the end as fast as it goes near the floor.
        fast = 2.0 * self.low_m / max(self.up_s, self.down_s, 1e-9)
        balls[:, 1] += fast * self.over_s * (lifts * _going(share) + lands * _going(1.0 - share))
        balls[:, 1] += _RISE * float(np.linalg.norm(way)) * _bow(share)
        return np.asarray(balls + _bow(share)[:, None] * self.aside)


def _bow(share: FloatArray) -> FloatArray:
    """Once there and back, smoothly."""
    return np.asarray(64.0 * (share * (1.0 - share)) ** 3)


def _risen(share: FloatArray) -> FloatArray:
    """Height over that reached in the end, from rest to a speed that does not change any more."""
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(2.0 * share**3 - share**4)


def _going(share: FloatArray) -> FloatArray:
    """What a speed of 1 at the beginning adds to a minimum-jerk way."""
    return np.asarray(share - 6.0 * share**3 + 8.0 * share**4 - 3.0 * share**5)


@dataclass(frozen=True, eq=False, kw_only=True)
class Strides:
    """Steps one after the other.

    Attributes:
        swings: The feet that move, in order.
        rests: Feet at the beginning and at the end, by side.
        borne: What the weight is above: rows of time [s] and place ``x, z`` [m]; straight in between.
        duration_s: How long all of it takes [s].
    """

    swings: tuple[Swing, ...]
    rests: tuple[Mapping[Side, Foot], Mapping[Side, Foot]]
    borne: FloatArray
    duration_s: float

    def feet(self, side: Side, times_s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Places, turns and turned toes of one foot at times, as of :meth:`Swing.at`."""
        foot = self.rests[0][side]
        count = len(times_s)
        places, turns = np.tile(foot.place, (count, 1)), np.tile(foot.turn, (count, 1))
        toes = None if foot.toes is None else np.tile(foot.toes, (count, 1))
        for swing in self.swings:
            if swing.side == side:
                now = times_s >= swing.begins_s - swing.roll_s
                moved, turned, bent = swing.at(times_s[now])
                places[now], turns[now] = moved, turned
                if toes is not None and bent is not None:
                    toes[now] = bent
        return places, turns, toes

    def supports(self) -> list[tuple[tuple[str, ...], float, float]]:
        """Which feet bear the body, from when to when [s]."""
        standing = {side for side in SIDES if side not in self._begun_in_air}
        changes = [(0.0, frozenset(standing))]
        for swing in self.swings:
            changes.append((swing.begins_s, frozenset(standing := standing - {swing.side})))
            if swing.down_s > 0.0:
                changes.append((swing.ends_s, frozenset(standing := standing | {swing.side})))
        spans = [one for k, one in enumerate(changes) if k == 0 or one[1] != changes[k - 1][1]]
        ends = [*(start for start, _ in spans[1:]), self.duration_s]
        return [
            (tuple(f"{side} foot" for side in SIDES if side in feet), start, end)
            for (start, feet), end in zip(spans, ends, strict=True)
        ]

    def headings(self, times_s: FloatArray) -> FloatArray:
        """``(n,)`` where feet point on the mean [rad], without jumps; one in the air points where it will, or did."""
        total = np.zeros(len(times_s))
        first = [heading_of(self.rests[0][side]) for side in SIDES if side not in self._begun_in_air]
        for side in SIDES:
            now = heading_of(self.rests[0][side]) if side not in self._begun_in_air else first[0]
            total += _near(now, first[0])
            now = _near(now, first[0])
            for swing in self.swings:
                if swing.side == side and swing.down_s > 0.0:
                    then = _near(heading_of(swing.goal), now)
                    total += (then - now) * swing.done(times_s)
                    now = then
        return 0.5 * total

    @property
    def _begun_in_air(self) -> list[Side]:
        return [side for side in SIDES if next((s.up_s == 0.0 for s in self.swings if s.side == side), False)]


def strides_between(body: Body, a: Pose, b: Pose, way: Sequence[Mapping[Side, Foot]]) -> Strides | None:
    """Steps from planted feet to planted feet; ``None`` where two feet would have to move at once.

    Args:
        body: Who steps.
        a: Standing on the first feet; a foot that is not among them is in the air.
        b: The same with the last feet.
        way: Planted feet before and after each step.
    """
    fall_s = _fall_s(body)
    rests = tuple({side: foot_of(pose, side) for side in SIDES} for pose in (a, b))
    at, planted, clock = dict(rests[0]), set(way[0]), 0.0
    swings: list[Swing] = []
    borne = [(0.0, *_above(body, a))]
    for k, feet in enumerate(way[1:]):
        moved = [side for side in SIDES if not _stays(side, planted, at, feet)]
        if len(moved) != 1 or other_side(moved[0]) not in planted:
            return None
        (side,) = moved
        goal = feet.get(side, rests[1][side])
        middle = at[other_side(side)].middle[_LEVEL]
        far = float(np.linalg.norm(middle - borne[-1][1:]))
        clock += fall_s * (_BOTH if side in planted or k else 0.0) + (0.0 if k else fall_s + _shift_s(far, fall_s))
        other = at[other_side(side)]
        swing = _swing(body, (at[side], side in planted), (goal, side in feet), other, clock)
        swings.append(swing)
        borne += [(clock, *middle), (swing.ends_s, *middle)]
        clock, at, planted = swing.ends_s, {**at, side: goal}, set(feet)
    far = float(np.linalg.norm(_above(body, b) - borne[-1][1:]))
    clock += fall_s * _BOTH + _shift_s(far, fall_s)
    borne.append((clock, *_above(body, b)))
    clock += _RESTS * fall_s
    return Strides(swings=tuple(swings), rests=(rests[0], rests[1]), borne=np.array(borne), duration_s=clock)


def _stays(side: Side, planted: set[Side], at: Mapping[Side, Foot], feet: Mapping[Side, Foot]) -> bool:
    """Whether a foot stays where it stands, or in the air."""
    if side in planted:
        return side in feet and at[side].same(feet[side])
    return side not in feet


def _swing(body: Body, first: tuple[Foot, bool], last: tuple[Foot, bool], other: Foot, begins_s: float) -> Swing:
    """A swing between two feet, each with whether it is on the floor, past another one."""
    (start, lifts), (goal, lands) = first, last
    leg_m, fall_s = leg_length(body), _fall_s(body)
    # Somebody's foot may rest lower than the floor.
    deep_m = max(-ball_height_m(body, foot) for foot in (start, goal))
    low_m = LOW_M - SOLE_M + max(deep_m, 0.0)
    slow_s = 2.0 * low_m / (_SLOWER * SLOW_MPS)
    rolled = _rolled(start, other, leg_m) if lifts else start.turn
    aside = _aside(start, goal, other, _ROOM * leg_m)
    far = float(np.linalg.norm(goal.place - start.place)) + float(np.linalg.norm(aside))
    turn = float(rot.angle_between(rolled, goal.turn))
    over_s = max(_LEAST * fall_s, PEAK_OVER_MEAN * far * fall_s / (_SWING * leg_m), PEAK_OVER_MEAN * turn / _TURNING)
    return Swing(
        side=start.side,
        start=start,
        goal=goal,
        begins_s=begins_s,
        up_s=slow_s if lifts else 0.0,
        over_s=over_s,
        down_s=slow_s if lands else 0.0,
        low_m=low_m,
        rolled=rolled,
        roll_s=_BOTH * fall_s,
        aside=aside,
        ball=np.zeros(3) if start.toes is None else body.skeleton.offsets[body.skeleton.humanoid[f"{start.side}Toes"]],
    )


def _rolled(foot: Foot, other: Foot, leg_m: float) -> FloatArray:
    """World rotation of an ankle whose heel has risen because the other foot stands ahead."""
    if foot.toes is None:
        return foot.turn
    heading = heading_of(foot)
    ahead = np.array([np.sin(heading), 0.0, np.cos(heading)])
    up = float(np.arctan2((other.middle - foot.middle) @ ahead, leg_m))
    return rot.multiply(rot.exp(np.cross(_UP, ahead) * max(up, 0.0)), foot.turn)


def _aside(start: Foot, goal: Foot, other: Foot, room_m: float) -> FloatArray:
    """How far a foot goes aside so that it passes another one ``(3,)`` [m]."""
    way = (goal.middle - start.middle)[_LEVEL]
    from_other = (start.middle - other.middle)[_LEVEL]
    share = float(np.clip(-(from_other @ way) / max(float(way @ way), 1e-9), 0.0, 1.0))
    passes = from_other + share * way
    heading = heading_of(other)
    out = np.array([np.cos(heading), -np.sin(heading)]) * (1.0 if start.side == "left" else -1.0)
    near = float(np.linalg.norm(passes))
    if near >= room_m or not 0.0 < share < 1.0:
        return np.zeros(3)
    missing = room_m - float(passes @ out)
    return missing * np.array([out[0], 0.0, out[1]])


def _fall_s(body: Body) -> float:
    """The time in which a pendulum as long as a leg falls [s]."""
    return float(np.sqrt(leg_length(body) / GRAVITY_MPS2))


def _above(body: Body, pose: Pose) -> FloatArray:
    """What the centre of mass of a posture is above ``(2,)`` [m]."""
    return np.asarray(centre_of_mass(pose_world(pose), body.masses, body.coms)[_LEVEL])


def _shift_s(far_m: float, fall_s: float) -> float:
    """How long the weight takes to be above another place [s]."""
    return far_m * fall_s / _SHIFT_M


def _near(angle: float, other: float) -> float:
    """The same direction, less than half a turn from another one [rad]."""
    return other + float((angle - other + np.pi) % (2.0 * np.pi) - np.pi)
