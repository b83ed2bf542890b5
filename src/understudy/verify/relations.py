"""What can overlap what: body and object, body and body, a body and itself, object and object.

Each relation gives, for any of its pairs at any time, points whose motion bounds how fast the signed distance of the
pair can change, and that distance itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from understudy.typing import FloatArray, IntArray
from understudy.verify.distances.pairs import solid_distance
from understudy.verify.forward import Performer, distinct
from understudy.verify.things import Thing

#: [m] people farther apart than this are not measured against each other.
FAR_M = 0.25


class Relation(Protocol):
    """A family of pairs."""

    @property
    def count(self) -> int:
        """How many pairs."""

    def label(self, item: int) -> tuple[str, str]:
        """Names of both sides of a pair."""

    def places(self, times_s: FloatArray, items: IntArray) -> FloatArray:
        """Points ``(n, bodies, points, 3)`` [m] of pairs ``items`` ``(n,)`` at ``times_s`` ``(n,)``.

        The distance of a pair changes by no more than the sum, over its bodies, of the farthest way of a point.
        """

    def distances(self, times_s: FloatArray, items: IntArray, places: FloatArray, telling_m: FloatArray) -> FloatArray:
        """Signed distances ``(n,)`` [m]; where one is above ``telling_m`` ``(n,)`` anything between them will do."""


@dataclass(frozen=True, eq=False)
class BodyAndThing:
    """Every capsule of one performer against one object."""

    performer: Performer
    thing: Thing

    @property
    def count(self) -> int:
        """Capsules."""
        return len(self.performer.body.capsule_radii)

    def label(self, item: int) -> tuple[str, str]:
        """Capsule and object."""
        return self.performer.part_name(item), self.thing.name

    def places(self, times_s: FloatArray, items: IntArray) -> FloatArray:
        """Both ends of a capsule's axis in the object's frame, where a resting object's distance field never moves."""
        from understudy.verify._kernels import seen_in_frames

        ends = self.performer.capsules_at(times_s, items)
        return np.asarray(seen_in_frames(ends, *self.thing.placed(times_s)))[:, None]

    def distances(self, times_s: FloatArray, items: IntArray, places: FloatArray, telling_m: FloatArray) -> FloatArray:
        """The axis from the object's box, and from the object itself where that is near, less the radius."""
        from understudy.verify._kernels import gaps_to_box

        radii = self.performer.body.capsule_radii[items]
        axes, solid = places[:, 0], self.thing.solid
        gaps = gaps_to_box(axes, radii, *solid.bounds)
        near = np.flatnonzero(gaps < telling_m)
        if len(near):
            beyond = telling_m[near] + radii[near]
            gaps[near] = solid.segments(axes[near, 0], axes[near, 1], cap_m=beyond) - radii[near]
        return gaps


@dataclass(frozen=True, eq=False)
class BodyAndBody:
    """Capsules of one performer against another's; with itself, only the given pairs."""

    first: Performer
    second: Performer
    pairs: IntArray

    @property
    def count(self) -> int:
        """Pairs of capsules."""
        return len(self.pairs)

    def label(self, item: int) -> tuple[str, str]:
        """Both capsules."""
        a, b = self.pairs[item].tolist()
        return self.first.part_name(a), self.second.part_name(b)

    def places(self, times_s: FloatArray, items: IntArray) -> FloatArray:
        """Both axes' ends; of a body against itself in its root's frame, whose own way is no motion."""
        one, two = self.pairs[items, 0], self.pairs[items, 1]
        unique, where = distinct(times_s)
        itself = self.second is self.first
        capsules = self.first.seen_from_root(unique) if itself else self.first.capsules(unique)
        a = capsules[where, one]
        b = (capsules if itself else self.second.capsules(unique))[where, two]
        return np.stack([a, b], axis=1)

    def distances(self, times_s: FloatArray, items: IntArray, places: FloatArray, telling_m: FloatArray) -> FloatArray:
        """Segment against segment, less both radii."""
        from understudy.verify._kernels import gaps_of_rows

        radii = (
            self.first.body.capsule_radii[self.pairs[items, 0]] + self.second.body.capsule_radii[self.pairs[items, 1]]
        )
        return np.asarray(gaps_of_rows(*(np.ascontiguousarray(places[:, body]) for body in range(2))) - radii)


def all_pairs(first: Performer, second: Performer) -> IntArray:
    """``(pairs, 2)`` every capsule of one performer with every capsule of another."""
    a, b = np.meshgrid(np.arange(len(first.body.capsule_names)), np.arange(len(second.body.capsule_names)))
    return np.stack([a.ravel(), b.ravel()], axis=1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class ThingAndThing:
    """One object that moves against another."""

    first: Thing
    second: Thing

    @property
    def count(self) -> int:
        """One."""
        return 1

    def label(self, item: int) -> tuple[str, str]:
        """Both objects."""
        return self.first.name, self.second.name

    def places(self, times_s: FloatArray, items: IntArray) -> FloatArray:
        """The corners of the first object's box in the second's frame."""
        offset, turned = self._seen(times_s)
        return np.asarray(offset[:, None] + np.einsum("nij,kj->nki", turned, self.first.solid.corners))[:, None]

    def distances(self, times_s: FloatArray, items: IntArray, places: FloatArray, telling_m: FloatArray) -> FloatArray:
        """The box around the first object's box from the second's; the objects themselves where these are near."""
        gap = self.box_gaps(places[:, 0])
        near = np.flatnonzero(gap < telling_m)
        if len(near):
            gap[near] = solid_distance(self.first.solid, self.second.solid, *self._seen(times_s[near]))
        return gap

    def box_gaps(self, corners: FloatArray) -> FloatArray:
        """``(n,)`` [m] the box around corners ``(n, 8, 3)`` from the second object's."""
        low, high = self.second.solid.bounds
        apart = np.maximum(np.maximum(low - corners.max(axis=1), corners.min(axis=1) - high), 0.0)
        return np.asarray(np.linalg.norm(apart, axis=-1))

    def _seen(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where the first object is in the second's frame: ``(n, 3)`` [m] and matrices ``(n, 3, 3)``."""
        at, turn = self.first.frames(times_s)
        base, frame = self.second.frames(times_s)
        return np.einsum("nji,nj->ni", frame, at - base), np.einsum("nji,njk->nik", frame, turn)
