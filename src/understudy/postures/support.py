"""Whether a posture carries itself: its centre of mass above what touches the floor."""

from __future__ import annotations

import numpy as np

from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics import centre_of_mass, pose_world
from understudy.typing import FloatArray

#: [m] parts this near the lowest point carry; how far the centre of mass may be beside them.
_CARRY_M, _BESIDE_M = 0.08, 0.08


def carries_itself(body: Body, pose: Pose) -> bool:
    """Whether a posture would stand or lie by itself; sitting on nothing does not."""
    world = pose_world(pose)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    points = np.concatenate([starts, ends])
    radii = np.tile(body.capsule_radii, 2)
    low = points[:, 1] - radii
    carry = low < low.min() + _CARRY_M
    centre = centre_of_mass(world, body.masses, body.coms)[[0, 2]]
    return _beside(centre, points[carry][:, [0, 2]]) <= _BESIDE_M


def _beside(point: FloatArray, others: FloatArray) -> float:
    """Distance of a floor point from the convex hull of others [m], by the widest separating direction of many."""
    angles = np.linspace(0.0, 2.0 * np.pi, 72, endpoint=False)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return float(max((directions @ point - (directions @ others.T).max(axis=1)).max(), 0.0))
