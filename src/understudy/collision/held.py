"""Carried things that are not round (boxes, cylinders, hulls, meshes) against the world and their own carrier.

These run through Python, tens of microseconds a pair; spheres and capsules are part of the body and stay compiled.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.collision.body import Carried, CollisionBody
from understudy.collision.shape_pairs import ShapePose, shape_distance
from understudy.collision.solids import solid_arrays
from understudy.collision.tables import BOUND, CENTRE, MIDDLE, PLACE, TURN, SolidArrays
from understudy.collision.world import World
from understudy.core.pose import Pose
from understudy.typing import BoolArray, FloatArray

#: Share of a move below which an uncertified gap counts as contact.
_SMALLEST = 1e-6


class _Pair(NamedTuple):
    """A carried thing near something: distance [m], names, and how far they can approach in a move [m]."""

    distance_m: float
    item: str
    other: str
    rate_m: float


@dataclass(frozen=True, eq=False)
class HeldSolids:
    """What a body carries that is not round.

    Args:
        body: The carrier.
        world: Where it moves.
        allowed: Pairs (carried thing, obstacle) that may touch.
    """

    body: CollisionBody
    world: World
    allowed: Collection[tuple[str, str]] = ()

    @cached_property
    def _solids(self) -> SolidArrays:
        items = self.body.solid_items
        return solid_arrays([item.shape for item in items], np.zeros(len(items), dtype=np.int64))

    def hits(self, local: FloatArray, roots: FloatArray, times: FloatArray, clearance_m: float, out: BoolArray) -> None:
        """Mark the poses ``(frames,)`` in which a carried thing touches something; marked ones are not looked at."""
        for f in map(int, np.flatnonzero(~out)):
            pairs = self._pairs(local[f], roots[f], float(times[min(f, len(times) - 1)]), None, clearance_m)
            out[f] = any(pair.distance_m <= max(clearance_m, 0.0) for pair in pairs)

    def sweep(
        self, start: Pose, end: Pose, start_s: float, end_s: float, *, clearance_m: float, first: bool, max_checks: int
    ) -> tuple[float, tuple[str, str], int] | None:
        """Where a carried thing meets something between two poses, what, and after how many looks; ``None`` if free.

        Conservative advancement as in ``_sweep_kernels``.
        """
        move = _Move(self.body, start, end)
        clearance, looked = max(clearance_m, 0.0), 0
        gaps = [(0.0, 1.0)]
        while gaps:
            low, high = gaps.pop(0)
            s = low if first else 0.5 * (low + high)
            half = high - low if first else 0.5 * (high - low)
            roots = start.root_position + s * (end.root_position - start.root_position)
            local = rot.slerp(start.rotations, end.rotations, np.full(len(start.rotations), s))
            far = clearance + half * (move.farthest_m + self._fastest_m(start_s, end_s).max(initial=0.0))
            solid_rates = self._fastest_m(start_s, end_s)
            pairs = self._pairs(local, roots, start_s + s * (end_s - start_s), (move, solid_rates), far)
            looked += 1
            free, limit = half, None
            for pair in pairs:
                share = (pair.distance_m - clearance) / pair.rate_m if pair.rate_m > 0 else np.inf
                share = 0.0 if pair.distance_m <= clearance else share
                if share < free:
                    free, limit = share, pair
            if limit is None:
                continue
            if free < _SMALLEST or looked >= max_checks:
                return s, (limit.item, limit.other), looked
            gaps += [(s + free, high)] if first else [(low, s - free), (s + free, high)]
        return None

    def _fastest_m(self, start_s: float, end_s: float) -> FloatArray:
        """``(obstacles,)`` how far each obstacle can move between two times [m]."""
        from understudy.collision._sweep_kernels import solid_rates

        rates = np.zeros(len(self.world))
        solid_rates(self.world.tracks, self.world.solids.rows, start_s, end_s, rates)
        return rates

    def _pairs(
        self,
        local: FloatArray,
        root: FloatArray,
        t: float,
        moving: tuple[_Move, FloatArray] | None,
        within_m: float,
    ) -> list[_Pair]:
        """All pairs of carried things nearer than ``within_m`` [m] to an obstacle or to the carrier."""
        positions, turns = self.body.skeleton.placed_joints(root, local)
        segments = self.body.body.capsule_segments(positions, turns)
        rows, found = self.world.at(t), []
        for k, item in enumerate(self.body.solid_items):
            pose = self._place(k, item, positions, turns)
            move = None if moving is None else moving[0]
            found += self._own_pairs(k, item, segments, move, within_m)
            centre, bound = self._solids.rows[k, CENTRE : CENTRE + 3], self._solids.rows[k, BOUND]
            near = np.linalg.norm(rows[:, CENTRE : CENTRE + 3] - centre, axis=1) - rows[:, BOUND] - bound < within_m
            for i in map(int, np.flatnonzero(near)):
                name = self.world.names[i]
                if (item.name, name) in self.allowed:
                    continue
                matrix = rows[i, TURN : TURN + 9].reshape(3, 3)
                other = ShapePose(rows[i, PLACE : PLACE + 3], rot.from_matrix(matrix))
                d = shape_distance(item.shape, pose, self.world.obstacles[i].shape, other).distance_m
                rate = 0.0 if moving is None else moving[0].item_m(item, bound) + float(moving[1][i])
                found.append(_Pair(d, item.name, name, rate))
        return [pair for pair in found if pair.distance_m < within_m or pair.distance_m <= 0.0]

    def _place(self, k: int, item: Carried, positions: FloatArray, turns: FloatArray) -> ShapePose:
        """The pose of a carried thing in the world, also written into its row."""
        from understudy.collision._placing_kernels import place_solid

        joint = self.body.joint(item.joint)
        position = positions[joint] + rot.rotate(turns[joint], np.asarray(item.position, dtype=np.float64))
        rotation = rot.multiply(turns[joint], rot.normalize(np.asarray(item.rotation, dtype=np.float64)))
        place_solid(self._solids.rows, k, *position, *rotation)
        return ShapePose(position, rotation)

    def _own_pairs(
        self, k: int, item: Carried, segments: tuple[FloatArray, FloatArray], move: _Move | None, within_m: float
    ) -> list[_Pair]:
        """The carrier's capsules near a carried thing."""
        from understudy.collision._shape_kernels import solid_signed

        body, found = self.body.body, []
        centre, bound = self._solids.rows[k, CENTRE : CENTRE + 3], self._solids.rows[k, BOUND]
        for c, name in enumerate(body.capsule_names):
            a, b, radius = segments[0][c], segments[1][c], float(body.capsule_radii[c])
            apart = np.linalg.norm(0.5 * (a + b) - centre) - 0.5 * np.linalg.norm(b - a) - radius - bound
            if name in item.touches or apart >= within_m:
                continue
            d = solid_signed(self._solids, self._solids.rows, k, *a, *b)[0] - radius
            rate = 0.0 if move is None else move.own_m(item, bound, c)
            found.append(_Pair(d, item.name, name, rate))
        return found


