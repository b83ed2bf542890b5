"""Moves from posture to posture in which what bears the body does not slip.

Two postures on the same feet are joined at once. A foot that stands elsewhere is lifted over the other one, after the
weight has been brought above that. To and from the floor the body goes by the stations of ``stations``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics import pose_world
from understudy.postures.bearing import SIDES, Foot, Placement, Side, bearing_of
from understudy.postures.grounding import on_trunk
from understudy.postures.lifting import ends_of, lifted, moving_ends
from understudy.postures.reaching import reached
from understudy.postures.stations import (
    held_feet,
    leaning,
    reaching_back,
    ready_to_rise,
    seat_place,
    seated,
    sitting_back,
    squatting,
    standing,
)
from understudy.postures.stepping import beside, drawn, firm, heading_of, other_side, placements

#: A body whose hips are lower than this share of their height in standing crouches.
_CROUCHED = 0.85
#: A body whose hips are lower than this many times those of a squat need not squat first.
_LOW = 1.1
#: [rad] how far shanks lean ahead of somebody who gets up from a seat.
_DRAWN_BACK_RAD = 0.35
_LEVEL = np.array([1.0, 0.0, 1.0])
#: Moves of a step: the weight goes over, the foot is lifted, brought over and put down, the weight comes back.
_STEP_MOVES = 5
_FAR = "a foot cannot be put down where it has to be"


#: A posture and the feet that bear it.
_Standing = tuple[Pose, Mapping[Side, Foot]]


class NoMoveError(Exception):
    """Says why a posture cannot be reached with something bearing the body all the way."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Move:
    """From one posture to another.

    Attributes:
        a: Where it begins.
        b: Where it ends.
        feet: Sides whose feet stay planted.
        hands: Sides whose hands stay on the floor.
        rolling: Whether the trunk rolls on the floor instead.
        seat: Whether the pelvis stays on a seat.
        stops: Planted feet between the steps of a move in which feet step; ``None`` where none does.
    """

    a: Pose
    b: Pose
    feet: frozenset[Side] = frozenset()
    hands: frozenset[Side] = frozenset()
    rolling: bool = False
    seat: bool = False
    stops: tuple[Mapping[Side, Foot], ...] | None = None

    @property
    def reversed(self) -> Move:
        """The same move backwards."""
        stops = None if self.stops is None else self.stops[::-1]
        return replace(self, a=self.b, b=self.a, stops=stops)


def over_feet(body: Body, a: Pose, b: Pose) -> list[Move]:
    """Moves between two postures that feet bear, each where it is."""
    own, goal = bearing_of(body, a).feet, bearing_of(body, b).feet
    kept = _kept(own, goal)
    if kept and kept == own.keys() == goal.keys():
        return [Move(a=a, b=b, feet=kept)]
    stops = () if kept & {*firm(body, own)} else tuple(placements(body, own, goal))
    return [Move(a=a, b=b, stops=stops)]


def stood_steps(body: Body, move: Move) -> list[Move]:
    """The same steps between two postures that stand at ease, to and from which nobody steps.

    Raises:
        NoMoveError: Nobody can stand over the feet.
    """
    if move.stops is None:
        return [move]
    ends = []
    for pose in (move.a, move.b):
        feet = bearing_of(body, pose).feet
        ends.append(_found(standing(body, feet), _FAR) if len(feet) == len(SIDES) else pose)
    both = frozenset(SIDES)
    first = [Move(a=move.a, b=ends[0], feet=both)] if ends[0] is not move.a else []
    last = [Move(a=ends[1], b=move.b, feet=both)] if ends[1] is not move.b else []
    return [*first, replace(move, a=ends[0], b=ends[1]), *last]


def single_steps(body: Body, move: Move) -> list[Move]:
    """The moves of which steps are made: the weight goes over, a foot is lifted, brought over and put down.

    Raises:
        NoMoveError: Some step cannot be made.
    """
    if move.stops is None:
        return [move]
    first, last = ((pose, bearing_of(body, pose).feet) for pose in (move.a, move.b))
    way = [first, *((_found(standing(body, feet), _FAR), feet) for feet in move.stops), last]
    return [part for one, two in pairwise(way) for part in _risen(body, one, two)]


