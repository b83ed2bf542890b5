"""Guesses of unit, up axis and added T-pose on bodies whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from people import person, world_positions
from understudy import rotations as rot
from understudy.core import Motion
from understudy.formats import ReadOptions, WriteOptions, load_motion, save_motion
from understudy.formats.guessing import guess_unit, snapped_fps
from understudy.formats.options import UNITS_M


def swinging(frames: int = 40, *, scale: float = 1.0, tpose: bool = False) -> Motion:
    """A person who swings all limbs slowly while moving forward."""
    skeleton = person(scale)
    times = np.linspace(0, 2, frames)
    rotations = rot.identity((frames, len(skeleton)))
    for joint in range(1, len(skeleton)):
        size = 1.0 if skeleton.names[joint].startswith(("left", "right")) else 0.2
        angle = size * (0.25 * np.sin(3 * times + joint) + 0.3)
        rotations[:, joint] = rot.from_axis_angle(np.array([1.0, 0.1 * (joint % 3), 0.0]), angle)
    for role, side in (("leftUpperArm", 1.0), ("rightUpperArm", -1.0)):
        down = rot.from_axis_angle(np.array([0.0, 0.0, -side]), 1.2)
        joint = skeleton.humanoid[role]
        rotations[:, joint] = rot.multiply(down, rotations[:, joint])
    positions = np.stack([0 * times, np.full(frames, skeleton.offsets[0, 1]), times], axis=1)
    if tpose:
        rotations[0] = rot.identity((len(skeleton),))
        positions[0] = positions[1]
    return Motion(skeleton=skeleton, fps=60, root_positions=positions, rotations=rotations)


@pytest.mark.parametrize("unit", sorted(UNITS_M))
@pytest.mark.parametrize("scale", [0.9, 1.0, 1.12])
@pytest.mark.parametrize("up", ["y", "z"])
def test_unit_and_up_axis_are_found(tmp_path: Path, unit: str, scale: float, up: str) -> None:
    motion = swinging(scale=scale)
    path = save_motion(motion, tmp_path / "out.bvh", options=WriteOptions(unit_m=UNITS_M[unit], up=up))
    read = load_motion(path)
    assert read.origin.unit_m == UNITS_M[unit] and read.origin.unit_guessed
    assert read.origin.up == up and read.origin.up_guessed
    assert any("unit guessed" in note for note in read.origin.notes)
    assert read.skeleton.height_m == pytest.approx(motion.skeleton.height_m, abs=1e-4)
    np.testing.assert_allclose(read.root_positions, motion.root_positions, atol=1e-4)


def test_lying_people_are_not_mistaken_for_z_up(tmp_path: Path) -> None:
    motion = swinging()
    turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2)
    rotations = motion.rotations.copy()
    rotations[:, 0] = turn
    lying = replace(motion, rotations=rotations, root_positions=np.tile([2.0, 0.0, 3.0], (len(motion), 1)))
    lowest = world_positions(lying)[..., 1].min()
    lying = replace(lying, root_positions=lying.root_positions - [0.0, lowest, 0.0])
    assert load_motion(save_motion(lying, tmp_path / "out.bvh")).origin.up == "y"


def test_z_up_file_whose_rest_pose_stands_along_y(tmp_path: Path) -> None:
    """Some programs turn only the root; the rest pose then must not be turned a second time."""
    motion = swinging()
    turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(turn, rotations[:, 0])
    file_motion = replace(motion, rotations=rotations, root_positions=rot.rotate(turn, motion.root_positions))
    read = load_motion(save_motion(file_motion, tmp_path / "out.bvh"))
    assert read.origin.up == "z"
    for frame in (0, len(motion) - 1):
        world = read.skeleton.placed_joints(read.root_positions[frame], read.rotations[frame])[0]
        truth = motion.skeleton.placed_joints(motion.root_positions[frame], motion.rotations[frame])[0]
        same = [read.skeleton.index(name) for name in motion.skeleton.names]
        np.testing.assert_allclose(world[same], truth, atol=1e-5)
    assert read.skeleton.height_m == pytest.approx(motion.skeleton.height_m, abs=1e-5)


def test_options_overrule_guesses(tmp_path: Path) -> None:
    path = save_motion(swinging(), tmp_path / "out.bvh")
    read = load_motion(path, options=ReadOptions(unit_m=0.5, up="z", fps=7.0))
    assert (read.origin.unit_m, read.origin.up, read.fps) == (0.5, "z", 7.0)
    assert not read.origin.unit_guessed and not read.origin.up_guessed


def test_added_tpose_is_dropped_and_said(tmp_path: Path) -> None:
    path = save_motion(swinging(tpose=True), tmp_path / "out.bvh")
    read = load_motion(path)
    assert len(read) == 39 and "frame 0 dropped: it is a T-pose" in read.origin.notes
    assert len(load_motion(path, options=ReadOptions(tpose="keep"))) == 40


def test_performances_keep_their_first_frame(tmp_path: Path) -> None:
    assert len(load_motion(save_motion(swinging(), tmp_path / "a.bvh"))) == 40
    # Starting in a T-pose and moving out of it is a performance.
    motion = swinging()
    share = np.clip(np.arange(40) / 20.0, 0, 1)[:, None]
    eased = rot.slerp(rot.identity((40, len(motion.skeleton))), motion.rotations, share)
    assert len(load_motion(save_motion(replace(motion, rotations=eased), tmp_path / "b.bvh"))) == 40
    # A clip that stands still in a T-pose, and one of two frames, have nothing to compare with.
    still = replace(motion, rotations=rot.identity((40, len(motion.skeleton))))
    assert len(load_motion(save_motion(still, tmp_path / "c.bvh"))) == 40
    assert len(load_motion(save_motion(swinging(tpose=True).frames(0, 2), tmp_path / "d.bvh"))) == 2
    # A pop in the first frame that is no T-pose stays for the repair tools to see.
    popped = swinging().rotations.copy()
    popped[0] = rot.multiply(popped[0], rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.8))
    assert len(load_motion(save_motion(replace(motion, rotations=popped), tmp_path / "e.bvh"))) == 40


def test_drop_on_request(tmp_path: Path) -> None:
    path = save_motion(swinging(), tmp_path / "out.bvh")
    assert len(load_motion(path, options=ReadOptions(tpose="drop"))) == 39


def test_believable_heights_are_sure_and_others_are_not() -> None:
    assert guess_unit(175.0).name == "cm" and guess_unit(175.0).sure
    assert guess_unit(110.0).name == "cm"
    assert guess_unit(30.4).name == "cmu"
    assert guess_unit(68.0).name == "inch"
    assert not guess_unit(1e-9).sure and not guess_unit(1e7).sure


def test_rates_snap_only_within_a_thousandth() -> None:
    assert snapped_fps(1 / 0.0083333) == 120.0
    assert snapped_fps(119.5) == 119.5
    assert snapped_fps(1 / 0.0333667) == pytest.approx(29.97, abs=1e-3)


def test_a_repeated_tpose_is_dropped_whole(tmp_path: Path) -> None:
    motion = swinging(tpose=True)
    longer = replace(
        motion,
        root_positions=np.concatenate([np.repeat(motion.root_positions[:1], 4, axis=0), motion.root_positions]),
        rotations=np.concatenate([np.repeat(motion.rotations[:1], 4, axis=0), motion.rotations]),
    )
    read = load_motion(save_motion(longer, tmp_path / "late.bvh"))
    assert len(read) == 39
    assert "frames 0 to 4 dropped: they are a T-pose" in read.origin.notes
