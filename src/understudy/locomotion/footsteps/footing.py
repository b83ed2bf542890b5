"""Where somebody stands: the body's place and heading, and both footprints, read from a frame of a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.kinematics.forward import forward
from understudy.typing import FloatArray

SIDES = ("left", "right")
#: Share of the leg by which the gait keeps the ankles of somebody who rests behind the path.
BEHIND = 0.05
#: [m], [rad] who is as near as this to a place and a heading is there: well within the bars of goals.
THERE_M, THERE_RAD = 0.008, 0.07


@dataclass(frozen=True, eq=False, kw_only=True)
class Footing:
    """Somebody who stands.

    Attributes:
        place: ``(2,)`` (x, z) of the path the body is on [m].
        heading_rad: Where it faces; 0 is +Z, a quarter turn +X.
        feet: Side -> ankle (x, z) [m] and yaw [rad] of the flat foot; none where nobody stands yet.
    """

    place: FloatArray
    heading_rad: float
    feet: dict[str, tuple[FloatArray, float]]


def footing_of(motion: Motion, frame: int = -1) -> Footing:
    """Where somebody stands in a frame: between the feet, as the performer's paths lead."""
    skeleton = motion.skeleton
    world = forward(skeleton, motion.root_positions[[frame]], motion.rotations[[frame]])
    reference = t_pose_world(skeleton)[1]
    feet: dict[str, tuple[FloatArray, float]] = {}
    for side in SIDES:
        joint = skeleton.humanoid[f"{side}Foot"]
        turn = rot.multiply(world.rotations[0, joint], rot.conjugate(reference[joint]))
        feet[side] = (world.positions[0, joint, [0, 2]].copy(), float(rot.yaw(turn)))
    heading = facing_rad(skeleton, motion.rotations[frame, 0])
    middle = 0.5 * (feet["left"][0] + feet["right"][0])
    back = BEHIND * skeleton.leg_length_m()
    return Footing(place=middle + back * ahead_of(heading), heading_rad=heading, feet=feet)


def facing_rad(skeleton: Skeleton, root_rotation: FloatArray) -> float:
    """Where a root rotation ``(4,)`` faces [rad]."""
    return float(rot.yaw(rot.multiply(root_rotation, rot.conjugate(t_pose_world(skeleton)[1][0]))))


def ahead_of(heading_rad: float) -> FloatArray:
    """``(2,)`` the direction (x, z) of a heading."""
    return np.array([np.sin(heading_rad), np.cos(heading_rad)])
