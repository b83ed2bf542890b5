"""Whole steps: planted feet stay, feet near the floor are slow, nobody topples."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.core import Body, Motion
from understudy.core.pose import Pose
from understudy.kinematics import motion_world
from understudy.performer import posture
from understudy.postures.bearing import SIDES, Placement, bearing_of
from understudy.postures.gait import stepped
from understudy.postures.stations import standing_ahead
from understudy.postures.stepping import placements
from understudy.postures.strides import Strides, strides_between
from understudy.verify import verify

_FPS = 120.0


def _steps(body: Body, a: Pose, b: Pose, *, upright: bool = False) -> tuple[Strides, Motion]:
    own, goal = (bearing_of(body, pose).feet for pose in (a, b))
    way = [own, *placements(body, own, goal), goal]
    strides = strides_between(body, a, b, way)
    assert strides is not None
    return strides, stepped(body, a, b, strides, fps=_FPS, upright=standing_ahead(body, way) if upright else None)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize(
    ("first", "last", "way", "yaw"),
    [
        ("relaxed", "relaxed", (0.0, 1.2), 0.0),
        ("relaxed", "a", (0.5, -0.3), 1.2),
        ("a", "relaxed", (-1.0, 0.2), 2.9),
    ],
)
def test_the_judge_passes_steps_of_built_in_postures(
    body: Body, first: str, last: str, way: tuple[float, float], yaw: float, upright: bool
) -> None:
    a = posture(first, person=body.skeleton)
    b = Placement(yaw=yaw, shift=np.array([way[0], 0.0, way[1]])).pose(posture(last, person=body.skeleton))
    _, motion = _steps(body, a, b, upright=upright)
    report = verify(motion.made_from(()), floor=True)
    assert report.ok, report.reason
    for frame, pose in ((0, a), (-1, b)):
        assert np.abs(motion.root_positions[frame] - pose.root_position).max() < 1e-9
        assert np.abs((motion.rotations[frame] * pose.rotations).sum(axis=1)).min() > 1.0 - 1e-9


def test_feet_that_bear_weight_stay_where_they_stand(body: Body) -> None:
    a = posture("relaxed", person=body.skeleton)
    b = Placement(yaw=0.8, shift=np.array([0.4, 0.0, 0.9])).pose(a)
    strides, motion = _steps(body, a, b)
    balls = motion_world(motion).positions[:, [body.skeleton.humanoid[f"{side}Toes"] for side in SIDES]]
    for supports, start, end in strides.supports():
        frames = slice(int(np.ceil(start * _FPS)), int(end * _FPS) + 1)
        for k, side in enumerate(SIDES):
            if f"{side} foot" in supports:
                assert np.abs(balls[frames, k] - balls[frames, k][0]).max() < 1e-6
    low = balls[..., 1] < balls[0, :, 1].min() + 0.025
    speeds = np.linalg.norm(np.diff(balls, axis=0), axis=-1) * _FPS
    assert speeds[low[1:] & low[:-1]].max() < 0.2


def test_two_feet_are_never_moved_at_once(body: Body) -> None:
    a = posture("relaxed", person=body.skeleton)
    b = Placement(yaw=0.0, shift=np.array([0.0, 0.0, 0.5])).pose(a)
    own, goal = (bearing_of(body, pose).feet for pose in (a, b))
    assert strides_between(body, a, b, [own, goal]) is None