class _Move:
    """How far things fixed to a body can move between two poses."""

    def __init__(self, body: CollisionBody, start: Pose, end: Pose) -> None:
        self.body = body
        self.shift_m = float(np.linalg.norm(end.root_position - start.root_position))
        relative = rot.multiply(rot.conjugate(start.rotations), end.rotations)
        self.angles = np.linalg.norm(rot.log(relative), axis=-1) * (1.0 + 1e-9)

    @property
    def farthest_m(self) -> float:
        """Farthest that any carried thing can move [m]."""
        bounds = [_radius(item) for item in self.body.solid_items]
        return max(self.item_m(item, bound) for item, bound in zip(self.body.solid_items, bounds, strict=True))

    def item_m(self, item: Carried, bound: float) -> float:
        """Farthest that a point of a carried thing can move [m]."""
        return self.shift_m + sum(self._turns(item, bound).values())

    def own_m(self, item: Carried, bound: float, capsule: int) -> float:
        """Farthest that a carried thing and a capsule of its carrier can approach each other [m]."""
        turns = self._turns(item, bound)
        reach = self.body.arrays.reach[:, capsule] * self.angles
        joint, above = int(self.body.arrays.joints[capsule]), set()
        while joint >= 0:
            above.add(joint)
            joint = int(self.body.skeleton.parents[joint])
        apart = [turn for joint, turn in turns.items() if joint not in above]
        return sum(apart) + sum(float(reach[joint]) for joint in above if joint not in turns)

    def _turns(self, item: Carried, bound: float) -> dict[int, float]:
        """How far the turn of each joint above a carried thing can move its points [m]."""
        skeleton, joint = self.body.skeleton, self.body.joint(item.joint)
        far, turns = float(np.linalg.norm(item.position)) + _offset(item) + bound, {}
        while joint >= 0:
            turns[joint] = float(self.angles[joint]) * far
            far += float(np.linalg.norm(skeleton.offsets[joint]))
            joint = int(skeleton.parents[joint])
        return turns


def _bounding(item: Carried) -> tuple[float, float]:
    row = solid_arrays([item.shape], np.zeros(1, dtype=np.int64)).rows[0]
    return float(row[BOUND]), float(np.linalg.norm(row[MIDDLE : MIDDLE + 3]))


def _radius(item: Carried) -> float:
    return _bounding(item)[0]


def _offset(item: Carried) -> float:
    """Distance of the bounding sphere's centre from the shape's origin [m]."""
    return _bounding(item)[1]
