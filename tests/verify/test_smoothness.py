"""Speeds, accelerations and jerks against recorded people and sources, and seams."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.core.everyday import EVERYDAY, SPORT
from understudy.core.humanoid import LIMB_ROLES
from understudy.errors import OptionError
from understudy.verify.forward import Performer
from understudy.verify.low_pass import low_passed
from understudy.verify.seams import ALONE_FACTOR, _alone, find_seams
from understudy.verify.smoothness import KINDS, angular_velocities, limb_turns, limbs_of, smoothness


def performer(motion: Motion) -> Performer:
    return Performer(name="", motion=motion, body=fit_body(motion.skeleton))


def test_angular_velocity_matches_the_logarithm(clip: Callable[[str], Motion]) -> None:
    motion = clip("16_35")
    step = rot.multiply(motion.rotations[1:], rot.conjugate(motion.rotations[:-1]))
    step = np.where(step[..., :1] < 0, -step, step)
    assert np.allclose(angular_velocities(motion.rotations, motion.fps), rot.log(step) * motion.fps, atol=1e-9)


def test_filter_is_scipys_butterworth_both_ways(clip: Callable[[str], Motion]) -> None:
    from scipy.signal import butter, filtfilt

    motion = clip("16_16")
    values = motion.root_positions
    b, a = butter(2, 6.0 / (0.5 * motion.fps))
    want = filtfilt(b, a, values, axis=0, padlen=60)
    assert np.abs(low_passed(values, motion.fps) - want)[60:-60].max() < 1e-4
    assert np.abs(low_passed(values, motion.fps) - want).max() < 2e-3


def test_filter_keeps_slow_and_drops_fast() -> None:
    times = np.arange(600) / 120.0
    slow, fast = np.sin(2 * np.pi * times), np.sin(2 * np.pi * 40 * times)
    middle = slice(100, 500)
    assert np.abs(low_passed(slow, 120.0) - slow)[middle].max() < 0.02
    assert np.abs(low_passed(fast, 120.0))[middle].max() < 1e-3
    assert np.array_equal(low_passed(slow, 10.0), slow)


@pytest.mark.parametrize("count", [40, 239, 360, 419])
def test_filter_is_the_same_at_lengths_that_are_quickly_transformed_and_others(count: int) -> None:
    fps, values = 60.0, np.random.default_rng(count).normal(size=(count, 3)).cumsum(axis=0)
    pad = min(count - 1, 30)
    longer = np.concatenate([2 * values[0] - values[pad:0:-1], values, 2 * values[-1] - values[-2 : -pad - 2 : -1]])
    line = longer[0] + np.linspace(0.0, 1.0, len(longer))[:, None] * (longer[-1] - longer[0])
    warped = np.tan(np.pi * np.fft.rfftfreq(len(longer))[:, None]) / np.tan(np.pi * 6.0 / fps)
    plain = np.fft.irfft(np.fft.rfft(longer - line, axis=0) / (1.0 + warped**4), n=len(longer), axis=0) + line
    np.testing.assert_allclose(low_passed(values, fps), plain[pad : pad + count], atol=1e-11)


@pytest.mark.parametrize("count", [3, 8, 9, 40])
def test_jumps_stand_alone_as_their_medians_say(count: int) -> None:
    jumps = np.random.default_rng(count).exponential(size=(count, 5)) ** 3
    padded = np.pad(jumps, ((8, 8), (0, 0)), mode="reflect" if count > 8 else "edge")
    around = [np.median([padded[k : k + count] for k in shifts], axis=0) for shifts in (range(6), range(11, 17))]
    asked = jumps > 0.5
    np.testing.assert_array_equal(_alone(jumps, asked), asked & (jumps > ALONE_FACTOR * np.maximum(*around)))


def hastened(motion: Motion, times: float) -> Motion:
    """The motion played some times as fast."""
    return motion.sampled(np.arange(0, motion.duration_s, times / motion.fps), fps=motion.fps)


def moving_arm(motion: Motion, swing_rad: float, at_s: float, sigma_s: float) -> Motion:
    """The motion with its left arm swung out once and back, as a bell."""
    angle = swing_rad * np.exp(-0.5 * ((motion.times_s - at_s) / sigma_s) ** 2)
    rotations, joint = motion.rotations.copy(), motion.skeleton.index("leftUpperArm")
    rotations[:, joint] = rot.multiply(rotations[:, joint], rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle))
    return replace(motion, rotations=rotations)


def still(motion: Motion) -> Motion:
    """The motion's first frame, for as long."""
    return replace(motion, rotations=np.repeat(motion.rotations[:1], len(motion), axis=0))


