"""Feet that roll on the floor without slipping.

A foot rolls on the heel while its toes are up, flat, on the ball once the heel rises, and at last on the tip of the
toes. The point it rolls on is fixed to the floor exactly.
"""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.performer.foot_shape import FootShape
from understudy.performer.stances import Stances
from understudy.typing import FloatArray, IntArray

#: Bend of the toes beyond which the ball rises too [rad].
TOE_BEND_RAD = 0.32
_SOFT_RAD = 0.09


def rolled(stances: Stances, which: IntArray, inner: FloatArray, pitch: FloatArray, shape: FootShape) -> FloatArray:
    """Ankles ``(n, 3)`` [m] of feet on the footprints ``which`` ``(n,)``, turned by ``inner`` seen from them."""
    yaw = stances.yaw[which]
    return rolling_ankle(stances.place[which], yaw, rot.multiply(rot.from_yaw(yaw), inner), pitch, shape)


def rolling_ankle(
    place: FloatArray, print_yaw: FloatArray, turn: FloatArray, pitch: FloatArray, shape: FootShape
) -> FloatArray:
    """Ankles ``(n, 3)`` of feet that roll on footprints without slipping.

    Args:
        place: ``(n, 2)`` where the flat foot's ankle stands [m].
        print_yaw: ``(n,)`` yaw of the flat foot [rad].
        turn: ``(n, 4)`` the foot as it is, away from the T-pose.
        pitch: ``(n,)`` its pitch, which decides what it rolls on [rad].
        shape: Its rolling points.
    """
    up = np.maximum(pitch, 0.0)
    # Lifted beyond the toes' bend the ball turns about their tip on the floor.
    tip = up - toe_bend(up)
    # That tip is round and as thick as the ball: it turns about its own middle, which stays where it is.
    ball_up, ball_on = shape.toe_m * np.sin(tip), shape.toe_m * (1.0 - np.cos(tip))
    ball = np.array([0.0, shape.ankle_m - shape.ball_m, -shape.ball_ahead_m])
    ahead = shape.ball_ahead_m + ball_on
    # A heel is round: it turns about a centre as high as the ball, which therefore comes down on its own place,
    # however the foot is turned and tilted about it meanwhile.
    down, sole_m = np.minimum(pitch, 0.0), shape.ball_ahead_m + shape.heel_m
    ahead = ahead - sole_m * (1.0 - np.cos(down))
    balls = _beside(place, print_yaw, ahead, shape.ball_m + ball_up - sole_m * np.sin(down))
    return np.asarray(balls + rot.rotate(turn, ball))


def _beside(place: FloatArray, yaw: FloatArray, ahead: FloatArray | float, height: FloatArray | float) -> FloatArray:
    high = np.broadcast_to(height, yaw.shape)
    return np.stack([place[:, 0] + np.sin(yaw) * ahead, high, place[:, 1] + np.cos(yaw) * ahead], axis=1)


def toe_bend(pitch: FloatArray) -> FloatArray:
    """Bend of the toes that keeps them flat, up to a soft limit [rad]."""
    up = np.maximum(pitch, 0.0)
    over = 0.5 * (up - TOE_BEND_RAD + np.hypot(up - TOE_BEND_RAD, 2.0 * _SOFT_RAD))
    none = 0.5 * (-TOE_BEND_RAD + np.hypot(TOE_BEND_RAD, 2.0 * _SOFT_RAD))
    return np.asarray(up - np.maximum(over - none, 0.0))
