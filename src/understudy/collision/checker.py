"""A body in a world: does this pose touch anything?"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from understudy.collision.body import CollisionBody
from understudy.collision.held import HeldSolids
from understudy.collision.limb import LimbChecker
from understudy.collision.report import Contact, Distances, NearPairs, Sweep
from understudy.collision.tables import SELF, PartArrays, Placed
from understudy.collision.world import World
from understudy.core.pose import Pose
from understudy.errors import OptionError
from understudy.kinematics._inputs import checked
from understudy.typing import BoolArray, FloatArray


@dataclass(frozen=True, eq=False)
class Checker:
    """One body in one world. Everything that can be prepared is prepared once; queries change nothing.

    Args:
        body: Who moves.
        world: Where.
        allowed: Pairs (capsule or carried thing, obstacle) that may touch, such as ``("left_foot", "floor")``.
        clearance_m: Distance [m] below which a pair counts as touching.
    """

    body: CollisionBody
    world: World
    allowed: Collection[tuple[str, str]] = ()
    clearance_m: float = 0.0

    def __post_init__(self) -> None:
        """Reject unknown names and clearances that are not finite."""
        if not np.isfinite(self.clearance_m):
            raise OptionError(f"clearance_m is {self.clearance_m}; it must be a finite number of metres")
        parts = (*self.body.names, *(item.name for item in self.body.solid_items))
        for part, obstacle in self.allowed:
            self.world.index(obstacle)
            if part not in parts:
                self.body.body.capsule(part)

    @cached_property
    def touchable(self) -> BoolArray:
        """``(capsules, obstacles)`` whether a pair is tested."""
        mask = np.ones((len(self.body.names), len(self.world)), dtype=np.bool_)
        for part, obstacle in self.allowed:
            if part in self.body.names:
                mask[self.body.names.index(part), self.world.index(obstacle)] = False
        return mask

    def collides(self, rotations: npt.ArrayLike, root: npt.ArrayLike, t: float = 0.0) -> bool:
        """Whether one pose touches the world or itself at time ``t`` [s]; stops at the first hit.

        Args:
            rotations: ``(joints, 4)`` unit local quaternions, wxyz.
            root: ``(3,)`` [m].
            t: Time [s], for moving obstacles.
        """
        local = np.asarray(rotations, dtype=np.float64)
        return bool(self.collides_many(local[None], np.asarray(root, dtype=np.float64)[None], t)[0])

    def collides_many(
        self, rotations: npt.ArrayLike, roots: npt.ArrayLike, times_s: npt.ArrayLike = 0.0, *, threads: int = 1
    ) -> BoolArray:
        """``(frames,)`` whether each pose touches anything.

        Args:
            rotations: ``(frames, joints, 4)`` unit local quaternions, wxyz.
            roots: ``(frames, 3)`` [m].
            times_s: ``(frames,)`` [s], or one time for all.
            threads: How many to share the work among.

        Raises:
            OptionError: Shapes that do not fit, or poses that are not finite.
        """
        local, root, times = self._poses(rotations, roots, times_s)
        out = self.hits(self.body.whole, local, root, times, self.room(), threads)
        self.mark_held(local, root, times, out)
        return out

    def mark_held(self, local: FloatArray, roots: FloatArray, times: FloatArray, out: BoolArray) -> None:
        """Mark in ``out (frames,)`` the poses in which a carried thing that is not round touches something."""
        if self.body.solid_items:
            self._held.hits(local, roots, times, self.clearance_m, out)

    def distances(self, rotations: npt.ArrayLike, root: npt.ArrayLike, t: float = 0.0) -> Distances:
        """The nearest pair with the scene, with other characters and with itself in one pose.

        Args:
            rotations: ``(joints, 4)`` unit local quaternions, wxyz.
            root: ``(3,)`` [m].
            t: Time [s].
        """
        local = np.asarray(rotations, dtype=np.float64)
        rows = self.distances_many(local[None], np.asarray(root, dtype=np.float64)[None], t)[0]
        scene, others, own = (self._contact(rows[k], own=k == SELF) for k in range(3))
        return Distances(scene=scene, others=others, own=own)

    def distances_many(
        self, rotations: npt.ArrayLike, roots: npt.ArrayLike, times_s: npt.ArrayLike = 0.0
    ) -> FloatArray:
        """``(frames, 3, 14)`` rows as in ``_distance_kernels``: nearest in the scene, of others, of itself.

        Column 0 is the distance [m], infinite where a category is empty.
        """
        from understudy.collision._distance_kernels import poses_nearest

        local, root, times = self._poses(rotations, roots, times_s)
        out = np.zeros((len(local), 3, 14))
        body, world = self.body, self.world
        poses_nearest(
            body.arrays,
            body.whole,
            world.solids,
            world.tracks,
            self.room(),
            root,
            local,
            times,
            self.touchable,
            out,
        )
        return out

    def near(
        self, rotations: npt.ArrayLike, root: npt.ArrayLike, t: float = 0.0, *, within_m: float = 0.2
    ) -> NearPairs:
        """Every pair of one pose that is nearer than ``within_m`` [m], for energies and their gradients."""
        from understudy.collision._distance_kernels import pose_near

        local, roots, times = self._poses(np.asarray(rotations)[None], np.asarray(root)[None], t)
        body, world = self.body, self.world
        own, rows = pose_near(
            body.arrays,
            body.whole,
            world.solids,
            world.tracks,
            self.room(),
            roots,
            local,
            times,
            self.touchable,
            float(within_m),
        )
        return NearPairs(own=rows[:own], world=rows[own:])

    def segment_is_free(
        self,
        start: Pose,
        end: Pose,
        *,
        start_s: float = 0.0,
        end_s: float = 0.0,
        limb: str | Iterable[int] | None = None,
        find_first: bool = False,
        max_checks: int = 4096,
    ) -> Sweep:
        """Whether the whole move between two poses is free; nothing tunnels (``_sweep_kernels``).

        Between them the root moves linearly, joints turn by slerp and time passes evenly.

        Args:
            start: First pose.
            end: Last pose.
            start_s: Time of the first pose [s].
            end_s: Time of the last pose [s].
            limb: Test only this limb's capsules; the rest of the body must not move.
            find_first: Look for the first contact rather than any.
            max_checks: Poses to look at before giving up and calling the move not free, [1, 1_000_000].
        """
        from understudy.collision._sweep_kernels import sweep

        if not 1 <= max_checks <= 1_000_000:
            raise OptionError(f"max_checks is {max_checks}; it must be in 1..1000000")
        local, roots, times = self._poses(
            [start.rotations, end.rotations], [start.root_position, end.root_position], [start_s, end_s]
        )
        body, world = self.body, self.world
        part = body.whole if limb is None else body.part(self._below(limb))._replace(joints=body.whole.joints)
        at, kind, first, second, looked = sweep(
            body.arrays,
            part,
            world.solids,
            world.broad,
            world.tracks,
            self.room(),
            roots,
            local[0],
            local[1],
            times,
            self.touchable,
            self.clearance_m,
            find_first,
            max_checks,
        )
        if kind < 0:
            return self._held_sweep(start, end, start_s, end_s, find_first, max_checks, looked)
        other = self.body.names[second] if kind == 1 else self.world.names[second]
        return Sweep(free=False, contact=at, pair=(self.body.names[first], other), checks=looked)

    @cached_property
    def _held(self) -> HeldSolids:
        return HeldSolids(self.body, self.world, set(self.allowed))

    def _held_sweep(
        self, start: Pose, end: Pose, start_s: float, end_s: float, first: bool, max_checks: int, looked: int
    ) -> Sweep:
        """The answer for carried solids once the capsules are known to be free."""
        if not self.body.solid_items:
            return Sweep(free=True, checks=looked)
        met = self._held.sweep(
            start, end, start_s, end_s, clearance_m=self.clearance_m, first=first, max_checks=max_checks
        )
        if met is None:
            return Sweep(free=True, checks=looked)
        return Sweep(free=False, contact=met[0], pair=met[1], checks=looked + met[2])

    def limb(self, pose: Pose, limb: str | Iterable[int]) -> LimbChecker:
        """A checker for poses that differ from ``pose`` in one limb only.

        Args:
            pose: Holds the rest of the body.
            limb: Name of a limb of the body, or its joints; everything below them moves along.
        """
        return LimbChecker(self, pose, self._below(limb))

    def _below(self, limb: str | Iterable[int]) -> tuple[int, ...]:
        """Joints of a limb and all that hang from them, parents first."""
        joints = self.body.body.limb(limb) if isinstance(limb, str) else tuple(limb)
        skeleton = self.body.skeleton
        if not joints or any(not 0 <= joint < len(skeleton) for joint in joints):
            raise OptionError(f"limb joints {joints} must be some of 0..{len(skeleton) - 1}")
        return tuple(sorted({below for joint in joints for below in skeleton.descendants(joint)}))

    def _contact(self, row: FloatArray, *, own: bool) -> Contact | None:
        if not np.isfinite(row[0]):
            return None
        names = self.body.names if own else self.world.names
        return Contact(
            distance_m=float(row[0]),
            capsule=self.body.names[int(row[1])],
            other=names[int(row[2])],
            on_capsule=row[8:11].copy(),
            on_other=row[11:14].copy(),
            normal=row[5:8].copy(),
        )

    def _poses(
        self, rotations: npt.ArrayLike, roots: npt.ArrayLike, times_s: npt.ArrayLike
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        local = checked(rotations, (None, len(self.body.skeleton), 4), "rotations")
        root = checked(roots, (len(local), 3), "roots")
        times = np.atleast_1d(np.asarray(times_s, dtype=np.float64))
        return local, root, checked(times, (1 if len(times) == 1 else len(local),), "times_s")

    def room(self) -> Placed:
        """Room for a body in a pose."""
        joints, capsules = len(self.body.skeleton), len(self.body.names)
        return Placed(np.zeros((joints, 3)), np.zeros((joints, 4)), np.zeros((capsules, 9)))

    def hits(
        self,
        part: PartArrays,
        local: FloatArray,
        root: FloatArray,
        times: FloatArray,
        room: Placed,
        threads: int,
    ) -> BoolArray:
        """``(frames,)`` whether a part of the body touches anything; arguments as in ``_hit_kernels.poses_hit``."""
        from understudy.collision import _hit_kernels as kernels

        out = np.empty(len(local), dtype=np.bool_)
        world, body = self.world, self.body.arrays
        common = (body, part, world.solids, world.broad, world.tracks, room, root, local, times, self.touchable)
        if threads > 1:
            kernels.poses_hit_parallel(*common, self.clearance_m, out, threads)
        else:
            kernels.poses_hit(*common, self.clearance_m, out)
        return out
