"""Motions to judge: recorded clips, and a synthetic person that sways in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from people import person
from understudy import rotations as rot
from understudy.core import Motion
from understudy.formats import load_motion


@pytest.fixture(scope="session")
def clip(cmu_bvh: Callable[[str], Path]) -> Callable[[str], Motion]:
    """``clip("16_16")`` is that recorded motion."""
    return lambda name: load_motion(cmu_bvh(name))


@pytest.fixture(scope="session")
def swaying() -> Motion:
    """Two seconds at 120 fps of a person who swings arms held out, feet still; soles on y = 0."""
    skeleton = person()
    times = np.arange(241) / 120.0
    rotations = np.tile(skeleton.rest_rotations, (len(times), 1, 1))
    swing = 0.25 * np.sin(2 * np.pi * 0.8 * times)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        joint = skeleton.index(f"{side}UpperArm")
        lowered = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -0.9 * sign)
        turned = rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), swing)
        rotations[:, joint] = rot.multiply(lowered, turned)
    # The balls of the feet rest at 25 mm, the thickness of a sole.
    ball = skeleton.rest_world[0][skeleton.index("leftToes"), 1]
    roots = np.tile(skeleton.offsets[0] + np.array([0.0, 0.025 - ball, 0.0]), (len(times), 1))
    return Motion(skeleton=skeleton, fps=120.0, root_positions=roots, rotations=rotations, name="swaying")


@pytest.fixture
def turned() -> Callable[[Motion, str, int, np.ndarray], Motion]:
    """``turned(motion, joint, frame, q)``: one joint of one frame turned further."""

    def edit(motion: Motion, joint: str, frame: int, quaternion: np.ndarray) -> Motion:
        rotations = motion.rotations.copy()
        index = motion.skeleton.index(joint)
        rotations[frame, index] = rot.multiply(rotations[frame, index], quaternion)
        return replace(motion, rotations=rotations)

    return edit
