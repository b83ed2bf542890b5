"""Goal postures: on the target, within limits, touching nothing, nearest to the clip first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from limb_stages import beside, least_distances, walk
from understudy import rotations as rot
from understudy.core import Motion
from understudy.limbs import EndTarget, Window, goal_postures, reach_m, stage_of, window_of
from understudy.limbs.seeds import posed
from understudy.scene import Scene


def window_on(motion: Motion, limb: str, scene: Scene | None = None) -> Window:
    stage = stage_of(motion, scene)
    frame = min(90, len(motion) // 2)
    return window_of(stage, stage.space(limb), frame - 40, frame + 40)


def end_of(window: Window, offset: np.ndarray, time_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and rotation of the limb's end, by plain forward kinematics."""
    motion, space = window.stage.motion, window.space
    pose = motion.pose_at(time_s - window.stage.start_s)
    places, turns = motion.skeleton.placed_joints(pose.root_position, space.with_offsets(pose.rotations, offset))
    return places[space.joints[-1]], turns[space.joints[-1]]


@pytest.mark.parametrize("limb", ["right_arm", "left_arm", "right_leg", "left_arm_spine"])
@pytest.mark.parametrize("turned", [False, True])
def test_postures_are_on_their_target_within_limits_and_free(limb: str, turned: bool) -> None:
    window = window_on(walk(), limb, beside(walk()))
    rng, solved = np.random.default_rng(4), 0
    time = window.start_s + 0.113
    for _ in range(6):
        # A target that some offset reaches: nothing impossible is asked.
        wish = rng.normal(0, 0.3, len(window.space)) * (0.3 if limb.endswith("spine") else 1.0)
        point = rng.normal(0, 0.05, 3)
        place, turn = end_of(window, wish, time)
        target = EndTarget(
            position=place + rot.rotate(turn, point), rotations=turn[None] if turned else None, point=point
        )
        postures = goal_postures(window, time, target)
        solved += bool(postures.found)
        for posture in postures.found:
            at, now = end_of(window, posture.offset, time)
            np.testing.assert_allclose(at + rot.rotate(now, point), target.position, atol=2e-5)
            if turned:
                assert rot.angle_between(now, turn) < 2e-4
            assert not window.limits_broken(posture.offset, time)
            times = np.array([time, time + 1e-4])
            found = least_distances(window.stage, window.space, np.repeat(posture.offset[None], 2, axis=0), times)
            assert found["box"] > 0.0 and found["itself"] > -1e-3
        clip = window.space.coordinates(posed(window.stage, time).local)
        spread = window.space.spread
        roomy = [
            posture.cost_m
            for posture in postures.found
            if posture.slack_m >= 0.015 and window.space.nearly_outside(clip + spread @ posture.offset) == 0.0
        ]
        assert roomy == sorted(roomy)
    assert solved >= 3


def test_recorded_rigs_reach_too(cmu_bvh: Callable[[str], Path]) -> None:
    window = window_on(us.load_motion(cmu_bvh("16_16")), "left_arm")
    time = window.start_s + 0.2
    wish = np.array([0.3, 0.4, 0.1, 0.5, 0.1, 0.0, 0.2])
    place, turn = end_of(window, wish, time)
    found = goal_postures(window, time, EndTarget(position=place, rotations=turn[None], point=np.zeros(3))).found
    assert found
    at, now = end_of(window, found[0].offset, time)
    assert np.linalg.norm(at - place) < 1e-5 and rot.angle_between(now, turn) < 1e-4


def test_out_of_reach_says_how_much_is_missing() -> None:
    window = window_on(walk(), "right_arm")
    time = window.start_s + 0.5
    length, shoulder = reach_m(window, np.zeros(3), time)
    far = EndTarget(position=shoulder + np.array([0.0, 0.0, length + 0.2]), point=np.zeros(3))
    postures = goal_postures(window, time, far)
    assert not postures.found
    assert 0.19 < postures.missing_m < 0.25
