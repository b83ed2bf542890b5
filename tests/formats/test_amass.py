from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from understudy.core.humanoid import REQUIRED_ROLES
from understudy.errors import FormatError
from understudy.formats import ReadOptions, load_motion
from understudy.formats.smpl_skeleton import SMPL_JOINT_NAMES, STATURE_M, smpl_skeleton

#: Z up -> Y up by hand: what was up (z) is y, what was +y is -z.
Z_TO_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def oracle_positions(poses: np.ndarray, trans: np.ndarray) -> np.ndarray:
    """World joint positions ``(frames, 22, 3)``, Z up, from rotation matrices alone."""
    skeleton = smpl_skeleton()
    matrices = Rotation.from_rotvec(poses[:, :66].reshape(-1, 3)).as_matrix().reshape(len(poses), 22, 3, 3)
    world, positions = matrices.copy(), np.empty((len(poses), 22, 3))
    positions[:, 0] = trans
    for joint in range(1, 22):
        parent = skeleton.parents[joint]
        positions[:, joint] = positions[:, parent] + world[:, parent] @ skeleton.offsets[joint]
        world[:, joint] = world[:, parent] @ matrices[:, joint]
    return positions


def load(path: Path, options: ReadOptions | None = None, **arrays: object):
    np.savez(path, **arrays)
    return load_motion(path, options=options)


@given(seed=st.integers(0, 1000), frames=st.integers(1, 8), columns=st.sampled_from([66, 72, 156, 165]))
@settings(max_examples=25)
def test_joints_are_where_plain_matrices_put_them(tmp_path_factory, seed: int, frames: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    poses, trans = rng.normal(size=(frames, columns)), rng.normal(size=(frames, 3))
    path = tmp_path_factory.getbasetemp() / "amass.npz"
    motion = load(path, poses=poses, trans=trans, mocap_framerate=120.0)
    expected = oracle_positions(poses, trans) @ Z_TO_Y.T
    for frame in range(frames):
        found, _ = motion.skeleton.placed_joints(motion.root_positions[frame], motion.rotations[frame])
        assert np.allclose(found, expected[frame], atol=1e-12)
    assert motion.fps == 120.0 and len(motion) == frames
    assert any("dropped" in note for note in motion.origin.notes) == (columns > 66)


def test_a_standing_person_stands_along_y(tmp_path: Path) -> None:
    """A file that keeps the model upright in its Z-up world turns it a quarter about X."""
    poses = np.zeros((1, 66))
    poses[0, 0] = np.pi / 2
    motion = load(tmp_path / "a.npz", poses=poses, trans=[[0.0, 0.0, 0.94]], mocap_framerate=60)
    points, turns = motion.skeleton.placed_joints(motion.root_positions[0], motion.rotations[0])
    rest, _ = motion.skeleton.rest_world
    assert np.allclose(points, rest, atol=1e-12)
    heights = [*points[:, 1], *motion.skeleton.tip_positions(points, turns)[:, 1]]
    assert min(heights) > 0.0 and abs(max(heights) - STATURE_M) < 1e-9


def test_both_layouts_and_both_rate_keys_agree(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    poses, trans = rng.normal(size=(6, 66)).astype(np.float32), rng.normal(size=(6, 3)).astype(np.float32)
    one = load(tmp_path / "a.npz", poses=poses, trans=trans, mocap_framerate=100)
    two = load(
        tmp_path / "b.npz",
        root_orient=poses[:, :3],
        pose_body=poses[:, 3:],
        trans=trans,
        mocap_frame_rate=np.float32(100),
    )
    assert np.array_equal(one.rotations, two.rotations)
    assert np.array_equal(one.root_positions, two.root_positions)
    assert one.fps == two.fps == 100.0


def test_what_was_assumed_is_noted(tmp_path: Path) -> None:
    motion = load(
        tmp_path / "a.npz",
        poses=np.zeros((2, 156)),
        trans=np.zeros((2, 3)),
        mocap_framerate=120.0,
        betas=np.zeros(16),
        gender=np.array("female", dtype=object),
    )
    notes = " ".join(motion.origin.notes)
    assert "average proportions" in notes and "betas, gender ignored" in notes
    assert (motion.origin.up, motion.origin.format, motion.name) == ("z", "npz", "a")
    assert not motion.origin.up_guessed and not motion.origin.unit_guessed


def test_options_win_over_the_file(tmp_path: Path) -> None:
    arrays = {"poses": np.zeros((2, 66)), "trans": np.array([[1.0, 2.0, 3.0]] * 2)}
    options = ReadOptions(fps=25, up="y", unit_m=0.01, mapping={"hips": "spine1"})
    motion = load(tmp_path / "a.npz", options, **arrays)
    assert motion.fps == 25.0 and dict(motion.skeleton.humanoid) == {"hips": 3}
    assert np.allclose(motion.root_positions[0], [0.01, 0.02, 0.03])
    assert np.allclose(motion.rotations, [1.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"mocap_framerate": None}, "give fps"),
        ({"mocap_framerate": np.array(0.0)}, "fps is 0"),
        ({"mocap_framerate": np.array("120")}, "type"),
        ({"poses": np.zeros((4, 63))}, "63 columns"),
        ({"poses": np.zeros((4, 67))}, "67 columns"),
        ({"poses": np.zeros((5, 66))}, '"trans" has shape'),
        ({"poses": np.zeros((0, 66)), "trans": np.zeros((0, 3))}, "at least one frame"),
        ({"poses": np.full((4, 66), np.inf)}, '"poses", frame 0'),
        ({"trans": np.full((4, 3), np.nan)}, '"trans", frame 0'),
        ({"trans": None}, "neither"),
        ({"poses": np.array([[None] * 66] * 4)}, "pickled Python objects"),
    ],
)
def test_faults_are_named(tmp_path: Path, changes: dict, message: str) -> None:
    arrays = {"poses": np.zeros((4, 66)), "trans": np.zeros((4, 3)), "mocap_framerate": np.array(120.0), **changes}
    with pytest.raises(FormatError, match=message):
        load(tmp_path / "a.npz", **{key: array for key, array in arrays.items() if array is not None})


def test_the_stand_in_body_is_a_symmetric_full_humanoid() -> None:
    skeleton = smpl_skeleton()
    assert set(REQUIRED_ROLES) <= set(skeleton.humanoid)
    assert len(skeleton) == 22
    points, _ = skeleton.rest_world
    for joint, name in enumerate(SMPL_JOINT_NAMES):
        if name.startswith("left_"):
            twin = SMPL_JOINT_NAMES.index(name.replace("left_", "right_"))
            assert np.allclose(points[joint] * [-1, 1, 1], points[twin])
            assert points[joint, 0] > 0
    assert 0.45 < skeleton.leg_length_m() / STATURE_M < 0.52
