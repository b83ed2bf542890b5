"""Forward kinematics: where joints and points fixed to them are in the world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.errors import SkeletonError
from understudy.kinematics._inputs import checked, frozen, frozen_indices
from understudy.typing import FloatArray


class WorldTransforms(NamedTuple):
    """Joints in the world: of one pose, or of many with the frames first.

    Attributes:
        positions: ``(joints, 3)`` or ``(frames, joints, 3)`` [m].
        rotations: ``(joints, 4)`` or ``(frames, joints, 4)`` unit quaternions, wxyz, joint to world.
    """

    positions: FloatArray
    rotations: FloatArray


def forward(skeleton: Skeleton, root_positions: npt.ArrayLike, rotations: npt.ArrayLike) -> WorldTransforms:
    """World transforms of every joint in many poses.

    Args:
        skeleton: The joints' tree and offsets.
        root_positions: ``(frames, 3)`` [m].
        rotations: ``(frames, joints, 4)`` unit local quaternions, wxyz; not normalised here.

    Returns:
        Positions ``(frames, joints, 3)`` [m] and rotations ``(frames, joints, 4)``.

    Raises:
        OptionError: The arrays do not fit the skeleton or are not finite.
    """
    roots = checked(root_positions, (None, 3), "root_positions")
    local = checked(rotations, (len(roots), len(skeleton), 4), "rotations")
    return _forward(skeleton, roots, local)


def motion_world(motion: Motion) -> WorldTransforms:
    """World transforms ``(frames, joints, ...)`` of every frame of a motion."""
    # A motion has checked its arrays already.
    return _forward(motion.skeleton, frozen(motion.root_positions), frozen(motion.rotations))


def pose_world(pose: Pose) -> WorldTransforms:
    """World transforms ``(joints, ...)`` of one pose."""
    world = _forward(pose.skeleton, frozen(pose.root_position[None]), frozen(pose.rotations[None]))
    return WorldTransforms(world.positions[0], world.rotations[0])


def point_positions(world: WorldTransforms, joints: npt.ArrayLike, points: npt.ArrayLike) -> FloatArray:
    """World positions of points fixed to joints.

    Args:
        world: Transforms of one pose or of many.
        joints: ``(points,)`` which joint each point is fixed to.
        points: ``(points, 3)`` [m] in the joint's frame; zeros give the joints themselves.

    Returns:
        ``(points, 3)`` or ``(frames, points, 3)`` [m].

    Raises:
        SkeletonError: A joint that does not exist.
        OptionError: Shapes that do not fit.
    """
    from understudy.kinematics._kernels import points_frames

    which = frozen_indices(joints)
    local = checked(points, (len(which), 3), "points")
    joint_count = world.positions.shape[-2]
    if len(which) and not (which.min() >= 0 and which.max() < joint_count):
        raise SkeletonError(f"points are fixed to joints {which.min()}..{which.max()}; there are {joint_count}")
    single = world.positions.ndim == 2
    positions = frozen(world.positions[None] if single else world.positions)
    rotations = frozen(world.rotations[None] if single else world.rotations)
    out = np.empty((len(positions), len(which), 3))
    points_frames(positions, rotations, which, local, out)
    return out[0] if single else out


def tip_positions(skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
    """World positions ``(tips, 3)`` or ``(frames, tips, 3)`` [m] of the skeleton's end points."""
    return point_positions(world, skeleton.tip_joints, skeleton.tip_offsets)


def _forward(skeleton: Skeleton, roots: FloatArray, local: FloatArray) -> WorldTransforms:
    from understudy.kinematics._kernels import forward_frames

    positions = np.empty((len(roots), len(skeleton), 3))
    world = np.empty((len(roots), len(skeleton), 4))
    forward_frames(skeleton.parents, skeleton.offsets, roots, local, positions, world)
    return WorldTransforms(positions, world)
