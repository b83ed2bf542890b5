"""A body on a skeleton: capsules to collide with, masses to balance, limits to respect, limbs to plan with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from understudy import rotations as rot
from understudy.core.limits import JointLimits
from understudy.core.skeleton import Skeleton
from understudy.errors import SkeletonError, nearest_name
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Body:
    """Everything about a character that is not its motion.

    Attributes:
        skeleton: The skeleton it sits on.
        capsule_names: One name per capsule, such as ``"left_forearm"``.
        capsule_joints: ``(capsules,)`` joint that carries each capsule.
        capsule_starts: ``(capsules, 3)`` [m] in that joint's frame.
        capsule_ends: ``(capsules, 3)`` [m] in that joint's frame.
        capsule_radii: ``(capsules,)`` [m].
        self_pairs: ``(pairs, 2)`` capsules that must not touch each other.
        masses: ``(joints,)`` [kg] carried by each joint; 0 where none.
        coms: ``(joints, 3)`` [m] centre of that mass in the joint's frame.
        inertias: ``(joints, 3, 3)`` [kg m^2] about that centre, in the joint's frame.
        limits: Joint limits.
        limbs: Limb name -> joints from base to end.
        stature_m: Standing height the proportions stand for [m].
    """

    skeleton: Skeleton
    capsule_names: tuple[str, ...]
    capsule_joints: IntArray
    capsule_starts: FloatArray
    capsule_ends: FloatArray
    capsule_radii: FloatArray
    self_pairs: IntArray
    masses: FloatArray
    coms: FloatArray
    inertias: FloatArray
    limits: JointLimits
    limbs: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    stature_m: float = 0.0

    def __post_init__(self) -> None:
        """Check shapes and freeze the arrays."""
        count, joints = len(self.capsule_names), len(self.skeleton)
        shapes = {
            "capsule_joints": (count,),
            "capsule_starts": (count, 3),
            "capsule_ends": (count, 3),
            "capsule_radii": (count,),
            "self_pairs": (len(self.self_pairs), 2),
            "masses": (joints,),
            "coms": (joints, 3),
            "inertias": (joints, 3, 3),
        }
        for key, shape in shapes.items():
            array = np.ascontiguousarray(getattr(self, key))
            if array.size == 0 == np.prod(shape):
                array = array.reshape(shape)
            if array.shape != shape or not np.isfinite(array).all():
                raise SkeletonError(f"body: {key} must be finite with shape {shape}; got {array.shape}")
            array = array.copy()
            array.flags.writeable = False
            object.__setattr__(self, key, array)
        if count and self.capsule_radii.min() <= 0:
            raise SkeletonError("body: every capsule needs a positive radius")
        object.__setattr__(self, "limbs", MappingProxyType(dict(self.limbs)))

    def __repr__(self) -> str:
        """Capsules, mass and height in one line."""
        return f"Body({len(self.capsule_names)} capsules, {self.mass_kg:.1f} kg, {self.stature_m:.2f} m)"

    @property
    def mass_kg(self) -> float:
        """Mass of the whole body [kg]."""
        return float(self.masses.sum())

    def capsule(self, name: str) -> int:
        """Index of a capsule by name."""
        if name not in self.capsule_names:
            raise SkeletonError(f'no capsule "{name}"; {nearest_name(name, self.capsule_names)}')
        return self.capsule_names.index(name)

    def limb(self, name: str) -> tuple[int, ...]:
        """Joints of a limb, base to end."""
        if name not in self.limbs:
            raise SkeletonError(f'no limb "{name}"; {nearest_name(name, self.limbs)}')
        return self.limbs[name]

    def capsule_segments(
        self, positions: FloatArray, world_rotations: FloatArray, capsules: IntArray | slice = slice(None)
    ) -> tuple[FloatArray, FloatArray]:
        """World start and end points ``(..., capsules, 3)`` of some capsules for joint positions and rotations."""
        joints = self.capsule_joints[capsules]
        at, turn = positions[..., joints, :], world_rotations[..., joints, :]
        return at + rot.rotate(turn, self.capsule_starts[capsules]), at + rot.rotate(turn, self.capsule_ends[capsules])
