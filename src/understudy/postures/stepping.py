"""Where feet are put down on the way from some planted feet to others: one after the other, flat until the last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.reference_pose import t_pose_world
from understudy.postures.bearing import SIDES, Foot, Side
from understudy.typing import FloatArray

#: Over the length of a leg, [rad]: how far apart two feet are at most when both stand, along the way and in heading.
_STRIDE, _TURN = 0.55, 0.6
#: Over the length of a leg: feet whose middles are nearer to each other are in each other's way.
_NARROW = 0.13
#: How much farther apart than hips feet stand on the way.
_WIDE = 1.4
#: [rad] feet that are tilted more stand on toes or heel, [m] feet that are higher are not quite down in a recording:
#: nobody steps over them if the other one is lower.
_FLAT_RAD, _HIGH_M = 0.35, 0.01
_LEVEL = np.array([1.0, 0.0, 1.0])
_UP = np.array([0.0, 1.0, 0.0])


def flat(body: Body, foot: Foot) -> bool:
    """Whether a foot stands on its whole sole."""
    return _tilt(body, foot) < _FLAT_RAD


def firm(body: Body, feet: Mapping[Side, Foot]) -> list[Side]:
    """Sides that somebody can stand on alone: flat feet that are on the floor; else the lowest, or the flattest."""
    order = sorted(feet, key=lambda side: _tilt(body, feet[side]))
    level = [side for side in order if flat(body, feet[side])] or order[:1]
    high = {side: ball_height_m(body, feet[side]) for side in level}
    return [side for side in level if high[side] <= max(min(high.values()), _HIGH_M)]


def placements(body: Body, own: Mapping[Side, Foot], goal: Mapping[Side, Foot]) -> list[dict[Side, Foot]]:
    """Pairs of planted feet by which one gets from some feet to others, one foot at a time.

    Somebody stands on one flat foot at first and comes to stand on a flat foot of the goal before the last step. Feet
    in between stand side by side.

    Args:
        body: Whose.
        own: Feet to begin with.
        goal: Feet to end with.

    Returns:
        Pairs of feet; neither the first nor the last feet are among them.
    """
    flattest = min((*own.values(), *goal.values()), key=lambda foot: _tilt(body, foot))
    starts, ends = firm(body, own), firm(body, goal)
    routes = _routes(body, _frame(body, own), _frame(body, goal))
    tries = [_steps(body, flattest, own, goal, (a, g), route) for route in routes for a in starts for g in ends]
    return min(tries, key=lambda pairs: (sum(_in_the_way(body, feet) for feet in pairs), len(pairs)))


def _in_the_way(body: Body, feet: Mapping[Side, Foot]) -> bool:
    """Whether two feet are in each other's way, or on each other's side."""
    left, right = feet["left"], feet["right"]
    soles = [
        np.stack([one.place + share * (one.middle - one.place) for share in (0.0, 1.0, 2.0)]) for one in (left, right)
    ]
    apart = np.linalg.norm((soles[0][:, None] - soles[1][None]) * _LEVEL, axis=-1)
    _, heading = _frame(body, feet)
    aside = rot.rotate(rot.from_yaw(heading), np.array([1.0, 0.0, 0.0])) @ (left.middle - right.middle)
    return bool(apart.min() < _NARROW * leg_length(body) or aside < 0.0)


def _steps(
    body: Body,
    flattest: Foot,
    own: Mapping[Side, Foot],
    goal: Mapping[Side, Foot],
    over: tuple[Side, Side],
    route: FloatArray,
) -> list[dict[Side, Foot]]:
    """Pairs of feet when one stands on given sides before the first step and before the last one."""
    count = max(int(np.ceil(route[-1, 0])) + 1, 2)
    count += (count + (over[0] == over[1])) % 2
    feet, side = {over[0]: own[over[0]]}, other_side(over[0])
    found: list[dict[Side, Foot]] = []
    for k in range(1, count + 1):
        done = min(k / (count - 1), 1.0) * route[-1, 0]
        x, z, heading = (float(np.interp(done, route[:, 0], values)) for values in route[:, 1:].T)
        put = _at_centre(body, flattest, side, np.array([x, 0.0, z]), heading)
        feet = {**feet, side: goal.get(side, put) if k >= count - 1 else put}
        found.append(dict(feet))
        side = other_side(side)
    # The last step leads to the goal itself.
    return found[:-1]


def _routes(body: Body, first: tuple[FloatArray, float], last: tuple[FloatArray, float]) -> list[FloatArray]:
    """Ways over the floor, rows of steps made, place and heading: straight, or turned along the way or against it."""
    (here, heading), (there, facing) = first, last
    way = there - here
    along = float(np.arctan2(way[0], way[2]))
    found = []
    for turns in ([], [along], [along + np.pi]):
        places = [here, *(place for _ in turns for place in (here, there)), there]
        headings = np.unwrap([heading, *(turn for turn in turns for _ in range(2)), facing])
        legs = [
            _fewest(body, two - one, a, b - a)
            for (one, two), (a, b) in zip(pairwise(places), pairwise(headings.tolist()), strict=True)
        ]
        done = np.concatenate([[0.0], np.cumsum(legs)])
        found.append(np.column_stack([done, np.stack(places)[:, [0, 2]], headings]))
    return found


def _fewest(body: Body, way: FloatArray, heading: float, turn: float) -> float:
    """How many steps a way over the floor takes at least; sideways feet close up, and never cross."""
    headings = heading + np.linspace(0.0, 1.0, 9) * turn
    aside = np.abs(way[0] * np.cos(headings) - way[2] * np.sin(headings)).max()
    room = 2.0 * abs(_out(body, "left")) - _NARROW * leg_length(body)
    return max(float(np.linalg.norm(way)) / (_STRIDE * leg_length(body)), float(aside) / room, abs(turn) / _TURN)


def _out(body: Body, side: Side) -> float:
    """How far to the left of the middle a foot stands on the way [m]."""
    places, _ = t_pose_world(body.skeleton)
    return _WIDE * float((places[body.skeleton.humanoid[f"{side}Foot"]] - places[0])[0])


def _at_centre(body: Body, foot: Foot, side: Side, centre: FloatArray, heading: float) -> Foot:
    """A foot like a given one at its side of a place on the floor ``(3,)`` [m], headed as told [rad].

    The ball of the foot is on the floor.
    """
    skeleton, (_, turns) = body.skeleton, t_pose_world(body.skeleton)
    roles, way = skeleton.humanoid, rot.from_yaw(heading)
    own = _seen(body, foot)
    if side != foot.side:
        own = own * np.array([1.0, 1.0, -1.0, -1.0])
    turn = rot.multiply(rot.multiply(way, own), turns[roles[f"{side}Foot"]])
    ahead = rot.rotate(way, np.array([0.0, 0.0, float(np.linalg.norm((foot.middle - foot.place) * _LEVEL))]))
    middle = centre * _LEVEL + rot.rotate(way, np.array([_out(body, side), 0.0, 0.0]))
    up, down = float(foot.place[1]), 0.0
    if foot.toes is not None:
        down = float(rot.rotate(turn, skeleton.offsets[roles[f"{side}Toes"]])[1])
        up = float(body.capsule_radii[body.capsule(f"{side}_toes")]) - down
    return Foot(
        side=side,
        place=middle - ahead + up * _UP,
        turn=turn,
        toes=foot.toes if side == foot.side else _mirrored(foot.toes),
        middle=middle + (up + 0.5 * down) * _UP,
    )


def beside(body: Body, foot: Foot, side: Side) -> Foot:
    """The mirror image of a planted foot at its side."""
    return _at_centre(body, foot, side, *_frame(body, {foot.side: foot}))


def flat_feet(body: Body, centre: FloatArray, heading: float) -> dict[Side, Foot]:
    """Flat feet side by side about a place on the floor ``(3,)`` [m], headed as told [rad]."""
    skeleton, (places, turns) = body.skeleton, t_pose_world(body.skeleton)
    found: dict[Side, Foot] = {}
    for side in SIDES:
        ankle, toes = skeleton.humanoid[f"{side}Foot"], skeleton.humanoid.get(f"{side}Toes")
        ball = ankle if toes is None else toes
        own = Foot(
            side=side,
            place=places[ankle],
            turn=turns[ankle],
            toes=None if toes is None else rot.multiply(rot.conjugate(turns[ankle]), turns[toes]),
            middle=0.5 * (places[ankle] + places[ball]),
        )
        found[side] = _at_centre(body, own, side, centre, heading)
    return found


def drawn(foot: Foot, by: FloatArray) -> Foot:
    """A foot that stands ``(3,)`` [m] from where it stood."""
    return replace(foot, place=foot.place + by, middle=foot.middle + by)


def leg_length(body: Body) -> float:
    """Length of thigh and shank [m]."""
    roles, offsets = body.skeleton.humanoid, body.skeleton.offsets
    return float(np.linalg.norm(offsets[roles["leftLowerLeg"]]) + np.linalg.norm(offsets[roles["leftFoot"]]))


def heading_of(foot: Foot) -> float:
    """Where a foot points [rad]."""
    ahead = foot.middle - foot.place
    return float(np.arctan2(ahead[0], ahead[2]))


def _frame(body: Body, feet: Mapping[Side, Foot]) -> tuple[FloatArray, float]:
    """The place between feet ``(3,)`` [m], where a body above them is, and its heading [rad]."""
    ways = [np.array([np.sin(heading_of(foot)), np.cos(heading_of(foot))]) for foot in feet.values()]
    heading = float(np.arctan2(*np.sum(ways, axis=0)))
    middles = [foot.middle for foot in feet.values()]
    if len(feet) < len(SIDES):
        (foot,) = feet.values()
        out = np.array([_out(body, foot.side), 0.0, 0.0])
        middles = [foot.middle - rot.rotate(rot.from_yaw(heading), out)]
    return np.asarray(np.mean(middles, axis=0)) * _LEVEL, heading


def ball_height_m(body: Body, foot: Foot) -> float:
    """How high the ball of a foot is above the floor [m]."""
    ball = "toes" if foot.toes is not None else "foot"
    return float(foot.ball[1] - body.capsule_radii[body.capsule(f"{foot.side}_{ball}")])


def _seen(body: Body, foot: Foot) -> FloatArray:
    """A foot's turn away from the T-pose, seen along its heading."""
    _, turns = t_pose_world(body.skeleton)
    own = rot.multiply(foot.turn, rot.conjugate(turns[body.skeleton.humanoid[f"{foot.side}Foot"]]))
    return rot.multiply(rot.from_yaw(-heading_of(foot)), own)


def _tilt(body: Body, foot: Foot) -> float:
    """How far a foot is from level [rad]."""
    return float(np.arccos(np.clip(rot.rotate(_seen(body, foot), _UP)[1], -1.0, 1.0)))


def _mirrored(turn: FloatArray | None) -> FloatArray | None:
    return None if turn is None else turn * np.array([1.0, 1.0, -1.0, -1.0])


def other_side(side: Side) -> Side:
    """Left for right, right for left."""
    return "right" if side == "left" else "left"