def least_moves(body: Body, a: Pose, b: Pose) -> float:
    """How many moves at least lead from one posture to another; infinite where not only feet bear them."""
    one, two = bearing_of(body, a), bearing_of(body, b)
    if (one.kind, two.kind) != ("feet", "feet"):
        return float("inf")
    if _kept(one.feet, two.feet) == one.feet.keys() == two.feet.keys():
        return 1
    return _STEP_MOVES * (len(placements(body, one.feet, two.feet)) + 1)


def _kept(own: Mapping[Side, Foot], goal: Mapping[Side, Foot]) -> frozenset[Side]:
    """Sides whose feet stand in the same place."""
    return frozenset(side for side in own if side in goal and own[side].same(goal[side]))


def _risen(body: Body, first: _Standing, last: _Standing) -> list[Move]:
    """Moves over one planted foot; who crouches on two feet stands up for them, and crouches afterwards."""
    (a, own), (b, goal) = first, last
    side = min(_kept(own, goal), key=lambda side: (side not in firm(body, own), side))
    ends: list[Pose] = []
    for pose, feet in (first, last):
        upright = standing(body, feet) if len(feet) == len(SIDES) else None
        low = upright is not None and pose.root_position[1] < _CROUCHED * upright.root_position[1]
        ends.append(upright if low and upright is not None else pose)
    both = frozenset(SIDES)
    up = [Move(a=a, b=ends[0], feet=both)] if ends[0] is not a else []
    back = [Move(a=ends[1], b=b, feet=both)] if ends[1] is not b else []
    return [*up, *_stepped(body, (ends[0], own), (ends[1], goal), side), *back]


def _stepped(body: Body, first: _Standing, last: _Standing, side: Side) -> list[Move]:
    """Moves over one planted foot: the weight comes above it, the other foot steps, the weight comes back."""
    (a, own), (b, goal) = first, last
    other, both = other_side(side), frozenset(SIDES)
    moves: list[Move] = []
    start, end = a, b
    if other in own:
        start = _found(_shifted(body, a, own, side), "the weight cannot be brought above one foot")
        moves.append(Move(a=a, b=start, feet=both))
    if other in goal:
        end = _found(_shifted(body, b, goal, side), "the weight cannot be brought above one foot")
    one, foot = frozenset((side,)), f"{other} foot"
    ends = [ends_of(body, pose)[foot].place for pose in (start, end)]
    far = float(np.linalg.norm(ends[1] - ends[0]))
    if other in own:
        up = _found(lifted(body, start, [foot], over=own[side], far_m=far), "a foot cannot be lifted")
        moves.append(Move(a=start, b=up, feet=one))
        start = up
    if other in goal:
        above = _found(lifted(body, end, [foot], over=own[side], far_m=far), _FAR)
        moves += [Move(a=start, b=above, feet=one), Move(a=above, b=end, feet=one)]
    else:
        moves.append(Move(a=start, b=end, feet=one))
    if other in goal:
        moves.append(Move(a=end, b=b, feet=both))
    return moves


def down(body: Body, a: Pose) -> list[Move]:
    """Moves from a posture that feet bear to sitting on the floor, hands behind.

    Raises:
        NoMoveError: The body cannot get down over its feet.
    """
    feet = dict(bearing_of(body, a).feet)
    moves: list[Move] = []
    at = a
    if len(feet) == 1:
        side = next(iter(feet))
        feet[other_side(side)] = beside(body, feet[side], other_side(side))
        at = _found(standing(body, feet), "the other foot cannot be put down")
        moves += [part for move in over_feet(body, a, at) for part in single_steps(body, move)]
    why = "the body cannot get down to the floor over its feet"
    low, back, seat = (_found(one(body, feet), why) for one in (squatting, reaching_back, sitting_back))
    both = frozenset(SIDES)
    if at.root_position[1] > _LOW * low.root_position[1]:
        moves.append(Move(a=at, b=low, feet=both))
        at = low
    return [*moves, Move(a=at, b=back, feet=both), Move(a=back, b=seat, feet=both, hands=both)]


def over_floor(body: Body, a: Pose, b: Pose) -> list[Move]:
    """Moves between two postures that the floor bears: feet and hands are lifted, the trunk rolls.

    Raises:
        NoMoveError: Feet or hands cannot be lifted.
    """
    leaving, coming = moving_ends(body, a, b)
    why = "feet and hands cannot be lifted off the floor"
    stops = [_found(lifted(body, pose, names), why) for pose, names in ((a, leaving), (b, coming))]
    poses = [a, *(on_trunk(body, stop) for stop in stops if stop is not a and stop is not b), b]
    return [Move(a=one, b=two, rolling=True) for one, two in pairwise(poses)]


