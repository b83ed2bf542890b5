"""Clips that do not stand on the floor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from understudy.core import Motion
from understudy.formats import ReadOptions, load_motion, save_motion
from understudy.inspection.grounding import grounded
from understudy.performer import performance


def lifted(motion: Motion, height_m: float) -> Motion:
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, height_m, 0.0]))


@pytest.mark.parametrize("height_m", [-0.95, -0.08, 0.05])
def test_feet_that_stand_beside_the_floor_are_put_onto_it(height_m: float, tmp_path: Path) -> None:
    walk = performance("walk").motion
    path = save_motion(lifted(walk, height_m), tmp_path / "walk.bvh")
    read = load_motion(path)
    assert np.abs(read.root_positions - walk.root_positions).max() < 0.01
    assert any("put onto it" in note for note in read.origin.notes)
    kept = load_motion(path, options=ReadOptions(ground="keep"))
    assert np.abs(kept.root_positions - walk.root_positions - [0.0, height_m, 0.0]).max() < 1e-4


@pytest.mark.parametrize("height_m", [0.0, 0.015, 0.3])
def test_people_on_the_floor_or_on_something_stay_there(height_m: float) -> None:
    motion = lifted(performance("walk").motion, height_m)
    assert grounded(motion) is motion


def test_runners_without_stances_stay() -> None:
    motion = performance("jog").motion.frames(0, 20)
    assert grounded(motion) is motion
