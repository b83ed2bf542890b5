"""Planted faults are found, sound motions are left alone."""

from __future__ import annotations

import csv
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from people import person, wander
from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.formats.registry import load_motion
from understudy.inspection import clean, find_problems
from understudy.inspection.pops import snaps
from understudy.kinematics import motion_world

EXTREMITIES = ("Toes",)


def popped(motion: Motion, joint: int, frame: int, degrees: float, *, frames: int = 1, seed: int = 0) -> Motion:
    """The motion with one joint turned away for a few frames."""
    axis = np.random.default_rng(seed).normal(size=3)
    rotations = motion.rotations.copy()
    wrong = slice(frame, frame + frames)
    rotations[wrong, joint] = rot.multiply(rotations[wrong, joint], rot.from_axis_angle(axis, np.radians(degrees)))
    return replace(motion, rotations=rotations)


def kinds(motion: Motion) -> set[str]:
    return {problem.kind for problem in find_problems(motion)}


def test_sound_synthetic_motions_have_no_problems(swaying, compass):
    assert find_problems(swaying) == []
    assert find_problems(compass()) == []
    assert find_problems(wander(person())) == []


def test_snap_is_what_the_docstring_says():
    rotations = np.tile([1.0, 0, 0, 0], (9, 1, 1))
    turn = rot.from_axis_angle([0, 1.0, 0], np.radians(20))
    single, jump = rotations.copy(), rotations.copy()
    single[4, 0], jump[4:, 0] = turn, turn
    assert np.degrees(snaps(single).max()) == pytest.approx(20 * 4 ** (1 / 3))
    assert np.degrees(snaps(jump).max()) == pytest.approx(20)
    even = rot.from_axis_angle([0, 1.0, 0], np.radians(20 * np.arange(9)))[:, None]
    assert snaps(even).max() < 1e-6


@pytest.mark.parametrize("name", [name for name in person().names if not name.endswith(EXTREMITIES)])
def test_a_20_degree_pop_at_any_joint_is_found_and_repaired(swaying, name):
    joint, frame = swaying.skeleton.index(name), 150
    broken = popped(swaying, joint, frame, 20.0, seed=joint)
    found = find_problems(broken)
    assert [(problem.kind, problem.joint) for problem in found] == [("joint_pop", name)]
    assert found[0].first_frame <= frame <= found[0].last_frame
    result = clean(broken)
    assert np.degrees(rot.angle_between(result.motion.rotations, swaying.rotations).max()) < 1.0
    assert [(r.joint, r.first_frame, r.last_frame) for r in result.repairs] == [(name, frame, frame)]


@settings(max_examples=25)
@given(st.integers(0, 19), st.integers(12, 340), st.floats(45, 150), st.integers(1, 6), st.integers(0, 99))
def test_larger_pops_of_any_length_are_repaired(swaying, joint, frame, degrees, frames, seed):
    name = swaying.skeleton.names[joint]
    if name.endswith(EXTREMITIES):
        return
    broken = popped(swaying, joint, frame, degrees, frames=frames, seed=seed)
    assert ("joint_pop", name) in [(p.kind, p.joint) for p in find_problems(broken)]
    result = clean(broken)
    assert "joint_pop" not in kinds(result.motion)
    others = np.arange(len(swaying.skeleton)) != joint
    assert np.array_equal(result.motion.rotations[:, others], broken.rotations[:, others])
    assert np.degrees(rot.angle_between(result.motion.rotations, swaying.rotations).max()) < 5.0


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_pops_at_lower_rates(swaying, fps):
    slow = swaying.resampled(fps)
    assert find_problems(slow) == []
    assert "joint_pop" in kinds(popped(slow, slow.skeleton.index("leftUpperArm"), 40, 60.0))


@pytest.mark.parametrize(("first", "count"), [(100, 1), (100, 4), (0, 2), (357, 3)])
def test_zero_rows_are_found_and_repaired(swaying, first, count):
    positions, rotations = swaying.root_positions.copy(), swaying.rotations.copy()
    positions[first : first + count] = 0.0
    rotations[first : first + count] = [1.0, 0, 0, 0]
    broken = replace(swaying, root_positions=positions, rotations=rotations)
    assert [(p.kind, p.first_frame, p.last_frame) for p in find_problems(broken)] == [
        ("dropped_frames", first, first + count - 1)
    ]
    result = clean(broken)
    assert find_problems(result.motion) == []
    good = np.ones(len(swaying), dtype=bool)
    good[first : first + count] = False
    assert np.array_equal(result.motion.rotations[good], swaying.rotations[good])
    assert np.degrees(rot.angle_between(result.motion.rotations, swaying.rotations).max()) < 6.0
    assert np.abs(result.motion.root_positions - swaying.root_positions).max() < 0.01


