"""Postures of an arm around a moving body: its own, hanging, and with the hand before or beside the trunk."""

from __future__ import annotations

from itertools import product

import numpy as np

from understudy import rotations as rot
from understudy.core.reference_pose import t_pose_world
from understudy.kinematics import WorldTransforms, forward
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.tracks import HandTrack
from understudy.typing import FloatArray

#: [m] places of the wrist around a person 1.72 m tall: ahead, aside, up; [rad] lifts of the elbow.
_PLACES = tuple(product((-0.06, 0.10, 0.26), (0.12, 0.22), (0.84, 0.98, 1.12)))
_LIFTS = (0.0, 0.7)


def around(figure: Figure, root: FloatArray, local: FloatArray, side: str) -> FloatArray:
    """Postures ``(keys, options, joints, 4)``: the own one, hanging, and hands around the trunk."""
    base = forward(figure.skeleton, root, local)
    many = len(_PLACES) * len(_LIFTS)
    rows = np.repeat(local, many, axis=0)
    world = WorldTransforms(np.repeat(base.positions, many, axis=0), np.repeat(base.rotations, many, axis=0))
    places, lifts = zip(*product(_PLACES, _LIFTS), strict=True)
    hand = _placed(figure, world, side, np.tile(places, (len(local), 1)), np.tile(lifts, len(local)))
    figure.put_arm(rows, world, side, hand)
    hanging = local.copy()
    for bone in ("UpperArm", "LowerArm", "Hand"):
        joint = figure.skeleton.humanoid[f"{side}{bone}"]
        hanging[:, joint] = figure.relaxed.rotations[joint]
    around = rows.reshape(len(local), many, *local.shape[1:])
    return np.concatenate([local[:, None], hanging[:, None], around], axis=1)


def _placed(figure: Figure, world: WorldTransforms, side: str, places: FloatArray, lifts: FloatArray) -> HandTrack:
    """The wrist at places ``(n, 3)`` around the body, the elbow lifted aside by angles ``(n,)`` [rad]."""
    sign = 1.0 if side == "left" else -1.0
    turn = rot.multiply(world.rotations[:, 0], rot.conjugate(t_pose_world(figure.skeleton)[1][0]))
    facing = rot.from_yaw(rot.yaw(turn))
    ahead, aside, up = (figure.stature_m / 1.72 * places).T
    wrist = world.positions[:, 0] * np.array([1.0, 0.0, 1.0])
    wrist = wrist + rot.rotate(facing, np.stack([sign * aside, up, ahead], axis=1))
    out = np.stack([sign * (0.2 + lifts), np.full(len(lifts), -1.0), np.full(len(lifts), -0.7)], axis=1)
    return HandTrack(wrist=wrist, turn=None, pole=rot.rotate(facing, out))
