"""The anatomical reference: any humanoid skeleton standing in the same T-pose.

Rest poses differ (arms down, legs splayed, facing anywhere). Turning every skeleton into one canonical T-pose
gives its joints common *anatomical coordinates*: a joint's rotation away from the T-pose, written in the axes of
a person who faces +Z with the left hand towards +X. Joint limits are stated in them, and retargeting is copying
them from one skeleton to another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.skeleton import Skeleton
from understudy.errors import SkeletonError
from understudy.typing import FloatArray

_UP = np.array([0.0, 1.0, 0.0])
_DOWN = -_UP
_LEFT = np.array([1.0, 0.0, 0.0])


@lru_cache(maxsize=64)
def t_pose(skeleton: Skeleton) -> FloatArray:
    """Local rotations ``(joints, 4)`` that put a humanoid skeleton into the canonical T-pose.

    Upright and facing +Z; upper and lower arms along +-X, legs straight down, toes ahead. Spine, clavicles, hands
    and fingers keep their rest relation to their parents, because their shape is the rig's own.

    Raises:
        SkeletonError: The skeleton lacks humanoid roles.
    """
    skeleton.require_humanoid()
    local = skeleton.rest_rotations.copy()
    local[0] = rot.multiply(standing_turn(skeleton), local[0])
    for role, child_role, direction in _straight_bones():
        if role in skeleton.humanoid and child_role in skeleton.humanoid:
            _point_bone(skeleton, local, role, child_role, direction)
    for side in ("left", "right"):
        if f"{side}Toes" in skeleton.humanoid:
            _turn_foot_ahead(skeleton, local, side)
    local.flags.writeable = False
    return local


@lru_cache(maxsize=64)
def t_pose_world(skeleton: Skeleton) -> tuple[FloatArray, FloatArray]:
    """World positions ``(joints, 3)`` [m], root at the origin, and rotations ``(joints, 4)`` of the T-pose."""
    positions, rotations = skeleton.placed_joints(np.zeros(3), t_pose(skeleton))
    positions.flags.writeable = rotations.flags.writeable = False
    return positions, rotations


def anatomical_rotations(skeleton: Skeleton, rotations: FloatArray) -> FloatArray:
    """Anatomical coordinates ``(..., joints, 4)`` of local rotations.

    ``A_j = W_parent l_j W_j^-1`` with ``W`` the T-pose's world rotations: the identity in the T-pose, and a turn
    about the world's X when a joint flexes forwards or backwards, whatever the rig's own axes are.
    """
    parents, own = anatomical_frames(skeleton)
    return rot.multiply(rot.multiply(parents, rotations), rot.conjugate(own))


def local_rotations(skeleton: Skeleton, anatomical: FloatArray) -> FloatArray:
    """Local rotations from anatomical coordinates; the inverse of :func:`anatomical_rotations`."""
    parents, own = anatomical_frames(skeleton)
    return rot.multiply(rot.multiply(rot.conjugate(parents), anatomical), own)


def anatomical_frames(skeleton: Skeleton) -> tuple[FloatArray, FloatArray]:
    """Rotations ``(joints, 4)`` of parents and joints in the T-pose, between which anatomical coordinates are taken."""
    # A skeleton that is not humanoid has no T-pose; its rest pose is the only reference.
    _, world = t_pose_world(skeleton) if skeleton.is_humanoid else skeleton.rest_world
    parents = np.concatenate([rot.identity((1,)), world[skeleton.parents[1:]]])
    return parents, world


def standing_turn(skeleton: Skeleton) -> FloatArray:
    """World rotation that makes the rest pose stand upright and face +Z."""
    positions, _ = skeleton.rest_world

    def at(role: str) -> FloatArray:
        return positions[skeleton.humanoid[role]]

    left = at("leftUpperLeg") - at("rightUpperLeg") + at("leftUpperArm") - at("rightUpperArm")
    spine = at("head") - at("hips")
    if np.linalg.norm(left) < 1e-9 or np.linalg.norm(spine) < 1e-9:
        raise SkeletonError("the rest pose has no width or no height; hips, arms and head coincide")
    # Only a rest pose that clearly does not stand is tipped: a slight lean of the spine is the rig's own.
    lean = np.arccos(np.clip(spine[1] / np.linalg.norm(spine), -1.0, 1.0))
    tip = rot.shortest_arc(spine, _UP) if lean > np.radians(45.0) else rot.identity()
    left = rot.rotate(tip, left)
    yaw = np.arctan2(left[2], left[0])
    return rot.multiply(rot.from_yaw(yaw), tip)


def _straight_bones() -> Iterator[tuple[str, str, FloatArray]]:
    for side, outward in (("left", _LEFT), ("right", -_LEFT)):
        yield f"{side}UpperArm", f"{side}LowerArm", outward
        yield f"{side}LowerArm", f"{side}Hand", outward
        yield f"{side}UpperLeg", f"{side}LowerLeg", _DOWN
        yield f"{side}LowerLeg", f"{side}Foot", _DOWN


def _point_bone(skeleton: Skeleton, local: FloatArray, role: str, child_role: str, direction: FloatArray) -> None:
    joint, child = skeleton.humanoid[role], skeleton.humanoid[child_role]
    positions, _ = skeleton.placed_joints(np.zeros(3), local)
    bone = positions[child] - positions[joint]
    if np.linalg.norm(bone) > 1e-9:
        _turn_in_world(skeleton, local, joint, rot.shortest_arc(bone, direction))


def _turn_foot_ahead(skeleton: Skeleton, local: FloatArray, side: str) -> None:
    """Point the toes ahead, at the slope they have in the rest pose, where soles lie on the floor."""
    foot, toes = skeleton.humanoid[f"{side}Foot"], skeleton.humanoid[f"{side}Toes"]
    resting = rot.rotate(standing_turn(skeleton), skeleton.rest_world[0][toes] - skeleton.rest_world[0][foot])
    if np.hypot(resting[0], resting[2]) < 0.1 * np.linalg.norm(resting):
        return
    positions, _ = skeleton.placed_joints(np.zeros(3), local)
    ahead = positions[toes] - positions[foot]
    yaw = rot.from_yaw(-np.arctan2(ahead[0], ahead[2]))
    slope = np.arctan2(ahead[1], np.hypot(ahead[0], ahead[2]))
    wanted = np.arctan2(resting[1], np.hypot(resting[0], resting[2]))
    pitch = rot.from_axis_angle(_LEFT, slope - wanted)
    _turn_in_world(skeleton, local, foot, rot.multiply(pitch, yaw))


def _turn_in_world(skeleton: Skeleton, local: FloatArray, joint: int, turn: FloatArray) -> None:
    _, world = skeleton.placed_joints(np.zeros(3), local)
    parent = skeleton.parents[joint]
    above = world[parent] if parent >= 0 else rot.identity()
    local[joint] = rot.multiply(rot.conjugate(above), rot.multiply(turn, world[joint]))
