"""A body as collision sees it: capsules on joints, carried objects, and which of them may not touch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.collision.tables import BodyArrays, PartArrays
from understudy.core.body import Body
from understudy.core.skeleton import Skeleton
from understudy.errors import SkeletonError, nearest_name
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.scene.shapes import Capsule, HalfSpace, Shape, Sphere
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Carried:
    """A shape fixed to a joint, such as a box in a hand.

    Attributes:
        name: What messages and reports call it.
        shape: Any shape but a half-space.
        joint: Joint index, role or name.
        position: ``(3,)`` [m] of the shape in the joint's frame.
        rotation: ``(4,)`` quaternion wxyz, shape to joint.
        touches: Capsules of the carrier it may touch, such as ``("left_hand", "left_forearm")``.
    """

    name: str
    shape: Shape
    joint: int | str
    position: Sequence[float] | FloatArray = (0.0, 0.0, 0.0)
    rotation: Sequence[float] | FloatArray = (1.0, 0.0, 0.0, 0.0)
    touches: Collection[str] = ()


@dataclass(frozen=True, eq=False)
class CollisionBody:
    """Capsules of a body and of the round things it carries, flattened for kernels.

    Args:
        body: The character.
        carried: What it holds; spheres and capsules become capsules of the body, the rest ``solids``.
        slack_m: Depth [m] to which a pair of capsules may overlap, by their names, for characters whose recordings
            overlap themselves.
    """

    body: Body
    carried: Sequence[Carried] = ()
    slack_m: Mapping[tuple[str, str], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Reject things that cannot be carried and names that do not exist."""
        names = [*self.body.capsule_names, *(item.name for item in self.carried)]
        for item in self.carried:
            if isinstance(item.shape, HalfSpace):
                raise SkeletonError(f'"{item.name}" is a half-space; only bounded shapes can be carried')
            if names.count(item.name) > 1:
                raise SkeletonError(f'two parts are called "{item.name}"; carried objects need unique names')
            for name in item.touches:
                self.body.capsule(name)
            self.joint(item.joint)
        for pair in self.slack_m:
            for name in pair:
                if name not in self.names:
                    raise SkeletonError(f'no capsule "{name}"; {nearest_name(name, self.names)}')

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton the capsules hang from."""
        return self.body.skeleton

    @cached_property
    def round_items(self) -> tuple[Carried, ...]:
        """Carried spheres and capsules."""
        return tuple(item for item in self.carried if isinstance(item.shape, Sphere | Capsule))

    @cached_property
    def solid_items(self) -> tuple[Carried, ...]:
        """Everything else that is carried."""
        return tuple(item for item in self.carried if not isinstance(item.shape, Sphere | Capsule))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all capsules: the body's, then the carried ones."""
        return (*self.body.capsule_names, *(item.name for item in self.round_items))

    @cached_property
    def arrays(self) -> BodyArrays:
        """The capsules for kernels."""
        body, skeleton = self.body, self.skeleton
        joints = [*body.capsule_joints, *(self.joint(item.joint) for item in self.round_items)]
        ends = [np.hstack([body.capsule_starts, body.capsule_ends]), *(_carried_ends(i) for i in self.round_items)]
        stacked = np.vstack(ends)
        radii = np.array([*body.capsule_radii, *(_radius(item) for item in self.round_items)])
        half = 0.5 * np.linalg.norm(stacked[:, 3:] - stacked[:, :3], axis=1)
        return BodyArrays(
            parents=frozen_indices(skeleton.parents),
            offsets=frozen(skeleton.offsets),
            joints=frozen_indices(joints),
            ends=frozen(stacked),
            radii=frozen(radii),
            bounds=frozen(radii + half),
            reach=frozen(_reach(skeleton, np.array(joints, dtype=np.int64), stacked)),
        )

    @cached_property
    def pairs(self) -> IntArray:
        """``(pairs, 2)`` capsules that may not touch, the carried ones against the whole body included."""
        pairs = [tuple(int(c) for c in pair) for pair in self.body.self_pairs]
        for k, item in enumerate(self.round_items):
            index = len(self.body.capsule_names) + k
            allowed = {self.body.capsule(name) for name in item.touches}
            pairs += [(c, index) for c in range(len(self.body.capsule_names)) if c not in allowed]
            pairs += [(len(self.body.capsule_names) + other, index) for other in range(k)]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)

    @cached_property
    def whole(self) -> PartArrays:
        """The part that is everything."""
        return self.part(range(len(self.skeleton)))

    def part(self, joints: Iterable[int]) -> PartArrays:
        """What hangs from ``joints`` alone, for queries that move nothing else.

        Args:
            joints: Joints whose rotations will change; must include every joint below them that carries a capsule.
        """
        moved = np.array(sorted(joints), dtype=np.int64)
        capsules = np.flatnonzero(np.isin(self.arrays.joints, moved))
        pairs = self.pairs[np.isin(self.pairs, capsules).any(axis=1)]
        radii = self.arrays.radii
        gaps = np.array([radii[i] + radii[j] - self._slack(int(i), int(j)) for i, j in pairs])
        shared = [_shared_joint(self.skeleton, *(int(self.arrays.joints[c]) for c in pair)) for pair in pairs]
        return PartArrays(
            joints=frozen_indices(moved),
            capsules=frozen_indices(capsules),
            pairs=frozen_indices(pairs.reshape(-1, 2)),
            gaps=frozen(gaps),
            shared=frozen_indices(shared),
        )

    def _slack(self, i: int, j: int) -> float:
        first, second = self.names[i], self.names[j]
        return float(self.slack_m.get((first, second), self.slack_m.get((second, first), 0.0)))

    def joint(self, joint: int | str) -> int:
        """Index of a joint given by index, role or name."""
        if isinstance(joint, str):
            return self.skeleton.index(joint)
        if not 0 <= int(joint) < len(self.skeleton):
            raise SkeletonError(f"no joint {joint}; joints are 0..{len(self.skeleton) - 1}")
        return int(joint)


def _carried_ends(item: Carried) -> FloatArray:
    """``(1, 6)`` ends of a carried sphere or capsule in its joint's frame."""
    half = 0.5 * item.shape.length_m if isinstance(item.shape, Capsule) else 0.0
    centre = np.asarray(item.position, dtype=np.float64)
    along = rot.rotate(rot.normalize(np.asarray(item.rotation, dtype=np.float64)), np.array([0.0, half, 0.0]))
    return np.concatenate([centre - along, centre + along])[None]


def _radius(item: Carried) -> float:
    assert isinstance(item.shape, Sphere | Capsule)
    return item.shape.radius_m


def _reach(skeleton: Skeleton, joints: IntArray, ends: FloatArray) -> FloatArray:
    """``(joints, capsules)`` farthest a capsule's segment can be from each joint it hangs from [m]."""
    reach = np.zeros((len(skeleton), len(joints)))
    for c, carrier in enumerate(joints):
        joint = int(carrier)
        far = float(max(np.linalg.norm(ends[c, :3]), np.linalg.norm(ends[c, 3:])))
        while joint >= 0:
            reach[joint, c] = far
            far += float(np.linalg.norm(skeleton.offsets[joint]))
            joint = int(skeleton.parents[joint])
    return reach


def _shared_joint(skeleton: Skeleton, first: int, second: int) -> int:
    """Lowest joint that both joints hang from, themselves included."""
    while first != second:
        if first > second:
            first = int(skeleton.parents[first])
        else:
            second = int(skeleton.parents[second])
    return first
