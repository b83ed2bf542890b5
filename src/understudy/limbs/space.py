"""What a limb can do: its joints, its parameters, their limits, and poses written in them ([Limbs], paper §4.2).

A limb is a chain of joints. Every joint has three coordinates (``core.limits``): swing, third and twist, either as one
swing vector with a twist or as three turns. A limb's *parameters* drive some of them; the others (the carrying angle of
an elbow, a clavicle's shrug) keep following the clip. So a pose of the clip is given back exactly by its own
parameters, and limits, being ellipses and intervals, are convex in them.

Deviations from the paper: where a rig has a joint between elbow and hand, that one turns the forearm; the three spine
parameters of a longer linkage are shared evenly by the joints of the trunk.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.limits import LimitKind
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.errors import PlanningInputError, nearest_name
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.tables import SpaceArrays
from understudy.typing import FloatArray, IntArray

#: Limbs that can be planned -> roles of the chain, first to last.
LIMBS: dict[str, tuple[str, str]] = {
    "left_arm": ("leftUpperArm", "leftHand"),
    "right_arm": ("rightUpperArm", "rightHand"),
    "left_leg": ("leftUpperLeg", "leftFoot"),
    "right_leg": ("rightUpperLeg", "rightFoot"),
    "left_arm_spine": ("spine", "leftHand"),
    "right_arm_spine": ("spine", "rightHand"),
}

#: Bone of a role -> names of the parameters that drive its coordinates (swing, third, twist); "" is not driven.
_DRIVEN: dict[str, tuple[str, str, str]] = {
    "UpperArm": ("shoulder_raise", "shoulder_forward", "shoulder_twist"),
    "LowerArm": ("elbow_flexion", "", "forearm_twist"),
    "Hand": ("wrist_flexion", "wrist_deviation", ""),
    "UpperLeg": ("hip_flexion", "hip_abduction", "hip_twist"),
    "LowerLeg": ("knee_flexion", "", ""),
    "Foot": ("ankle_flexion", "ankle_turn", "ankle_tilt"),
}
_TRUNK = ("spine", "chest", "upperChest")
_SPINE = ("spine_bend", "spine_lean", "spine_twist")


@dataclass(frozen=True, eq=False, kw_only=True)
class LimbSpace:
    """The parameters of one limb of one body.

    Attributes:
        name: One of :data:`LIMBS`.
        body: Whose limb.
        joints: Chain from the first joint that is planned to the last.
        names: One name per parameter, such as ``"elbow_flexion"``.
        spread: ``(3 joints, parameters)`` how much of each parameter goes into each joint coordinate.
    """

    name: str
    body: Body
    joints: tuple[int, ...]
    names: tuple[str, ...]
    spread: FloatArray

    def __len__(self) -> int:
        """Number of parameters."""
        return len(self.names)

    @property
    def parent(self) -> int:
        """The joint the limb hangs from, which keeps following the clip."""
        return int(self.body.skeleton.parents[self.joints[0]])

    @cached_property
    def driven(self) -> FloatArray:
        """``(parameters, 3 joints)`` turns coordinates into parameters; ``driven @ spread`` is the identity."""
        return np.ascontiguousarray((self.spread > 0).T.astype(np.float64))

    @cached_property
    def owner(self) -> IntArray:
        """``(parameters,)`` index in ``joints`` of the (first) joint a parameter drives."""
        return np.array([int(np.flatnonzero(column)[0]) // 3 for column in self.spread.T], dtype=np.int64)

    @cached_property
    def low(self) -> FloatArray:
        """``(parameters,)`` lower limits [rad]."""
        return self.driven @ self.body.limits.low[list(self.joints)].reshape(-1)

    @cached_property
    def high(self) -> FloatArray:
        """``(parameters,)`` upper limits [rad]."""
        return self.driven @ self.body.limits.high[list(self.joints)].reshape(-1)

    @cached_property
    def moved(self) -> tuple[int, ...]:
        """All joints that move with the limb, parents first."""
        return self.body.skeleton.descendants(self.joints[0])

    def index(self, parameter: str) -> int:
        """Index of a parameter by name.

        Raises:
            PlanningInputError: There is none; the nearest is named.
        """
        if parameter not in self.names:
            raise PlanningInputError(
                f'"{self.name}" has no parameter "{parameter}"; {nearest_name(parameter, self.names)}'
            )
        return self.names.index(parameter)

    def coordinates(self, rotations: FloatArray) -> FloatArray:
        """``(..., 3 joints)`` coordinates [rad] of the chain in local rotations ``(..., all joints, 4)``."""
        from understudy.limbs._pose_kernels import chain_coordinates

        local = np.asarray(rotations, dtype=np.float64)
        found = np.empty((*local.shape[:-2], 3 * len(self.joints)))
        rows, joints = frozen(local.reshape(-1, *local.shape[-2:])), frozen_indices(self.joints)
        chain_coordinates(self.arrays, joints, rows, found.reshape(-1, found.shape[-1]))
        return found

    def parameters(self, rotations: FloatArray) -> FloatArray:
        """``(..., parameters)`` [rad] of local rotations ``(..., all joints, 4)``."""
        return np.asarray(self.coordinates(rotations) @ self.driven.T)

    def with_coordinates(self, rotations: FloatArray, coordinates: FloatArray) -> FloatArray:
        """Local rotations ``(..., all joints, 4)`` with the chain's taken from coordinates ``(..., 3 joints)``."""
        from understudy.limbs._offset_kernels import set_coordinates

        before = np.broadcast_shapes(rotations.shape[:-2], coordinates.shape[:-1])
        result = np.array(np.broadcast_to(rotations, (*before, *rotations.shape[-2:])), dtype=np.float64, order="C")
        own = np.ascontiguousarray(np.broadcast_to(coordinates, (*before, coordinates.shape[-1])), dtype=np.float64)
        rows = result.reshape(-1, *result.shape[-2:])
        set_coordinates(self.arrays, frozen_indices(self.joints), frozen(own.reshape(-1, own.shape[-1])), rows)
        return result

    def with_offsets(self, rotations: FloatArray, offsets: FloatArray) -> FloatArray:
        """Local rotations of a clip with parameters ``(..., parameters)`` [rad] added to its own."""
        return self.with_coordinates(rotations, self.coordinates(rotations) + offsets @ self.spread.T)

    def with_parameters(self, rotations: FloatArray, parameters: FloatArray) -> FloatArray:
        """Local rotations with the limb's parameters set; what they do not drive stays as it is."""
        return self.with_offsets(rotations, parameters - self.parameters(rotations))

    def excess(self, coordinates: FloatArray) -> FloatArray:
        """``(..., joints)`` how far each joint of the chain is outside its limit [rad]."""
        limits, chain = self.body.limits, list(self.joints)
        at = coordinates.reshape(*coordinates.shape[:-1], len(chain), 3)
        low, high = limits.low[chain], limits.high[chain]
        beyond = np.maximum(np.maximum(low - at, at - high), 0.0)
        away = (at - 0.5 * (low + high))[..., :2]
        share = np.linalg.norm(away / np.maximum(0.5 * (high - low)[:, :2], 1e-9), axis=-1)
        swing = np.linalg.norm(away, axis=-1) * (1.0 - 1.0 / np.maximum(share, 1.0))
        by_ellipse = np.maximum(swing, beyond[..., 2])
        found = np.where(limits.kinds[chain] == LimitKind.ELLIPSE, by_ellipse, beyond.max(axis=-1))
        return np.where(limits.kinds[chain] == LimitKind.FREE, 0.0, found)

    def nearly_outside(self, coordinates: FloatArray) -> FloatArray:
        """``(...)`` how far the joint nearest to its limit is beyond the limits less a twentieth [rad]."""
        limits, chain = self.body.limits, list(self.joints)
        middle = 0.5 * (limits.low[chain] + limits.high[chain]).reshape(-1)
        return np.asarray(self.excess(middle + 1.05 * (coordinates - middle)).max(axis=-1))

    @cached_property
    def frames(self) -> tuple[FloatArray, FloatArray]:
        """Quaternions ``(joints, 4)`` before and after a joint's own turn: ``local = before own after``."""
        skeleton, limits, chain = self.body.skeleton, self.body.limits, list(self.joints)
        _, world = t_pose_world(skeleton)
        above = world[skeleton.parents[chain]]
        swing, twist = limits.swing_axes[chain], limits.twist_axes[chain]
        frame = rot.from_matrix(np.stack([swing, np.cross(twist, swing), twist], axis=-1))
        return rot.multiply(rot.conjugate(above), frame), rot.multiply(rot.conjugate(frame), world[chain])

    @cached_property
    def arrays(self) -> SpaceArrays:
        """The same for kernels."""
        limits, chain = self.body.limits, list(self.joints)
        before, after = self.frames
        return SpaceArrays(
            offsets=frozen(self.body.skeleton.offsets[chain]),
            before=frozen(before),
            after=frozen(after),
            kinds=frozen_indices(limits.kinds[chain]),
            low=frozen(limits.low[chain]),
            high=frozen(limits.high[chain]),
            spread=frozen(self.spread),
        )


