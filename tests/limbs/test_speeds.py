"""Paces of limbs: bars by the judge's own rule, and a calm pace below them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.core.everyday import EVERYDAY, SPORT
from understudy.core.humanoid import LIMB_ROLES
from understudy.limbs import stage_of
from understudy.limbs.smoothest import too_fast
from understudy.limbs.speeds import CALM_RAD_S, FACTOR, joint_limits_rad_s, limb_turns, pace, usual_turns
from understudy.performer import builtin_clips
from understudy.verify.forward import Performer
from understudy.verify.smoothness import KINDS, smoothness
from understudy.verify.smoothness import limb_turns as judged_turns


@pytest.fixture(scope="module")
def walk() -> Motion:
    return builtin_clips("walk")[0].frames(0, 180)


def still(motion: Motion) -> Motion:
    return replace(motion, rotations=np.repeat(motion.rotations[:1], len(motion), axis=0))


def swung(motion: Motion, swing_rad: float, sigma_s: float) -> Motion:
    """The motion with its right arm swung out once and back, as a bell."""
    angle = swing_rad * np.exp(-0.5 * ((motion.times_s - 1.5) / sigma_s) ** 2)
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid["rightUpperArm"]
    rotations[:, joint] = rot.multiply(rotations[:, joint], rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle))
    return replace(motion, rotations=rotations)


def test_turns_are_those_the_judge_measures(walk: Motion) -> None:
    judged = judged_turns(walk)
    for name in LIMB_ROLES:
        for ours, theirs in zip(limb_turns(walk, walk.skeleton.limb(name)), judged[name], strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0.02, atol=0.02 * theirs.max())


@pytest.mark.parametrize("make", [still, lambda motion: motion, lambda motion: swung(motion, 2.5, 0.05)])
def test_usual_is_what_the_judge_says(walk: Motion, make: object) -> None:
    source = make(walk)  # type: ignore[operator]
    judge = Performer(name="", motion=source, body=fit_body(source.skeleton))
    for one in smoothness(judge, [judge]).paces:
        assert usual_turns([source], one.limb)[KINDS.index(one.kind)] == pytest.approx(one.usual, rel=0.02)


def test_a_limb_that_stands_still_may_turn_as_people_do_and_is_planned_calmly(walk: Motion) -> None:
    source = still(walk)
    space = stage_of(source).space("right_arm")
    paces = pace([source], space)
    bar = paces["right_arm"]
    assert (bar.speed, bar.acceleration, bar.jerk) == pytest.approx([FACTOR * one for one in EVERYDAY["right_arm"]])
    assert bar.calm == pytest.approx(FACTOR * CALM_RAD_S) and bar.calm < 0.5 * bar.speed
    np.testing.assert_allclose(joint_limits_rad_s(space, paces, 0.5), 0.5 * bar.calm)


def test_a_wild_clip_widens_the_bar_and_sport_is_asked_for(walk: Motion) -> None:
    wild = swung(walk, 2.5, 0.05)
    assert all(a > b for a, b in zip(usual_turns([wild], "right_arm"), EVERYDAY["right_arm"], strict=True))
    assert usual_turns([wild], "left_arm") == EVERYDAY["left_arm"]
    assert usual_turns([], "left_arm", "sport") == SPORT["left_arm"]


@pytest.mark.parametrize(
    ("wave_rad", "hertz", "unit"),
    [(0.0, 1.0, ""), (0.6, 1.0, ""), (2.2, 2.0, "rad/s;"), (0.8, 3.5, "rad/s^2;"), (0.45, 8.0, "rad/s^3;")],
)
def test_every_kind_of_haste_is_refused(walk: Motion, wave_rad: float, hertz: float, unit: str) -> None:
    stage = stage_of(still(walk))
    space = stage.space("right_arm")
    times = stage.motion.times_s
    wave = wave_rad * np.sin(2.0 * np.pi * hertz * (times - 1.5)) * np.exp(-0.5 * ((times - 1.5) / 0.3) ** 2)
    offsets = np.zeros((len(times), len(space)))
    offsets[:, space.index("elbow_flexion")] = wave
    said = too_fast(stage, space, 0, offsets, pace([stage.source], space))
    assert (unit in said) if unit else not said
