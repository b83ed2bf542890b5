"""Support: carried, falling, or floating; and where the centre of mass is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from understudy.core import Motion, PlanarTransform, fit_body
from understudy.errors import SkeletonError
from understudy.performer import builtin_clips, performance
from understudy.scene.shapes import Box
from understudy.typing import FloatArray
from understudy.verify.cast import ground
from understudy.verify.distances.solids import Solid
from understudy.verify.feet import feet_of
from understudy.verify.forward import Performer, joint_frames
from understudy.verify.support import ARC_M, Support, flights, support
from understudy.verify.things import Thing
from understudy.verify.touching import TOUCH_M, centres_of_mass, touches_of

FLOOR = ground(0.0)


def performer(motion: Motion, start_s: float = 0.0) -> Performer:
    return Performer(name="", motion=motion, body=fit_body(motion.skeleton), start_s=start_s)


def moved(motion: Motion, way: FloatArray) -> Motion:
    return replace(motion, root_positions=motion.root_positions + way)


def raised(motion: Motion, heights: FloatArray) -> Motion:
    return moved(motion, np.stack([np.zeros(len(motion)), heights, np.zeros(len(motion))], axis=1))


def box(size_m: tuple[float, float, float], middle: tuple[float, float, float]) -> Thing:
    def at(times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        return np.tile(middle, (len(times_s), 1)).astype(np.float64), np.tile(np.eye(3), (len(times_s), 1, 1))

    return Thing(name="box", solid=Solid(Box(size_m=size_m)), at=at, still=True)


def on_floor(motion: Motion) -> Support:
    return support(touches_of(performer(motion), [FLOOR]))


def hop(swaying: Motion, gravity: float, flight_s: float = 0.4) -> Motion:
    """Up and down again as if things fell with another acceleration."""
    since = swaying.times_s - 0.8
    heights = 0.5 * gravity * since * (flight_s - since)
    return raised(swaying, np.where((since > 0) & (since < flight_s), heights, 0.0))


def test_somebody_who_stands_is_carried_by_both_feet(swaying: Motion) -> None:
    found = on_floor(swaying)
    assert (found.unsupported_s, found.flight_s, found.arc_error_m) == (0.0, 0.0, 0.0)
    ((first, last, parts),) = found.supports
    assert (first, last) == (0.0, swaying.duration_s)
    assert {"left_foot", "left_toes", "right_foot", "right_toes"} <= set(parts)
    assert not {part for part in parts if "hand" in part or "thigh" in part}


@pytest.mark.parametrize("at_s", [1.0, 2.37, 4.1])
def test_a_walk_lifted_for_a_moment_floats(at_s: float) -> None:
    (walk,) = builtin_clips("walk_fast", seed=3)
    assert on_floor(walk).unsupported_s == 0.0
    since = np.abs(walk.times_s - at_s - 0.15)
    lift = 0.05 * np.clip((0.2 - since) / 0.05, 0.0, 1.0)  # 0.3 s, and 0.05 s up and down
    found = on_floor(raised(walk, lift))
    assert found.unsupported_s > 0.2
    assert found.time_s == pytest.approx(at_s, abs=0.1)
    assert found.fall_error_mps2 > 5.0


def test_gliding_down_through_the_air_is_no_fall(swaying: Motion) -> None:
    up = 0.3 * np.clip(1.0 - swaying.times_s / 1.5, 0.0, 1.0)
    found = on_floor(raised(swaying, up))
    assert found.unsupported_s > 1.2
    assert found.time_s == 0.0
    assert found.fall_error_mps2 == pytest.approx(9.81, abs=0.5)
    assert found.supports[0][2] == ()


def test_free_fall_passes_and_slow_motion_does_not(swaying: Motion) -> None:
    fall = on_floor(hop(swaying, 9.81))
    assert fall.unsupported_s == 0.0
    assert fall.flight_s > 0.3
    assert fall.arc_error_m < 0.005
    slow = on_floor(hop(swaying, 4.0))
    assert slow.unsupported_s > 0.2
    assert slow.arc_error_m > ARC_M


def test_turning_on_the_way_changes_nothing(swaying: Motion) -> None:
    turned = hop(swaying, 4.0).placed(PlanarTransform(x_m=2.0, z_m=-1.0, yaw_rad=0.7))
    straight, other = on_floor(hop(swaying, 4.0)), on_floor(turned)
    assert other.unsupported_s == straight.unsupported_s
    assert other.arc_error_m == pytest.approx(straight.arc_error_m, abs=1e-9)


def test_a_gap_of_a_frame_is_no_flight(swaying: Motion) -> None:
    up = np.zeros(len(swaying))
    up[100] = 0.2
    assert on_floor(raised(swaying, up)).unsupported_s == 0.0


def test_what_grazes_the_floor_carries_nothing(swaying: Motion) -> None:
    up = np.full(len(swaying), TOUCH_M + 0.02)
    up[::14] = 0.0  # every 0.12 s for one frame
    touches = touches_of(performer(raised(swaying, up)), [FLOOR])
    assert touches.touching.any(axis=1).sum() > 10
    assert on_floor(raised(swaying, up)).unsupported_s > 1.5


def test_what_stands_below_carries_and_what_stands_beside_does_not(swaying: Motion) -> None:
    high = raised(swaying, np.full(len(swaying), 0.4))
    step = box((1.0, 0.4, 1.0), (0.0, 0.2, 0.0))
    assert on_floor(high).unsupported_s == pytest.approx(swaying.duration_s)
    assert support(touches_of(performer(high), [FLOOR, step])).unsupported_s == 0.0
    feet = joint_frames(high, high.times_s[:1])[0][0, high.skeleton.index("leftFoot")]
    wall = box((0.2, 3.0, 3.0), (float(feet[0]) + 0.1 + 0.04, 1.5, 0.0))
    beside = touches_of(performer(high), [wall])
    assert not beside.touching.any()
    assert support(touches_of(performer(high), [FLOOR, wall])).unsupported_s == pytest.approx(swaying.duration_s)


def test_times_are_the_scenes(swaying: Motion) -> None:
    late = support(touches_of(performer(hop(swaying, 4.0), start_s=5.0), [FLOOR]))
    assert late.time_s == pytest.approx(on_floor(hop(swaying, 4.0)).time_s + 5.0)
    assert late.supports[0][0] == 5.0


def test_the_performers_own_clips_are_carried() -> None:
    for kind in ("walk", "jog", "walk_to_jog", "sidestep_left", "turn_in_place_left", "kick", "pitch"):
        for motion in builtin_clips(kind, seed=11):
            assert on_floor(motion).unsupported_s == 0.0, motion.name


@pytest.mark.parametrize(("name", "at_least_s"), [("16_05", 0.35), ("06_15", 0.2), ("16_36", 0.1), ("10_03", 0.1)])
def test_recorded_flights_are_free_falls(clip: Callable[[str], Motion], name: str, at_least_s: float) -> None:
    motion = clip(name)
    touches = touches_of(performer(motion), [ground(feet_of(motion).sole_m)])
    longest = max(flights(touches), key=lambda one: one.lasts_s)
    assert longest.lasts_s > at_least_s
    assert longest.arc_error_m < 0.01
    assert longest.fall_error_mps2 < 2.0
    # Played at half speed nobody falls like that.
    slow = replace(motion, fps=0.5 * motion.fps)
    if longest.lasts_s > 0.15:
        assert support(touches_of(performer(slow), [ground(feet_of(motion).sole_m)])).unsupported_s > at_least_s


def test_a_recorded_walk_is_carried(clip: Callable[[str], Motion]) -> None:
    motion = clip("69_24")
    assert support(touches_of(performer(motion), [ground(feet_of(motion).sole_m)])).flight_s == 0.0


def test_the_centre_of_mass_moves_with_the_body(swaying: Motion) -> None:
    positions = joint_frames(swaying, swaying.times_s)[0]
    centres = centres_of_mass(swaying.skeleton, positions)
    way = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(centres_of_mass(swaying.skeleton, positions + way), centres + way)
    turn = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    np.testing.assert_allclose(centres_of_mass(swaying.skeleton, positions @ turn.T), centres @ turn.T, atol=1e-12)
    assert centres[0, 0] == pytest.approx(positions[0, 0, 0], abs=0.01)  # both sides weigh the same


def test_the_centre_of_mass_agrees_with_another_table(clip: Callable[[str], Motion]) -> None:
    """Winter's shares, which planners use, say nearly the same."""
    motion = clip("69_24")
    body = fit_body(motion.skeleton)
    positions, world = joint_frames(motion, motion.times_s)
    other = np.einsum("j,fji->fi", body.masses, positions + np.einsum("fjik,jk->fji", world, body.coms)) / body.mass_kg
    apart = np.linalg.norm(centres_of_mass(motion.skeleton, positions) - other, axis=1)
    assert apart.max() < 0.05


def test_creatures_are_refused(swaying: Motion) -> None:
    nobody = replace(swaying, skeleton=swaying.skeleton.with_humanoid({}))
    lifted = raised(nobody, np.full(len(nobody), 1.0))
    with pytest.raises(SkeletonError, match="humanoid roles"):
        on_floor(lifted)


@pytest.mark.parametrize("up_m", [0.015, 0.025])
def test_nobody_made_from_the_performers_clips_hovers_above_the_floor(up_m: float) -> None:
    clip = performance("walk_slow", duration_s=4.0).motion
    for motion, ok in ((clip, True), (raised(clip, np.full(len(clip), up_m)), False)):
        report = us.verify(motion.made_from((clip,)), us.Scene(), source=clip)
        assert ("support" in report.broken) is not ok
