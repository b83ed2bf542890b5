"""What a posture asks of a body: parts apart, parts touching, a part at a place, balance.

All are tasks of least-squares inverse kinematics (``kinematics.solve_tasks``). Points are given on the axes of the
body's capsules, so a recipe written for one person means the same on another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.segments import nearest_shares, segments_apart
from understudy.core.skeleton import Skeleton
from understudy.kinematics import FreeJoints, WorldTransforms, centre_of_mass, com_jacobian, jacobians
from understudy.typing import FloatArray, IntArray

_LEVEL = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Touch:
    """Two capsules exactly ``gap_m`` apart.

    Attributes:
        body: Whose capsules.
        pair: The two capsules.
        gap_m: Wanted distance of the surfaces [m].
        weight: Weight of 1 m.
    """

    body: Body
    pair: tuple[int, int]
    gap_m: float
    weight: float = 1.0
    unit = "m"

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Distance minus the wanted one, along the normal [m]."""
        _, normal, off = self._state(world)
        return off * normal

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """Normal part of the difference of both points' Jacobians."""
        shares, normal, _ = self._state(world)
        return np.outer(normal, normal @ _difference(self.body, self.pair, shares, world, free))

    def _state(self, world: WorldTransforms) -> tuple[FloatArray, FloatArray, float]:
        """Shares of the nearest points, unit normal, and how much farther than wanted they are [m]."""
        shares, distance, normal = capsule_distance(self.body, self.pair, world)
        return shares, normal, distance - self.gap_m - float(self.body.capsule_radii[list(self.pair)].sum())


class KeepApart(Touch):
    """Two capsules at least ``gap_m`` apart; the error is the missing distance, along the shortest way out."""

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """That of a touch; zero when they are far enough apart."""
        return super().jacobian(world, free) if self._state(world)[2] < 0.0 else np.zeros((3, free.size))

    def _state(self, world: WorldTransforms) -> tuple[FloatArray, FloatArray, float]:
        shares, normal, off = super()._state(world)
        return shares, normal, min(off, 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Meet:
    """A point of one part at a place given in the frame of another part's joint.

    Attributes:
        joints: Joint of the moved part and of the other one.
        points: ``(2, 3)`` the point and the place, each in its joint's frame [m].
        weight: Weight of 1 m.
    """

    joints: tuple[int, int]
    points: FloatArray
    weight: float = 1.0
    unit = "m"

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Point minus place [m]."""
        at = world.positions[list(self.joints)] + rot.rotate(world.rotations[list(self.joints)], self.points)
        return np.asarray(at[0] - at[1])

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """Difference of both points' Jacobians."""
        linear, _ = jacobians(world, self.joints, self.points, free=free)
        return np.asarray(linear[0] - linear[1])


@dataclass(frozen=True, eq=False, kw_only=True)
class Balance:
    """The centre of mass above the mean place of some joints.

    Attributes:
        body: Whose.
        joints: Mostly ankles and toes that stand.
        weight: Weight of 1 m.
    """

    body: Body
    joints: tuple[int, ...]
    weight: float = 1.0
    unit = "m"

    def error(self, skeleton: Skeleton, world: WorldTransforms) -> FloatArray:
        """Centre of mass minus the joints' mean, height left out [m]."""
        centre = centre_of_mass(world, self.body.masses, self.body.coms)
        return (centre - world.positions[list(self.joints)].mean(axis=0)) * _LEVEL

    def jacobian(self, world: WorldTransforms, free: FreeJoints) -> FloatArray:
        """Difference of both Jacobians, height left out."""
        whole = com_jacobian(free.skeleton, world, self.body.masses, self.body.coms)[:, free.tangent_columns]
        linear, _ = jacobians(world, self.joints, np.zeros((len(self.joints), 3)), free=free)
        return np.asarray((whole - linear.mean(axis=0)) * _LEVEL[:, None])


def capsule_distance(body: Body, pair: tuple[int, int], world: WorldTransforms) -> tuple[FloatArray, float, FloatArray]:
    """Shares of the nearest points on both axes, their distance [m] and the unit normal from second to first."""
    index = list(pair)
    joints = body.capsule_joints[index]
    at, turn = world.positions[joints], world.rotations[joints]
    starts = at + rot.rotate(turn, body.capsule_starts[index])
    ends = at + rot.rotate(turn, body.capsule_ends[index])
    return nearest_points(starts[0], ends[0], starts[1], ends[1])


def nearest_points(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> tuple[FloatArray, float, FloatArray]:
    """Nearest points of the segments ``ab`` and ``cd``: shares ``(2,)``, distance [m], unit normal."""
    s, t = nearest_shares(a, b, c, d)
    apart = a - c + s * (b - a) - t * (d - c)
    distance = float(np.linalg.norm(apart))
    normal = apart / distance if distance > 1e-9 else np.array([0.0, 0.0, 1.0])
    return np.array([s, t]), distance, normal


def strict_pairs(body: Body) -> IntArray:
    """The body's self pairs and those of opposite sides that only neighbours on one side may ignore."""
    names = body.capsule_names
    more = []
    for first, second in (("forearm", "hand"), ("thigh", "thigh"), ("shank", "toes")):
        for side, other in (("left", "right"), ("right", "left")):
            pair = (names.index(f"{side}_{first}"), names.index(f"{other}_{second}"))
            more.append((min(pair), max(pair)))
    known = {(int(i), int(j)) for i, j in body.self_pairs}
    return np.array(sorted(known | set(more)), dtype=np.int64)


def self_gaps(body: Body, pairs: IntArray, world: WorldTransforms) -> FloatArray:
    """``(pairs,)`` signed distances of capsule pairs in one pose [m]."""
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    (i, j), radii = pairs.T, body.capsule_radii
    return np.asarray(segments_apart(starts[i], ends[i], starts[j], ends[j]) - radii[i] - radii[j])


def _difference(
    body: Body, pair: tuple[int, int], shares: FloatArray, world: WorldTransforms, free: FreeJoints
) -> FloatArray:
    index = list(pair)
    points = body.capsule_starts[index] + shares[:, None] * (body.capsule_ends[index] - body.capsule_starts[index])
    linear, _ = jacobians(world, body.capsule_joints[index], points, free=free)
    return np.asarray(linear[0] - linear[1])
