"""Where feet are put down: one after the other, over a foot that is flat on the floor."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from understudy.core import Body
from understudy.performer import posture
from understudy.postures.bearing import SIDES, Placement, bearing_of
from understudy.postures.stepping import firm, flat, heading_of, leg_length, placements


@pytest.mark.parametrize(("way_m", "yaw"), [(0.05, 0.0), (2.0, 0.0), (0.6, 2.0), (0.0, 3.1)])
def test_one_foot_is_moved_at_a_time(body: Body, way_m: float, yaw: float) -> None:
    stand = posture("relaxed", person=body.skeleton)
    there = Placement(yaw=yaw, shift=np.array([0.0, 0.0, way_m])).pose(stand)
    own, goal = (bearing_of(body, pose).feet for pose in (stand, there))
    pairs = [own, *placements(body, own, goal), goal]
    for one, two in pairwise(pairs):
        kept = [side for side in SIDES if side in one and side in two and one[side].same(two[side])]
        assert len(kept) == 1
        assert flat(body, one[kept[0]])
    for feet in pairs[1:-1]:
        apart = feet["left"].middle - feet["right"].middle
        assert np.linalg.norm(apart) < leg_length(body)
        turn = heading_of(feet["left"]) - heading_of(feet["right"])
        assert abs((turn + np.pi) % (2.0 * np.pi) - np.pi) < 1.3


@pytest.mark.parametrize(
    ("way", "yaw"), [((0.6, 0.0), 0.0), ((-1.3, 0.1), 2.4), ((0.2, -1.2), -0.7), ((2.0, 0.0), 1.5)]
)
def test_feet_never_cross_on_the_way(body: Body, way: tuple[float, float], yaw: float) -> None:
    stand = posture("relaxed", person=body.skeleton)
    there = Placement(yaw=yaw, shift=np.array([way[0], 0.0, way[1]])).pose(stand)
    own, goal = (bearing_of(body, pose).feet for pose in (stand, there))
    stops = placements(body, own, goal)
    for feet in stops:
        ahead = np.sum([foot.middle - foot.place for foot in feet.values()], axis=0)
        left = np.cross(np.array([0.0, 1.0, 0.0]), ahead)
        assert left @ (feet["left"].middle - feet["right"].middle) > 0.0
    assert len(stops) < 14, "who goes far aside turns first"


def test_nobody_stands_alone_on_a_foot_that_is_not_quite_down(body: Body) -> None:
    stand = posture("relaxed", person=body.skeleton)
    feet = bearing_of(body, stand).feet
    assert sorted(firm(body, feet)) == ["left", "right"]
    up = np.array([0.0, 0.022, 0.0])
    raised = replace(feet["left"], place=feet["left"].place + up, middle=feet["left"].middle + up)
    assert firm(body, {**feet, "left": raised}) == ["right"]
    there = Placement(yaw=0.0, shift=np.array([0.0, 0.0, 1.0])).pose(stand)
    first = placements(body, {**feet, "left": raised}, bearing_of(body, there).feet)[0]
    assert first["right"].same(feet["right"]), "the first step is over the other foot"