@pytest.mark.parametrize("count", [1, 5])
def test_repeated_frames_are_found_and_repaired(swaying, count):
    positions, rotations = swaying.root_positions.copy(), swaying.rotations.copy()
    positions[200 : 200 + count], rotations[200 : 200 + count] = positions[199], rotations[199]
    broken = replace(swaying, root_positions=positions, rotations=rotations)
    assert [(p.kind, p.first_frame, p.last_frame) for p in find_problems(broken)] == [
        ("dropped_frames", 200, 199 + count)
    ]
    assert np.degrees(rot.angle_between(clean(broken).motion.rotations, swaying.rotations).max()) < 0.5


def test_a_pause_or_a_statue_is_no_fault(swaying):
    still = replace(swaying, rotations=swaying.rotations[:1].repeat(90, axis=0), root_positions=np.zeros((90, 3)) + 1)
    assert "dropped_frames" not in kinds(still)
    resting = replace(still, rotations=np.tile([1.0, 0, 0, 0], (90, len(swaying.skeleton), 1)))
    assert "dropped_frames" not in kinds(resting)


def test_root_jumps(swaying):
    positions = swaying.root_positions.copy()
    positions[120] += [0.5, 0.0, 0.0]
    there_and_back = replace(swaying, root_positions=positions)
    assert kinds(there_and_back) == {"root_jump"}
    assert np.abs(clean(there_and_back).motion.root_positions - swaying.root_positions).max() < 1e-3
    positions = swaying.root_positions.copy()
    positions[120:] += [0.5, 0.0, 0.0]
    teleport = replace(swaying, root_positions=positions)
    assert kinds(teleport) == {"root_jump"}
    assert clean(teleport).motion is teleport


def test_feet_off_the_floor(compass):
    assert kinds(compass(ground_m=-0.05)) == {"below_floor"}
    assert kinds(compass(ground_m=0.05)) == set()
    assert kinds(compass(ground_m=0.5)) == {"floating"}


@pytest.mark.parametrize("steps_per_s", [1.45, 1.8, 2.1])
def test_a_mislabelled_walk(compass, steps_per_s):
    walk = compass(steps_per_s=steps_per_s)
    assert kinds(walk) == set()
    assert kinds(walk.resampled(60)) == set()
    assert kinds(replace(walk, fps=240.0)) == {"frame_rate"}
    assert kinds(replace(walk.resampled(60), fps=30.0)) == {"frame_rate"}


@pytest.mark.parametrize("name", ["16_16", "16_21", "69_20", "82_12", "35_01"])
def test_mislabelled_recordings(clip, name):
    walk = clip(name)
    assert "frame_rate" not in kinds(walk)
    assert "frame_rate" in kinds(replace(walk, fps=2 * walk.fps))


@pytest.mark.parametrize("name", ["16_16", "69_24", "137_26"])
@pytest.mark.parametrize("role", ["hips", "leftUpperArm", "rightLowerLeg", "head"])
def test_planted_pops_in_recordings(clip, name, role):
    motion = clip(name)
    joint, frame = motion.skeleton.index(role), len(motion) // 2
    broken = popped(motion, joint, frame, 20.0)
    assert any(
        p.kind == "joint_pop" and p.joint == motion.skeleton.names[joint] and p.first_frame <= frame <= p.last_frame
        for p in find_problems(broken)
    )
    repaired = clean(broken).motion
    assert np.degrees(rot.angle_between(repaired.rotations[:, joint], motion.rotations[:, joint]).max()) < 3.0


def test_recorded_library(shared_motion):
    """No false problems on sound files; every file marked dirty is flagged where its pop is, and can be cleaned."""
    with (shared_motion / "INDEX.csv").open() as lines:
        rows = [row for row in csv.DictReader(lines) if row["file"].endswith(".bvh")]
    assert len(rows) >= 90
    for row in rows:
        motion = load_motion(shared_motion / row["file"])
        # Feet that turn backwards for seconds are in several dances; what flips is tested by itself.
        problems = [problem for problem in find_problems(motion) if problem.kind != "joint_flip"]
        if "dirty-data" not in row["tags"]:
            mislabelled = "really 60 fps" in row["notes"]
            assert [p.kind for p in problems] == ["frame_rate"] * mislabelled, row["file"]
            continue
        noted = re.search(r"\((\w+) at frame (\d+)\)", row["notes"])
        joint, frame = noted[1], int(noted[2]) - 1  # the index counts the added T-pose
        assert any(
            p.kind == "joint_pop" and p.joint == joint and p.first_frame - 2 <= frame <= p.last_frame + 2
            for p in problems
        ), row["file"]
        result = clean(motion)
        assert {problem.kind for problem in find_problems(result.motion)} <= {"joint_flip"}, row["file"]
        again = clean(result.motion)
        assert again.repairs == () and again.motion is result.motion
        _assert_only_repairs_changed(motion, result)


