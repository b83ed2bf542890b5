"""Toes of recordings that point into the floor: reading bends them up to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.formats import ReadOptions, load_motion, save_motion
from understudy.performer import performance


def test_toes_in_the_floor_are_bent_up_while_reading(tmp_path: Path) -> None:
    walk = performance("walk").motion
    joint, rotations = walk.skeleton.index("leftToes"), walk.rotations.copy()
    rotations[:, joint] = rot.multiply(rotations[:, joint], rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 1.2))
    path = save_motion(replace(walk, rotations=rotations), tmp_path / "walk.bvh")
    read, kept = load_motion(path), load_motion(path, options=ReadOptions(ground="keep"))
    assert any("toes pointed into the floor" in note for note in read.origin.notes)
    assert not any("toes" in note for note in kept.origin.notes)
    joint = read.skeleton.index("leftToes")
    assert rot.angle_between(read.rotations[:, joint], kept.rotations[:, joint]).max() > 0.5
    again = load_motion(save_motion(read, tmp_path / "again.bvh"))
    assert rot.angle_between(again.rotations[:, joint], read.rotations[:, joint]).max() < 0.01
