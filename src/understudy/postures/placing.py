"""Postures without a place of their own, put where a posture on a seat leads to."""

from __future__ import annotations

import numpy as np

from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics import pose_world
from understudy.postures.bearing import Placement, bearing_of, placement
from understudy.postures.stations import seat_place

#: Over the stature: how far before a seat somebody lies or sits on the floor.
_BEFORE = 0.9


def placed_on_seat(body: Body, pose: Pose, anchor: Pose) -> Pose:
    """A posture moved over the floor so that its pelvis is above another one's."""
    turns = [pose_world(one).rotations[0] for one in (pose, anchor)]
    return placement((seat_place(body, pose), turns[0]), (seat_place(body, anchor), turns[1])).pose(pose)


def placed_before(body: Body, pose: Pose, anchor: Pose) -> Pose:
    """A posture moved over the floor to stand on the feet of one on a seat, or to be on the floor before it."""
    own, goal = bearing_of(body, pose), bearing_of(body, anchor).feet
    ahead = np.array([0.0, 0.0, _BEFORE * body.stature_m])
    shared = [side for side in goal if side in own.feet]
    if own.kind == "feet":
        side, other = (shared[0], shared[0]) if shared else (next(iter(own.feet)), next(iter(goal)))
        feet = own.feet[side], goal[other]
        found = placement((feet[0].place, feet[0].turn), (feet[1].place, feet[1].turn)).pose(pose)
        low = seat_place(body, pose)[1] < seat_place(body, anchor)[1]
        return Placement(yaw=0.0, shift=0.5 * low * ahead).pose(found)
    return Placement(yaw=0.0, shift=(seat_place(body, anchor) - seat_place(body, pose)) * [1, 0, 1] + ahead).pose(pose)
