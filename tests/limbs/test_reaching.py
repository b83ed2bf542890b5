"""Reaching: the palm is there at the time, free all the way; failures say by how much and what stands in the way."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from limb_stages import long_walk, walk
from understudy import rotations as rot
from understudy.core import Motion, Status
from understudy.core.body_fit import fit_body
from understudy.errors import PlanningInputError
from understudy.limbs import LimbOptions
from understudy.scene import Scene
from understudy.scene.objects import Handle
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Sphere

AT = 1.4321


def beside_shoulder(motion: Motion, x: float, y: float, z: float) -> tuple[float, float, float]:
    pose = motion.pose_at(AT)
    places, _ = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    shoulder = places[motion.skeleton.humanoid["rightUpperArm"]]
    return float(shoulder[0] + x), float(shoulder[1] + y), float(shoulder[2] + z)


def palm_at(motion: Motion, time_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Where the right palm is, by plain forward kinematics."""
    pose = motion.pose_at(time_s)
    places, turns = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    joint = motion.skeleton.humanoid["rightHand"]
    body = us.fit_body(motion.skeleton)
    capsule = body.capsule("right_hand")
    palm = 0.5 * (body.capsule_starts[capsule] + body.capsule_ends[capsule])
    return places[joint] + rot.rotate(turns[joint], palm), turns[joint]


@pytest.mark.parametrize("fps", [60.0, 24.0])
def test_the_palm_is_on_its_target_at_its_time(fps: float) -> None:
    motion = walk().resampled(fps)
    target = beside_shoulder(motion, -0.3, -0.2, 0.1)
    result = us.reach(motion, None, hand="right", target=target, at=AT)
    assert result.status is Status.SOLVED, result.reason
    assert result.motion is not None and result.trace is not None
    assert np.linalg.norm(palm_at(result.motion, AT)[0] - target) < 5e-4
    assert result.trace.error_m < 5e-4
    moved = np.any(result.motion.rotations != motion.rotations, axis=(0, 2))
    assert {motion.skeleton.names[joint] for joint in np.flatnonzero(moved)} <= {
        "rightUpperArm",
        "rightLowerArm",
        "rightHand",
    }


def test_an_orientation_is_met(motion: Motion) -> None:
    start = us.reach(motion, None, hand="right", target=beside_shoulder(motion, -0.25, -0.3, 0.1), at=AT)
    assert start.motion is not None
    place, turn = palm_at(start.motion, AT)
    wanted = rot.multiply(rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.2), turn)
    result = us.reach(motion, None, hand="right", target=tuple(place), at=AT, orientation=wanted)
    assert result.status is Status.SOLVED, result.reason
    assert result.motion is not None
    reached, now = palm_at(result.motion, AT)
    assert np.linalg.norm(reached - place) < 5e-4
    assert rot.angle_between(now, wanted) < np.radians(0.5)


def test_a_moving_handle_is_met_and_its_object_may_be_touched(motion: Motion) -> None:
    here = np.array(beside_shoulder(motion, -0.3, -0.25, 0.1))
    along = np.array([0.0, 0.0, 1.2])
    track = Track(times_s=(AT - 1, AT, AT + 1), positions=[tuple(here - along), tuple(here), tuple(here + along)])
    scene = Scene().with_object(
        "ball", Sphere(radius_m=0.03), placement=track, handles=(Handle(name="grip", at=(0, 0, 0)),)
    )
    for target in ("ball", "ball.grip"):
        result = us.reach(motion, scene, hand="right", target=target, at=AT)
        assert result.status is Status.SOLVED, result.reason
        assert result.motion is not None
        # The palm lies on the ball: its middle is a hand's and the ball's radius away, pressed in by 5 mm at most.
        radius = float(fit_body(motion.skeleton).capsule_radii[fit_body(motion.skeleton).capsule("right_hand")])
        away = np.linalg.norm(palm_at(result.motion, AT)[0] - here)
        assert radius + 0.03 - 0.0055 < away < radius + 0.03 + 0.0005


def test_a_thing_without_handles_is_touched_from_outside() -> None:
    motion, at = long_walk(), 3.0
    pose = motion.pose_at(at)
    places, _ = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    x, y, z = places[motion.skeleton.humanoid["rightUpperArm"]] + np.array([-0.5, -0.3, 0.1])
    scene = Scene().with_object("crate", Box(size_m=(0.3, 0.3, 0.3)), position=(x, y, z))
    result = us.reach(motion, scene, hand="right", target="crate", at=at)
    assert result.status is Status.SOLVED, result.reason
    assert us.verify(result.motion, scene, source=motion).ok


def test_too_far_says_by_how_many_centimetres_and_when_it_could(motion: Motion) -> None:
    target = beside_shoulder(motion, -0.2, -0.1, 0.9)
    options = LimbOptions(spine=False)
    result = us.reach(motion, None, hand="right", target=target, at=AT, options=options)
    assert result.status is Status.INFEASIBLE_GOAL
    assert "cm too far" in result.reason and "Nearest time it could" in result.reason
    assert result.motion is motion


def test_a_target_inside_something_is_refused(motion: Motion) -> None:
    place = beside_shoulder(motion, -0.4, -0.1, 0.1)
    scene = Scene().with_object("block", Box(size_m=(0.3, 0.3, 0.3)), position=place)
    options = LimbOptions(attempts=1, iterations=80, spine=False)
    result = us.reach(motion, scene, hand="right", target=place, at=AT, options=options)
    assert result.status is Status.INFEASIBLE_GOAL
    assert "right_hand would be in block" in result.reason
    assert result.motion is motion


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"hand": "middle"}, "left or right"),
        ({"at": 99.0}, "within 0.."),
        ({"at": float("nan")}, "within 0.."),
        ({"target": (1.0, 2.0)}, "must be"),
        ({"target": "cub"}, 'did you mean "cup"'),
        ({"target": "cup.handel"}, "handle"),
        ({"orientation": (0, 0, 0, 0)}, "quaternion"),
    ],
)
def test_bad_input_is_said(motion: Motion, arguments: dict[str, object], said: str) -> None:
    cup = Scene().with_object(
        "cup", Sphere(radius_m=0.04), position=(0.0, 1.0, 2.0), handles=(Handle(name="handle", at=(0, 0, 0)),)
    )
    given: dict[str, object] = {"hand": "right", "target": "cup", "at": AT} | arguments
    with pytest.raises(PlanningInputError, match=said):
        us.reach(motion, cup, **given)  # type: ignore[arg-type]
