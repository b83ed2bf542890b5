"""Swapping left and right: the motion seen in a mirror that stands in the plane x = 0."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.humanoid import mirrored_role
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.typing import FloatArray, IntArray

_SIDES = (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
_LETTERS = re.compile(r"(?:(?<=[_.\-\s:])|^)([lLrR])(?=[_.\-\sA-Z]|$)")


def mirrored(motion: Motion) -> Motion:
    """The mirror image of a motion, on the same skeleton.

    A joint takes the mirrored world rotation (away from rest) of its partner on the other side. Skeletons whose
    sides differ in length play it with their own bones, so feet may need holding afterwards.
    """
    partner = mirror_joints(motion.skeleton)
    positions = motion.root_positions * np.array([-1.0, 1.0, 1.0])
    world = _world_rotations(motion)
    _, rest = motion.skeleton.rest_world
    away = rot.multiply(world, rot.conjugate(rest))
    flipped = away[:, partner] * np.array([1.0, 1.0, -1.0, -1.0])
    # A rest pose that does not face +Z has its own mirror plane: S away S_rest = (S away S)(S S_rest).
    turned = rot.multiply(rot.multiply(flipped, _plane_turn(motion.skeleton)), rest)
    return replace(motion, root_positions=positions, rotations=_local_rotations(motion.skeleton, turned))


def mirror_joints(skeleton: Skeleton) -> IntArray:
    """``(joints,)`` each joint's partner on the other side, itself on the midline."""
    partner = np.arange(len(skeleton))
    index = {name: joint for joint, name in enumerate(skeleton.names)}
    for joint, name in enumerate(skeleton.names):
        other = _other_side(name)
        if other in index:
            partner[joint] = index[other]
    for role, joint in skeleton.humanoid.items():
        if mirrored_role(role) in skeleton.humanoid:
            partner[joint] = skeleton.humanoid[mirrored_role(role)]
    # Names may pair one way only ("L1" -> "R1" with no way back); keep only true pairs.
    return np.where(partner[partner] == np.arange(len(skeleton)), partner, np.arange(len(skeleton)))


def _other_side(name: str) -> str:
    for left, right in _SIDES:
        if left in name:
            return name.replace(left, right, 1)
        if right in name:
            return name.replace(right, left, 1)
    found = _LETTERS.search(name)
    if not found:
        return name
    swap = {"l": "r", "r": "l", "L": "R", "R": "L"}
    return name[: found.start(1)] + swap[found[1]] + name[found.end(1) :]


def _plane_turn(skeleton: Skeleton) -> FloatArray:
    """``S S_rest``: product of the mirror x = 0 and the mirror of the rest pose's own sagittal plane."""
    if not {"leftUpperLeg", "rightUpperLeg"} <= skeleton.humanoid.keys():
        return rot.identity()
    positions, _ = skeleton.rest_world
    left = positions[skeleton.humanoid["leftUpperLeg"]] - positions[skeleton.humanoid["rightUpperLeg"]]
    yaw = np.arctan2(-left[2], left[0])
    # Rigs are never exactly symmetric; below a degree or two the turn is noise, not a facing.
    if abs(np.sin(yaw)) < np.sin(np.radians(5.0)):
        return rot.identity()
    return rot.from_yaw(-2.0 * yaw)


def _world_rotations(motion: Motion) -> FloatArray:
    world = motion.rotations.copy()
    for joint in range(1, len(motion.skeleton)):
        world[:, joint] = rot.multiply(world[:, motion.skeleton.parents[joint]], motion.rotations[:, joint])
    return world


def _local_rotations(skeleton: Skeleton, world: FloatArray) -> FloatArray:
    local = world.copy()
    local[:, 1:] = rot.multiply(rot.conjugate(world[:, skeleton.parents[1:]]), world[:, 1:])
    return local
