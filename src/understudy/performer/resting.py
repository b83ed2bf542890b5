"""Postures that rest on the floor: rolled about the body's lateral axis until the centre of mass can sink no further.

A posture that lies on one point topples. Rolled to the nearest low of its centre of mass it rests on several parts.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics import centre_of_mass, pose_world
from understudy.performer.posture_solver import grounded

#: [rad] first roll tried, and how exactly the rest is found.
_STEP_RAD, _EXACT_RAD = 0.02, 1e-5
#: [rad] farther than this a posture is not rolled.
_FARTHEST_RAD = 1.5


def rested(pose: Pose, body: Body) -> Pose:
    """The pose rolled about its lateral axis, down to the nearest low of its centre of mass.

    Args:
        pose: On the floor; the pelvis above the origin, heading along +z.
        body: Whose capsules and masses.
    """
    best, step = 0.0, _STEP_RAD
    height = _height(pose, body, best)
    while step > _EXACT_RAD:
        tried = [(_height(pose, body, best + way * step), best + way * step) for way in (-1.0, 1.0)]
        lower, at = min(tried)
        if lower < height and abs(at) < _FARTHEST_RAD:
            height, best = lower, at
        else:
            step *= 0.5
    return _rolled(pose, body, best)


def _height(pose: Pose, body: Body, roll_rad: float) -> float:
    """Height of the centre of mass of a rolled pose [m]."""
    return float(centre_of_mass(pose_world(_rolled(pose, body, roll_rad)), body.masses, body.coms)[1])


def _rolled(pose: Pose, body: Body, roll_rad: float) -> Pose:
    rotations = pose.rotations.copy()
    rotations[0] = rot.multiply(rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), roll_rad), rotations[0])
    return grounded(replace(pose, rotations=rotations), body)
