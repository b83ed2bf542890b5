"""A posture near another one that holds parts at places, its centre of mass above one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.kinematics import (
    FreeJoints,
    LeastSquaresOptions,
    OrientationTask,
    PointTask,
    StayTask,
    Task,
    WorldTransforms,
    centre_of_mass,
    com_jacobian,
    solve_tasks,
)
from understudy.typing import FloatArray

#: Weights of 1 m and 1 rad of what is held, of 1 m of the centre of mass, and of 1 rad of a joint and of the root, also
#: of somebody who stays upright.
_HOLD, _CENTRE, _STAY, _STAY_ROOT, _UPRIGHT = 10.0, 3.0, 0.1, 0.3, 1.0
#: [m], [rad] how exactly held parts must be where they belong.
_EXACT = 2e-4
_LEVEL = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Held:
    """A point of a joint that is to be at a place.

    Attributes:
        joint: Which.
        place: ``(3,)`` [m].
        turn: ``(4,)`` world rotation of the joint; ``None`` for any.
        point: ``(3,)`` in the joint's frame [m].
    """

    joint: int
    place: FloatArray
    turn: FloatArray | None = None
    point: FloatArray | tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Centre:
    """The centre of mass above a floor point."""

    body: Body
    target: FloatArray
    weight: float = _CENTRE
    unit = "m"

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Centre minus target, height left out [m]."""
        return (centre_of_mass(world, self.body.masses, self.body.coms) - self.target) * _LEVEL

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """How the centre of mass moves, height left out."""
        whole = com_jacobian(free.skeleton, world, self.body.masses, self.body.coms)[:, free.tangent_columns]
        return np.asarray(whole * _LEVEL[:, None])


def reached(
    body: Body, seed: Pose, held: Sequence[Held], *, centre: FloatArray | None = None, upright: bool = False
) -> Pose | None:
    """A posture near ``seed`` within limits, with parts held exactly; ``None`` when they cannot be.

    Args:
        body: Whose limits and masses.
        seed: What the posture should look like.
        held: Parts at places.
        centre: ``(3,)`` point that the centre of mass comes above as well as it can [m].
        upright: Whether knees bend for that sooner than the trunk leans.
    """
    skeleton = body.skeleton
    joints = [j for j in range(len(skeleton)) if j in skeleton.roles or j == 0]
    free = FreeJoints(skeleton=skeleton, joints=tuple(joints), root_translation=True)
    hard: list[Task] = []
    for one in held:
        hard.append(PointTask(joint=one.joint, target=one.place, point=one.point, weight=_HOLD))
        if one.turn is not None:
            hard.append(OrientationTask(joint=one.joint, target=one.turn, weight=_HOLD))
    weights = np.array([_STAY if j else _UPRIGHT if upright else _STAY_ROOT for j in joints])
    soft: list[Task] = [StayTask(joints=free.joints, targets=seed.rotations[joints], weights=weights)]
    if centre is not None:
        soft.append(_Centre(body=body, target=centre))
    start = replace(seed, rotations=body.limits.clamped(seed.rotations))
    near = solve_tasks(start, [*hard, *soft], free=free, limit=body.limits.clamped, options=_ROUGH).pose
    found = solve_tasks(near, hard, free=free, limit=body.limits.clamped, options=_FINE)
    return found.pose if max(found.residuals) < _EXACT else None


_ROUGH = LeastSquaresOptions(max_iterations=40)
_FINE = LeastSquaresOptions(max_iterations=60, tolerance_m=1e-5, tolerance_rad=1e-5)
