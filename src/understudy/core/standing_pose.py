"""The pose a rig's person stands in, found in its motion where the rest pose is no person.

Joint limits, mirroring, bodies and retargeting start from the rest pose. Many capture systems write rest poses that
are none: all bones along one axis, or in a heap. Their clips still show how the person stands: the mean of the frames
in which the body is upright, faces ahead and has its legs below it. Left and right steps cancel out in it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.human_limits import default_limit
from understudy.core.motion import Motion
from understudy.core.reference_pose import standing_turn, t_pose
from understudy.core.skeleton import Skeleton
from understudy.errors import SkeletonError
from understudy.typing import FloatArray

#: Limbs with a hinge in their middle, by role.
_HINGES = (
    ("leftUpperArm", "leftLowerArm", "leftHand"),
    ("rightUpperArm", "rightLowerArm", "rightHand"),
    ("leftUpperLeg", "leftLowerLeg", "leftFoot"),
    ("rightUpperLeg", "rightLowerLeg", "rightFoot"),
)
_UP = np.array([0.0, 1.0, 0.0])
#: Frames of a clip that are looked at.
_FRAMES = 500
#: [rad] a rest pose that is farther than this from an upright, symmetric person is none.
_ASKEW = np.radians(35.0)
#: [rad] a foot that points farther than this to the side, down or back is not on the ground.
_FOOT_ASKEW = np.radians(70.0)
#: [rad] how fast frames count less that lean, twist or bend their knees.
_USUAL = np.radians(12.0)
#: [rad] elbows and knees that bend less than this in the mean do not tell their axes.
_LEAST_BEND = np.radians(5.0)
#: Share of a clip's frames in which a foot is lowest and slowest: then it stands.
_PLANTED = 0.2


def stands(skeleton: Skeleton) -> bool:
    """Whether the rest pose of a humanoid is a person, arms anywhere, who stands once it is turned upright."""
    try:
        upright = standing_turn(skeleton)
    except SkeletonError:
        return False
    positions = rot.rotate(upright, skeleton.rest_world[0])[None]
    return bool(_askew(skeleton, positions)[0] < _ASKEW) and all(
        _foot_askew(skeleton, positions, side)[0] < _FOOT_ASKEW for side in ("left", "right")
    )


def standing_rotations(motion: Motion) -> FloatArray:
    """Local rotations ``(joints, 4)`` of a T-pose in which the person of a clip stands, facing +Z.

    Trunk, collar bones and hands are as in the clip's upright frames, feet as they stand, and elbows and knees bend
    about the axes they bend about in the clip.

    Raises:
        SkeletonError: The body has no width or no height.
    """
    skeleton = motion.skeleton
    chosen = np.unique(np.linspace(0, len(motion) - 1, min(len(motion), _FRAMES)).astype(np.int64))
    local = motion.rotations[chosen].copy()
    positions, world = _placed(skeleton, motion.root_positions[chosen], local)
    left = _left(skeleton, positions)
    ahead = rot.from_yaw(np.arctan2(left[:, 2], left[:, 0]))
    local[:, 0] = rot.multiply(ahead, local[:, 0])
    askew = np.hypot(_askew(skeleton, positions), _bent(skeleton, positions))
    weights = np.exp(-0.5 * ((askew - askew.min()) / _USUAL) ** 2)
    found = np.stack([_mean(local[:, joint], weights) for joint in range(len(skeleton))])
    for side in ("left", "right"):
        _stand_foot(skeleton, found, side, positions, world)
    found = t_pose(replace(skeleton, rest_rotations=found)).copy()
    for bones in _HINGES:
        _turn_hinge(skeleton, found, bones, positions, world)
    return found


def _turn_hinge(
    skeleton: Skeleton, found: FloatArray, bones: tuple[str, str, str], positions: FloatArray, world: FloatArray
) -> None:
    """Turn the upper bone of a limb about itself so that its hinge lies as people's do; the joint below turns back."""
    base, middle, end = (skeleton.humanoid[role] for role in bones)
    back = rot.conjugate(world[:, base])
    upper = rot.rotate(back, _bone(skeleton, positions, bones[0], bones[1]))
    lower = rot.rotate(back, _bone(skeleton, positions, bones[1], bones[2]))
    hinge = np.cross(upper, lower).mean(axis=0)
    limit = default_limit(bones[1])
    if limit is None or np.linalg.norm(hinge) < np.sin(_LEAST_BEND):
        return
    places, turns = skeleton.placed_joints(np.zeros(3), found)
    along = places[middle] - places[base]
    along = along / np.linalg.norm(along)
    now, wanted = (
        axis - (axis @ along) * along for axis in (rot.rotate(turns[base], hinge), np.array(limit.swing_axis))
    )
    angle = float(np.arctan2(np.cross(now, wanted) @ along, now @ wanted))
    kept = turns[end].copy()
    found[base] = _turned(skeleton, turns, base, rot.from_axis_angle(along, angle))
    _, turns = skeleton.placed_joints(np.zeros(3), found)
    found[end] = rot.multiply(rot.conjugate(turns[skeleton.parents[end]]), kept)


