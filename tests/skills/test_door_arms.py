"""Arms at a door: distances against the collision room, bowing without moving feet."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.collision import Checker, CollisionBody, world_of
from understudy.core.body_fit import fit_body
from understudy.kinematics import forward
from understudy.performer.clips import builtin_clips
from understudy.performer.person import Person
from understudy.skills.arm_room import ArmRoom
from understudy.skills.door.room import door_room
from understudy.skills.upper_body import bow


@pytest.fixture(scope="module")
def walk():  # type: ignore[no-untyped-def]
    return builtin_clips("walk", person=Person().skeleton())[0]


def test_gaps_of_an_arm_are_those_of_the_whole_body_when_only_it_is_near(walk) -> None:  # type: ignore[no-untyped-def]
    body = fit_body(walk.skeleton)
    world = world_of(door_room().with_character("someone"), character="someone", end_s=1.0)
    room = ArmRoom(body=body, world=world, side="left")
    frames = np.arange(0, 60, 7)
    local, root = walk.rotations[frames], walk.root_positions[frames]
    postures = np.repeat(local[:, None], 2, axis=1)
    gaps = room.gaps(root, local, frames / walk.fps, postures)
    arm = ("left_upper_arm", "left_forearm", "left_hand")
    allowed = [(part, name) for part in body.capsule_names if part not in arm for name in world.names]
    checker = Checker(CollisionBody(body), world, allowed=allowed)
    expected = checker.distances_many(local, root, frames / walk.fps)[:, 0, 0]
    assert gaps[:, 0, 0] == pytest.approx(expected, abs=1e-9)
    assert np.array_equal(gaps[:, 0], gaps[:, 1])


def test_a_held_lever_may_be_touched_and_nothing_else(walk) -> None:  # type: ignore[no-untyped-def]
    body = fit_body(walk.skeleton)
    world = world_of(door_room().with_character("someone"), character="someone", end_s=1.0)
    room = ArmRoom(body=body, world=world, side="left", held=("door_lever_near",))
    hand = walk.skeleton.humanoid["leftHand"]
    here = forward(walk.skeleton, walk.root_positions[:1], walk.rotations[:1]).positions[0, hand]
    lever = np.array([-0.32, 1.0, -0.045])
    root = walk.root_positions[:1] + lever - here
    poses = (root, walk.rotations[:1], np.zeros(1))
    free, held = (room.gaps(*poses, walk.rotations[:1][:, None], holding=on)[0, 0, 0] for on in (False, True))
    arm = ("left_upper_arm", "left_forearm", "left_hand")
    others = [(part, name) for part in body.capsule_names if part not in arm for name in world.names]
    for gap, more in ((free, []), (held, [("left_hand", "door_lever_near")])):
        checker = Checker(CollisionBody(body), world, allowed=[*others, *more])
        expected = checker.distances_many(walk.rotations[:1], root, np.zeros(1))[0, 0, 0]
        assert gap == pytest.approx(expected, abs=1e-9)


def test_who_bows_keeps_the_feet_where_they_are(walk) -> None:  # type: ignore[no-untyped-def]
    root, local = np.array(walk.root_positions), np.array(walk.rotations)
    before = forward(walk.skeleton, root, local)
    bow(root, local, walk.skeleton, np.linspace(0.0, 0.4, len(root)))
    after = forward(walk.skeleton, root, local)
    for role in ("leftFoot", "rightFoot", "leftLowerLeg"):
        joint = walk.skeleton.humanoid[role]
        assert after.positions[:, joint] == pytest.approx(before.positions[:, joint], abs=1e-9)
    head = walk.skeleton.humanoid["head"]
    assert after.positions[-1, head, 1] < before.positions[-1, head, 1] - 0.03
