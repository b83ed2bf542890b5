"""How a skeleton stands: where its soles are, how high its hips, so that one person's floor becomes another's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.anthropometry import REFERENCE_STATURE_M
from understudy.core.body_fit import LEAST_AHEAD_M, stature_m
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.typing import FloatArray

#: [m] ball and ankle above the sole, ball ahead of and heel behind the ankle, at the reference stature.
_BALL_M, _ANKLE_M, _AHEAD_M, _BEHIND_M = 0.025, 0.08, 0.13, 0.045

SIDES = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A skeleton standing in its T-pose.

    Attributes:
        hip_height_m: Middle of the hip joints above the sole [m].
        balls: Side -> ball of the foot in the foot joint's frame ``(3,)`` [m].
        pivots: Side -> about what a rising heel turns, in the foot joint's frame ``(3,)`` [m]: the toe joint, which
            carries the front of the foot; the ball where there is none.
        heels: Side -> heel at the same height, in the foot joint's frame ``(3,)`` [m]; a landing foot turns about it.
        ball_height_m: Side -> those two points above the sole [m].
    """

    hip_height_m: float
    balls: dict[str, FloatArray]
    pivots: dict[str, FloatArray]
    heels: dict[str, FloatArray]
    ball_height_m: dict[str, float]


def standing(skeleton: Skeleton) -> Standing:
    """Measure how a humanoid skeleton stands."""
    positions, rotations = t_pose_world(skeleton)
    back = np.array([0.0, 0.0, -_BEHIND_M * stature_m(skeleton) / REFERENCE_STATURE_M])
    balls, pivots, heels, heights, soles = {}, {}, {}, {}, []
    for side in SIDES:
        foot = skeleton.humanoid[f"{side}Foot"]
        ball, heights[side] = _ball(skeleton, positions, side)
        heel = np.array([positions[foot, 0], ball[1], positions[foot, 2]]) + back
        toes = positions[skeleton.humanoid[f"{side}Toes"]] if f"{side}Toes" in skeleton.humanoid else ball
        into_foot = rot.conjugate(rotations[foot])
        balls[side] = rot.rotate(into_foot, ball - positions[foot])
        pivots[side] = rot.rotate(into_foot, toes - positions[foot])
        heels[side] = rot.rotate(into_foot, heel - positions[foot])
        soles.append(ball[1] - heights[side])
    hips = 0.5 * (positions[skeleton.humanoid["leftUpperLeg"]] + positions[skeleton.humanoid["rightUpperLeg"]])
    return Standing(
        hip_height_m=float(hips[1] - np.mean(soles)), balls=balls, pivots=pivots, heels=heels, ball_height_m=heights
    )


def _ball(skeleton: Skeleton, positions: FloatArray, side: str) -> tuple[FloatArray, float]:
    """Ball of the foot in the T-pose and its height above the sole: the toe joint, or as in an average person."""
    stature = stature_m(skeleton)
    scale = stature / REFERENCE_STATURE_M
    stands = _stands_on_floor(skeleton, stature)
    resting = skeleton.rest_world[0][:, 1]
    foot, toes = skeleton.humanoid[f"{side}Foot"], skeleton.humanoid.get(f"{side}Toes")
    if toes is not None and positions[toes, 2] - positions[foot, 2] > LEAST_AHEAD_M * scale:
        return positions[toes], float(resting[toes]) if stands else _BALL_M * scale
    ankle_height = float(resting[foot]) if stands else _ANKLE_M * scale
    ball_height = min(_BALL_M * scale, ankle_height)
    return positions[foot] + np.array([0.0, ball_height - ankle_height, _AHEAD_M * scale]), ball_height


def _stands_on_floor(skeleton: Skeleton, stature: float) -> bool:
    """Whether the rest pose is one that stands on y = 0, so that heights above the sole can be read off it."""
    heights = skeleton.rest_world[0][:, 1]
    return 0.0 <= float(heights.min()) < 0.07 * stature and float(heights[skeleton.humanoid["head"]]) > 0.6 * stature