def limb_space(body: Body, limb: str) -> LimbSpace:
    """The parameters of a limb.

    Args:
        body: A humanoid's body.
        limb: One of :data:`LIMBS`.

    Raises:
        PlanningInputError: There is no such limb; the nearest is named.
        SkeletonError: The skeleton is no humanoid.
    """
    if limb not in LIMBS:
        raise PlanningInputError(f'unknown limb "{limb}"; {nearest_name(limb, LIMBS)}')
    skeleton = body.skeleton
    skeleton.require_humanoid()
    first, last = (skeleton.humanoid[role] for role in LIMBS[limb])
    joints = skeleton.chain(first, last)
    places = dict(_places(skeleton, joints))
    names = tuple(dict.fromkeys(places.values()))
    spread = np.zeros((3 * len(joints), len(names)))
    for row, name in places.items():
        spread[row, names.index(name)] = 1.0
    spread /= spread.sum(axis=0)
    return LimbSpace(name=limb, body=body, joints=joints, names=names, spread=spread)


def _places(skeleton: Skeleton, joints: tuple[int, ...]) -> Iterable[tuple[int, str]]:
    """Rows of ``spread`` and the parameter that drives each."""
    turning = {skeleton.forearm_twist(side) for side in ("left", "right")} & set(joints)
    for place, joint in enumerate(joints):
        role = skeleton.roles.get(joint, "")
        driven = _SPINE if role in _TRUNK else _DRIVEN.get(role.removeprefix("left").removeprefix("right"), ())
        if turning and "forearm_twist" in driven:
            driven = ("elbow_flexion", "", "")
        elif joint in turning:
            driven = ("", "", "forearm_twist")
        for axis, name in enumerate(driven):
            if name:
                yield 3 * place + axis, name
