"""Checking one limb while the rest of the body holds still."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from understudy.collision.tables import PartArrays, Placed
from understudy.core.pose import Pose
from understudy.errors import SkeletonError
from understudy.kinematics._inputs import checked, frozen
from understudy.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from understudy.collision.checker import Checker


@dataclass(frozen=True, eq=False)
class LimbChecker:
    """Forward kinematics and tests of a limb's capsules only: against the world and against the rest of the body.

    Args:
        checker: Body and world.
        pose: Holds the rest of the body.
        joints: Joints that move, parents first, everything below them included.
    """

    checker: Checker
    pose: Pose
    joints: tuple[int, ...]

    def __post_init__(self) -> None:
        """Reject a pose of another skeleton."""
        if not self.pose.skeleton.same_joints(self.checker.body.skeleton):
            raise SkeletonError("the pose's skeleton is not the body's")

    @cached_property
    def part(self) -> PartArrays:
        """The moving part of the body."""
        return self.checker.body.part(self.joints)

    @cached_property
    def _placed(self) -> Placed:
        """The whole body in its pose."""
        from understudy.collision._placing_kernels import place_capsules, place_joints

        body = self.checker.body
        arrays, whole = body.arrays, body.whole
        placed = self.checker.room()
        root, local = frozen(self.pose.root_position[None]), frozen(self.pose.rotations[None])
        place_joints(arrays.parents, arrays.offsets, whole.joints, root, local, 0, placed.at, placed.turned)
        place_capsules(arrays.joints, arrays.ends, whole.capsules, *placed)
        return placed

    def collides(self, rotations: npt.ArrayLike, t: float = 0.0) -> bool:
        """Whether the limb touches anything.

        Args:
            rotations: ``(limb joints, 4)`` unit local quaternions in the order of ``joints``.
            t: Time [s].
        """
        return bool(self.collides_many(np.asarray(rotations, dtype=np.float64)[None], t)[0])

    def collides_many(self, rotations: npt.ArrayLike, times_s: npt.ArrayLike = 0.0, *, threads: int = 1) -> BoolArray:
        """``(n,)`` whether each limb pose touches anything.

        Args:
            rotations: ``(n, limb joints, 4)`` unit local quaternions in the order of ``joints``.
            times_s: ``(n,)`` [s], or one time for all.
            threads: How many to share the work among.
        """
        local = checked(rotations, (None, len(self.joints), 4), "rotations")
        times = np.atleast_1d(np.asarray(times_s, dtype=np.float64))
        times = checked(times, (1 if len(times) == 1 else len(local),), "times_s")
        root = frozen(self.pose.root_position[None])
        placed = Placed(*(one.copy() for one in self._placed))
        out = self.checker.hits(self.part, local, root, times, placed, threads)
        self.checker.mark_held(self._whole(local), np.repeat(root, len(local), axis=0), times, out)
        return out

    def _whole(self, local: FloatArray) -> FloatArray:
        """Rotations of the whole body for limb poses."""
        whole = np.repeat(self.pose.rotations[None], len(local), axis=0)
        whole[:, list(self.joints)] = local
        return whole
