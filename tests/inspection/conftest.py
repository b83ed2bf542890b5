"""Smooth synthetic motions with known stances, and recorded clips by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from people import person
from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.formats.registry import load_motion

LEG_M = 0.82


@pytest.fixture(scope="session")
def clip(cmu_bvh: Callable[[str], object]) -> Callable[[str], Motion]:
    """``clip("16_16")`` is that recording."""
    return lambda name: load_motion(cmu_bvh(name))


@pytest.fixture(scope="session")
def swaying() -> Motion:
    """Every joint of a person swings smoothly, each at its own pace, up to 30 degrees."""
    skeleton = person()
    rng = np.random.default_rng(3)
    times = np.arange(360) / 120.0
    axes = rng.normal(size=(len(skeleton), 3))
    phases = rng.uniform(0.0, 6.0, len(skeleton))
    angles = np.radians(30) * np.sin(2 * np.pi * rng.uniform(0.3, 1.5, len(skeleton)) * times[:, None] + phases)
    swing = rot.from_axis_angle(axes, angles)
    swing[:, 0] = rot.from_yaw(0.2 * np.sin(times))
    travel = np.stack([0.1 * np.sin(times), 0 * times, 0.05 * times], axis=1)
    return Motion(skeleton=skeleton, fps=120.0, root_positions=skeleton.offsets[0] + travel, rotations=swing)


@pytest.fixture(scope="session")
def compass() -> Callable[..., Motion]:
    """A walker on two straight legs whose standing foot never moves and stays flat.

    ``compass(steps=8, steps_per_s=1.8, fps=120, ground_m=0.0)``: stances change hands at every whole step, the
    left foot stands first; toe joints rest at ``ground_m``.
    """

    def walk(*, steps: int = 8, steps_per_s: float = 1.8, fps: float = 120.0, ground_m: float = 0.0) -> Motion:
        skeleton = person()
        reach = 0.35
        phase = np.arange(round(steps / steps_per_s * fps)) / fps * steps_per_s
        step = np.floor(phase).astype(int)
        lean = reach * (2 * (phase - step) - 1)
        odd = (step % 2).astype(bool)
        # Turning about +X by a tips a hanging leg backward: the standing leg's hip is ahead by leg * sin(a).
        turns = {"left": np.where(odd, -lean, lean), "right": np.where(odd, lean, -lean)}
        rotations = rot.identity((len(phase), len(skeleton)))
        for side, angle in turns.items():
            rotations[:, skeleton.index(f"{side}UpperLeg")] = rot.from_axis_angle([1.0, 0.0, 0.0], angle)
            rotations[:, skeleton.index(f"{side}Foot")] = rot.from_axis_angle([1.0, 0.0, 0.0], -angle)
        ahead = LEG_M * (2 * step * np.sin(reach) + np.sin(lean))
        up = ground_m + 0.05 + 0.06 + LEG_M * np.cos(lean)
        roots = np.stack([0 * ahead, up, ahead], axis=1)
        return Motion(skeleton=skeleton, fps=fps, root_positions=roots, rotations=rotations)

    return walk
