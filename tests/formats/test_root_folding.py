"""Joints above the one that moves: what is folded, what is kept, and that world positions never change."""

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
    motion_positions,
    random_rows,
    reference_positions,
    small_tree,
    turning,
    written,
)
from understudy.formats import load_motion

SIX = (*POSITIONS, *turning("ZXY"))


def under(top: Joint, *, name: str) -> list[Joint]:
    """The small tree with ``top`` above its root."""
    below = [replace(joint, parent=joint.parent + 1) for joint in small_tree()]
    below[0].name = name
    return [top, *below]


def person_under(top: Joint) -> list[Joint]:
    """A recognisable body with hips that travel, under ``top``."""
    limbs = [("pelvis", 0, (0.0, 1.0, 0.0)), ("spine_01", 1, (0.0, 0.2, 0.0)), ("neck_01", 2, (0.0, 0.3, 0.0))]
    limbs += [("head", 3, (0.0, 0.1, 0.0))]
    for side, x in (("l", 0.1), ("r", -0.1)):
        at = len(limbs) + 1
        limbs += [(f"upperarm_{side}", 2, (2 * x, 0.2, 0.0)), (f"lowerarm_{side}", at, (2.5 * x, 0.0, 0.0))]
        limbs += [(f"hand_{side}", at + 1, (2.5 * x, 0.0, 0.0))]
    for side, x in (("l", 0.1), ("r", -0.1)):
        at = len(limbs) + 1
        limbs += [(f"thigh_{side}", 1, (x, -0.05, 0.0)), (f"calf_{side}", at, (0.0, -0.4, 0.0))]
        limbs += [(f"foot_{side}", at + 1, (0.0, -0.4, 0.0))]
    joints = [top, *(Joint(name, parent, offset, turning("ZXY")) for name, parent, offset in limbs)]
    joints[1].channels = SIX
    return joints


@pytest.mark.parametrize(
    ("channels", "name"), [((), "base"), (turning("ZXY"), "base"), (SIX, "base"), (SIX, "Hips"), ((), "pelvis")]
)
def test_static_root_is_folded(tmp_path: Path, channels: tuple[str, ...], name: str) -> None:
    joints = under(Joint("Armature", -1, (0.5, 0.0, 0.25), channels), name=name)
    rows = random_rows(joints, 4)
    rows[:, : len(channels)] = rows[0, : len(channels)]
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert motion.skeleton.names[0] == name
    assert any('"Armature"' in note for note in motion.origin.notes)
    for frame, row in enumerate(rows):
        np.testing.assert_allclose(motion_positions(motion, frame), reference_positions(joints, row)[1:], atol=1e-6)


def test_moving_root_above_travelling_hips_is_folded(tmp_path: Path) -> None:
    joints = under(Joint("reference", -1, (0.0, 0.0, 0.0), SIX), name="Hips")
    rows = random_rows(joints, 4)
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert motion.skeleton.names[0] == "Hips"
    for frame, row in enumerate(rows):
        np.testing.assert_allclose(motion_positions(motion, frame), reference_positions(joints, row)[1:], atol=1e-6)


def test_two_roots_above_the_hips(tmp_path: Path) -> None:
    inner = [replace(joint, parent=joint.parent + 2) for joint in small_tree()]
    inner[0].name = "Hips"
    joints = [Joint("scene", -1, (0.0, 0.1, 0.0), ()), Joint("rig", 0, (0.0, 0.0, 0.2), turning("Y")), *inner]
    rows = random_rows(joints, 3)
    rows[:, 0] = 30.0
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert motion.skeleton.names[0] == "Hips"
    np.testing.assert_allclose(motion_positions(motion, 2), reference_positions(joints, rows[2])[2:], atol=1e-6)


def test_moving_root_over_constant_offsets_is_kept(tmp_path: Path) -> None:
    joints = under(Joint("reference", -1, (0.0, 0.0, 0.0), SIX), name="Hips")
    joints[1].channels = turning("ZXY")
    rows = random_rows(joints, 4)
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert motion.skeleton.names[:2] == ("reference", "Hips")
    np.testing.assert_allclose(motion_positions(motion, 1), reference_positions(joints, rows[1]), atol=1e-6)


def test_arm_on_a_still_base_keeps_its_base(tmp_path: Path) -> None:
    joints = [
        Joint("plate", -1, (0.0, 0.0, 0.0), SIX),
        Joint("link 1", 0, (0.0, 0.3, 0.0), turning("Y")),
        Joint("link 2", 1, (0.0, 0.4, 0.0), turning("X")),
    ]
    rows = random_rows(joints, 4)
    rows[:, :6] = 0.0
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert motion.skeleton.names == ("plate", "link 1", "link 2")


def test_branches_beside_travelling_hips_are_dropped_and_named(tmp_path: Path) -> None:
    joints = person_under(Joint("root", -1, (0.0, 0.0, 0.0), SIX))
    count = len(joints)
    joints += [Joint("ik_foot_root", 0, (0.0, 0.0, 0.0), SIX), Joint("ik_foot_l", count, (0.0, 0.0, 0.1), SIX)]
    rows = random_rows(joints, 4)
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert motion.skeleton.names == tuple(joint.name for joint in joints[1:count])
    assert any("ik_foot_root" in note for note in motion.origin.notes)
    np.testing.assert_allclose(motion_positions(motion, 3), reference_positions(joints, rows[3])[1:count], atol=1e-6)


def test_hips_under_a_root_with_a_stretching_spine_stay_under_it_only_if_they_stand(tmp_path: Path) -> None:
    joints = person_under(Joint("root", -1, (0.0, 0.0, 0.0), SIX))
    joints[1].channels = turning("ZXY")
    joints[2].channels = SIX
    rows = random_rows(joints, 4)
    motion = load_motion(written(tmp_path, bvh_text(joints, rows)), options=PLAIN)
    assert motion.skeleton.names[0] == "root"
    assert any('"spine_01" by' in note for note in motion.origin.notes)