def test_turns_are_their_plain_twins(clip: Callable[[str], Motion]) -> None:
    motion = clip("16_16")
    speeds = low_passed(angular_velocities(motion.rotations, motion.fps), motion.fps)
    wanted = (speeds, np.diff(speeds, axis=0) * motion.fps, np.diff(speeds, n=2, axis=0) * motion.fps**2)
    turns = limb_turns(motion)
    for name, joints in limbs_of(motion.skeleton).items():
        for found, plain in zip(turns[name], wanted, strict=True):
            np.testing.assert_allclose(found, np.linalg.norm(plain[:, list(joints)], axis=2).max(axis=1))


@pytest.mark.parametrize("frames", [1, 2, 3, 4])
def test_motions_of_few_frames_have_a_pace(swaying: Motion, frames: int) -> None:
    short = replace(swaying, root_positions=swaying.root_positions[:frames], rotations=swaying.rotations[:frames])
    assert all(len(series) == max(frames - k, 1) for k, series in enumerate(limb_turns(short)["left_arm"], start=1))
    assert smoothness(performer(short)).velocity_ratio < 1.0


def test_playing_twice_as_fast_doubles_speed_and_quadruples_acceleration(swaying: Motion) -> None:
    own, found = smoothness(performer(swaying)), smoothness(performer(hastened(swaying, 2.0)))
    assert found.velocity_ratio / own.velocity_ratio == pytest.approx(2.0, rel=0.05)
    assert found.acceleration_ratio / own.acceleration_ratio == pytest.approx(4.0, rel=0.1)
    assert found.jerk_ratio / own.jerk_ratio == pytest.approx(8.0, rel=0.15)
    assert found.worst_limb in ("left_arm", "right_arm")


def test_an_arm_that_stands_still_in_its_source_may_reach_as_people_do(swaying: Motion) -> None:
    source = performer(still(swaying))
    reach = smoothness(performer(moving_arm(source.motion, 0.8, 1.0, 0.15)), [source], aligned=True)
    assert 0.1 < max(reach.limbs["left_arm"]) < 1.0
    hasty = smoothness(performer(moving_arm(source.motion, 2.5, 1.0, 0.05)), [source], aligned=True)
    assert max(hasty.limbs["left_arm"]) > 1.5
    assert hasty.worst_limb == "left_arm"
    assert hasty.worst_time_s == pytest.approx(1.0, abs=0.1)


def test_usual_is_the_larger_of_the_sources_and_the_table(swaying: Motion) -> None:
    calm = {(one.limb, one.kind): one for one in smoothness(performer(swaying), [performer(swaying)]).paces}
    assert all(one.usual == EVERYDAY[limb][KINDS.index(kind)] for (limb, kind), one in calm.items())
    wild = performer(moving_arm(swaying, 2.5, 1.0, 0.05))
    fast = {(one.limb, one.kind): one for one in smoothness(performer(swaying), [wild, performer(swaying)]).paces}
    for k, kind in enumerate(KINDS):
        turns = np.concatenate([limb_turns(one)["left_arm"][k] for one in (wild.motion, swaying)])
        assert fast["left_arm", kind].usual == pytest.approx(np.percentile(turns, 99.9))
        assert fast["left_arm", kind].usual > EVERYDAY["left_arm"][k]
        assert fast["right_arm", kind].usual == EVERYDAY["right_arm"][k]


def test_sport_is_asked_for_by_name(swaying: Motion) -> None:
    hasty = performer(moving_arm(swaying, 2.5, 1.0, 0.05))
    everyday, sport = smoothness(hasty), smoothness(hasty, activity="sport")
    for k in range(3):
        want = everyday.limbs["left_arm"][k] * EVERYDAY["left_arm"][k] / SPORT["left_arm"][k]
        assert sport.limbs["left_arm"][k] == pytest.approx(want)
    with pytest.raises(OptionError):
        smoothness(hasty, activity="other")


