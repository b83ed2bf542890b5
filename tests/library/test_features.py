from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from walkers import walker

from understudy.core import Motion, PlanarTransform
from understudy.errors import OptionError
from understudy.formats import load_motion
from understudy.kinematics import motion_world
from understudy.library.features import (
    FeatureDetector,
    LateralDetector,
    WalkingDetector,
    crossings,
    headings_rad,
    without_double_flips,
    without_small_swings,
)
from understudy.library.options import LibraryOptions
from understudy.library.preparation import prepared
from understudy.library.segmentation import LEFT, RIGHT, feature_cuts, segments_of


def footage_of(*motions: Motion):
    options = LibraryOptions()
    return prepared(list(motions), options, options.watch())[0]


def test_walking_cuts_are_where_the_ankles_pass() -> None:
    motion = walker(turn_degps=20.0)
    frames, labels = WalkingDetector().cuts(motion)
    # Two steps a stride of 1.1 s, and nothing else.
    assert np.diff(frames) == pytest.approx(33, abs=2)
    assert set(labels) == {"walk"}
    at = motion_world(motion).positions
    roles = motion.skeleton.humanoid
    gap = at[:, roles["rightFoot"]] - at[:, roles["leftFoot"]]
    yaw = headings_rad(motion)
    ahead = gap[:, 0] * np.sin(yaw) + gap[:, 2] * np.cos(yaw)
    assert np.abs(ahead[frames]).max() < 0.06 < np.abs(ahead).max()


@settings(max_examples=10)
@given(yaw=st.floats(-3.1, 3.1), x=st.floats(-5, 5), seed=st.integers(0, 99))
def test_cuts_do_not_depend_on_place_or_noise(yaw: float, x: float, seed: int) -> None:
    motion = walker(seconds=3.0)
    clean, _ = WalkingDetector().cuts(motion)
    noise = 0.004 * np.random.default_rng(seed).normal(size=(len(motion), 3))
    moved = motion.placed(PlanarTransform(x_m=x, yaw_rad=yaw))
    shaken = replace(moved, root_positions=moved.root_positions + noise)
    frames, _ = WalkingDetector().cuts(shaken)
    assert np.array_equal(frames, clean)


def test_backward_walks_are_called_so() -> None:
    _, labels = WalkingDetector().cuts(walker(speed_mps=-0.8))
    assert set(labels) == {"backward"}


def test_side_steps_belong_to_the_lateral_detector() -> None:
    motion = walker(sideways=True, speed_mps=0.45, stride_s=1.6, seconds=7.0)
    assert len(WalkingDetector().cuts(motion)[0]) == 0
    frames, labels = LateralDetector().cuts(motion)
    assert set(labels) == {"lateral"}
    # Both feet stand twice a stride.
    assert np.diff(frames) == pytest.approx(48, abs=4)
    assert footage_of(motion).planted[frames].all(axis=1).mean() > 0.8


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=60))
def test_crossings_alternate_and_are_real(values: list[float]) -> None:
    array = np.array(values)
    frames = crossings(array, 0.2)
    assert (np.diff(frames) > 0).all()
    for before, after in zip([0, *frames], [*frames, len(array)], strict=True):
        part = array[before:after]
        # Between two crossings values never get as far as the hysteresis on both sides.
        assert not ((part > 0.2).any() and (part < -0.2).any())


def test_crossing_is_placed_at_zero_and_not_at_the_hysteresis() -> None:
    values = np.linspace(-1, 1, 101) + 0.001
    assert crossings(values, 0.5).tolist() == [50]


@given(st.lists(st.integers(0, 300), unique=True, max_size=30), st.integers(1, 30))
def test_double_flips_go_in_pairs(frames: list[int], least: int) -> None:
    array = np.array(sorted(frames), dtype=np.int64)
    kept = without_double_flips(array, least)
    assert (len(array) - len(kept)) % 2 == 0
    assert len(kept) < 2 or np.diff(kept).min() >= least
    assert np.isin(kept, array).all()


def test_small_swings_are_no_steps() -> None:
    values = np.concatenate([np.full(10, -1.0), np.full(5, 0.05), np.full(10, -1.0), np.full(10, 1.0)])
    frames = crossings(values, 0.02)
    assert frames.tolist() == [10, 15, 25]
    assert without_small_swings(values, frames, 0.1).tolist() == [25]


def test_carrying_foot_is_the_one_that_stands() -> None:
    footage = footage_of(walker())
    cuts = feature_cuts(footage, [WalkingDetector()], least=18, margin=8)
    assert len(cuts) >= 5
    # Feet take turns, and each cut's foot is the slower one.
    assert set(np.unique(cuts.carriers)) == {LEFT, RIGHT}
    assert (cuts.carriers[1:] != cuts.carriers[:-1]).all()
    speeds = np.linalg.norm(np.gradient(footage.feet, axis=0), axis=-1)[cuts.frames]
    assert np.array_equal(speeds.argmin(axis=1) + 1, cuts.carriers)


class Clock:
    name = "clock"

    def __init__(self, every: int) -> None:
        self.every = every

    def cuts(self, motion: Motion) -> tuple[np.ndarray, Sequence[str]]:
        frames = np.arange(0, len(motion), self.every)
        return frames, ["tick"] * len(frames)


class Broken:
    name = "broken"

    def cuts(self, motion: Motion) -> tuple[np.ndarray, Sequence[str]]:
        return np.array([5, 3]), ["a", "b"]


def test_own_detectors_are_used() -> None:
    assert isinstance(Clock(40), FeatureDetector)
    footage = footage_of(walker(), walker(turn_degps=10.0))
    cuts = feature_cuts(footage, [Clock(40)], least=18, margin=8)
    assert set(cuts.labels) == {"tick"}
    assert (np.diff(cuts.frames) >= 18).all()
    segments = segments_of(footage, cuts)
    takes = footage.take_of(cuts.frames)
    assert np.array_equal(takes[segments.starts], takes[segments.ends])
    assert len(segments) == len(cuts) - 2


def test_too_short_clips_are_not_cut() -> None:
    cuts = feature_cuts(footage_of(walker()), [Clock(10)], least=25, margin=8)
    assert np.diff(cuts.frames).min() >= 25


def test_a_detector_that_breaks_its_promise_is_named() -> None:
    with pytest.raises(OptionError, match='"broken"'):
        feature_cuts(footage_of(walker()), [Broken()], least=18, margin=8)


@pytest.mark.parametrize("name", ["69_24", "69_28", "16_16", "82_12"])
def test_recorded_walks_are_cut_once_a_step(cmu_bvh: Callable[[str], Path], name: str) -> None:
    motion = load_motion(cmu_bvh(name)).resampled(60.0)
    frames, labels = WalkingDetector().cuts(motion)
    gaps = np.diff(frames)
    assert len(frames) >= 4 and gaps.min() > 0.6 * np.median(gaps) and gaps.max() < 1.5 * np.median(gaps)
    assert set(labels) == {"walk"} and len(LateralDetector().cuts(motion)[0]) == 0


@pytest.mark.parametrize("name", ["69_56", "69_59", "69_62", "69_65"])
def test_recorded_side_steps_are_cut_once_a_step(cmu_bvh: Callable[[str], Path], name: str) -> None:
    motion = load_motion(cmu_bvh(name)).resampled(60.0)
    assert len(WalkingDetector().cuts(motion)[0]) == 0
    frames, labels = LateralDetector().cuts(motion)
    assert set(labels) == {"lateral"}
    assert len(frames) >= 8 and np.median(np.diff(frames)) == pytest.approx(29, abs=4)
