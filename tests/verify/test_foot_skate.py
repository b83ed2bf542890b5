"""Foot skate against slow, literal loops, and the drift of planted feet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from understudy.core import Motion, PlanarTransform
from understudy.errors import SkeletonError
from understudy.verify.feet import feet_of, ground_height_m
from understudy.verify.foot_skate import foot_skate, gmd_skate, kimodo_skate
from understudy.verify.forward import joint_frames

rng = np.random.default_rng(5)


def literal_gmd(toes: np.ndarray, floor: float) -> float:
    steps, skating = len(toes) - 1, 0
    for k in range(steps):
        found = False
        for foot in range(2):

            def speed(step: int, foot: int = foot) -> float:
                if not 0 <= step < steps:
                    return 0.0
                dx, _, dz = toes[step + 1, foot] - toes[step, foot]
                return float(np.sqrt(dx * dx + dz * dz) * 20.0)

            low = toes[k, foot, 1] - floor < 0.05 and toes[k + 1, foot, 1] - floor < 0.05
            mean = sum(speed(k + shift) for shift in (-2, -1, 0, 1, 2)) / 5.0
            found = found or (low and speed(k) > 0.5 and mean > 0.5)
        skating += found
    return skating / steps


def literal_kimodo(toes: np.ndarray, floor: float, fps: float) -> float:
    contacts = sliding = 0
    for k in range(len(toes) - 1):
        for foot in range(2):
            if toes[k, foot, 1] - floor < 0.05 and toes[k + 1, foot, 1] - floor < 0.05:
                contacts += 1
                sliding += np.linalg.norm(toes[k + 1, foot] - toes[k, foot]) * fps > 0.2
    return sliding / max(contacts, 1)


@pytest.mark.parametrize("seed", range(20))
def test_ratios_match_literal_loops(seed: int) -> None:
    local = np.random.default_rng(seed)
    toes = np.cumsum(local.normal(size=(60, 2, 3)) * [0.03, 0.01, 0.03], axis=0)
    assert gmd_skate(toes, floor_m=-0.01) == pytest.approx(literal_gmd(toes, -0.01), abs=1e-12)
    assert kimodo_skate(toes, floor_m=-0.01, fps=30.0) == pytest.approx(literal_kimodo(toes, -0.01, 30.0), abs=1e-12)


def test_recorded_clip_matches_literal_loops(clip: Callable[[str], Motion]) -> None:
    motion = clip("69_56")
    feet, coarse = feet_of(motion), feet_of(motion.resampled(20.0))
    every = feet_of(motion, joint_frames(motion, motion.times_s)[0])
    np.testing.assert_array_equal(every.toes, feet.toes)
    np.testing.assert_array_equal(every.ankles, feet.ankles)
    found = foot_skate(motion)
    assert found.gmd == pytest.approx(literal_gmd(coarse.toes, feet.sole_m), abs=1e-12)
    assert found.gmd > 0.1
    assert found.kimodo == pytest.approx(literal_kimodo(feet.toes, feet.sole_m, motion.fps), abs=1e-12)


def test_a_moonwalk_skates_in_every_frame(swaying: Motion) -> None:
    way = np.zeros((len(swaying), 3))
    way[:, 2] = 0.8 * swaying.times_s
    found = foot_skate(replace(swaying, root_positions=swaying.root_positions + way))
    assert found.gmd > 0.9
    assert found.kimodo == 1.0
    assert found.stance_drift_mm == 0.0  # too fast to count as planted: that is what the two others are for
    still = foot_skate(swaying)
    assert (still.gmd, still.kimodo, still.stance_drift_mm) == (0.0, 0.0, 0.0)


def test_slow_drift_is_measured_in_millimetres(swaying: Motion) -> None:
    way = np.zeros((len(swaying), 3))
    way[:, 0] = 0.008 * swaying.times_s  # 16 mm in two seconds
    found = foot_skate(replace(swaying, root_positions=swaying.root_positions + way), aligned_source=swaying)
    assert found.stance_drift_mm == pytest.approx(16.0, abs=1e-6)
    assert found.added_slide_mm == pytest.approx(16.0, abs=1e-6)


def test_placing_a_clip_elsewhere_slides_by_nothing(clip: Callable[[str], Motion]) -> None:
    motion = clip("16_16")
    moved = motion.placed(PlanarTransform(x_m=3.0, z_m=-1.0, yaw_rad=1.2))
    found = foot_skate(moved, aligned_source=motion)
    assert found.added_slide_mm == pytest.approx(0.0, abs=1e-6)
    assert found.stance_drift_mm == pytest.approx(foot_skate(motion).stance_drift_mm, abs=1e-6)


def test_skeletons_without_feet_are_refused(swaying: Motion) -> None:
    nobody = replace(swaying, skeleton=swaying.skeleton.with_humanoid({}))
    with pytest.raises(SkeletonError, match="humanoid roles"):
        foot_skate(nobody)


def test_feet_that_rest_at_two_heights_stand_on_the_lower() -> None:
    toes = np.zeros((9, 2, 3))
    toes[:, :, 1] = np.where(np.arange(9) < 2, 0.08, 0.5)[:, None]
    assert np.percentile(toes[..., 1], 20) == pytest.approx(0.248), "between both, near neither"
    # So slowly played that nothing moves.
    assert ground_height_m(toes + np.array([0.0, 0.05, 0.0]), toes, 0.01) == pytest.approx(0.08)
