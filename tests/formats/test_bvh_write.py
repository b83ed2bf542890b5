"""Written BVH files: read back they move the same, and they are whole or absent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bvh_files import PLAIN, POSITIONS, Joint, motion_positions, reference_positions, turning
from understudy import rotations as rot
from understudy.core import Motion, Skeleton
from understudy.errors import FormatError, OptionError
from understudy.formats import ReadOptions, WriteOptions, load_motion, save_motion
from understudy.rotations import ORDERS


def random_motion(seed: int, *, joints: int = 9, frames: int = 6, rest: bool = False) -> Motion:
    rng = np.random.default_rng(seed)
    # Depth first, as BVH needs it: each joint hangs on the one before or on one of its ancestors.
    parents = [-1]
    for joint in range(1, joints):
        parent = joint - 1
        while parent > 0 and rng.random() < 0.4:
            parent = parents[parent]
        parents.append(parent)
    skeleton = Skeleton(
        names=tuple(f"joint {index}" for index in range(joints)),
        parents=np.array(parents),
        offsets=rng.uniform(-0.5, 0.5, (joints, 3)),
        rest_rotations=rot.normalize(rng.normal(size=(joints, 4))) if rest else rot.identity((joints,)),
        tip_joints=np.array([joints - 1, joints // 2]),
        tip_offsets=rng.uniform(-0.2, 0.2, (2, 3)),
    )
    return Motion(
        skeleton=skeleton,
        fps=60.0,
        root_positions=rng.uniform(-20, 20, (frames, 3)),
        rotations=rot.normalize(rng.normal(size=(frames, joints, 4))),
    )


def assert_same_motion(read: Motion, written: Motion, tolerance: float) -> None:
    assert read.skeleton.names == written.skeleton.names
    assert read.fps == pytest.approx(written.fps, rel=1e-9)
    for frame in range(len(written)):
        at, turns = written.skeleton.placed_joints(written.root_positions[frame], written.rotations[frame])
        at_read, turns_read = read.skeleton.placed_joints(read.root_positions[frame], read.rotations[frame])
        np.testing.assert_allclose(at_read, at, rtol=0, atol=tolerance)
        # End points as sets: the file lists them joint by joint.
        tips = written.skeleton.tip_positions(at, turns)[np.argsort(written.skeleton.tip_joints)]
        tips_read = read.skeleton.tip_positions(at_read, turns_read)
        np.testing.assert_allclose(tips_read, tips, rtol=0, atol=tolerance)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rest", [False, True])
def test_round_trip_in_every_order(tmp_path: Path, order: str, rest: bool) -> None:
    motion = random_motion(4, rest=rest)
    path = save_motion(motion, tmp_path / "out.bvh", options=WriteOptions(euler_order=order))
    assert_same_motion(load_motion(path, options=PLAIN), motion, 1e-5)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10_000),
    unit=st.sampled_from([1.0, 0.01, 0.001, 0.056444, 0.0254]),
    up=st.sampled_from(["y", "z"]),
    rest=st.booleans(),
    frames=st.integers(1, 4),
)
def test_round_trip_in_every_unit_and_up_axis(
    tmp_path: Path, seed: int, unit: float, up: str, rest: bool, frames: int
) -> None:
    motion = random_motion(seed, rest=rest, frames=frames)
    path = save_motion(motion, tmp_path / "out.bvh", options=WriteOptions(unit_m=unit, up=up))
    read = load_motion(path, options=ReadOptions(unit_m=unit, up=up, tpose="keep"))
    assert_same_motion(read, motion, 1e-5 * unit)


def test_joints_in_any_parents_first_order(tmp_path: Path) -> None:
    """Breadth first in memory, depth first in the file."""
    rng = np.random.default_rng(2)
    parents = np.array([-1, 0, 0, 0, 1, 2, 2, 3, 4, 6])
    skeleton = Skeleton(
        names=tuple("abcdefghij"),
        parents=parents,
        offsets=rng.normal(size=(10, 3)),
        tip_joints=np.array([9, 5, 5]),
        tip_offsets=rng.normal(size=(3, 3)),
    )
    turns = rot.normalize(rng.normal(size=(4, 10, 4)))
    motion = Motion(skeleton=skeleton, fps=30, root_positions=rng.normal(size=(4, 3)), rotations=turns)
    read = load_motion(save_motion(motion, tmp_path / "out.bvh"), options=PLAIN)
    same = [read.skeleton.index(name) for name in skeleton.names]
    for frame in range(4):
        np.testing.assert_allclose(motion_positions(read, frame)[same], motion_positions(motion, frame), atol=1e-5)


def test_rest_pose_of_identity_skeletons_survives(tmp_path: Path) -> None:
    motion = random_motion(8)
    read = load_motion(save_motion(motion, tmp_path / "out.bvh"), options=PLAIN)
    np.testing.assert_allclose(read.skeleton.offsets, motion.skeleton.offsets, atol=1e-8)
    np.testing.assert_array_equal(read.skeleton.parents, motion.skeleton.parents)
    np.testing.assert_allclose(np.abs(np.sum(read.rotations * motion.rotations, axis=-1)), 1.0, atol=1e-12)


def test_the_rest_pose_of_turned_rest_frames_is_the_same_in_the_world(tmp_path: Path) -> None:
    motion = random_motion(9, rest=True)
    read = load_motion(save_motion(motion, tmp_path / "out.bvh"), options=PLAIN)
    np.testing.assert_allclose(read.skeleton.rest_world[0], motion.skeleton.rest_world[0], atol=1e-7)


def test_motion_at_the_origin_survives(tmp_path: Path) -> None:
    motion = random_motion(10)
    motion = replace(motion, root_positions=np.zeros_like(motion.root_positions))
    assert_same_motion(load_motion(save_motion(motion, tmp_path / "out.bvh"), options=PLAIN), motion, 1e-5)


def test_the_file_says_what_another_reader_needs(tmp_path: Path) -> None:
    """Channel values, taken from the text by a second reader, place the joints."""
    motion = random_motion(11, joints=5)
    lines = save_motion(motion, tmp_path / "out.bvh").read_text().splitlines()
    skeleton = motion.skeleton
    joints = [
        Joint(
            skeleton.names[index],
            int(skeleton.parents[index]),
            tuple(skeleton.offsets[index]),
            (*POSITIONS, *turning("ZXY")) if index == 0 else turning("ZXY"),
        )
        for index in range(len(skeleton))
    ]
    rows = [np.array(line.split(), dtype=float) for line in lines[-len(motion) :]]
    for frame, row in enumerate(rows):
        np.testing.assert_allclose(reference_positions(joints, row), motion_positions(motion, frame), atol=1e-6)


def test_angles_do_not_jump(tmp_path: Path) -> None:
    count = 400
    turn = np.linspace(0, 6 * np.pi, count)
    rotations = rot.identity((count, 2))
    rotations[:, 0] = rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), turn)
    rotations[:, 1] = rot.from_axis_angle(np.array([0.3, 0.5, 0.8]), turn)
    skeleton = Skeleton(names=("a", "b"), parents=np.array([-1, 0]), offsets=np.array([[0.0, 0, 0], [0, 1, 0]]))
    motion = Motion(skeleton=skeleton, fps=30, root_positions=np.zeros((count, 3)), rotations=rotations)
    lines = save_motion(motion, tmp_path / "spin.bvh").read_text().splitlines()[-count:]
    rows = np.array([line.split() for line in lines], dtype=float)
    assert np.abs(np.diff(rows, axis=0)).max() < 20.0


@pytest.mark.parametrize("name", ["Left Up Leg", "mixamorig:Hips", "Hüfte", "a{b}", "line\nbreak", " ", "腰"])
def test_names(tmp_path: Path, name: str) -> None:
    motion = random_motion(12, joints=3)
    skeleton = replace(motion.skeleton, names=("r", name, "c"))
    read = load_motion(save_motion(replace(motion, skeleton=skeleton), tmp_path / "out.bvh"), options=PLAIN)
    changed = {"a{b}": "a_b_", "line\nbreak": "line_break", " ": "_"}
    assert read.skeleton.names == ("r", changed.get(name, name), "c")


def test_deep_hierarchy(tmp_path: Path) -> None:
    count = 3000
    skeleton = Skeleton(
        names=tuple(f"j{index}" for index in range(count)),
        parents=np.arange(-1, count - 1),
        offsets=np.tile([0.0, 0.001, 0.0], (count, 1)),
    )
    motion = Motion(skeleton=skeleton, fps=30, root_positions=np.ones((1, 3)), rotations=rot.identity((1, count)))
    path = save_motion(motion, tmp_path / "deep.bvh")
    assert path.stat().st_size < 2_000_000
    assert len(load_motion(path, options=PLAIN).skeleton) == count


def test_failures_leave_no_file(tmp_path: Path) -> None:
    motion = random_motion(13)
    with pytest.raises(FormatError, match="one character"):
        save_motion([motion, motion], tmp_path / "two.bvh")
    with pytest.raises(FormatError):
        save_motion(motion, tmp_path / "missing" / "out.bvh")
    with pytest.raises(OptionError, match="Euler order"):
        WriteOptions(euler_order="ZZY")
    assert list(tmp_path.iterdir()) == []
