"""Feet that flip over and toes in the floor are found, named and mended; sound feet are left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.inspection import clean, find_problems, foot_contacts
from understudy.inspection.flips import find_flips
from understudy.inspection.grounding import sole_heights_m
from understudy.kinematics import motion_world
from understudy.performer import performance


@pytest.fixture(scope="module")
def walk() -> Motion:
    """A walk of the built-in performer."""
    return performance("walk").motion


def turned(motion: Motion, role: str, frames: slice, axis: list[float], degrees: float) -> Motion:
    """The motion with one joint turned about an axis of its own for some frames."""
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid[role]
    rotations[frames, joint] = rot.multiply(rotations[frames, joint], rot.from_axis_angle(axis, np.radians(degrees)))
    return replace(motion, rotations=rotations)


@pytest.mark.parametrize("role", ["leftFoot", "rightFoot", "leftToes"])
def test_a_foot_that_flips_over_is_found_and_brought_back(walk, role):
    motion = walk
    broken = turned(motion, role, slice(100, 112), [1.0, 0.0, 0.0], 170.0)
    joint = motion.skeleton.humanoid[role]
    assert [(flip.joint, flip.first, flip.last) for flip in find_flips(broken)] == [(joint, 100, 111)]
    problems = [problem for problem in find_problems(broken) if problem.kind == "joint_flip"]
    assert [problem.joint for problem in problems] == [motion.skeleton.names[joint]]
    mended = clean(broken).motion
    assert find_flips(mended) == []
    apart = rot.angle_between(mended.rotations[:, joint], motion.rotations[:, joint])
    assert np.degrees(apart.max()) < 20.0


def test_toes_turned_over_about_their_own_bone_come_back_as_they_were_recorded(walk):
    motion = walk
    joint = motion.skeleton.humanoid["rightToes"]
    if joint not in motion.skeleton.tip_joints:
        pytest.skip("these toes have no tip")
    bone = motion.skeleton.tip_offsets[motion.skeleton.tip_joints == joint][0]
    # For longer than anything is bridged.
    broken = turned(motion, "rightToes", slice(60, 200), (bone / np.linalg.norm(bone)).tolist(), 180.0)
    mended = clean(broken).motion
    assert rot.angle_between(mended.rotations[:, joint], motion.rotations[:, joint]).max() < 1e-6


def test_a_foot_that_stays_flipped_is_named_and_left_alone(walk):
    broken = turned(walk, "leftFoot", slice(40, 300), [1.0, 0.0, 0.0], 170.0)
    assert any(problem.kind == "joint_flip" for problem in find_problems(broken))
    assert not any(repair.kind == "joint_flip" for repair in clean(broken).repairs)


def test_toes_that_point_into_the_floor_are_bent_up_to_it_and_no_other_joint_moves(walk):
    motion = walk
    planted = foot_contacts(motion).planted("left")
    middle = int(np.flatnonzero(planted)[len(np.flatnonzero(planted)) // 2])
    broken = turned(motion, "leftToes", slice(middle - 6, middle + 7), [1.0, 0.0, 0.0], 60.0)
    floor = float(np.median(sole_heights_m(motion, {"left": planted, "right": planted})))
    assert _toes_m(broken) < floor - 0.03
    result = clean(broken, toes=True)
    assert "toes_below" in {repair.kind for repair in result.repairs}
    assert _toes_m(result.motion) > floor - 0.01
    others = np.arange(len(motion.skeleton)) != motion.skeleton.humanoid["leftToes"]
    np.testing.assert_allclose(result.motion.rotations[:, others], broken.rotations[:, others], atol=1e-12)
    assert fit_body(motion.skeleton).limits.excess(result.motion.rotations).max() < 1e-9


def _toes_m(motion: Motion) -> float:
    """How low the toes of the left foot come [m]."""
    body, world = fit_body(motion.skeleton), motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    part = body.capsule("left_toes")
    return float((np.minimum(starts[:, part, 1], ends[:, part, 1]) - body.capsule_radii[part]).min())


def test_mending_again_changes_nothing(walk):
    broken = turned(walk, "leftToes", slice(40, 200), [1.0, 0.0, 0.0], 80.0)
    once = clean(broken, toes=True).motion
    assert once is not broken
    assert clean(once, toes=True).motion is once


def test_sound_feet_are_left_alone(walk):
    assert clean(walk, toes=True).motion is walk
