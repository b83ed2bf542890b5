"""What least-squares IK can be asked for: a place, an orientation, a direction of gaze, joints that stay.

A task measures an error vector that is zero when it is met, and its Jacobian. Orientation and gaze
measure the rotation vector still to go in world axes; its Jacobian is taken as minus the angular Jacobian, which makes
the gradient of the squared error exact at every angle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from understudy import rotations as rot
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError
from understudy.kinematics._inputs import checked, joint_index
from understudy.kinematics.forward import WorldTransforms
from understudy.kinematics.jacobian import FreeJoints, jacobians
from understudy.typing import FloatArray

# [m] An eye nearer than this to what it looks at may look anywhere.
_TOO_NEAR_M = 1e-9
_ORIGIN = (0.0, 0.0, 0.0)


class Task(Protocol):
    """Anything least-squares IK can pursue; ``unit`` is ``"m"`` or ``"rad"``."""

    @property
    def weight(self) -> float | FloatArray:
        """How much an error of one unit counts; of each part of the error, where they differ."""

    @property
    def unit(self) -> str:
        """Unit of the error."""

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Error vector ``(size,)`` in a pose."""

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """Derivative ``(size, free.size)`` of the error."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PointTask:
    """Bring a point fixed to a joint to a place.

    Attributes:
        joint: Which joint, by index, role or name.
        target: World position ``(3,)`` [m].
        point: The point ``(3,)`` in the joint's frame [m].
        weight: Weight of 1 m.
    """

    joint: int | str
    target: FloatArray
    point: FloatArray | tuple[float, float, float] = _ORIGIN
    weight: float = 1.0
    unit = "m"

    def __post_init__(self) -> None:
        """Check and freeze."""
        object.__setattr__(self, "target", checked(self.target, (3,), "target"))
        object.__setattr__(self, "point", checked(self.point, (3,), "point"))
        _check_weight(self.weight)

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Point minus target [m]."""
        return _point(skeleton, world, self.joint, self.point) - self.target

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """Point Jacobian."""
        return jacobians(world, [joint_index(free.skeleton, self.joint)], np.reshape(self.point, (1, 3)), free=free)[0][
            0
        ]


@dataclass(frozen=True, eq=False, kw_only=True)
class OrientationTask:
    """Turn a joint to a world orientation.

    Attributes:
        joint: Which joint, by index, role or name.
        target: World rotation ``(4,)``.
        weight: Weight of 1 rad.
    """

    joint: int | str
    target: FloatArray
    weight: float = 1.0
    unit = "rad"

    def __post_init__(self) -> None:
        """Check, normalise and freeze."""
        target = checked(self.target, (4,), "target")
        if np.linalg.norm(target) < 1e-9:
            raise OptionError("target is a zero quaternion")
        object.__setattr__(self, "target", rot.normalize(target))
        _check_weight(self.weight)

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Minus the rotation vector still to go [rad]."""
        current = world.rotations[joint_index(skeleton, self.joint)]
        return rot.log(rot.multiply(current, rot.conjugate(self.target)))

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """Angular Jacobian."""
        return jacobians(world, [joint_index(free.skeleton, self.joint)], [_ORIGIN], free=free)[1][0]


@dataclass(frozen=True, eq=False, kw_only=True)
class GazeTask:
    """Point an axis of a joint at a place: the eyes, or a pointing arm.

    Attributes:
        joint: Which joint, by index, role or name.
        axis: Direction ``(3,)`` in the joint's frame, any length.
        target: World position ``(3,)`` looked at [m].
        origin: Where the axis starts ``(3,)`` in the joint's frame [m].
        weight: Weight of 1 rad.
    """

    joint: int | str
    axis: FloatArray
    target: FloatArray
    origin: FloatArray | tuple[float, float, float] = _ORIGIN
    weight: float = 1.0
    unit = "rad"

    def __post_init__(self) -> None:
        """Check, normalise and freeze."""
        axis = checked(self.axis, (3,), "axis")
        if np.linalg.norm(axis) < 1e-9:
            raise OptionError("axis is zero; it must be a direction")
        object.__setattr__(self, "axis", axis / np.linalg.norm(axis))
        object.__setattr__(self, "target", checked(self.target, (3,), "target"))
        object.__setattr__(self, "origin", checked(self.origin, (3,), "origin"))
        _check_weight(self.weight)

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Minus the shortest rotation vector from the axis to the target [rad]."""
        direction, wanted, distance = self._directions(skeleton, world)
        if distance < _TOO_NEAR_M:
            return np.zeros(3)
        return -rot.log(rot.shortest_arc(direction, wanted))

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """Angular Jacobian less the turning of the wanted direction as the origin moves."""
        direction, wanted, distance = self._directions(free.skeleton, world)
        joint = joint_index(free.skeleton, self.joint)
        linear, angular = jacobians(world, [joint], np.reshape(self.origin, (1, 3)), free=free)
        if distance < _TOO_NEAR_M:
            return np.zeros_like(angular[0])
        # Turning about the axis itself does not change the gaze.
        across = angular[0] - np.outer(direction, direction @ angular[0])
        return np.asarray(across + np.cross(wanted, linear[0] / distance, axis=0))

    def _directions(self, skeleton: Skeleton, world: WorldTransforms) -> tuple[FloatArray, FloatArray, float]:
        """Axis and wanted direction in the world, and the distance to the target [m]."""
        turn = world.rotations[joint_index(skeleton, self.joint)]
        away = self.target - _point(skeleton, world, self.joint, self.origin)
        distance = float(np.linalg.norm(away))
        return rot.rotate(turn, self.axis), away / max(distance, _TOO_NEAR_M), distance


@dataclass(frozen=True, eq=False, kw_only=True)
class StayTask:
    """Joints near local rotations.

    Attributes:
        joints: ``(n,)`` which.
        targets: ``(n, 4)`` local rotations.
        weights: ``(n,)`` weight of 1 rad of each.
    """

    joints: tuple[int, ...]
    targets: FloatArray
    weights: FloatArray
    unit = "rad"

    @property
    def weight(self) -> FloatArray:
        """That of each joint, for all three axes."""
        return np.repeat(self.weights, 3)

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Rotation vectors ``(3 n,)`` from the targets, in the joints' own axes [rad]."""
        own, parents = list(self.joints), skeleton.parents[list(self.joints)]
        above = np.where((parents >= 0)[:, None], world.rotations[parents], rot.identity())
        return rot.log(rot.relative(self.targets, rot.relative(above, world.rotations[own]))).ravel()

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """Taken as the identity in the joints' own columns, exact for small turns."""
        out = np.zeros((3 * len(self.joints), free.size))
        for row, column in enumerate(free.columns[list(self.joints)]):
            if column >= 0:
                out[3 * row : 3 * row + 3, column : column + 3] = np.eye(3)
        return out


def _point(
    skeleton: Skeleton,
    world: WorldTransforms,
    joint: int | str,
    point: FloatArray | tuple[float, float, float],
) -> FloatArray:
    index = joint_index(skeleton, joint)
    return world.positions[index] + rot.rotate(world.rotations[index], point)


def _check_weight(weight: float) -> None:
    if not (np.isfinite(weight) and weight > 0.0):
        raise OptionError(f"weight is {weight}; it must be a positive number")
