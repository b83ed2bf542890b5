"""A thing that is closed in is refused, and taken once it is not."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from handling_stages import standing
from understudy.core import Status
from understudy.scene import Scene
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Sphere

MIDDLE = np.array([-0.35, 1.25, 0.4])


def boxed_in(half: float = 0.15) -> Scene:
    """A ball in a closed box of six boards, in front of the right shoulder."""
    scene = Scene().with_object("ball", Sphere(radius_m=0.04), position=tuple(MIDDLE))
    for k in range(6):
        axis, sign = divmod(k, 2)
        size, place = np.full(3, 2.0 * half), MIDDLE.copy()
        size[axis], place[axis] = 0.02, place[axis] + (half if sign == 0 else -half)
        scene = scene.with_object(f"board {k}", Box(size_m=tuple(size)), position=tuple(place))
    return scene


@pytest.mark.parametrize("do", [us.grab, us.touch])
def test_what_nothing_ever_opens_is_refused_with_what_closes_it(do) -> None:
    result = do(standing(), boxed_in(), "ball")
    assert result.status is Status.INFEASIBLE_GOAL
    assert "board" in result.reason


def test_a_lid_that_opens_later_is_waited_for() -> None:
    scene, motion = boxed_in(), standing()
    lid = scene.object("board 5")  # towards the body
    times = np.array([0.0, 1.2, 1.3, 60.0])
    up = np.where((times > 1.25)[:, None], [0.0, 5.0, 0.0], 0.0) + lid.placement.poses(times)[0]
    scene = scene.placed("board 5", Track(times_s=times, positions=up, rotations=lid.placement.poses(times)[1]))
    result = us.grab(motion, scene, "ball", hand="right")
    assert result.status is Status.SOLVED, result.reason
    assert result.trace.deed.time_s > 1.3
