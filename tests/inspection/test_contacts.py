"""Stances, ground height, drift and step rate, held against a walker whose stances are known."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, SkeletonError
from understudy.inspection import ContactOptions, foot_contacts, gait_of, stance_drift_m
from understudy.inspection.intervals import held, runs, track_of


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("ground_m", [-0.2, 0.0, 0.053])
def test_stances_of_a_known_walk(compass, fps, ground_m):
    motion = compass(steps=8, steps_per_s=1.8, fps=fps, ground_m=ground_m)
    contacts = foot_contacts(motion)
    step = np.floor(np.arange(len(motion)) / fps * 1.8).astype(int)
    # Speeds are taken over a few frames, so only the frames near a change of feet may differ.
    edges = np.abs(np.arange(len(motion))[:, None] / fps * 1.8 - np.arange(1, 8)).min(axis=1) < 2.5 * 1.8 / fps
    assert contacts.ground_m == pytest.approx(ground_m, abs=1e-6)
    assert np.array_equal(contacts.left[~edges], (step % 2 == 0)[~edges])
    assert np.array_equal(contacts.right[~edges], (step % 2 == 1)[~edges])
    assert len(contacts.left_stances) == len(contacts.right_stances) == 4
    assert contacts.steps_per_s() == pytest.approx(1.8, rel=0.05)


def test_drift_is_what_was_put_in(compass):
    motion = compass()
    contacts = foot_contacts(motion)
    still = stance_drift_m(motion, contacts)
    assert max(still["left"].max(), still["right"].max()) < 0.003
    # 5 cm/s sideways is below the planted speed: every stance slides by its own duration times that.
    shift = np.array([0.05, 0.0, 0.0]) * motion.times_s[:, None]
    sliding = replace(motion, root_positions=motion.root_positions + shift)
    drift = stance_drift_m(sliding, contacts)
    for side in ("left", "right"):
        expected = [0.05 * (stop - first - 1) / motion.fps for first, stop in contacts.stances(side)]
        assert drift[side] == pytest.approx(expected, abs=0.003)


def test_a_raised_or_moving_foot_is_not_planted(compass):
    motion = compass()
    contacts = foot_contacts(motion)
    assert not (contacts.left & contacts.right).mean() > 0.2
    fast = replace(motion, root_positions=motion.root_positions + np.array([2.0, 0, 0]) * motion.times_s[:, None])
    assert not foot_contacts(fast).left.any()


def test_gait_of_a_known_walk(compass):
    gait = gait_of(compass(steps=8, steps_per_s=1.8))
    inner = slice(1, -1)  # the first and last step are cut by the clip's ends
    assert 1 / gait.durations_s[inner] == pytest.approx(1.8, rel=0.02)
    assert gait.lengths_m[inner] == pytest.approx(2 * 0.82 * np.sin(0.35), rel=0.03)
    assert gait.bounce_m[inner] == pytest.approx(-0.82 * (1 - np.cos(0.35)), rel=0.1)


@pytest.mark.parametrize(
    ("name", "low", "high", "runs_"),
    [("16_16", 1.4, 2.0, False), ("69_13", 1.4, 2.0, False), ("16_35", 2.3, 3.0, True)],
)
def test_recorded_gaits(clip, name, low, high, runs_):
    gait = gait_of(clip(name))
    assert low < np.median(1 / gait.durations_s) < high
    assert (np.median(gait.bounce_m) > 0) == runs_


def test_recorded_walk_alternates_feet(clip):
    contacts = foot_contacts(clip("69_20"))
    sides = [side for _, side in contacts.landings()]
    assert len(sides) >= 5
    assert all(a != b for a, b in pairwise(sides))
    assert -0.01 < contacts.ground_m < 0.06


def test_feet_need_roles():
    skeleton = Skeleton(names=("a", "b"), parents=[-1, 0], offsets=np.eye(2, 3))
    motion = Motion(
        skeleton=skeleton, fps=30, root_positions=np.zeros((5, 3)), rotations=np.tile([1.0, 0, 0, 0], (5, 2, 1))
    )
    with pytest.raises(SkeletonError, match="leftFoot"):
        foot_contacts(motion)
    with pytest.raises(OptionError, match="speed_mps"):
        ContactOptions(speed_mps=-1.0)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_very_short_motions_have_contacts(compass, frames):
    contacts = foot_contacts(compass().frames(0, frames))
    assert contacts.left.shape == (frames,)
    assert contacts.steps_per_s() is None


@given(st.lists(st.booleans(), max_size=40))
def test_runs_and_track_are_inverse(track):
    assert track_of(runs(track), len(track)).tolist() == track


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40), st.integers(1, 5))
def test_hysteresis_by_brute_force(pairs, at_least):
    enter, stay = (np.array(column) for column in zip(*pairs, strict=True))
    loose = enter | stay
    expected = np.zeros(len(enter), dtype=bool)
    for frame in range(len(enter) - at_least + 1):
        if enter[frame : frame + at_least].all():
            first, last = frame, frame
            while first > 0 and loose[first - 1]:
                first -= 1
            while last + 1 < len(loose) and loose[last + 1]:
                last += 1
            expected[first : last + 1] = True
    assert np.array_equal(held(enter, stay, at_least=at_least), expected)


def test_a_foot_that_was_recorded_too_high_rests_on_its_own_ground(compass):
    motion = compass(steps=8, steps_per_s=1.8, fps=60.0)
    skeleton = motion.skeleton
    offsets = skeleton.offsets.copy()
    offsets[skeleton.humanoid["rightUpperLeg"], 1] += 0.05
    lame = replace(motion, skeleton=replace(skeleton, offsets=offsets))
    assert not foot_contacts(lame).right.any()
    assert np.array_equal(foot_contacts(lame, own_grounds=True).right, foot_contacts(motion).right)
