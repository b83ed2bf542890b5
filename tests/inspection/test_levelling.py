"""Floors of recording halls that are not level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion
from understudy.inspection.levelling import floor_normal, levelled, tilt_rad
from understudy.kinematics import motion_world
from understudy.library import build_library
from understudy.performer import performance


def tilted(motion: Motion, degrees: float, axis: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> Motion:
    """The whole motion turned about an axis through the origin."""
    turn = rot.from_axis_angle(np.array(axis), np.radians(degrees))
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(turn, rotations[:, 0])
    return replace(motion, root_positions=rot.rotate(turn, motion.root_positions), rotations=rotations)


@pytest.mark.parametrize("degrees", [0.8, -1.2, 2.0])
def test_a_tilted_floor_is_found_and_levelled(degrees: float) -> None:
    walk = performance("walk", duration_s=6.0).motion
    askew = tilted(walk, degrees)
    normal = floor_normal(askew)
    assert np.degrees(tilt_rad(normal)) == pytest.approx(abs(degrees), abs=0.25)
    level = levelled(askew, normal)
    assert tilt_rad(floor_normal(level)) == 0.0
    heights = motion_world(level).positions[..., 1] - motion_world(walk).positions[..., 1]
    assert np.ptp(heights.mean(axis=1)) < 0.02
    assert "levelled" in level.origin.notes[-1]


@pytest.mark.parametrize("name", ["walk", "turn_left", "idle", "jog"])
def test_level_floors_stay_as_they_are(name: str) -> None:
    motion = performance(name).motion
    assert tilt_rad(floor_normal(motion)) == 0.0
    assert levelled(motion, floor_normal(motion)) is motion


def test_a_ramp_is_no_error_of_calibration() -> None:
    assert tilt_rad(floor_normal(tilted(performance("walk").motion, 6.0))) == 0.0


def test_short_clips_of_one_hall_tell_together() -> None:
    walk = performance("walk", duration_s=6.0).motion
    clips = [tilted(walk.frames(first, first + 130), 1.5) for first in (0, 90, 180)]
    assert np.degrees(tilt_rad(floor_normal(*clips))) == pytest.approx(1.5, abs=0.3)


def test_libraries_stand_on_level_floors() -> None:
    library = build_library([tilted(performance(name).motion, 1.5) for name in ("walk", "turn_left")])
    assert any("tilted" in note for note in library.notes)
