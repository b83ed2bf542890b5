"""In which order the legs of a plan are searched: first the one that something closes in on soonest."""

from __future__ import annotations

import numpy as np
import pytest

from limb_stages import long_walk
from understudy.core.motion import Motion
from understudy.core.planning import Status
from understudy.limbs import LimbOptions, Window, plan, stage_of, window_of
from understudy.limbs.legs import Leg
from understudy.limbs.plan import hardest_first, held_s, plan_legs
from understudy.limbs.search import Found, Query
from understudy.limbs.speeds import Pace
from understudy.scene import Scene
from understudy.scene.placements import Track
from understudy.scene.shapes import Box
from understudy.typing import FloatArray

_AT_S = 2.4


def windowed(motion: Motion, sign: int) -> tuple[Window, FloatArray]:
    """A walker past whose lifted hand a box comes, after the moment (``sign`` 1) or before it; and the lifted arm."""
    stage = stage_of(motion)
    space = stage.space("right_arm")
    offset = np.zeros(len(space))
    offset[0] = 0.3
    still = window_of(stage, space, 54, 234)
    met_s = _AT_S + 0.15 * sign
    pose = motion.pose_at(met_s)
    turned = space.with_coordinates(pose.rotations, space.coordinates(pose.rotations) + space.spread @ offset)
    places, _ = motion.skeleton.placed_joints(pose.root_position, turned)
    hand = places[motion.skeleton.humanoid["rightHand"]]
    times = np.array([0.0, met_s - 0.1, met_s, met_s + 0.1, motion.duration_s])
    track = Track(times_s=times, positions=hand + np.array([[0.0, 9.0, 0.0]] * 2 + [[0.0] * 3] + [[0.0, 9.0, 0.0]] * 2))
    scene = Scene().with_object("box", Box(size_m=(0.1, 0.1, 0.1)), placement=track)
    assert still.nearest(offset, _AT_S)[0] > 0.0
    return window_of(stage_of(motion, scene), space, 54, 234), offset


def there_and_back(window: Window, offset: FloatArray) -> list[Leg]:
    none = np.zeros(len(offset))
    return [
        Leg(window=window, start_s=window.start_s + 0.3, end_s=_AT_S, start=none, end=offset),
        Leg(window=window, start_s=_AT_S, end_s=window.end_s - 0.3, start=offset, end=none),
    ]


@pytest.mark.parametrize("sign", [1, -1])
def test_how_long_a_posture_is_held_is_what_looking_at_every_moment_says(sign: int) -> None:
    window, offset = windowed(long_walk().frames(0, 300), sign)
    there, back = there_and_back(window, offset)
    for leg, way in ((there, -1), (back, 1)):
        ahead = np.arange(0.0, 0.2, 0.001)
        met = [s for s in ahead if window.nearest(offset, _AT_S + way * s)[0] < 0.0 or window.limits_broken(offset, s)]
        assert held_s(leg) == pytest.approx(met[0] if met else 0.2, abs=0.02)
    assert held_s(back if sign > 0 else there) < 0.18


@pytest.mark.parametrize("sign", [1, -1])
def test_a_plan_ends_with_the_leg_that_has_no_way(sign: int, monkeypatch: pytest.MonkeyPatch) -> None:
    window, offset = windowed(long_walk().frames(0, 300), sign)
    legs = there_and_back(window, offset)
    asked: list[tuple[float, int]] = []

    def nothing_found(_: Window, query: Query, *__: object, seed: int, **___: object) -> Found:
        asked.append((query.start_s, seed))
        nothing = np.empty((0, len(offset) + 1))
        return Found(path=nothing, raw=nothing, iterations=0, checks=0, nodes=nothing)

    monkeypatch.setattr(plan, "search", nothing_found)
    bars = {"right_arm": Pace(speed=3.0, acceleration=20.0, jerk=1000.0, calm=3.0)}
    made = plan_legs(legs, bars, LimbOptions(), LimbOptions().watch(), widest_s=0.4, seed=5)
    hard = 1 if sign > 0 else 0
    assert made.status is Status.EXHAUSTED and asked == [(legs[hard].start_s, 5 * 8 + hard)]


def test_legs_of_which_nothing_is_known_stay_in_the_order_of_time() -> None:
    window, offset = windowed(long_walk().frames(0, 300), 1)
    none = np.zeros(len(offset))
    on_the_clip = Leg(window=window, start_s=1.4, end_s=3.0, start=none, end=none)
    held = Leg(window=window, start_s=_AT_S, end_s=3.0, start=offset, end=offset)
    assert hardest_first([on_the_clip, held, on_the_clip]) == [0, 1, 2]
    assert hardest_first([on_the_clip, there_and_back(window, offset)[1]]) == [1, 0]
