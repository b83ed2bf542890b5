"""Recorded postures as keys: what a person does in a recording may be done at the key, and on their own ground."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy import rotations as rot
from understudy.core import Body, Pose
from understudy.core.motion import from_poses
from understudy.formats import load_motion
from understudy.performer import posture
from understudy.postures.keys import way_out, widened
from understudy.postures.problem import problem_of
from understudy.postures.timing import timed


def test_poses_know_the_clips_they_come_from() -> None:
    clip = from_poses([posture("relaxed")] * 3, fps=60.0)
    assert clip.pose(1).evidence == (clip,)
    assert clip.pose_at(0.01).evidence == (clip,)
    made = clip.made_from([clip])
    assert made.pose(0).evidence == (clip,), "what a planner made is never evidence itself"
    assert posture("relaxed").evidence == ()


def test_limits_hold_what_was_recorded_and_nothing_else(body: Body) -> None:
    stand = posture("relaxed", person=body.skeleton)
    hand, rotations = body.skeleton.humanoid["leftHand"], stand.rotations.copy()
    rotations[hand] = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), 2.2)
    bent = replace(stand, rotations=rotations)
    assert body.limits.excess(bent.rotations)[hand] > 0.3
    assert widened(body, [bent]) is body, "a posture that nobody recorded changes no limit"
    wide = widened(body, [_recorded(bent)])
    assert wide.limits.excess(bent.rotations).max() == 0.0
    others = np.arange(len(body.skeleton)) != hand
    assert wide.limits.high[others] == pytest.approx(body.limits.high[others], abs=1e-6)


def test_an_arm_leaves_the_body_as_it_did_in_the_recording(body: Body) -> None:
    """The recording moves an arm out of the trunk; the way follows it, and stops where nothing touches."""
    skeleton, stand = body.skeleton, posture("relaxed", person=body.skeleton)
    arm = skeleton.humanoid["leftUpperArm"]
    poses = []
    for share in np.linspace(0.0, 1.0, 61):
        rotations = stand.rotations.copy()
        inward = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -0.35 * (1.0 - share))
        rotations[arm] = rot.multiply(inward, rotations[arm])
        poses.append(replace(stand, rotations=rotations))
    clip = from_poses(poses, fps=60.0)
    stage = problem_of([stand, stand], None, (), body, relax=True).stage
    pairs = len(stage.space.arrays.pairs)
    gaps = [stage.gaps(stage.space.coordinates(pose))[:pairs].min() for pose in poses]
    assert gaps[0] < -0.01
    gap, way = way_out(stage, clip.pose(0), 0.001)
    assert gap == pytest.approx(0.001)
    assert way[0] is not way[-1]
    last = stage.gaps(stage.space.coordinates(way[-1]))[:pairs].min()
    assert last >= 0.001
    assert min(np.abs(way[-1].rotations[arm] - pose.rotations[arm]).max() for pose in poses) < 1e-9


def _recorded(pose: Pose) -> Pose:
    return replace(pose, evidence=(from_poses([pose, pose], fps=60.0),))


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
