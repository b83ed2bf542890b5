"""How points move when a pose moves: the tangent of a pose, and Jacobians of points fixed to joints.

The tangent (generalised velocity) of a pose is ``[v, w_0, w_1, ...]`` of length ``3 + 3 joints``:

- ``v`` [m/s]: velocity of the root in *world* axes, ``root_position <- root_position + v``;
- ``w_j`` [rad/s]: angular velocity of joint j relative to its parent in *the joint's own* axes,
  ``q_j <- q_j exp(w_j)``. (Pinocchio's spherical joint means the same; its free-flyer turns ``v`` into the
  root's axes.)

A point x fixed to joint i moves with ``v + sum_j (R_j w_j) x (x - p_j)`` over j on the path from the root
to i, and turns with ``sum_j R_j w_j``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, SkeletonError
from understudy.kinematics._inputs import checked, frozen, frozen_indices, joint_index
from understudy.kinematics.forward import WorldTransforms
from understudy.typing import FloatArray, IntArray


def tangent_size(skeleton: Skeleton) -> int:
    """Length of a tangent, ``3 + 3 joints``."""
    return 3 + 3 * len(skeleton)


def integrate(pose: Pose, velocity: npt.ArrayLike, *, duration_s: float = 1.0) -> Pose:
    """The pose reached by moving with a constant tangent.

    Args:
        pose: Where to start.
        velocity: ``(3 + 3 joints,)`` [m/s, rad/s].
        duration_s: How long [s]; 1 reads ``velocity`` as a displacement.
    """
    step = duration_s * checked(velocity, (tangent_size(pose.skeleton),), "velocity")
    turned = rot.multiply(pose.rotations, rot.exp(step[3:].reshape(-1, 3)))
    return Pose(skeleton=pose.skeleton, root_position=pose.root_position + step[:3], rotations=turned)


def difference(start: Pose, end: Pose) -> FloatArray:
    """The shortest displacement ``(3 + 3 joints,)`` [m, rad] with ``integrate(start, it) == end``.

    Raises:
        OptionError: The poses are of skeletons with different joints.
    """
    if not start.skeleton.same_joints(end.skeleton):
        raise OptionError("the two poses have skeletons with different joints")
    turns = rot.log(rot.relative(start.rotations, end.rotations))
    return np.concatenate([end.root_position - start.root_position, turns.ravel()])


@dataclass(frozen=True, eq=False, kw_only=True)
class FreeJoints:
    """Which coordinates of a tangent may change; the columns of a restricted Jacobian.

    Columns are in the order of the full tangent: root translation first when free, then three per joint in
    increasing order of the joints.

    Attributes:
        skeleton: Whose tangent.
        joints: Indices of the joints that may turn; kept in increasing order.
        root_translation: Whether the root may move.
    """

    skeleton: Skeleton
    joints: tuple[int, ...]
    root_translation: bool = False

    def __post_init__(self) -> None:
        """Check and sort the joints."""
        indices = sorted({joint_index(self.skeleton, joint) for joint in self.joints})
        object.__setattr__(self, "joints", tuple(indices))

    @classmethod
    def of(cls, skeleton: Skeleton, joints: Iterable[int | str], *, root_translation: bool = False) -> FreeJoints:
        """The given joints, by index, role or name, free to turn."""
        indices = tuple(joint_index(skeleton, joint) for joint in joints)
        return cls(skeleton=skeleton, joints=indices, root_translation=root_translation)

    @classmethod
    def everything(cls, skeleton: Skeleton) -> FreeJoints:
        """The whole tangent."""
        return cls(skeleton=skeleton, joints=tuple(range(len(skeleton))), root_translation=True)

    @classmethod
    def chain(cls, skeleton: Skeleton, start: int | str, end: int | str) -> FreeJoints:
        """The joints from ``start`` down to its descendant ``end``."""
        first, last = joint_index(skeleton, start), joint_index(skeleton, end)
        return cls(skeleton=skeleton, joints=skeleton.chain(first, last))

    @property
    def size(self) -> int:
        """Number of free coordinates."""
        return 3 * len(self.joints) + 3 * self.root_translation

    @property
    def root_column(self) -> int:
        """First column of the root's translation, ``-1`` when it is held."""
        return 0 if self.root_translation else -1

    @cached_property
    def columns(self) -> IntArray:
        """``(joints,)`` first column of every joint of the skeleton, ``-1`` for those held."""
        table = np.full(len(self.skeleton), -1, dtype=np.int64)
        table[list(self.joints)] = 3 * np.arange(len(self.joints)) + 3 * self.root_translation
        return frozen_indices(table)

    @cached_property
    def tangent_columns(self) -> IntArray:
        """``(size,)`` where the free coordinates are in the full tangent."""
        turning = 3 + 3 * np.repeat(np.asarray(self.joints, dtype=np.int64), 3) + np.tile([0, 1, 2], len(self.joints))
        return np.concatenate([np.arange(3 * self.root_translation), turning]).astype(np.int64)

    def expand(self, velocity: FloatArray) -> FloatArray:
        """The full tangent of free coordinates ``(size,)``, zero elsewhere."""
        full = np.zeros(tangent_size(self.skeleton))
        full[self.tangent_columns] = velocity
        return full


def jacobians(
    world: WorldTransforms, joints: npt.ArrayLike, points: npt.ArrayLike, *, free: FreeJoints
) -> tuple[FloatArray, FloatArray]:
    """Linear and angular Jacobians of points fixed to joints.

    Args:
        world: Transforms of one pose.
        joints: ``(points,)`` which joint each point is fixed to.
        points: ``(points, 3)`` [m] in the joint's frame.
        free: The columns wanted.

    Returns:
        ``(points, 3, free.size)`` twice: of the world position [m] and of the world orientation (world
        angular velocity).

    Raises:
        SkeletonError: A joint that does not exist.
        OptionError: Shapes that do not fit.
    """
    from understudy.kinematics._kernels import point_jacobians

    which = frozen_indices(joints)
    local = checked(points, (len(which), 3), "points")
    count = len(free.skeleton)
    if world.positions.shape != (count, 3):
        raise OptionError(f"Jacobians need the transforms of one pose ({count}, 3); got {world.positions.shape}")
    if len(which) and not (which.min() >= 0 and which.max() < count):
        raise SkeletonError(f"points are fixed to joints {which.min()}..{which.max()}; there are {count}")
    linear = np.empty((len(which), 3, free.size))
    angular = np.empty((len(which), 3, free.size))
    point_jacobians(
        free.skeleton.parents,
        frozen(world.positions),
        frozen(world.rotations),
        which,
        local,
        free.columns,
        free.root_column,
        linear,
        angular,
    )
    return linear, angular


def point_jacobian(
    skeleton: Skeleton, world: WorldTransforms, joint: int | str, point: npt.ArrayLike = (0.0, 0.0, 0.0)
) -> FloatArray:
    """Jacobian ``(3, 3 + 3 joints)`` of the world position of one point ``(3,)`` fixed to a joint [m]."""
    free = FreeJoints.everything(skeleton)
    return jacobians(world, [joint_index(skeleton, joint)], np.reshape(point, (1, -1)), free=free)[0][0]


def angular_jacobian(skeleton: Skeleton, world: WorldTransforms, joint: int | str) -> FloatArray:
    """Jacobian ``(3, 3 + 3 joints)`` of a joint's world angular velocity."""
    free = FreeJoints.everything(skeleton)
    return jacobians(world, [joint_index(skeleton, joint)], np.zeros((1, 3)), free=free)[1][0]
