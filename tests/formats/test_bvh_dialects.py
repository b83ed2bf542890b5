"""BVH as programs in the wild write it, held against forward kinematics from raw channel values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bvh_files import (
    PLAIN,
    POSITIONS,
    Joint,
    bvh_text,
    header_text,
    motion_positions,
    random_rows,
    reference_positions,
    small_tree,
    turning,
    written,
)
from understudy.errors import FormatError
from understudy.formats import ReadOptions, load_motion, load_motions
from understudy.rotations import ORDERS


def assert_same_world(path: Path, joints: list[Joint], rows: np.ndarray) -> None:
    motion = load_motion(path, options=PLAIN)
    assert motion.skeleton.names == tuple(joint.name for joint in joints)
    assert len(motion) == len(rows)
    for frame, row in enumerate(rows):
        np.testing.assert_allclose(motion_positions(motion, frame), reference_positions(joints, row), atol=1e-6)


@pytest.mark.parametrize("order", [*ORDERS, "ZX", "Y", "", "XXY", "ZZ"])
def test_any_rotation_channels(tmp_path: Path, order: str) -> None:
    joints = small_tree(order, root_order="YXZ")
    rows = random_rows(joints, 4)
    assert_same_world(written(tmp_path, bvh_text(joints, rows)), joints, rows)


def test_every_joint_its_own_order(tmp_path: Path) -> None:
    joints = [
        replace(joint, channels=turning(order)) if joint.parent >= 0 else joint
        for joint, order in zip(small_tree(), ["ZXY", "XYZ", "YX", "ZYZ", "X", "YZX", "ZXY"], strict=True)
    ]
    rows = random_rows(joints, 5)
    assert_same_world(written(tmp_path, bvh_text(joints, rows)), joints, rows)


def test_rotation_before_position_and_mixed(tmp_path: Path) -> None:
    joints = small_tree()
    joints[0].channels = ("Zrotation", "Yposition", "Xrotation", "Xposition", "Yrotation", "Zposition")
    rows = random_rows(joints, 4)
    assert_same_world(written(tmp_path, bvh_text(joints, rows)), joints, rows)


def test_some_position_channels_missing(tmp_path: Path) -> None:
    joints = small_tree()
    joints[0].channels = ("Xposition", "Zposition", *turning("ZXY"))
    rows = random_rows(joints, 3)
    assert_same_world(written(tmp_path, bvh_text(joints, rows)), joints, rows)


def test_root_without_position_channels_rests_at_its_offset(tmp_path: Path) -> None:
    joints = small_tree()
    joints[0].channels = turning("ZXY")
    rows = random_rows(joints, 3)
    assert_same_world(written(tmp_path, bvh_text(joints, rows)), joints, rows)


def six_channel_tree() -> list[Joint]:
    return [replace(joint, channels=(*POSITIONS, *turning("ZXY"))) for joint in small_tree()]


def with_constant_positions(joints: list[Joint], rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
    rows = rows.copy()
    for joint in range(1, len(joints)):
        rows[:, 6 * joint : 6 * joint + 3] = positions[joint]
    return rows


def test_constant_joint_positions_replace_offsets(tmp_path: Path) -> None:
    joints = six_channel_tree()
    new_offsets = np.random.default_rng(3).uniform(-0.5, 0.5, (len(joints), 3))
    rows = with_constant_positions(joints, random_rows(joints, 4), new_offsets)
    assert_same_world(written(tmp_path, bvh_text(joints, rows)), joints, rows)


def test_zero_joint_positions_are_displacements(tmp_path: Path) -> None:
    joints = six_channel_tree()
    rows = with_constant_positions(joints, random_rows(joints, 4), np.zeros((len(joints), 3)))
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    np.testing.assert_allclose(motion.skeleton.offsets[1:], [joint.offset for joint in joints[1:]], atol=1e-7)


def test_stretching_joint_keeps_mean_and_says_so(tmp_path: Path) -> None:
    joints = six_channel_tree()
    offsets = np.array([joint.offset for joint in joints])
    rows = with_constant_positions(joints, random_rows(joints, 4), offsets)
    rows[:, 6 * 2 + 1] += [0.0, 0.1, 0.2, 0.3]
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    np.testing.assert_allclose(motion.skeleton.offsets[2], offsets[2] + [0, 0.15, 0], atol=1e-7)
    assert any('"a2" by 0.3000 m' in note for note in motion.origin.notes)


def test_end_sites_none_or_several(tmp_path: Path) -> None:
    joints = small_tree()
    joints[3].tips = []
    joints[6].tips = [(0.0, 0.1, 0.0), (0.2, 0.0, 0.0), (0.0, 0.0, 0.3)]
    rows = random_rows(joints, 2)
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert motion.skeleton.tip_joints.tolist() == [6, 6, 6]
    np.testing.assert_allclose(motion.skeleton.tip_offsets, joints[6].tips, atol=1e-8)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "mixed"])
@pytest.mark.parametrize("blank", ["\t", "   ", " \t"])
def test_line_endings_and_blanks(tmp_path: Path, ending: str, blank: str) -> None:
    joints = small_tree()
    rows = random_rows(joints, 3)
    lines = bvh_text(joints, rows).replace(" ", blank).split("\n")
    if ending == "mixed":
        text = "".join(line + ("\r\n" if index % 2 else "\n") for index, line in enumerate(lines))
    else:
        text = ending.join(lines)
    text = text.replace(f"Frame{blank}Time", "Frame Time") + ending.replace("mixed", "\r\n") * 3
    assert_same_world(written(tmp_path, text), joints, rows)


def test_scientific_notation_with_long_exponents(tmp_path: Path) -> None:
    joints = small_tree()
    rows = random_rows(joints, 3)
    rows[1, 7] = 7.62852e-16
    text = header_text(joints) + "\nMOTION\nFrames: 3\nFrame Time: 8.3333E-003\n"
    text += "\n".join(
        " ".join(f"{value:.9e}".replace("e-", "e-0").replace("e+", "E+0") for value in row) for row in rows
    )
    assert load_motion(written(tmp_path, text), options=PLAIN).fps == 120.0
    assert_same_world(written(tmp_path, text), joints, rows)


def test_rows_wrapped_over_lines_and_commas(tmp_path: Path) -> None:
    joints = small_tree()
    rows = random_rows(joints, 4)
    head = header_text(joints) + "\nMOTION\nFrames: 4\nFrame Time: 0.01\n"
    wrapped = "\n".join(
        "\n".join(" ".join(f"{value:.8f}" for value in row[at : at + 5]) for at in range(0, len(row), 5))
        for row in rows
    )
    assert_same_world(written(tmp_path, head + wrapped), joints, rows)
    one_line = " ".join(f"{value:.8f}" for value in rows.ravel())
    assert_same_world(written(tmp_path, head + one_line), joints, rows)
    commas = "\n".join(", ".join(f"{value:.8f}" for value in row) for row in rows)
    assert_same_world(written(tmp_path, head + commas), joints, rows)


def test_braces_anywhere_and_any_case(tmp_path: Path) -> None:
    text = (
        "hierarchy root Hip Bone { offset 0 1 0 channels 6 XPOSITION yposition Zposition ZRotation XRotation "
        "YRotation\n"
        "joint My Arm {OFFSET 0 1 0 CHANNELS 1 Zrotation} End Site {OFFSET 0 0 1} }\n"
        "Motion\nFRAMES:\t1\nframe time:\t.04\n 1 2 3 0 0 0 90\n"
    )
    motion = load_motion(written(tmp_path, text.replace("hierarchy root", "hierarchy\nroot")), options=PLAIN)
    assert motion.skeleton.names == ("Hip Bone", "My Arm")
    assert motion.fps == 25.0
    np.testing.assert_allclose(motion_positions(motion, 0), [[1, 2, 3], [1, 3, 3]])


@pytest.mark.parametrize(
    "name", ["Left Up Leg", "mixamorig:Hips", "Hüfte", "腰", "a  b", "End Site", "JOINT", "MOTION"]
)
def test_names_survive(tmp_path: Path, name: str) -> None:
    joints = small_tree()
    joints[2].name = name
    text = bvh_text(joints, random_rows(joints, 2))
    assert load_motion(written(tmp_path, text), options=PLAIN).skeleton.names[2] == name


def test_encodings(tmp_path: Path) -> None:
    joints = small_tree()
    joints[1].name = "Schlüsselbein"
    text = bvh_text(joints, random_rows(joints, 2))
    for encoding in ("utf-8", "utf-8-sig", "latin-1", "utf-16"):
        motion = load_motion(written(tmp_path, text.encode(encoding)), options=PLAIN)
        assert motion.skeleton.names[1] == "Schlüsselbein"


@pytest.mark.parametrize("declared", [0, 1, 3, 5, 1_000_000])
def test_wrong_frame_counts_are_noted(tmp_path: Path, declared: int) -> None:
    joints = small_tree()
    rows = random_rows(joints, 4)
    path = written(tmp_path, bvh_text(joints, rows, declared=declared))
    assert_same_world(path, joints, rows)
    assert f"{declared} frames declared, 4 found; all found were read" in load_motion(path, options=PLAIN).origin.notes


def test_single_frame(tmp_path: Path) -> None:
    joints = small_tree()
    rows = random_rows(joints, 1)
    assert_same_world(written(tmp_path, bvh_text(joints, rows)), joints, rows)


def test_many_joints(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    joints = [Joint("j0", -1, (0.0, 0.0, 0.0), (*POSITIONS, *turning("ZYX")))]
    for index in range(1, 190):
        parent = index - 1 if index % 9 else 0
        joints.append(Joint(f"j{index}", parent, tuple(rng.uniform(-0.1, 0.1, 3)), turning("ZYX")))
    rows = random_rows(joints, 3)
    assert_same_world(written(tmp_path, bvh_text(joints, rows)), joints, rows)


def test_duplicate_names_are_numbered(tmp_path: Path) -> None:
    joints = small_tree()
    for index, name in ((2, "x"), (3, "x"), (4, "x#2"), (5, "x")):
        joints[index].name = name
    motion = load_motion(written(tmp_path, bvh_text(joints, random_rows(joints, 2))), options=PLAIN)
    assert motion.skeleton.names == ("base", "a1", "x", "x#3", "x#2", "x#4", "b3")
    assert any("more than once" in note for note in motion.origin.notes)


def test_scale_channels_are_ignored(tmp_path: Path) -> None:
    joints = small_tree()
    joints[2].channels = (*turning("ZXY"), "Xscale", "Yscale", "Zscale")
    rows = random_rows(joints, 2)
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    plain = [replace(joint) for joint in joints]
    plain[2].channels = turning("ZXY")
    kept = np.delete(rows, [12, 13, 14], axis=1)
    np.testing.assert_allclose(motion_positions(motion, 1), reference_positions(plain, kept[1]), atol=1e-6)
    assert "scale channels are ignored" in motion.origin.notes


def test_several_roots_give_several_motions(tmp_path: Path) -> None:
    first, second = small_tree("ZYX"), small_tree("XYZ")
    moved = [
        replace(joint, parent=joint.parent + 7 if joint.parent >= 0 else -1, name=f"{joint.name}'") for joint in second
    ]
    joints = first + moved
    rows = random_rows(joints, 3)
    motions = load_motions(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert [motion.name for motion in motions] == ["clip base", "clip base'"]
    world = reference_positions(joints, rows[2])
    np.testing.assert_allclose(motion_positions(motions[0], 2), world[:7], atol=1e-6)
    np.testing.assert_allclose(motion_positions(motions[1], 2), world[7:], atol=1e-6)


@pytest.mark.parametrize("frame_time", ["0", "-0.01", "1e-30", "1e9"])
def test_bad_frame_time_needs_fps(tmp_path: Path, frame_time: str) -> None:
    joints = small_tree()
    path = written(tmp_path, bvh_text(joints, random_rows(joints, 2), frame_time=frame_time))
    with pytest.raises(FormatError, match=r"clip\.bvh:\d+: Frame Time .* give the frame rate"):
        load_motion(path, options=PLAIN)
    assert load_motion(path, options=replace(PLAIN, fps=50.0)).fps == 50.0


def test_missing_frame_time(tmp_path: Path) -> None:
    joints = small_tree()
    text = bvh_text(joints, random_rows(joints, 2)).replace("Frame Time: 0.0083333\n", "")
    with pytest.raises(FormatError, match="no Frame Time"):
        load_motion(written(tmp_path, text), options=PLAIN)
    assert load_motion(written(tmp_path, text), options=replace(PLAIN, fps=50.0)).fps == 50.0


@pytest.mark.parametrize(
    ("frame_time", "fps"),
    [("0.0083333", 120.0), ("0.033333", 30.0), ("0.0333667", 30000 / 1001), (".041667", 24.0), ("0.0123", 1 / 0.0123)],
)
def test_frame_rates_snap(tmp_path: Path, frame_time: str, fps: float) -> None:
    joints = small_tree()
    path = written(tmp_path, bvh_text(joints, random_rows(joints, 2), frame_time=frame_time))
    assert load_motion(path, options=PLAIN).fps == pytest.approx(fps, rel=1e-12)


def test_defaults_come_from_the_file_alone(tmp_path: Path) -> None:
    joints = small_tree()
    motion = load_motion(written(tmp_path, bvh_text(joints, random_rows(joints, 2))), options=ReadOptions())
    assert motion.origin.format == "bvh" and motion.origin.unit_guessed and motion.origin.up_guessed
    assert motion.name == "clip"
