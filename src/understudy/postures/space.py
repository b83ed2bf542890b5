"""The space postures are planned in: coordinates in which joint limits are convex (``tables``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.collision import CollisionBody
from understudy.core.body import Body
from understudy.core.flesh import flesh_pairs
from understudy.core.limits import LimitKind
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.kinematics import forward
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.postures.tables import AT, ROOT, SpaceArrays
from understudy.postures.trunk import trunk_of
from understudy.postures.world import new_room
from understudy.typing import FloatArray, IntArray

#: The paper's five directed linkages.
LINKAGES = ("left_arm", "right_arm", "torso", "left_leg", "right_leg")

#: Share of the depth at which soft parts give way that is planned with.
_GIVES_WAY = 0.8


@dataclass(frozen=True, eq=False, kw_only=True)
class PostureSpace:
    """Coordinates of one body's postures.

    Attributes:
        body: Who moves.
        reference: ``(4,)`` root rotation whose rotation vector is zero.
        grounded: Whether the second coordinate is the height of the lowest point above the floor, and the root follows.
        root_moves: Whether the energy and pins may move the root.
        on_trunk: Whether only the trunk carries a grounded body; feet and hands have to keep off the floor.
    """

    body: Body
    reference: FloatArray
    grounded: bool = False
    root_moves: bool = False
    on_trunk: bool = False

    @property
    def skeleton(self) -> Skeleton:
        """Whose joints."""
        return self.body.skeleton

    @property
    def size(self) -> int:
        """How many coordinates a posture has."""
        return 3 + 3 * len(self.skeleton)

    @cached_property
    def arrays(self) -> SpaceArrays:
        """The space for kernels."""
        body, limits = self.body, self.body.limits
        collision = CollisionBody(body)
        arrays, whole = collision.arrays, collision.whole
        left, right = _fixed_turns(body)
        right[0] = self.reference
        kinds = limits.kinds.copy()
        kinds[0] = ROOT
        movable = np.repeat((kinds != LimitKind.FREE).astype(np.float64), 3)
        movable = np.concatenate([np.ones(3), movable])
        movable[:6] = float(self.root_moves)
        # The height of a body that rolls on the floor follows from the floor.
        movable[1] *= float(not self.on_trunk)
        columns = [self.skeleton.offsets, left, right, limits.low, limits.high]
        half = arrays.bounds - arrays.radii
        carries = np.where(self.on_trunk & ~trunk_of(body), 0.0, 1.0)
        return SpaceArrays(
            tree=frozen_indices(np.stack([self.skeleton.parents, kinds], axis=1)),
            joints=frozen(np.hstack(columns)),
            carriers=arrays.joints,
            capsules=frozen(np.hstack([arrays.ends, arrays.radii[:, None], half[:, None], carries[:, None]])),
            pairs=frozen_indices(np.hstack([whole.pairs, whole.shared[:, None]])),
            touching=frozen(whole.gaps - _GIVES_WAY * self._flesh(whole.pairs)),
            reach=arrays.reach,
            movable=frozen(movable),
            grounded=bool(self.grounded),
        )

    def _flesh(self, pairs: IntArray) -> FloatArray:
        """``(pairs,)`` how deep parts press into each other [m]."""
        names = self.body.capsule_names
        depths = {frozenset((a, b)): depth for a, b, depth in flesh_pairs(self.body)}
        return np.array([depths.get(frozenset((names[a], names[b])), 0.0) for a, b in pairs])

    @cached_property
    def linkages(self) -> tuple[IntArray, FloatArray]:
        """Joints ``(5, longest)`` of five linkages, ended by -1, and tips ``(5, 3)`` in the last joint [m]."""
        skeleton = self.skeleton
        chains = [skeleton.limb(name) for name in LINKAGES if skeleton.is_humanoid]
        joints = np.full((len(chains), max(map(len, chains), default=1)), -1, dtype=np.int64)
        tips = np.zeros((len(chains), 3))
        for n, chain in enumerate(chains):
            joints[n, : len(chain)] = chain
            own = np.flatnonzero(skeleton.tip_joints == chain[-1])
            tips[n] = skeleton.tip_offsets[own[0]] if len(own) else 0.0
        return joints, tips

    def coordinates(self, pose: Pose) -> FloatArray:
        """``(size,)`` coordinates of a pose."""
        q = np.empty(self.size)
        q[:3] = pose.root_position
        q[3:] = self.body.limits.coordinates(pose.rotations).ravel()
        q[3:6] = rot.log(rot.multiply(pose.rotations[0], rot.conjugate(self.reference)))
        if self.grounded:
            q[1] = pose.root_position[1] - self._ground_shift(q)
        return q

    def pose(self, q: FloatArray) -> Pose:
        """The pose of coordinates."""
        roots, rotations = self.poses(q[None])
        return Pose(skeleton=self.skeleton, root_position=roots[0], rotations=rotations[0])

    def poses(self, path: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Root positions ``(n, 3)`` [m] and local rotations ``(n, joints, 4)`` of many postures ``(n, size)``."""
        roots = path[:, :3].copy()
        if self.grounded:
            roots[:, 1] += [self._ground_shift(q) for q in path]
        return roots, self.rotations(path)

    def rotations(self, path: FloatArray) -> FloatArray:
        """Local rotations ``(n, joints, 4)`` of many postures."""
        rotations = self.body.limits.rotations(path[:, 3:].reshape(len(path), -1, 3))
        rotations[:, 0] = rot.multiply(rot.exp(path[:, 3:6]), self.reference)
        return rotations

    def lowest(self, roots: FloatArray, rotations: FloatArray) -> FloatArray:
        """``(n,)`` height of the lowest point of every pose [m]."""
        world = forward(self.skeleton, roots, rotations)
        starts, ends = self.body.capsule_segments(world.positions, world.rotations)
        return np.asarray((np.minimum(starts[..., 1], ends[..., 1]) - self.body.capsule_radii).min(axis=-1))

    def _ground_shift(self, q: FloatArray) -> float:
        """Root height above ``q[1]`` at which the softly lowest point is ``q[1]`` above the floor."""
        from understudy.postures._placing_kernels import place

        room = new_room(self.arrays)
        place(self.arrays, q, room)
        return float(room.joints[0, AT + 1] - q[1])


def _fixed_turns(body: Body) -> tuple[FloatArray, FloatArray]:
    """Turns ``(joints, 4)`` before and after each joint's own one: local rotation = left own right."""
    count = len(body.skeleton)
    still = body.limits.rotations(np.zeros((count, 3)))
    columns = []
    for axis in np.eye(3):
        turned = body.limits.rotations(np.tile(axis, (count, 1)))
        columns.append(rot.log(rot.multiply(turned, rot.conjugate(still))))
    left = rot.from_matrix(np.stack(columns, axis=-1))
    left[0] = rot.identity()
    return left, rot.multiply(rot.conjugate(left), still)
