"""All recorded clips load: frames, rate, size, stance, roles."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from bvh_files import Joint, reference_positions
from understudy.core import stature_m
from understudy.formats import ReadOptions, load_motion


def test_every_clip(shared_motion: Path) -> None:
    with (shared_motion / "INDEX.csv").open(newline="") as file:
        clips = [row for row in csv.DictReader(file) if row["file"].endswith(".bvh")]
    assert len(clips) == 90
    for row in clips:
        motion = load_motion(shared_motion / row["file"])
        # The index counts the T-pose that is dropped.
        assert len(motion) == int(row["frames"]) - 1, row["file"]
        assert "frame 0 dropped: it is a T-pose" in motion.origin.notes
        assert motion.fps == float(row["fps"])
        assert motion.origin.unit_m == pytest.approx(0.0254 / 0.45) and motion.origin.up == "y"
        assert motion.skeleton.is_humanoid and motion.skeleton.names[0] == "Hips"
        assert 1.5 <= stature_m(motion.skeleton) <= 2.0, row["file"]
        assert not any("declared" in note for note in motion.origin.notes)


def test_world_positions_of_a_clip_from_its_raw_text(shared_motion: Path) -> None:
    """A second reader: words of the file, matrices, nothing shared with the package."""
    path = shared_motion / "cmu_bvh" / "16_16.bvh"
    head, rows = path.read_text().split("MOTION")
    joints: list[Joint] = []
    stack: list[int] = []
    words = head.split()
    skip = False
    for at, word in enumerate(words):
        if word in ("ROOT", "JOINT"):
            joints.append(Joint(words[at + 1], stack[-1] if stack else -1, (0.0, 0.0, 0.0), ()))
        elif word == "End":
            skip = True
        elif word == "{":
            stack.append(len(joints) - 1)
        elif word == "}":
            stack.pop()
            skip = False
        elif word == "OFFSET" and not skip:
            joints[stack[-1]].offset = tuple(float(value) for value in words[at + 1 : at + 4])
        elif word == "CHANNELS":
            joints[stack[-1]].channels = tuple(words[at + 2 : at + 2 + int(words[at + 1])])
    table = np.array(rows.split()[5:], dtype=float).reshape(-1, 96)
    motion = load_motion(path, options=ReadOptions(unit_m=1.0, up="y", tpose="keep", bones="keep"))
    assert len(table) == len(motion)
    for frame in (0, 1, 100, len(table) - 1):
        world = motion.skeleton.placed_joints(motion.root_positions[frame], motion.rotations[frame])[0]
        np.testing.assert_allclose(world, reference_positions(joints, table[frame]), atol=1e-9)
