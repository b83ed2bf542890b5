"""Legs between pelvis and feet: the pelvis stays low enough for both to reach, inverse kinematics does the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import raised
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.kinematics import limb_of, solve_limbs
from understudy.performer import curves
from understudy.typing import BoolArray, FloatArray

#: Share of a leg's length it is ever stretched to (a knee bent by about 11 degrees).
REACH = 0.9955
#: [s] the pelvis gives way this long before and after a leg is too short: for shorter than a step it would bob.
_GIVE_S = 0.30
#: [rad/s] knees bent by less than _STRAIGHT_RAD turn no faster than this; [m] the pelvis gives way in such steps.
KNEE_RADPS = 9.1
#: [rad/s] the same for runners.
RUNNING_KNEE_RADPS = 10.0
_STRAIGHT_RAD = 1.0
_GIVE_M = 0.004
_PASSES = 20
_UP = np.array([0.0, 1.0, 0.0])


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


def within_reach(
    skeleton: Skeleton,
    centre: FloatArray,
    turn: FloatArray,
    ankles: tuple[FloatArray, FloatArray],
    stands: tuple[BoolArray, BoolArray],
    *,
    fps: float,
    soft: FloatArray | float = 0.0,
) -> FloatArray:
    """The pelvis, lowered smoothly wherever a standing leg would be too short; ``soft``: shares of it kept back."""
    hips = hip_places(skeleton, centre, turn)
    legs = zip(hips, ankles, curves.SIDES, stands, strict=True)
    missing = [np.where(down, _missing_m(skeleton, hip, ankle, side, soft), 0.0) for hip, ankle, side, down in legs]
    return np.asarray(centre - np.outer(raised(np.maximum.reduce(missing), max(1, round(_GIVE_S * fps))), _UP))


def lowered(
    skeleton: Skeleton,
    centre: FloatArray,
    turn: FloatArray,
    ankles: tuple[FloatArray, FloatArray],
    *,
    fps: float,
    fastest_radps: FloatArray,
) -> FloatArray:
    """The pelvis, lowered smoothly wherever a leg would be too short or its knee too fast.

    A knee that is nearly straight turns ever faster the straighter it is; a little lower, it does not.

    Args:
        skeleton: Who walks.
        centre: ``(frames, 3)`` middle of the hip joints [m].
        turn: ``(frames, 4)`` of the pelvis.
        ankles: ``(frames, 3)`` left and right [m].
        fps: Frames per second.
        fastest_radps: ``(frames,)`` how fast knees bent by less than :data:`_STRAIGHT_RAD` may turn [rad/s].
    """
    window = max(1, round(_GIVE_S * fps))
    hips = hip_places(skeleton, centre, turn)
    drop = raised(
        np.maximum.reduce([_missing_m(skeleton, *leg) for leg in zip(hips, ankles, curves.SIDES, strict=True)]), window
    )
    for _ in range(_PASSES):
        fast = np.zeros(len(centre), dtype=bool)
        for hip, ankle, side in zip(hips, ankles, curves.SIDES, strict=True):
            far = np.linalg.norm(hip - np.outer(drop, _UP) - ankle, axis=1)
            flexion = flexion_rad(far, *bones_m(skeleton, side))
            speed = np.abs(np.diff(flexion)) * fps
            quick = np.maximum(np.append(speed, 0.0), np.append(0.0, speed)) > fastest_radps
            fast |= quick & (flexion < _STRAIGHT_RAD)
        if not fast.any():
            break
        drop = drop + raised(np.where(fast, _GIVE_M, 0.0), window)
    return np.asarray(centre - np.outer(drop, _UP))


def _missing_m(
    skeleton: Skeleton, hip: FloatArray, ankle: FloatArray, side: str, soft: FloatArray | float = 0.0
) -> FloatArray:
    """``(frames,)`` how much lower the hip has to be for the leg to reach [m]."""
    reach = (REACH - soft) * sum(bones_m(skeleton, side))
    apart = np.linalg.norm((hip - ankle)[:, [0, 2]], axis=1)
    tallest = ankle[:, 1] + np.sqrt(np.maximum(reach**2 - apart**2, (0.3 * reach) ** 2))
    return np.maximum(hip[:, 1] - tallest, 0.0)


def flexion_rad(far: FloatArray, upper: float, lower: float) -> FloatArray:
    """``(frames,)`` bend of a knee whose hip and ankle are ``far`` apart, by the law of cosines [rad]."""
    return np.asarray(np.arccos(np.clip((far**2 - upper**2 - lower**2) / (2.0 * upper * lower), -1.0, 1.0)))


def length_m(flexion: FloatArray, upper: float, lower: float) -> FloatArray:
    """``(frames,)`` from hip to ankle of a leg whose knee is bent by ``flexion`` [m]."""
    return np.asarray(np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(flexion)))


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


def bones_m(skeleton: Skeleton, side: str) -> tuple[float, float]:
    """Lengths of thigh and shank [m]."""
    return (
        skeleton.bone_length_m(f"{side}UpperLeg", f"{side}LowerLeg"),
        skeleton.bone_length_m(f"{side}LowerLeg", f"{side}Foot"),
    )
