"""Legs between pelvis and feet: the pelvis stays low enough for both to reach, inverse kinematics does the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.kinematics import limb_of, solve_limbs
from understudy.performer import curves
from understudy.performer.smoothing import raised
from understudy.typing import FloatArray

#: Share of a leg's length it is ever stretched to (a knee bent by about 11 degrees).
REACH = 0.9955
#: [s] the pelvis gives way this long before and after a leg is too short.
_GIVE_S = 0.16


def hip_places(skeleton: Skeleton, centre: FloatArray, turn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Left and right hip joint ``(frames, 3)`` [m], from the middle between them and the pelvis' turn."""
    positions, _ = t_pose_world(skeleton)
    left, right = (positions[skeleton.humanoid[f"{side}UpperLeg"]] for side in curves.SIDES)
    half = 0.5 * (left - right)
    return centre + rot.rotate(turn, half), centre - rot.rotate(turn, half)


def root_places(skeleton: Skeleton, centre: FloatArray, turn: FloatArray) -> FloatArray:
    """Root ``(frames, 3)`` [m] that puts the middle of the hip joints at ``centre``."""
    positions, _ = t_pose_world(skeleton)
    middle = 0.5 * sum(positions[skeleton.humanoid[f"{side}UpperLeg"]] for side in curves.SIDES)
    return centre - rot.rotate(turn, middle - positions[0])


def lowered(
    skeleton: Skeleton, centre: FloatArray, turn: FloatArray, ankles: tuple[FloatArray, FloatArray], *, fps: float
) -> FloatArray:
    """The pelvis, lowered smoothly wherever a leg would have to be longer than it is."""
    need = np.zeros(len(centre))
    for hip, ankle, side in zip(hip_places(skeleton, centre, turn), ankles, curves.SIDES, strict=True):
        reach = REACH * _leg_m(skeleton, side)
        apart = np.linalg.norm((hip - ankle)[:, [0, 2]], axis=1)
        tallest = ankle[:, 1] + np.sqrt(np.maximum(reach**2 - apart**2, (0.3 * reach) ** 2))
        need = np.maximum(need, hip[:, 1] - tallest)
    drop = raised(np.maximum(need, 0.0), max(1, round(_GIVE_S * fps)))
    return centre - np.stack([np.zeros_like(drop), drop, np.zeros_like(drop)], axis=1)


def leg_rotations(
    skeleton: Skeleton,
    side: str,
    root: FloatArray,
    turn: FloatArray,
    ankle: FloatArray,
    foot_turn: FloatArray,
    hinge_yaw: FloatArray,
) -> dict[int, FloatArray]:
    """Local rotations of thigh, shank and foot that bring the ankle to its place with the knee's hinge as wanted.

    Args:
        skeleton: Who moves.
        side: ``"left"`` or ``"right"``.
        root: ``(frames, 3)`` root places [m].
        turn: ``(frames, 4)`` the pelvis, away from the T-pose.
        ankle: ``(frames, 3)`` [m].
        foot_turn: ``(frames, 4)`` the foot, away from the T-pose.
        hinge_yaw: ``(frames,)`` yaw of the knee's hinge in the world [rad].
    """
    joints = tuple(skeleton.humanoid[f"{side}{bone}"] for bone in ("UpperLeg", "LowerLeg", "Foot"))
    limb = limb_of(skeleton, *joints)
    # Joints between root and hip, which some rigs have, stay as in the T-pose.
    positions, world = t_pose_world(skeleton)
    above = int(skeleton.parents[joints[0]])
    parent = root + rot.rotate(turn, positions[above] - positions[0])
    parent_rotation = rot.multiply(turn, world[above])
    hip = parent + rot.rotate(parent_rotation, limb.base_offset)
    axis = ankle - hip
    axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    hinge = np.stack([np.cos(hinge_yaw), np.zeros_like(hinge_yaw), -np.sin(hinge_yaw)], axis=1)
    bend = np.cross(axis, hinge)
    bend /= np.maximum(np.linalg.norm(bend, axis=1, keepdims=True), 1e-9)
    back = rot.conjugate(parent_rotation)
    limb = replace(limb, reference_axis=rot.rotate(back, axis), reference_bend=rot.rotate(back, bend))
    solution = solve_limbs(limb, parent, parent_rotation, ankle, rot.multiply(foot_turn, world[joints[2]]))
    return dict(zip(joints, (solution.base, solution.mid, solution.end), strict=True))


def _leg_m(skeleton: Skeleton, side: str) -> float:
    return skeleton.bone_length_m(f"{side}UpperLeg", f"{side}LowerLeg") + skeleton.bone_length_m(
        f"{side}LowerLeg", f"{side}Foot"
    )
