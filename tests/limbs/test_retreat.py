"""Ways back from a target: the hand is where it should be, no faster than it may, and the clip's own parameters."""

from __future__ import annotations

import numpy as np
import pytest

from limb_stages import walk
from understudy import rotations as rot
from understudy.limbs import EndTarget, Window, goal_postures, stage_of, window_of
from understudy.limbs.ik import Posture
from understudy.limbs.retreat import DISTANCES_M, retreat
from understudy.limbs.speeds import needed_s

_AT_S = 0.7


def hand_at(window: Window, offset: np.ndarray, time_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and rotation of the limb's end, by plain forward kinematics."""
    motion, space = window.stage.motion, window.space
    pose = motion.pose_at(time_s - window.stage.start_s)
    places, turns = motion.skeleton.placed_joints(pose.root_position, space.with_offsets(pose.rotations, offset))
    return places[space.joints[-1]], turns[space.joints[-1]]


@pytest.fixture(scope="module")
def window() -> Window:
    stage = stage_of(walk())
    return window_of(stage, stage.space("right_arm"), 40, 140)


def test_a_pace_is_the_turn_of_the_offset_over_the_speeds(window: Window) -> None:
    rng, speeds = np.random.default_rng(2), np.linspace(1.0, 3.0, len(window.space.joints))
    pose = window.stage.motion.pose_at(_AT_S)
    for _ in range(10):
        offset = rng.normal(0.0, 0.5, len(window.space))
        turns = window.space.coordinates(window.space.with_offsets(pose.rotations, offset))
        turns = np.linalg.norm((turns - window.space.coordinates(pose.rotations)).reshape(-1, 3), axis=1)
        assert needed_s(window.space, offset[None], speeds)[0] == pytest.approx((turns / speeds).max(), abs=1e-9)


def posture_on(window: Window, time_s: float, *, turned: bool) -> tuple[Posture, EndTarget]:
    """A posture on a target that a random offset reaches."""
    for seed in range(20):
        wish = np.random.default_rng(seed).normal(0.0, 0.2, len(window.space))
        place, turn = hand_at(window, wish, time_s)
        end = EndTarget(position=place, rotations=turn[None] if turned else None, point=np.zeros(3))
        found = goal_postures(window, time_s, end).found
        if found:
            return found[0], end
    raise AssertionError("no posture on any target")


@pytest.mark.parametrize("sign", [1, -1])
def test_the_hand_goes_straight_back(window: Window, sign: int) -> None:
    time = window.start_s + _AT_S
    posture, end = posture_on(window, time, turned=False)
    shoulder = end.position + np.array([0.1, 0.35, -0.2])
    out = shoulder - end.position
    speeds = np.full(len(window.space.joints), 6.0)

    def carried(moment: float) -> np.ndarray:
        """A target that goes with the walker."""
        return hand_at(window, posture.offset, moment)[0]

    rows = retreat(window, posture.offset, time, carried, out, end, speeds, sign, straight=True)
    assert len(rows) >= 2
    away = (shoulder - end.position) / np.linalg.norm(shoulder - end.position)
    for row, distance in zip(rows, DISTANCES_M, strict=False):
        assert sign * (row[-1] - time) > 0.0
        at, _ = hand_at(window, row[:-1], row[-1])
        # Between grid times the clip is interpolated, so not to the last hair.
        np.testing.assert_allclose(at, carried(row[-1]) + distance * away, atol=2e-3)


def test_a_rotation_is_kept_on_the_way(window: Window) -> None:
    time = window.start_s + _AT_S
    posture, end = posture_on(window, time, turned=True)
    turn = end.rotations[0]
    speeds, out = np.full(len(window.space.joints), 6.0), np.array([0.1, 0.3, -0.2])
    kept, free = (
        retreat(
            window, posture.offset, time, lambda t: hand_at(window, posture.offset, t)[0], out, end, speeds, 1, wanted
        )
        for wanted in (turn, None)
    )
    assert len(kept)
    off = [float(rot.angle_between(hand_at(window, rows[0, :-1], rows[0, -1])[1], turn)) for rows in (kept, free)]
    assert off[0] < 0.02
    assert off[0] < off[1]