def test_a_shudder_breaks_jerk_where_speed_is_slow(swaying: Motion) -> None:
    times, joint = swaying.times_s, swaying.skeleton.index("spine")
    shudder = 0.01 * np.sin(2 * np.pi * 7.0 * times) * np.exp(-0.5 * ((times - 1.0) / 0.15) ** 2)
    rotations = swaying.rotations.copy()
    rotations[:, joint] = rot.multiply(rotations[:, joint], rot.from_axis_angle(np.array([1.0, 0, 0]), 3.0 * shudder))
    speed, _, jerk = smoothness(performer(replace(swaying, rotations=rotations))).limbs["torso"]
    assert speed < 0.3
    assert jerk > 3.0 * speed


def test_paces_say_limb_kind_and_moment(swaying: Motion) -> None:
    found = smoothness(performer(moving_arm(swaying, 2.0, 0.8, 0.05)))
    assert {(one.limb, one.kind) for one in found.paces} == {(limb, kind) for limb in LIMB_ROLES for kind in KINDS}
    for k, kind in enumerate(KINDS):
        worst = max((one for one in found.paces if one.kind == kind), key=lambda one: one.ratio)
        assert worst.ratio == (found.velocity_ratio, found.acceleration_ratio, found.jerk_ratio)[k]
        assert worst.limb == "left_arm"
        assert worst.time_s == pytest.approx(0.8, abs=0.12)
    # The arm turns fastest one sigma from the bell's middle, and stops soonest in its middle.
    arm = {one.kind: one for one in found.paces if one.limb == "left_arm"}
    assert arm["acceleration"].time_s == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("lift_mm", [2.0, 10.0])
def test_one_displaced_frame_is_a_seam(swaying: Motion, lift_mm: float) -> None:
    roots = swaying.root_positions.copy()
    roots[100, 1] += lift_mm / 1000
    seams = find_seams(performer(replace(swaying, root_positions=roots)), [performer(swaying)], aligned=True)
    assert len(seams) == 1
    assert seams[0].time_s == pytest.approx(100 / 120)
    assert seams[0].jump_mps == pytest.approx(2 * lift_mm / 1000 * 120, rel=0.1)


def test_a_step_in_velocity_is_a_seam_and_a_smooth_start_is_none(swaying: Motion) -> None:
    times = swaying.times_s
    sudden, gentle = swaying.root_positions.copy(), swaying.root_positions.copy()
    sudden[:, 2] += np.where(times > 1.0, times - 1.0, 0.0)  # from standing to 1 m/s within a frame
    ease = np.clip((times - 0.7) / 0.4, 0.0, 1.0)
    gentle[:, 2] += np.cumsum(ease * ease * (3 - 2 * ease)) / 120.0
    source = [performer(swaying)]
    found = find_seams(performer(replace(swaying, root_positions=sudden)), source, aligned=True)
    assert [seam.time_s for seam in found] == [pytest.approx(1.0, abs=0.01)]
    assert found[0].jump_mps == pytest.approx(1.0, abs=0.05)
    assert find_seams(performer(replace(swaying, root_positions=gentle)), source, aligned=True) == ()


def test_cut_between_clips_is_a_seam_among_several_sources(clip: Callable[[str], Motion]) -> None:
    first, second = clip("69_01"), clip("69_03")
    cut = replace(
        first,
        root_positions=np.concatenate([first.root_positions[:200], second.root_positions[200:]]),
        rotations=np.concatenate([first.rotations[:200], second.rotations[200:]]),
    )
    sources = [performer(first), performer(replace(second, skeleton=first.skeleton))]
    found = find_seams(performer(cut), sources)
    assert found
    assert found[0].time_s == pytest.approx(200 / 120, abs=0.02)
    assert find_seams(performer(first), sources) == ()


def test_recorded_pops_are_found_without_a_source(clip: Callable[[str], Motion]) -> None:
    popped = find_seams(performer(clip("16_23")))
    assert popped[0].part.startswith("right_")
    assert popped[0].time_s < 0.05
    assert find_seams(performer(clip("16_16"))) == ()
