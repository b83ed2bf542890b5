"""Which moves lead from one posture to another: over what bears both, or by sitting or standing in between.

Every posture has a way to standing at ease: from the floor by sitting on it, from a seat over the feet, from hands and
knees limb by limb. Two postures that nothing else joins are joined by standing up and going down again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics import pose_world
from understudy.postures.bearing import NEAR_M, Bearing, Foot, Placement, Side, bearing_of, placement
from understudy.postures.moves import (
    Move,
    NoMoveError,
    backwards,
    brought_beside,
    down,
    off_seat,
    over_feet,
    over_floor,
    over_seat,
    sat_upright,
)
from understudy.postures.pins import KEY_M, KEY_RAD
from understudy.postures.rising import flat_feet_below, risen
from understudy.postures.stations import seat_place, standing
from understudy.typing import FloatArray

#: What two postures on the floor, or on one seat, are joined by: nothing else, sitting, or standing; and ``"leaning"``,
#: that too, but feet before a seat stay where they are.
By = Literal["itself", "sitting", "standing", "leaning"]
#: A posture and what bears it.
Borne = tuple[Pose, Bearing]


def ways_round(body: Body, borne: Sequence[Borne]) -> tuple[By, ...]:
    """How neighbouring postures may be joined, in the order in which that is tried."""
    kinds = {bearing.kind for _, bearing in borne}
    alike = any(_on_floor(one, two) or _on_one_seat(body, one, two) for one, two in pairwise(borne))
    return ("itself", *(("sitting", "standing") if alike else ()), *(("leaning",) if "seat" in kinds else ()))


def _on_floor(first: Borne, last: Borne) -> bool:
    return first[1].kind == last[1].kind == "floor"


def _on_one_seat(body: Body, first: Borne, last: Borne) -> bool:
    (a, one), (b, two) = first, last
    near = float(np.linalg.norm(seat_place(body, a) - seat_place(body, b))) < NEAR_M
    return near and one.kind == two.kind == "seat"


def moves_between(body: Body, first: Borne, last: Borne, *, loose: bool, by: By) -> list[Move]:
    """Moves from one posture to another; a loose one may be moved over the floor.

    Raises:
        NoMoveError: None lead there.
    """
    (a, one), (b, two) = first, last
    kinds = (one.kind, two.kind)
    if by in ("itself", "sitting"):
        if _on_floor(first, last):
            if by == "itself":
                return over_floor(body, a, placement(_hips(b), _hips(a)).pose(b) if loose else b)
            up, coming = _sat(body, a), backwards(_sat(body, b))
            sits, sat = up[-1].b, coming[0].a
            if loose:
                coming = _moved(coming, placement(_hips(sat), _hips(sits)))
            return [*up, *_met(sits, coming, over_floor(body, sits, coming[0].a))]
        if _on_one_seat(body, first, last):
            if by == "itself":
                return over_seat(body, a, b)
            ends = [sat_upright(body, a), sat_upright(body, b)]
            poses = [a, *ends, b]
            return [move for k in range(3) for move in over_seat(body, poses[k], poses[k + 1])]
        if kinds == ("hands", "hands") and {*one.hands} & {*two.hands}:
            return [_over_hand(body, a, b, one, two, loose=loose)]
    if loose and kinds == ("feet", "floor") and not one.hands:
        return _down_to(body, a, b)
    if loose and kinds == ("floor", "feet") and not two.hands:
        return _up_from(body, a, b)
    up, coming = _stood(body, first, by), backwards(_stood(body, last, by))
    stand, goal = up[-1].b if up else a, coming[0].a if coming else b
    if loose:
        place = _onto_feet(body, stand, goal)
        coming, goal = _moved(coming, place), place.pose(goal)
    return [*up, *_met(stand, coming, over_feet(body, stand, goal))]


def _met(begin: Pose, coming: list[Move], way: list[Move]) -> list[Move]:
    """Moves that go on from a posture: over a way to where they begin, unless they begin with that very posture."""
    if not coming:
        return way
    away = rot.angle_between(begin.rotations, coming[0].a.rotations).max()
    if away < KEY_RAD and float(np.linalg.norm(begin.root_position - coming[0].a.root_position)) < KEY_M:
        return [replace(coming[0], a=begin), *coming[1:]]
    return [*way, *coming]


def _stood(body: Body, borne: Borne, by: By) -> list[Move]:
    """Moves from a posture to one that feet alone bear; none where it is one."""
    pose, bearing = borne
    if bearing.kind == "seat":
        return off_seat(body, pose, drawn_back=by != "leaning")
    if bearing.kind == "floor":
        # Feet are put down ahead of where the seat is.
        stand = standing(body, flat_feet_below(body, pose))
        if stand is None:
            raise NoMoveError("nobody gets up from there")
        moves = backwards(down(body, stand))
        over = _moved(moves, placement(_hips(moves[0].a), _hips(pose)))
        return [*over_floor(body, pose, over[0].a), *over]
    if bearing.kind == "feet" and not bearing.hands:
        return []
    return risen(body, pose)


def _sat(body: Body, pose: Pose) -> list[Move]:
    """Moves from a posture that the floor bears to sitting, hands behind."""
    stand = standing(body, flat_feet_below(body, pose))
    if stand is None:
        raise NoMoveError("nobody sits up from there")
    seat = down(body, stand)[-1].b
    return over_floor(body, pose, placement(_hips(seat), _hips(pose)).pose(seat))


def _onto_feet(body: Body, a: Pose, b: Pose) -> Placement:
    """How ``b`` comes over the floor onto the feet of ``a``: on as many as can be, else beside."""
    own, goal = bearing_of(body, a).feet, bearing_of(body, b).feet
    shared: list[Side] = [side for side in own if side in goal]
    if not shared:
        (_, foot), (_, theirs) = next(iter(own.items())), next(iter(goal.items()))
        return brought_beside(body, foot, theirs)

    def brought(side: Side) -> Placement:
        return placement((goal[side].place, goal[side].turn), (own[side].place, own[side].turn))

    def kept(side: Side) -> int:
        feet: dict[Side, Foot] = bearing_of(body, brought(side).pose(b)).feet
        return sum(own[other].same(foot) for other, foot in feet.items() if other in own)

    return brought(max(shared, key=kept))


def _over_hand(body: Body, a: Pose, b: Pose, one: Bearing, two: Bearing, *, loose: bool) -> Move:
    side = next(side for side in one.hands if side in two.hands)
    if loose:
        goal, own = (_hand(body, pose, side) for pose in (a, b))
        b = placement((own, pose_world(b).rotations[0]), (goal, pose_world(a).rotations[0])).pose(b)
    away = float(np.linalg.norm(_hand(body, a, side) - _hand(body, b, side)))
    if away > 1e-3:
        raise NoMoveError(f"the hand that bears the body is {away:.2f} m from where it has to be")
    return Move(a=a, b=b, hands=frozenset((side,)))


def _down_to(body: Body, a: Pose, b: Pose) -> list[Move]:
    """From feet to the floor, which is sat down on where they are."""
    moves = down(body, a)
    seat = moves[-1].b
    return [*moves, *over_floor(body, seat, placement(_hips(b), _hips(seat)).pose(b))]


def _up_from(body: Body, a: Pose, b: Pose) -> list[Move]:
    """From the floor to feet where it is."""
    moves = backwards(down(body, b))
    over = _moved(moves, placement(_hips(moves[0].a), _hips(a)))
    return [*over_floor(body, a, over[0].a), *over]


def _moved(moves: Sequence[Move], place: Placement) -> list[Move]:
    """Moves brought to another place on the floor."""
    return [replace(move, a=place.pose(move.a), b=place.pose(move.b)) for move in moves]


def _hips(pose: Pose) -> tuple[FloatArray, FloatArray]:
    world = pose_world(pose)
    return world.positions[0], world.rotations[0]


def _hand(body: Body, pose: Pose, side: str) -> FloatArray:
    """Where a pose has the end of its hand ``(3,)`` [m]."""
    world, part = pose_world(pose), body.capsule(f"{side}_hand")
    _, ends = body.capsule_segments(world.positions, world.rotations)
    return np.asarray(ends[part])
