"""Recorded postures as keys: what a person does in a recording may be done at the key, and on their own ground."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy import rotations as rot
from understudy.core import Body, Pose
from understudy.core.motion import Motion, from_poses
from understudy.core.planar import PlanarTransform
from understudy.core.violations import Violation
from understudy.formats import load_motion
from understudy.performer import posture
from understudy.postures import BetweenOptions
from understudy.postures.keys import widened
from understudy.postures.problem import problem_of
from understudy.postures.readying import readied
from understudy.postures.recalling import eased, joined, moment_of, ways_free
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


def _arm_out(body: Body) -> Motion:
    """A recording in which an arm leaves the trunk."""
    stand = posture("relaxed", person=body.skeleton)
    arm = body.skeleton.humanoid["leftUpperArm"]
    poses = []
    for share in np.linspace(0.0, 1.0, 121):
        rotations = stand.rotations.copy()
        inward = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -0.35 * (1.0 - share))
        rotations[arm] = rot.multiply(inward, rotations[arm])
        poses.append(replace(stand, rotations=rotations))
    return from_poses(poses, fps=60.0)


def test_a_posture_is_found_in_its_recording_wherever_it_was_put(body: Body) -> None:
    clip = _arm_out(body)
    moved = PlanarTransform(yaw_rad=0.7, x_m=1.0, z_m=-2.0)
    key = clip.placed(moved).pose(30)
    moment = moment_of(replace(key, evidence=(clip,)))
    assert moment is not None
    assert moment.frame == 30
    assert moment.clip.pose(30).world()[0] == pytest.approx(key.world()[0], abs=1e-9)
    assert moment_of(replace(key, evidence=())) is None
    bent = key.with_rotation(body.skeleton.names[5], rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.3))
    assert moment_of(replace(bent, evidence=(clip,))) is None, "somebody changed it"


def test_a_recorded_posture_is_left_as_in_its_recording_until_its_parts_come_apart(body: Body) -> None:
    clip = _arm_out(body)
    problem = problem_of([clip.pose(0), clip.pose(-1)], None, (), body, relax=True)
    stage = problem.stage
    pairs = len(stage.space.arrays.pairs)
    gaps = [stage.gaps(stage.space.coordinates(clip.pose(n)))[:pairs].min() for n in range(len(clip))]
    assert gaps[0] < -0.01
    moment = moment_of(clip.pose(0))
    assert moment is not None
    lengths = [len(piece) for piece in ways_free(body, stage, moment)]
    assert lengths[0] == 1
    assert lengths == sorted(lengths), "nearest first"
    # Nobody minds how parts come apart: they do so at once.
    ready = readied(problem, None, BetweenOptions(), lambda motion: ())
    assert [stance.recorded is None for stance in ready.ways[0]] == [True]
    assert stage.gaps(stage.space.coordinates(ready.free[0]))[:pairs].min() > 0.0

    def only_as_recorded(motion: Motion) -> tuple[Violation, ...]:
        return (Violation(kind="penetration", value=0.02, bar=0.001, unit="m", time_s=0.1),) * (len(motion) == 2)

    (way,) = readied(problem, None, BetweenOptions(), only_as_recorded).ways[0]
    assert way.recorded is not None
    count = len(way.recorded)
    assert gaps[count - 1] > 0.0
    assert way.recorded.rotations == pytest.approx(clip.rotations[:count])
    assert min(gaps[: count - 6]) < 0.0, "it is the nearest such moment"


def test_a_recording_is_played_at_its_own_pace_between_two_rests(body: Body) -> None:
    clip = _arm_out(body)
    played = eased(body, clip, clip.fps)
    ramp = len(played) - len(clip)
    assert played.rotations[ramp:-ramp] == pytest.approx(clip.rotations[ramp // 2 : -ramp // 2], abs=1e-9)
    steps = rot.angle_between(played.rotations[1:], played.rotations[:-1]).max(axis=1)
    assert max(steps[0], steps[-1]) < 0.02 * steps.max()


def test_the_recording_joins_two_of_its_postures(body: Body) -> None:
    clip = _arm_out(body)
    one, two = moment_of(clip.pose(20)), moment_of(clip.pose(80))
    assert one is not None
    assert two is not None
    there, back = (joined(body, *pair, lambda motion: True) for pair in ((one, two), (two, one)))
    assert there is not None
    assert back is not None
    assert there.rotations == pytest.approx(clip.rotations[20:81])
    assert back.rotations == pytest.approx(clip.rotations[80:19:-1])


def _recorded(pose: Pose) -> Pose:
    return replace(pose, evidence=(from_poses([pose, pose], fps=60.0),))


def test_keys_lie_on_frames() -> None:
    path = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.7, 0.0]])
    postures, times = timed(path, duration_s=1.0, fps=30.0, keys=np.array([0, 1, 2]))
    frame = times[1] * 30.0
    assert frame == pytest.approx(round(frame))
    assert postures[round(frame)] == pytest.approx(path[1], abs=2e-3)


@pytest.mark.parametrize(
    ("name", "frames", "overlapping"), [("113_08", (64, 129), True), ("115_01", (301, 449), False)]
)
def test_recorded_postures_are_met_as_they_are(
    shared_motion: Path, name: str, frames: tuple[int, int], overlapping: bool
) -> None:
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
    alone = us.between(*bare, options=us.BetweenOptions(fps=60.0))
    assert (alone.status is us.Status.SOLVED) != overlapping, "only evidence excuses an overlap"
