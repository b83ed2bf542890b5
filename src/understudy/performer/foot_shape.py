"""Points a skeleton's feet roll on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton


@dataclass(frozen=True, eq=False, kw_only=True)
class FootShape:
    """A foot's rolling points [m], from the T-pose.

    Attributes:
        ankle_m: Ankle above the floor.
        ball_ahead_m: Ball ahead of the ankle.
        ball_m: Ball joint above the floor.
        toe_m: Tip of the toes ahead of the ball.
        heel_m: Heel's contact behind the ankle.
    """

    ankle_m: float
    ball_ahead_m: float
    ball_m: float
    toe_m: float
    heel_m: float

    @property
    def length_m(self) -> float:
        """From the heel to the tip of the toes [m]."""
        return self.heel_m + self.ball_ahead_m + self.toe_m


def foot_shape(skeleton: Skeleton, side: str) -> FootShape:
    """The foot of a skeleton; a skeleton without toes gets a ball at an ordinary place."""
    positions, world = t_pose_world(skeleton)
    ankle = positions[skeleton.humanoid[f"{side}Foot"]]
    scale = skeleton.leg_length_m() / 0.82
    if f"{side}Toes" not in skeleton.humanoid:
        return FootShape(
            ankle_m=0.075 * scale,
            ball_ahead_m=0.13 * scale,
            ball_m=0.025 * scale,
            toe_m=0.06 * scale,
            heel_m=0.02 * scale,
        )
    joint = skeleton.humanoid[f"{side}Toes"]
    ball = positions[joint]
    # A rig that rests on the floor tells how high its feet are; one that rests elsewhere gets ordinary ones.
    resting = float(skeleton.rest_world[0][joint, 1])
    ball_m = resting if 0.01 * scale < resting < 0.06 * scale else 0.025 * scale
    toe = 0.06 * scale
    tips = np.flatnonzero(skeleton.tip_joints == joint)
    if len(tips):
        toe = float(np.linalg.norm(rot.rotate(world[joint], skeleton.tip_offsets[tips[0]])[[0, 2]]))
    return FootShape(
        ankle_m=float(ankle[1] - ball[1]) + ball_m,
        ball_ahead_m=float(ball[2] - ankle[2]),
        ball_m=ball_m,
        toe_m=toe,
        heel_m=0.02 * scale,
    )
