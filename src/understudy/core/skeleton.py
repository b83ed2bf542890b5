"""A skeleton: named joints in a tree, their offsets, and which of them play humanoid roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.humanoid import LIMB_ROLES, REQUIRED_ROLES, ROLES
from understudy.errors import SkeletonError, nearest_name
from understudy.typing import FloatArray, IntArray

#: How far a rest rotation's length may be from 1 by rounding; and bones [m] that come from wrong units.
_UNIT, _FAR_M = 1e-3, 1e5


@dataclass(frozen=True, eq=False, kw_only=True)
class Skeleton:
    """Joints in parent-first order, root at index 0.

    A joint's frame is its parent's frame moved by ``offset`` and then turned by the joint's local rotation.

    Attributes:
        names: Joint names as their file spelled them, unique.
        parents: ``(joints,)`` index of each parent, ``-1`` for the root.
        offsets: ``(joints, 3)`` [m] position of each joint in its parent's frame; the root's is where it rests.
        rest_rotations: ``(joints, 4)`` local rotations of the rest pose (identity in BVH).
        tip_joints: ``(tips,)`` joints that carry an end point (BVH ``End Site``).
        tip_offsets: ``(tips, 3)`` [m] those end points in their joint's frame.
        humanoid: VRM role -> joint index; empty when unknown.
    """

    names: tuple[str, ...]
    parents: IntArray
    offsets: FloatArray
    rest_rotations: FloatArray = field(default_factory=lambda: np.empty((0, 4)))
    tip_joints: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    tip_offsets: FloatArray = field(default_factory=lambda: np.empty((0, 3)))
    humanoid: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Freeze the arrays and reject anything that is not one finite tree."""
        names = tuple(self.names)
        count = len(names)
        rest = self.rest_rotations if len(self.rest_rotations) else rot.identity((count,))
        frozen = {
            "names": names,
            "parents": _readonly(self.parents, np.int64, (count,), "parents"),
            "offsets": _readonly(self.offsets, np.float64, (count, 3), "offsets"),
            "rest_rotations": _readonly(rest, np.float64, (count, 4), "rest_rotations"),
            "tip_joints": _readonly(self.tip_joints, np.int64, (len(self.tip_joints),), "tip_joints"),
            "tip_offsets": _readonly(self.tip_offsets, np.float64, (len(self.tip_joints), 3), "tip_offsets"),
            "humanoid": MappingProxyType(dict(self.humanoid)),
        }
        for key, value in frozen.items():
            object.__setattr__(self, key, value)
        self._check_tree()
        self._check_roles()

    def _check_tree(self) -> None:
        if not self.names:
            raise SkeletonError("a skeleton needs at least one joint")
        if len(set(self.names)) != len(self.names):
            twice = next(name for i, name in enumerate(self.names) if name in self.names[:i])
            raise SkeletonError(f'two joints are called "{twice}"; joint names must be unique')
        order = np.arange(len(self.names))
        if self.parents[0] != -1:
            raise SkeletonError(f'the first joint "{self.names[0]}" must be the root (parent -1)')
        bad = np.flatnonzero((self.parents[1:] < 0) | (self.parents[1:] >= order[1:])) + 1
        if len(bad):
            raise SkeletonError(
                f'joint "{self.names[bad[0]]}" has parent {self.parents[bad[0]]}; '
                "every other joint needs a parent that comes before it"
            )
        for key in ("offsets", "rest_rotations", "tip_offsets"):
            if not np.isfinite(getattr(self, key)).all():
                raise SkeletonError(f"{key} hold values that are not finite")
            if np.abs(getattr(self, key)).max(initial=0.0) > _FAR_M:
                raise SkeletonError(f"{key} hold values beyond {_FAR_M:g}; is the unit right?")
        lengths = np.linalg.norm(self.rest_rotations, axis=1)
        if np.abs(lengths - 1.0).max() > _UNIT:
            joint = int(np.abs(lengths - 1.0).argmax())
            said = f"has length {lengths[joint]:g}; rotations are unit quaternions"
            raise SkeletonError(f'the rest rotation of joint "{self.names[joint]}" {said}')
        if len(self.tip_joints) and not (self.tip_joints.min() >= 0 and self.tip_joints.max() < len(self.names)):
            raise SkeletonError("an end point belongs to a joint that does not exist")

    def _check_roles(self) -> None:
        for role, joint in self.humanoid.items():
            if role not in ROLES:
                raise SkeletonError(f'unknown humanoid role "{role}"; {nearest_name(role, ROLES)}')
            if not 0 <= joint < len(self.names):
                raise SkeletonError(f'role "{role}" points at joint {joint}; joints are 0..{len(self.names) - 1}')
        if len(set(self.humanoid.values())) != len(self.humanoid):
            raise SkeletonError("two humanoid roles point at the same joint")

    def __len__(self) -> int:
        """Number of joints."""
        return len(self.names)

    def __repr__(self) -> str:
        """Joints and roles in one line."""
        return f"Skeleton({len(self)} joints, {len(self.humanoid)} humanoid roles, {self.height_m:.2f} m)"

    def index(self, name: str) -> int:
        """Index of a joint given by role or by name.

        Raises:
            SkeletonError: No such joint, naming the nearest one.
        """
        if name in self.humanoid:
            return self.humanoid[name]
        try:
            return self.names.index(name)
        except ValueError:
            hint = nearest_name(name, (*self.names, *self.humanoid))
            raise SkeletonError(f'no joint or role "{name}"; {hint}') from None

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Children of every joint, in order."""
        lists: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents[1:], start=1):
            lists[parent].append(joint)
        return tuple(tuple(children) for children in lists)

    @cached_property
    def roles(self) -> Mapping[int, str]:
        """Joint index -> humanoid role."""
        return MappingProxyType({joint: role for role, joint in self.humanoid.items()})

    @property
    def is_humanoid(self) -> bool:
        """Whether all roles a planner needs are known."""
        return all(role in self.humanoid for role in REQUIRED_ROLES)

    def require_humanoid(self) -> None:
        """Raise a :class:`SkeletonError` naming the missing roles unless the skeleton is a full humanoid."""
        missing = [role for role in REQUIRED_ROLES if role not in self.humanoid]
        if missing:
            raise SkeletonError(
                f"the skeleton lacks the humanoid roles {', '.join(missing)}; give a mapping file (role = joint name)"
            )

    def chain(self, start: int, end: int) -> tuple[int, ...]:
        """Joints from ``start`` down to its descendant ``end``, both included."""
        path = [end]
        while path[-1] != start:
            parent = int(self.parents[path[-1]])
            if parent < 0:
                raise SkeletonError(f'"{self.names[end]}" does not descend from "{self.names[start]}"')
            path.append(parent)
        return tuple(reversed(path))

    def limb(self, name: str) -> tuple[int, ...]:
        """All joints of a limb, base to end, including unnamed ones between its roles."""
        if name not in LIMB_ROLES:
            raise SkeletonError(f'unknown limb "{name}"; {nearest_name(name, LIMB_ROLES)}')
        present = [self.humanoid[role] for role in LIMB_ROLES[name] if role in self.humanoid]
        if not present:
            raise SkeletonError(f'the skeleton has no joints for "{name}"; its humanoid roles are unknown')
        return self.chain(present[0], present[-1])

    def descendants(self, joint: int) -> tuple[int, ...]:
        """``joint`` and everything below it, parents first."""
        inside = np.zeros(len(self), dtype=bool)
        inside[joint] = True
        for child in range(joint + 1, len(self)):
            inside[child] = inside[self.parents[child]]
        return tuple(int(j) for j in np.flatnonzero(inside))

    def forearm_twist(self, side: str) -> int | None:
        """The one joint between elbow and hand, which turns the forearm of some rigs; ``None`` when there is none."""
        inner = self.chain(self.humanoid[f"{side}LowerArm"], self.humanoid[f"{side}Hand"])[1:-1]
        return inner[0] if len(inner) == 1 else None

    @cached_property
    def rest_world(self) -> tuple[FloatArray, FloatArray]:
        """World positions ``(joints, 3)`` [m] and rotations ``(joints, 4)`` of the rest pose."""
        return self.placed_joints(self.offsets[0], self.rest_rotations)

    def placed_joints(self, root_position: npt.ArrayLike, local_rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
        """World positions ``(joints, 3)`` and rotations ``(joints, 4)`` of one pose.

        The plain definition of forward kinematics; ``kinematics`` has the fast one.
        """
        world_rotations = np.array(local_rotations, dtype=np.float64)
        positions = np.empty((len(self), 3))
        positions[0] = root_position
        for joint in range(1, len(self)):
            parent = self.parents[joint]
            positions[joint] = positions[parent] + rot.rotate(world_rotations[parent], self.offsets[joint])
            world_rotations[joint] = rot.multiply(world_rotations[parent], local_rotations[joint])
        return positions, world_rotations

    def tip_positions(self, positions: FloatArray, world_rotations: FloatArray) -> FloatArray:
        """World positions ``(..., tips, 3)`` of the end points, from joint positions and rotations."""
        at = positions[..., self.tip_joints, :]
        return at + rot.rotate(world_rotations[..., self.tip_joints, :], self.tip_offsets)

    @cached_property
    def height_m(self) -> float:
        """Vertical extent of the rest pose, joints and end points [m]."""
        positions, rotations = self.rest_world
        heights = np.concatenate([positions[:, 1], self.tip_positions(positions, rotations)[:, 1]])
        return float(heights.max() - heights.min())

    def bone_length_m(self, upper: str, lower: str) -> float:
        """Rest distance between two joints [m]."""
        positions, _ = self.rest_world
        return float(np.linalg.norm(positions[self.index(upper)] - positions[self.index(lower)]))

    def leg_length_m(self) -> float:
        """Mean of both legs, hip to ankle along the bones [m]."""
        return 0.5 * sum(
            self.bone_length_m(f"{side}UpperLeg", f"{side}LowerLeg")
            + self.bone_length_m(f"{side}LowerLeg", f"{side}Foot")
            for side in ("left", "right")
        )

    def with_humanoid(self, humanoid: Mapping[str, int]) -> Skeleton:
        """The same skeleton with another role mapping."""
        return replace(self, humanoid=humanoid)

    def scaled(self, factor: float) -> Skeleton:
        """The same skeleton with every length multiplied."""
        return replace(self, offsets=self.offsets * factor, tip_offsets=self.tip_offsets * factor)

    def same_joints(self, other: Skeleton) -> bool:
        """Whether motions of both can be mixed: the same joint names under the same parents."""
        return self.names == other.names and bool(np.array_equal(self.parents, other.parents))

    def in_order(self, order: Sequence[int]) -> Skeleton:
        """The same skeleton with its joints listed in another order.

        Args:
            order: The present index of each joint; every parent comes before its children.
        """
        return _ordered(self, tuple(order))


@lru_cache(maxsize=64)
def _ordered(skeleton: Skeleton, order: tuple[int, ...]) -> Skeleton:
    """Made once: clips that share a skeleton share it in every order, and with it all that is known of it."""
    places = np.argsort(order)
    tips = np.argsort(places[skeleton.tip_joints], kind="stable")
    parents = skeleton.parents[list(order)]
    return replace(
        skeleton,
        names=tuple(skeleton.names[joint] for joint in order),
        parents=np.where(parents < 0, -1, places[parents]),
        offsets=skeleton.offsets[list(order)],
        rest_rotations=skeleton.rest_rotations[list(order)],
        tip_joints=places[skeleton.tip_joints][tips],
        tip_offsets=skeleton.tip_offsets[tips],
        humanoid={role: int(places[joint]) for role, joint in skeleton.humanoid.items()},
    )


def parents_first(parents: Sequence[int]) -> list[int]:
    """An order of joints in which every parent precedes its children, root first, siblings in order.

    Args:
        parents: Parent of each joint in any order; exactly one ``-1``.

    Raises:
        SkeletonError: No root, several roots, or a cycle.
    """
    roots = [joint for joint, parent in enumerate(parents) if parent < 0]
    if len(roots) != 1:
        raise SkeletonError(f"a skeleton needs exactly one root, found {len(roots)}")
    children: list[list[int]] = [[] for _ in parents]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(joint)
    order, stack = [], [roots[0]]
    while stack:
        joint = stack.pop()
        order.append(joint)
        stack.extend(reversed(children[joint]))
    if len(order) != len(parents):
        raise SkeletonError("the joint hierarchy contains a cycle")
    return order


def _readonly(values: npt.ArrayLike, dtype: npt.DTypeLike, shape: tuple[int, ...], what: str) -> np.ndarray:
    array = np.ascontiguousarray(values, dtype=dtype)
    if array.size == 0 == np.prod(shape):
        array = array.reshape(shape)  # no tips at all have any shape
    if array.shape != shape:
        raise SkeletonError(f"{what} have shape {array.shape}; expected {shape}")
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array