def _assert_only_repairs_changed(motion, result):
    allowed = np.zeros(motion.rotations.shape[:2], dtype=bool)
    for repair in result.repairs:
        joint = slice(None) if repair.joint is None else motion.skeleton.index(repair.joint)
        allowed[repair.first_frame : repair.last_frame + 1, joint] = True
    changed = (motion.rotations != result.motion.rotations).any(axis=-1)
    assert changed.any() and not (changed & ~allowed).any()
    moved = (motion.root_positions != result.motion.root_positions).any(axis=-1)
    assert not (moved & ~allowed[:, 0]).any()


@settings(max_examples=60)
@given(st.integers(1, 9), st.integers(1, 12), st.integers(0, 10_000), st.sampled_from([0.5, 24.0, 120.0, 1000.0]))
def test_any_motion_can_be_inspected_and_cleaned(joints, frames, seed, fps):
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(
        names=tuple(f"j{i}" for i in range(joints)),
        parents=[-1, *(int(rng.integers(0, i)) for i in range(1, joints))],
        offsets=rng.normal(size=(joints, 3)) * rng.choice([0.0, 1e-9, 1.0, 1e3]),
    )
    size = rng.choice([0.0, 0.1, 1.0, 30.0])
    motion = Motion(
        skeleton=skeleton,
        fps=fps,
        root_positions=rng.normal(size=(frames, 3)) * rng.choice([0.0, 1.0, 1e4]),
        rotations=rot.exp(size * rng.normal(size=(frames, joints, 3))),
    )
    once = clean(motion)
    assert np.isfinite(once.motion.rotations).all()
    find_problems(motion)


@settings(max_examples=25)
@given(st.integers(1, 40), st.integers(0, 1000), st.sampled_from([0.0, 0.1, 3.0]))
def test_any_humanoid_motion_can_be_inspected(frames, seed, size):
    rng = np.random.default_rng(seed)
    skeleton = person(scale=float(rng.choice([1e-9, 0.01, 1.0, 100.0])))
    motion = Motion(
        skeleton=skeleton,
        fps=60,
        root_positions=rng.normal(size=(frames, 3)) * size,
        rotations=rot.exp(size * rng.normal(size=(frames, len(skeleton), 3))),
    )
    find_problems(motion)
    clean(motion)


def test_a_limb_that_makes_up_for_a_jittering_trunk_is_bridged_as_it_is_in_the_world(swaying):
    spine, arm = (swaying.skeleton.humanoid[role] for role in ("spine", "rightUpperArm"))
    between = [joint for joint in swaying.skeleton.chain(spine, arm) if joint not in (spine, arm)]
    jitter = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(1.5) * (-1.0) ** np.arange(len(swaying)))
    rotations = swaying.rotations.copy()
    rotations[:, spine] = rot.multiply(rotations[:, spine], jitter)
    back = rot.conjugate(jitter)
    for joint in between:
        back = rot.multiply(rot.multiply(rot.conjugate(rotations[:, joint]), back), rotations[:, joint])
    rotations[:, arm] = rot.multiply(back, rotations[:, arm])
    shaking = replace(swaying, rotations=rotations)
    result = clean(popped(shaking, arm, 150, 40.0))
    assert result.repairs
    assert np.degrees(rot.angle_between(result.motion.rotations[150, arm], rotations[150, arm])) < 0.2


def test_joints_that_make_up_for_one_that_slips_are_bridged_over_the_same_frames(swaying):
    skeleton, rotations = swaying.skeleton, swaying.rotations.copy()
    hips, spine = skeleton.index("hips"), skeleton.index("spine")
    # The pelvis slips and creeps back, the spine makes up for it; both are off for three frames, ever less.
    for frame, angle in ((200, 50.0), (201, 12.0), (202, 6.0)):
        slip = rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(angle))
        rotations[frame, hips] = rot.multiply(rotations[frame, hips], slip)
        rotations[frame, spine] = rot.multiply(rot.conjugate(slip), rotations[frame, spine])
    result = clean(replace(swaying, rotations=rotations))
    spans = {one.joint: (one.first_frame, one.last_frame) for one in result.repairs}
    assert spans[skeleton.names[hips]] == spans[skeleton.names[spine]]
    chest = [motion_world(one).rotations[:, skeleton.index("head")] for one in (result.motion, swaying)]
    assert np.degrees(rot.angle_between(*chest).max()) < 2.0
