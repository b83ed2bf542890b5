"""Characters in the world: placement, start time, forward kinematics, parts of bodies."""

from __future__ import annotations

import numpy as np
import pytest

from people import person, random_frames, wander, with_joint_frames
from understudy import rotations as rot
from understudy.core import Motion, Pose, fit_body
from understudy.errors import SceneError
from understudy.scene import Character, Scene
from understudy.scene.body_parts import joint_index, part_name


def ahead(character: Character, time_s: float) -> np.ndarray:
    """Where the pelvis faces on the floor, from the line between the hip joints."""
    positions, _ = character.joints([time_s])
    index = character.world_motion.skeleton.index
    left = positions[0, index("leftUpperLeg")] - positions[0, index("rightUpperLeg")]
    facing = np.cross(left, [0.0, 1.0, 0.0])
    return facing / np.linalg.norm(facing)


@pytest.mark.parametrize("heading", [-2.0, 0.0, 0.5, np.pi / 2])
def test_a_motion_is_put_over_its_start_facing_its_heading(heading: float) -> None:
    skeleton = with_joint_frames(person(), random_frames(person(), 4))
    pose = Pose.rest(skeleton)
    motion = Motion(skeleton=skeleton, fps=30, root_positions=pose.root_position[None], rotations=pose.rotations[None])
    anna = Character(name="anna", motion=motion, start=(3.0, -2.0), heading_rad=heading)
    positions, _ = anna.joints([0.0])
    np.testing.assert_allclose(positions[0, 0, [0, 2]], [3.0, -2.0], atol=1e-12)
    np.testing.assert_allclose(ahead(anna, 0.0), [np.sin(heading), 0.0, np.cos(heading)], atol=1e-9)
    assert anna.facing_rad(0.0) == pytest.approx(heading)


def test_without_start_and_heading_a_motion_stays_where_it_was_recorded() -> None:
    motion = wander(person())
    assert Character(name="anna", motion=motion).world_motion is motion
    moved = Character(name="anna", motion=motion, start=(1, 1)).world_motion
    assert np.array_equal(moved.rotations, motion.rotations)
    shift = moved.root_positions - motion.root_positions
    np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), atol=1e-12)


def test_joints_are_the_plain_forward_kinematics_at_the_scenes_time() -> None:
    motion = wander(person(), seed=9)
    anna = Character(name="anna", motion=motion, start_s=2.0)
    for time_s in (0.0, 2.0, 2.71, 50.0):
        pose = motion.pose_at(float(np.clip(time_s - 2.0, 0, motion.duration_s)))
        positions, rotations = pose.world()
        got_positions, got_rotations = anna.joints([time_s])
        np.testing.assert_allclose(got_positions[0], positions, atol=1e-12)
        np.testing.assert_allclose(got_rotations[0], rotations, atol=1e-12)
        for joint in ("leftFoot", "head", "hips"):
            one, turn = anna.joint(joint, [time_s])
            index = motion.skeleton.index(joint)
            np.testing.assert_allclose(one[0], positions[index], atol=1e-12)
            np.testing.assert_allclose(turn[0], rotations[index], atol=1e-12)


def test_a_planned_motion_is_taken_as_it_stands_in_the_world() -> None:
    motion = wander(person(), seed=2)
    scene = Scene().with_character("anna", start=(5, 5), heading_rad=1.0).with_motion("anna", motion, start_s=1.0)
    assert scene.character("anna").world_motion is motion
    positions, _ = motion.pose(0).world()
    np.testing.assert_allclose(scene.at(0.5).joints["anna"][0], positions)


def test_a_body_is_fitted_unless_given() -> None:
    motion = wander(person())
    own = fit_body(motion.skeleton)
    assert Character(name="anna", motion=motion, body=own).fitted_body is own
    assert Character(name="anna", motion=motion).fitted_body.capsule_names == own.capsule_names
    with pytest.raises(SceneError, match="no motion yet"):
        _ = Character(name="anna").fitted_body
    with pytest.raises(SceneError, match="skeleton is not"):
        Character(name="anna", motion=motion, body=fit_body(person()))


@pytest.mark.parametrize(
    ("written", "name", "joint"),
    [
        ("right_hand", "right_hand", "rightHand"),
        ("rightHand", "right_hand", "rightHand"),
        ("left_forearm", "left_forearm", "leftLowerArm"),
        ("leftLowerArm", "left_forearm", "leftLowerArm"),
        ("pelvis", "pelvis", "hips"),
        ("left_thigh", "left_thigh", "leftUpperLeg"),
        ("head", "head", "head"),
    ],
)
def test_parts_may_be_written_in_several_ways(written: str, name: str, joint: str) -> None:
    assert part_name(written) == name
    assert joint_index(person(), written) == person().index(joint)


def test_every_capsule_of_a_human_body_is_found_by_its_own_name() -> None:
    body = fit_body(person())
    for name, joint in zip(body.capsule_names, body.capsule_joints, strict=True):
        assert part_name(name) == name
        carrier = joint_index(person(), name)
        assert joint in body.skeleton.descendants(carrier) or carrier in body.skeleton.descendants(int(joint))


def test_faulty_characters_are_refused() -> None:
    for fields, words in [
        ({"start": (1, 2, 3)}, "two numbers"),
        ({"start": (1, np.nan)}, "finite"),
        ({"heading_rad": np.inf}, "finite"),
        ({"library": "a.usl", "motion_file": "b.bvh"}, "give one of them"),
    ]:
        with pytest.raises(SceneError, match=words):
            Character(name="anna", **fields)
    with pytest.raises(SceneError, match="contain a dot"):
        Character(name="an.na")
    with pytest.raises(SceneError, match="did you mean"):
        Character(name="anna", motion=wander(person())).joint("right_hnd", [0.0])


def test_a_creature_that_is_no_humanoid_faces_ahead_in_its_rest_pose() -> None:
    motion = wander(person().with_humanoid({}), size_rad=0.0)
    anna = Character(name="dog", motion=motion, heading_rad=0.3, start=(0, 0))
    np.testing.assert_allclose(anna.world_motion.rotations[0, 0], rot.from_yaw(0.3), atol=1e-12)