def _stand_foot(skeleton: Skeleton, found: FloatArray, side: str, positions: FloatArray, world: FloatArray) -> None:
    """Turn a leg so that its toes point ahead, and its foot as it is while it stands on the ground."""
    if f"{side}Toes" not in skeleton.humanoid:
        return
    thigh, foot, toes = (skeleton.humanoid[f"{side}{role}"] for role in ("UpperLeg", "Foot", "Toes"))
    ankle = positions[:, foot]
    speed = np.linalg.norm(np.gradient(ankle, axis=0), axis=1) if len(ankle) > 1 else np.zeros(1)
    # A foot that stands is low with its ankle and with its toes, and slow.
    ranks = [np.argsort(np.argsort(value)) for value in (ankle[:, 1], positions[:, toes, 1], speed)]
    planted = np.argsort(np.max(ranks, axis=0))[: max(1, round(_PLANTED * len(ankle)))]
    pointing = positions[planted, toes] - ankle[planted]
    flat = rot.multiply(rot.from_yaw(-np.arctan2(pointing[:, 0], pointing[:, 2])), world[planted, foot])
    wanted = _mean(flat, np.ones(len(planted)))
    places, turns = skeleton.placed_joints(np.zeros(3), found)
    now = places[toes] - places[foot]
    found[thigh] = _turned(skeleton, turns, thigh, rot.from_yaw(-np.arctan2(now[0], now[2])))
    _, turns = skeleton.placed_joints(np.zeros(3), found)
    found[foot] = rot.multiply(rot.conjugate(turns[skeleton.parents[foot]]), wanted)


def _turned(skeleton: Skeleton, world: FloatArray, joint: int, turn: FloatArray) -> FloatArray:
    above = world[skeleton.parents[joint]]
    return rot.multiply(rot.conjugate(above), rot.multiply(turn, world[joint]))


def _mean(rotations: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted mean ``(4,)`` of rotations ``(n, 4)``: the largest eigenvector of their outer products."""
    _, vectors = np.linalg.eigh(np.einsum("n,ni,nj->ij", weights, rotations, rotations))
    return np.asarray(rot.normalize(vectors[:, -1]))


def _placed(skeleton: Skeleton, roots: FloatArray, local: FloatArray) -> tuple[FloatArray, FloatArray]:
    world, positions = local.copy(), np.empty((*local.shape[:2], 3))
    positions[:, 0] = roots
    for joint in range(1, len(skeleton)):
        parent = skeleton.parents[joint]
        positions[:, joint] = positions[:, parent] + rot.rotate(world[:, parent], skeleton.offsets[joint])
        world[:, joint] = rot.multiply(world[:, parent], local[:, joint])
    return positions, world


def _bone(skeleton: Skeleton, positions: FloatArray, start: str, end: str) -> FloatArray:
    """Direction ``(frames, 3)`` from one role to another."""
    bone = positions[:, skeleton.humanoid[end]] - positions[:, skeleton.humanoid[start]]
    return np.asarray(bone / np.maximum(np.linalg.norm(bone, axis=1, keepdims=True), 1e-12))


def _left(skeleton: Skeleton, positions: FloatArray) -> FloatArray:
    """Level direction ``(frames, 3)`` to a person's left."""
    both = _bone(skeleton, positions, "rightUpperLeg", "leftUpperLeg")
    both = both + _bone(skeleton, positions, "rightUpperArm", "leftUpperArm")
    both[:, 1] = 0.0
    return np.asarray(both / np.maximum(np.linalg.norm(both, axis=1, keepdims=True), 1e-12))


def _askew(skeleton: Skeleton, positions: FloatArray) -> FloatArray:
    """``(frames,)`` [rad] the worst of: spine off upright, hips and shoulders off level, legs off down."""
    left = _left(skeleton, positions)
    angles = [_angle(_bone(skeleton, positions, "hips", "head"), _UP)]
    angles += [
        _angle(_bone(skeleton, positions, f"right{role}", f"left{role}"), left) for role in ("UpperLeg", "UpperArm")
    ]
    angles += [_angle(_bone(skeleton, positions, f"{side}UpperLeg", f"{side}Foot"), -_UP) for side in ("left", "right")]
    return np.asarray(np.max(angles, axis=0))


def _bent(skeleton: Skeleton, positions: FloatArray) -> FloatArray:
    """``(frames,)`` [rad] the more bent knee."""
    return np.maximum(
        *(
            _angle(
                _bone(skeleton, positions, f"{side}UpperLeg", f"{side}LowerLeg"),
                _bone(skeleton, positions, f"{side}LowerLeg", f"{side}Foot"),
            )
            for side in ("left", "right")
        )
    )


def _foot_askew(skeleton: Skeleton, positions: FloatArray, side: str) -> FloatArray:
    """``(frames,)`` [rad] how far a foot points away from ahead; 0 where there are no toes."""
    if f"{side}Toes" not in skeleton.humanoid:
        return np.zeros(len(positions))
    return _angle(_bone(skeleton, positions, f"{side}Foot", f"{side}Toes"), np.cross(_left(skeleton, positions), _UP))


def _angle(one: FloatArray, two: FloatArray) -> FloatArray:
    return np.asarray(np.arccos(np.clip((one * two).sum(axis=-1), -1.0, 1.0)))
