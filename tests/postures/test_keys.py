"""Recorded postures as keys: what a person does in a recording may be done at the key, and on their own ground."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy.core import Body, Motion, Pose
from understudy.core.motion import from_poses
from understudy.formats import load_motion
from understudy.performer import posture
from understudy.postures.keys import drawn_to, ground_of, raised, waiting
from understudy.postures.timing import timed


def test_poses_know_the_clips_they_come_from() -> None:
    clip = from_poses([posture("relaxed")] * 3, fps=60.0)
    assert clip.pose(1).evidence == (clip,)
    assert clip.pose_at(0.01).evidence == (clip,)
    made = clip.made_from([clip])
    assert made.pose(0).evidence == (clip,), "what a planner made is never evidence itself"
    assert posture("relaxed").evidence == ()


def test_only_recorded_postures_have_a_ground_of_their_own(body: Body) -> None:
    stand = posture("relaxed", person=body.skeleton)
    high = raised(stand, 0.05)
    assert ground_of(body, [high]) == 0.0
    clip = from_poses([high, high], fps=60.0)
    assert ground_of(body, [clip.pose(0)]) == pytest.approx(0.05 + ground_of(body, [_recorded(stand)]))


def _recorded(pose: Pose) -> Pose:
    return replace(pose, evidence=(from_poses([pose, pose], fps=60.0),))


def test_a_motion_is_drawn_to_its_key_and_to_nothing_else(body: Body) -> None:
    stand, arms = (posture(name, person=body.skeleton) for name in ("relaxed", "arms_folded"))
    motion = waiting(from_poses([stand] * 61, fps=60.0), 0.3, 0.0)
    assert motion.duration_s == pytest.approx(1.3)
    drawn = drawn_to(motion, np.array([0.0, 1.3]), {0: arms}, [stand, stand], 0.3)
    assert np.abs(drawn.rotations[0]) == pytest.approx(np.abs(arms.rotations), abs=1e-9)
    assert np.abs(drawn.rotations[18:]) == pytest.approx(np.abs(motion.rotations[18:]), abs=1e-9)


def test_keys_lie_on_frames() -> None:
    path = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.7, 0.0]])
    postures, times = timed(path, duration_s=1.0, fps=30.0, keys=np.array([0, 1, 2]))
    frame = times[1] * 30.0
    assert frame == pytest.approx(round(frame))
    assert postures[round(frame)] == pytest.approx(path[1], abs=2e-3)


@pytest.mark.parametrize(("name", "frames"), [("113_08", (64, 129)), ("115_01", (301, 449))])
def test_recorded_postures_are_met_as_they_are(shared_motion: Path, name: str, frames: tuple[int, int]) -> None:
    path = next(
        (one for folder in ("cmu_bvh", "cmu_more") if (one := shared_motion / folder / f"{name}.bvh").is_file()), None
    )
    if path is None:
        pytest.skip("the recording is not there")
    clip = load_motion(path)
    keys = [clip.pose(frame) for frame in frames]
    result = us.between(*keys, options=us.BetweenOptions(fps=60.0))
    assert result.status is us.Status.SOLVED, result.reason
    assert result.motion is not None
    for key, frame in zip(keys, (0, -1), strict=True):
        away = np.linalg.norm(result.motion.pose(frame).world()[0] - key.world()[0], axis=1)
        assert away.max() < 1e-3
    bare = [replace(key, evidence=()) for key in keys]
    assert not us.between(*bare, options=us.BetweenOptions(fps=60.0)).status, "without evidence they overlap"


def test_feet_that_are_far_away_end_in_a_reason(cmu_bvh: Callable[[str], Path]) -> None:
    clip: Motion = load_motion(cmu_bvh("16_16"))
    result = us.between(clip.pose(0), clip.pose(400), options=us.BetweenOptions(fps=60.0, deadline_s=20.0))
    assert not result.status
    assert result.stats.seconds < 25.0
