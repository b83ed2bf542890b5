"""Layers on top of a walk: trunk, collar bones, gaze."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.kinematics import forward
from understudy.performer.actions.figure import Figure
from understudy.typing import FloatArray

_TRUNK = ("spine", "chest", "upperChest")


def turn_joint(local: FloatArray, skeleton: Skeleton, role: str, vectors: FloatArray) -> None:
    """Turn a joint by rotation vectors ``(frames, 3)`` in a person's axes, on top of what it does."""
    if role not in skeleton.humanoid:
        return
    joint = skeleton.humanoid[role]
    _, world = t_pose_world(skeleton)
    above = world[skeleton.parents[joint]]
    turn = rot.multiply(rot.multiply(rot.conjugate(above), rot.exp(vectors)), above)
    local[:, joint] = rot.multiply(turn, local[:, joint])


def bend_trunk(local: FloatArray, skeleton: Skeleton, vectors: FloatArray) -> None:
    """Share rotation vectors ``(frames, 3)`` among the joints of the trunk."""
    present = [role for role in _TRUNK if role in skeleton.humanoid]
    for role in present:
        turn_joint(local, skeleton, role, vectors / len(present))


def move_collar(local: FloatArray, skeleton: Skeleton, side: str, ahead: FloatArray, up: FloatArray) -> None:
    """Bring a shoulder ahead and up by angles ``(frames,)`` [rad]."""
    sign = 1.0 if side == "left" else -1.0
    turn_joint(local, skeleton, f"{side}Shoulder", np.stack([0.0 * ahead, -sign * ahead, sign * up], axis=1))


def look_at(figure: Figure, root: FloatArray, local: FloatArray, gaze: FloatArray, weight: FloatArray) -> None:
    """Turn neck and head towards places ``(frames, 3)`` [m], by a share ``(frames,)``."""
    skeleton = figure.skeleton
    looking = local.copy()
    figure.look(looking, forward(skeleton, root, local), gaze)
    for role in ("neck", "head"):
        if role in skeleton.humanoid:
            joint = skeleton.humanoid[role]
            local[:, joint] = rot.slerp(local[:, joint], looking[:, joint], weight)


def bow(root: FloatArray, local: FloatArray, skeleton: Skeleton, angle: FloatArray) -> None:
    """Bend at the hips by angles ``(frames,)`` [rad], in place; legs and feet stay where they are."""
    world = forward(skeleton, root, local)
    left, right = (world.positions[:, skeleton.humanoid[f"{side}UpperLeg"]] for side in ("left", "right"))
    axis = left - right
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    turn_pelvis(root, local, skeleton, rot.from_axis_angle(axis, angle))


def turn_pelvis(root: FloatArray, local: FloatArray, skeleton: Skeleton, turn: FloatArray) -> None:
    """Turn the pelvis about the middle of the hips by ``(frames, 4)`` of the world, in place; legs stay as they are."""
    world = forward(skeleton, root, local)
    hips = [skeleton.humanoid[f"{side}UpperLeg"] for side in ("left", "right")]
    left, right = (world.positions[:, hip] for hip in hips)
    middle = 0.5 * (left + right)
    root[:] = middle + rot.rotate(turn, root - middle)
    local[:, 0] = rot.multiply(turn, local[:, 0])
    turned = forward(skeleton, root, local)
    for hip in hips:
        above = turned.rotations[:, skeleton.parents[hip]]
        local[:, hip] = rot.multiply(rot.conjugate(above), world.rotations[:, hip])
