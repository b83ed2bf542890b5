"""Balance: capture points, the ground between what carries, and statues that lean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.performer import builtin_clips
from understudy.verify._kernels import outside_discs
from understudy.verify.bars import OUTSIDE_M
from understudy.verify.cast import ground
from understudy.verify.feet import feet_of
from understudy.verify.forward import Performer, joint_frames
from understudy.verify.standing import Balance, balance
from understudy.verify.touching import centres_of_mass, touches_of

FLOOR = ground(0.0)


def on_floor(motion: Motion, height_m: float = 0.0) -> Balance:
    standing = Performer(name="", motion=motion, body=fit_body(motion.skeleton))
    return balance(touches_of(standing, [ground(height_m)]))


def leaning(motion: Motion, angle_rad: float) -> Motion:
    """The whole body turned forwards about the balls of its feet; its soles stay."""
    skeleton = motion.skeleton
    positions = joint_frames(motion, motion.times_s[:1])[0][0]
    pivot = 0.5 * (positions[skeleton.index("leftToes")] + positions[skeleton.index("rightToes")])
    turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle_rad)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(turn, rotations[:, 0])
    for side in ("left", "right"):
        foot = skeleton.index(f"{side}Foot")
        rotations[:, foot] = rot.multiply(rot.conjugate(turn), rotations[:, foot])
    roots = pivot + rot.rotate(turn, motion.root_positions - pivot)
    leant = replace(motion, rotations=rotations, root_positions=roots)
    lowest = joint_frames(leant, leant.times_s)[0][:, skeleton.index("leftToes"), 1]
    return replace(
        leant,
        root_positions=roots - np.stack([0 * lowest, lowest - positions[skeleton.index("leftToes"), 1], 0 * lowest], 1),
    )


def test_somebody_who_stands_is_in_balance(swaying: Motion) -> None:
    found = on_floor(swaying)
    assert found.outside_m == 0.0
    assert found.slow_s == pytest.approx(swaying.duration_s, abs=0.02)


def test_a_leaning_statue_is_out_of_balance_by_how_far_it_leans(swaying: Motion) -> None:
    statue = leaning(swaying, np.radians(36.0))
    found = on_floor(statue)
    touches = touches_of(Performer(name="", motion=statue, body=fit_body(statue.skeleton)), [FLOOR])
    assert touches.touching.any(axis=1).all(), "it stands on its feet"
    centre = centres_of_mass(statue.skeleton, joint_frames(statue, statue.times_s)[0])[0]
    ahead = (touches.centres[0, touches.touching[0], 2] + touches.radii[touches.touching[0]]).max()
    assert centre[2] - ahead > 0.25
    assert found.outside_m == pytest.approx(centre[2] - ahead, abs=0.01)
    assert found.outside_m > OUTSIDE_M


def test_where_the_body_goes_counts(swaying: Motion) -> None:
    """Toppling over slowly is out of balance before the centre of mass is."""
    drift = np.zeros((len(swaying), 3))
    drift[:, 2] = 0.25 * swaying.times_s
    still = leaning(swaying, np.radians(12.0))
    moving = replace(still, root_positions=still.root_positions + drift)
    assert on_floor(moving).outside_m > on_floor(still).outside_m + 0.05


def test_nothing_is_asked_of_whoever_walks() -> None:
    (walk,) = builtin_clips("walk_fast", seed=3)
    assert on_floor(walk).slow_s < 0.1
    assert on_floor(walk).outside_m <= OUTSIDE_M


def test_a_foot_that_lands_in_time_keeps_the_balance() -> None:
    """Starting to walk, the capture point leaves the feet before the next step lands."""
    for motion in builtin_clips("start", seed=5):
        assert on_floor(motion).slow_s > 0.5
        assert on_floor(motion).outside_m < OUTSIDE_M
    for kind in ("reach", "kick", "bat_swing", "sidestep_left", "turn_in_place_right"):
        for motion in builtin_clips(kind, seed=11):
            assert on_floor(motion).outside_m < OUTSIDE_M, kind


@pytest.mark.parametrize("name", ["115_01", "137_26", "62_19", "80_27", "69_56", "83_01"])
def test_recorded_people_keep_their_balance(clip: Callable[[str], Motion], name: str) -> None:
    motion = clip(name)
    found = on_floor(motion, feet_of(motion).sole_m)
    assert found.slow_s > 0.5
    assert found.outside_m < OUTSIDE_M


def test_the_ground_between_two_discs_is_a_capsule() -> None:
    rng = np.random.default_rng(3)
    points = rng.uniform(-2.0, 2.0, (200, 2))
    a, b, radius = np.array([-0.4, 0.1]), np.array([0.6, 0.3]), 0.15
    share = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
    expected = np.maximum(np.linalg.norm(points - a - share[:, None] * (b - a), axis=1) - radius, 0.0)
    centres = np.array([[a, [9.0, 9.0]], [b, [9.0, 9.0]]])
    there = np.array([[True, False], [True, False]])
    spans = np.tile([0, 1], (200, 1))
    found = outside_discs(points, centres, np.array([radius, 1.0]), there, spans)
    np.testing.assert_allclose(found, expected, atol=4e-3)
    # Only one of both at its own moment.
    alone = outside_discs(points, centres, np.array([radius, 1.0]), there, np.tile([0, 0], (200, 1)))
    np.testing.assert_allclose(alone, np.maximum(np.linalg.norm(points - a, axis=1) - radius, 0.0), atol=4e-3)


def test_who_floats_has_no_balance_to_measure(swaying: Motion) -> None:
    high = replace(swaying, root_positions=swaying.root_positions + np.array([0.0, 1.0, 0.0]))
    assert on_floor(high) == Balance(outside_m=0.0, time_s=0.0, slow_s=0.0)
