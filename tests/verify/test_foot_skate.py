"""Foot skate against slow, literal loops, and the drift of planted feet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion, PlanarTransform, fit_body
from understudy.errors import SkeletonError
from understudy.performer import builtin_clips
from understudy.verify.bars import CONTACT_SLIDE_MM
from understudy.verify.cast import ground
from understudy.verify.feet import feet_of, ground_height_m
from understudy.verify.foot_skate import contact_slide_mm, foot_skate, gmd_skate, kimodo_skate
from understudy.verify.forward import Performer, joint_frames
from understudy.verify.stances import added_by
from understudy.verify.touching import touches_of

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
    every, roles = joint_frames(motion, motion.times_s)[0], motion.skeleton.humanoid
    np.testing.assert_array_equal(every[:, [roles["leftToes"], roles["rightToes"]]], feet.toes)
    np.testing.assert_array_equal(every[:, [roles["leftFoot"], roles["rightFoot"]]], feet.ankles)
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
    drifting = replace(swaying, root_positions=swaying.root_positions + way)
    assert foot_skate(drifting).stance_drift_mm == pytest.approx(16.0, abs=1e-6)
    added = added_by(feet_of(drifting), feet_of(swaying))
    assert added.slide is not None and added.slide.way_mm == pytest.approx(16.0, abs=1e-6)
    assert added.drift.way_mm == pytest.approx(16.0, abs=1e-6)


def test_placing_a_clip_elsewhere_slides_by_nothing(clip: Callable[[str], Motion]) -> None:
    motion = clip("16_16")
    moved = motion.placed(PlanarTransform(x_m=3.0, z_m=-1.0, yaw_rad=1.2))
    added = added_by(feet_of(moved), feet_of(motion))
    assert added.slide is not None and added.slide.way_mm == pytest.approx(0.0, abs=1e-6)
    assert (added.drift.way_mm, added.skate.way_mm) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert foot_skate(moved).stance_drift_mm == pytest.approx(foot_skate(motion).stance_drift_mm, abs=1e-6)


def test_evidence_of_the_same_frames_forgives_a_foot_only_what_that_foot_does_then(swaying: Motion) -> None:
    """A slide of 8 cm that the evidence makes as well is none; the same slide half a second later is one."""

    def sliding(from_s: float) -> Motion:
        share = np.clip((swaying.times_s - from_s) / 0.2, 0.0, 1.0)
        return replace(swaying, root_positions=swaying.root_positions + share[:, None] * [0.0, 0.0, 0.08])

    alike = added_by(feet_of(sliding(0.5)), feet_of(sliding(0.5)), scale=1.0)
    assert (alike.slide, alike.drift.way_mm, alike.skate.way_mm) == (None, 0.0, 0.0)
    later = added_by(feet_of(sliding(1.0)), feet_of(sliding(0.5)), scale=1.0)
    assert later.skate.way_mm == pytest.approx(80.0, rel=0.1)
    assert later.skate.time_s == pytest.approx(1.0, abs=0.05)
    # A slide on a body twice as large is twice as far.
    assert added_by(feet_of(sliding(0.5)), feet_of(sliding(0.5)), scale=0.5).skate.way_mm == pytest.approx(
        40.0, rel=0.1
    )


def test_one_frame_does_not_decide_about_skating(clip: Callable[[str], Motion]) -> None:
    """Feet that land a frame later are no faster and no lower than those of the evidence."""
    motion = clip("69_01")
    later = replace(motion, root_positions=motion.root_positions[:-1], rotations=motion.rotations[:-1])
    before = replace(motion, root_positions=motion.root_positions[1:], rotations=motion.rotations[1:])
    added = added_by(feet_of(later), feet_of(before), scale=1.0)
    assert 0.0 < added.skate.way_mm < CONTACT_SLIDE_MM


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


def moved(motion: Motion, x_m: np.ndarray, y_m: np.ndarray | float = 0.0) -> Motion:
    way = np.zeros((len(motion), 3))
    way[:, 0], way[:, 1] = x_m, y_m
    return replace(motion, root_positions=motion.root_positions + way)


@pytest.mark.parametrize("speed_mps", [0.15, 0.3, 0.8])
def test_gliding_over_the_floor_is_a_slide_at_any_speed(swaying: Motion, speed_mps: float) -> None:
    """Ratios that ask for fast feet, and drift that asks for slow ones, both miss 0.3 m/s."""
    found = foot_skate(moved(swaying, speed_mps * np.maximum(swaying.times_s - 0.5, 0.0)))
    assert found.contact_slide_mm == pytest.approx(1500.0 * speed_mps, rel=0.02)
    assert found.contact_slide_time_s == pytest.approx(0.5, abs=0.02)
    assert found.contact_slide_foot in ("left", "right")
    if speed_mps == 0.3:
        assert found.gmd == 0.0
        assert found.stance_drift_mm < 5.0


def test_standing_and_walking_slide_by_nothing(swaying: Motion) -> None:
    assert foot_skate(swaying).contact_slide_mm == 0.0
    assert foot_skate(swaying).contact_slide_foot == ""
    for kind in ("walk", "jog", "sidestep_left", "u_turn_right", "kick"):
        for motion in builtin_clips(kind, seed=4):
            assert foot_skate(motion).contact_slide_mm < CONTACT_SLIDE_MM, motion.name


def test_the_foot_somebody_stands_on_slides_while_the_other_is_in_the_air(swaying: Motion) -> None:
    rotations = swaying.rotations.copy()
    hip = swaying.skeleton.index("leftUpperLeg")
    rotations[:, hip] = rot.multiply(rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -0.8), rotations[:, hip])
    one_leg = replace(swaying, rotations=rotations)
    assert foot_skate(one_leg).contact_slide_mm == 0.0
    found = foot_skate(moved(one_leg, 0.1 * np.clip((swaying.times_s - 1.0) / 0.25, 0.0, 1.0)))
    assert found.contact_slide_mm == pytest.approx(100.0, rel=0.05)
    assert found.contact_slide_foot == "right"
    # Swinging the free foot over the floor slides by nothing: the other one bears the weight.
    swing = rotations.copy()
    turned = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -0.4 * np.sin(3.0 * swaying.times_s))
    swing[:, hip] = rot.multiply(turned, swaying.rotations[:, hip])
    assert foot_skate(replace(swaying, rotations=swing)).contact_slide_mm == 0.0


def test_feet_that_carry_nothing_do_not_slide(swaying: Motion) -> None:
    """Flying by in a low hop, feet are near the floor and bear no weight."""
    since = swaying.times_s - 0.8
    up = np.where((since > 0) & (since < 0.14), 0.5 * 9.81 * since * (0.14 - since), 0.0)
    hop = moved(swaying, 1.0 * np.clip(since, 0.0, 0.14), up)
    rushed = moved(swaying, 1.0 * np.clip(since, 0.0, 0.14))
    assert foot_skate(hop).contact_slide_mm < 0.8 * foot_skate(rushed).contact_slide_mm


def test_a_step_carries_where_the_scene_has_one(swaying: Motion) -> None:
    """Feet are measured against what they touch, not only against the clip's own ground."""
    gliding = moved(swaying, 0.3 * swaying.times_s, 0.4)
    performer = Performer(name="", motion=gliding, body=fit_body(gliding.skeleton))
    assert contact_slide_mm(touches_of(performer, [ground(0.0)]))[0] == 0.0
    assert contact_slide_mm(touches_of(performer, [ground(0.0), ground(0.4)]))[0] == pytest.approx(600.0, rel=0.02)


@pytest.mark.parametrize("name", ["16_16", "69_13", "16_47", "69_56", "115_06", "35_01"])
def test_recorded_feet_slide_less_than_the_bar(clip: Callable[[str], Motion], name: str) -> None:
    motion = clip(name)
    assert foot_skate(motion).contact_slide_mm < CONTACT_SLIDE_MM
    glide = np.zeros((len(motion), 3))
    glide[:, 0] = 0.3 * np.maximum(motion.times_s - 1.0, 0.0)
    assert foot_skate(replace(motion, root_positions=motion.root_positions + glide)).contact_slide_mm > CONTACT_SLIDE_MM