def over_seat(body: Body, a: Pose, b: Pose) -> list[Move]:
    """Moves between two postures on one seat: feet that move are lifted.

    Raises:
        NoMoveError: Feet cannot be lifted.
    """
    leaving, coming = moving_ends(body, a, b)
    why = "feet cannot be lifted off the floor"
    stops = [_found(lifted(body, pose, names), why) for pose, names in ((a, leaving), (b, coming))]
    feet = [bearing_of(body, pose).feet.keys() for pose in (a, b)]
    kept = frozenset(side for side in feet[0] & feet[1] if f"{side} foot" not in leaving)
    poses = [a, *(stop for stop in stops if stop is not a and stop is not b), b]
    return [Move(a=one, b=two, feet=kept, seat=True) for one, two in pairwise(poses)]


def sat_upright(body: Body, a: Pose) -> Pose:
    """A posture on the seat of another one with both feet on the floor, or that one itself.

    Raises:
        NoMoveError: Nobody can sit like that.
    """
    feet = dict(bearing_of(body, a).feet)
    if len(feet) == len(SIDES):
        return a
    if feet:
        (side,) = feet
        feet[other_side(side)] = beside(body, feet[side], other_side(side))
    return _found(seated(body, feet, seat_place(body, a)) if feet else None, "no foot is on the floor before the seat")


def off_seat(body: Body, a: Pose, *, drawn_back: bool = True) -> list[Move]:
    """Moves from a posture on a seat to standing before it: feet below the knees, the weight above them, then up.

    Feet that are not ``drawn_back`` stay where they are, and the body leans the farther.

    Raises:
        NoMoveError: The weight cannot be brought above the feet.
    """
    at, both, why = seat_place(body, a), frozenset(SIDES), "nobody gets up from there over their feet"
    own, upright = bearing_of(body, a).feet, sat_upright(body, a)
    below = dict(bearing_of(body, upright).feet)
    if drawn_back:
        below = {side: _drawn_back(body, upright, foot) for side, foot in below.items()}
    # One foot after the other, so that the seat need not carry everything; one that is in the air comes down first.
    feet, poses = {**below, **own}, [a] if drawn_back or upright is a else [a, upright]
    for side in sorted(SIDES, key=lambda side: side in own) if drawn_back else ():
        feet = {**feet, side: below[side]}
        poses.append(_found(ready_to_rise(body, feet, at), why))
    moves, begin = [move for one, two in pairwise(poses) for move in over_seat(body, one, two)], poses[-1]
    lean, stand = _found(leaning(body, below, at), why), _found(standing(body, below), why)
    return [*moves, Move(a=begin, b=lean, feet=both, seat=True), Move(a=lean, b=stand, feet=both)]


def _drawn_back(body: Body, pose: Pose, foot: Foot) -> Foot:
    """A foot drawn back below the knee, as far as people draw them back to get up."""
    roles, world = pose.skeleton.humanoid, pose_world(pose)
    ahead = np.array([np.sin(heading_of(foot)), 0.0, np.cos(heading_of(foot))])
    shank_m = float(np.linalg.norm(body.skeleton.offsets[roles[f"{foot.side}Foot"]]))
    before_m = float((foot.place - world.positions[roles[f"{foot.side}LowerLeg"]]) @ ahead)
    return drawn(foot, -max(before_m + np.sin(_DRAWN_BACK_RAD) * shank_m, 0.0) * ahead)


def backwards(moves: Sequence[Move]) -> list[Move]:
    """Moves made the other way."""
    return [move.reversed for move in reversed(moves)]


def brought_beside(body: Body, foot: Foot, other: Foot) -> Placement:
    """The move over the floor that brings another posture's foot beside a planted one, headed alike."""
    goal = beside(body, foot, other.side)
    yaw = heading_of(goal) - heading_of(other)
    shift = (goal.middle - rot.rotate(rot.from_yaw(yaw), other.middle)) * _LEVEL
    return Placement(yaw=yaw, shift=shift)


def _shifted(body: Body, pose: Pose, feet: Mapping[Side, Foot], side: Side) -> Pose | None:
    """A posture on the same feet with the centre of mass above one of them."""
    return reached(body, pose, held_feet(body, feet), centre=feet[side].middle, upright=True)


def _found(pose: Pose | None, why: str) -> Pose:
    if pose is None:
        raise NoMoveError(why)
    return pose
