"""A recording that pops: hands elsewhere do not pop with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from handling_stages import standing
from understudy.limbs.jitter import _jitter, _jumps_seen, quieted
from understudy.limbs.legs import Leg
from understudy.limbs.stage import stage_of
from understudy.limbs.window import window_of

FPS = 60.0


def reaching(popped: bool) -> tuple[list[Leg], np.ndarray, np.ndarray]:
    """A bent arm of somebody whose straight upper arm twists for a frame, which hardly shows."""
    motion = standing().resampled(FPS)
    space = stage_of(motion, None).space("right_arm")
    if popped:
        twist = np.zeros((1, len(space)))
        twist[0, space.index("shoulder_twist")] = 0.15
        turns = np.array(motion.rotations)
        turns[120:121] = space.with_offsets(turns[120:121], twist)
        motion = replace(motion, rotations=turns)
    stage = stage_of(motion, None)
    window = window_of(stage, space, 60, 180)
    out = np.zeros(len(space))
    out[space.index("shoulder_forward")], out[space.index("elbow_flexion")] = 0.3, 1.3
    times = window.frame_times_s
    rise = np.clip((times - times[0]) / 0.6, 0.0, 1.0) * np.clip((times[-1] - times) / 0.6, 0.0, 1.0)
    offsets = (rise**2 * (3.0 - 2.0 * rise))[:, None] * out
    leg = Leg(window=window, start_s=times[0], end_s=times[-1], start=0.0 * out, end=0.0 * out)
    return [leg], offsets, times


def test_a_straight_way_has_no_jitter_not_even_at_its_ends() -> None:
    times = np.arange(40) / FPS
    assert np.abs(_jitter(np.outer(times, [1.0, -2.0]), times)).max() < 1e-12


def test_a_clip_that_does_not_pop_is_left_alone() -> None:
    legs, offsets, times = reaching(False)
    assert quieted(legs, offsets, times) is offsets


def test_a_hand_held_out_pops_less_and_stays_on_the_clip_where_it_is_on_it() -> None:
    legs, offsets, times = reaching(True)
    before, quiet = _jumps_seen(legs, offsets, times), quieted(legs, offsets, times)
    assert before.max() > 1.0
    assert _jumps_seen(legs, quiet, times).max() < 0.8 * before.max()
    assert np.array_equal(quiet[[0, -1]], offsets[[0, -1]])
    assert np.abs(quiet - offsets).max() < 0.1
