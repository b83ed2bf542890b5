"""Getting up limb by limb, and other ways round: what carries the body stays, and has the weight above it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import understudy as us
from understudy import rotations as rot
from understudy.core import Body, Pose
from understudy.kinematics import pose_world
from understudy.performer import posture
from understudy.postures.bearing import SIDES, bearing_of
from understudy.postures.moves import Move, NoMoveError, off_seat
from understudy.postures.reaching import Held, reached
from understudy.postures.rising import flat_feet_below, risen
from understudy.postures.routes import moves_between
from understudy.postures.stations import hands_ahead, held_feet, squatting, standing
from understudy.postures.stepping import drawn


@pytest.fixture(scope="module")
def crouching(body: Body) -> Pose:
    """Feet far behind the hands, both on the floor, the weight between them."""
    feet = flat_feet_below(body, posture("relaxed", person=body.skeleton))
    squat = squatting(body, feet)
    assert squat is not None
    hands = [
        Held(
            joint=body.skeleton.humanoid[f"{side}Hand"],
            place=place,
            point=body.capsule_ends[body.capsule(f"{side}_hand")],
        )
        for side, place in hands_ahead(body, feet).items()
    ]
    behind = {side: drawn(foot, np.array([0.0, 0.0, -0.25])) for side, foot in feet.items()}
    pose = reached(body, squat, [*held_feet(body, behind), *hands])
    assert pose is not None
    return pose


def _stay(body: Body, move: Move) -> None:
    """What bears the body in a move is in the same place at both of its ends."""
    worlds = [pose_world(pose) for pose in (move.a, move.b)]
    for side in move.feet:
        foot = body.skeleton.humanoid[f"{side}Foot"]
        assert np.linalg.norm(worlds[0].positions[foot] - worlds[1].positions[foot]) < 1e-3
    for side in move.hands:
        hand = body.capsule(f"{side}_hand")
        ends = [body.capsule_segments(world.positions, world.rotations)[1][hand] for world in worlds]
        assert np.linalg.norm(ends[0] - ends[1]) < 1e-3


def test_somebody_on_hands_and_feet_gets_up_on_what_stays(body: Body, crouching: Pose) -> None:
    bearing = bearing_of(body, crouching)
    assert set(bearing.feet) == set(bearing.hands) == set(SIDES)
    moves = risen(body, crouching)
    assert all(one.b is two.a for one, two in pairwise(moves))
    assert all(move.feet or move.hands for move in moves)
    for move in moves:
        _stay(body, move)
    up = standing(body, bearing_of(body, moves[-1].b).feet)
    assert up is not None
    assert not bearing_of(body, moves[-1].b).hands
    assert moves[-1].b.root_position[1] == pytest.approx(up.root_position[1], abs=0.01)


def test_going_down_on_hands_and_feet_is_getting_up_backwards(body: Body, crouching: Pose) -> None:
    stand = posture("relaxed", person=body.skeleton)
    one, two = ((pose, bearing_of(body, pose)) for pose in (stand, crouching))
    moves = moves_between(body, one, two, loose=False, by="itself")
    assert moves[0].a is stand
    assert moves[-1].b is crouching


@pytest.mark.long
def test_somebody_goes_down_on_hands_and_feet(body: Body, crouching: Pose) -> None:
    result = us.between(posture("relaxed", person=body.skeleton), crouching)
    assert result.status is us.Status.SOLVED, result.reason
    assert us.verify(result.claim).ok


def test_nobody_gets_up_out_of_the_air(body: Body) -> None:
    pose = posture("relaxed", person=body.skeleton)
    with pytest.raises(NoMoveError):
        risen(body, replace(pose, root_position=pose.root_position + np.array([0.0, 1.0, 0.0])))


def test_knees_on_the_floor_are_no_trunk(body: Body) -> None:
    lying = posture("lying", person=body.skeleton)
    assert bearing_of(body, lying).kind == "floor"
    # Kneeling upright: thighs on end, shanks level.
    pose = posture("t", person=body.skeleton)
    turns = pose.rotations.copy()
    for side in SIDES:
        knee = body.skeleton.humanoid[f"{side}LowerLeg"]
        turns[knee] = rot.multiply(turns[knee], rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2))
    kneels = replace(pose, rotations=turns)
    starts, ends = body.capsule_segments(*_placed(kneels))
    lowest = float((np.minimum(starts[:, 1], ends[:, 1]) - body.capsule_radii).min())
    kneels = replace(kneels, root_position=kneels.root_position - np.array([0.0, lowest, 0.0]))
    assert bearing_of(body, kneels).kind in ("knees", "feet")


def _placed(pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    world = pose_world(pose)
    return world.positions, world.rotations


def test_feet_are_drawn_back_before_somebody_leaves_a_seat(body: Body) -> None:
    sits = posture("sit", person=body.skeleton)
    moves = off_seat(body, sits)
    for move in moves:
        _stay(body, move)
        # A foot at least is on the floor, and the seat carries until the weight is above the feet.
        assert move.feet
    knee, ankle = (
        pose_world(moves[-1].a).positions[body.skeleton.humanoid[f"left{role}"]] for role in ("LowerLeg", "Foot")
    )
    assert ankle[2] < knee[2] - 0.05


@pytest.mark.parametrize("by", ["sitting", "standing"])
def test_two_postures_on_the_floor_have_ways_round(body: Body, by: str) -> None:
    poses = [posture(name, person=body.skeleton) for name in ("lying", "hug_knees")]
    first, last = ((pose, bearing_of(body, pose)) for pose in poses)
    direct = moves_between(body, first, last, loose=True, by="itself")
    moves = moves_between(body, first, last, loose=True, by=by)  # type: ignore[arg-type]
    assert len(moves) > len(direct)
    highest = max(move.b.root_position[1] for move in moves)
    assert (highest > 0.6) == (by == "standing")
