"""What can overlap what: body and object, body and body, a body and itself, object and object.

Each relation measures the signed distance of any of its pairs at any time, and gives points whose motion bounds how
fast that distance can change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from understudy.typing import FloatArray, IntArray
from understudy.verify.distances.pairs import solid_distance
from understudy.verify.distances.solids import Solid
from understudy.verify.forward import Performer, distinct, matrices

#: [m] pairs whose bounding balls are farther apart are not measured; the bound itself is the answer.
FAR_M = 0.25
#: [m] parts of a body this near to the box around an object are measured exactly.
_EXACT_M = 0.1

#: Signed distance ``(n,)`` [m], and points ``(n, bodies, points, 3)`` that bound the motion.
Measured = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class Thing:
    """An object of the scene over time.

    Attributes:
        name: Its name.
        solid: Its shape, ready to be measured.
        poses: Times ``(n,)`` [s] -> positions ``(n, 3)`` [m] and rotations ``(n, 4)``.
    """

    name: str
    solid: Solid
    poses: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
    _asked: list[tuple[FloatArray, FloatArray, FloatArray]] = field(default_factory=list, repr=False)

    def frames(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Positions ``(n, 3)`` and matrices ``(n, 3, 3)``; equal times are asked once."""
        unique, where = distinct(times_s)
        positions, rotations = self._known_or_asked(unique)
        return positions[where], matrices(np.asarray(rotations))[where]

    def _known_or_asked(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Poses at rising times, those of the first times asked for by heart: what is carried takes long to follow."""
        if not self._asked:
            positions, rotations = (np.asarray(values) for values in self.poses(times_s))
            self._asked.append((times_s, positions, rotations))
            return positions, rotations
        known, places, turns = self._asked[0]
        where = np.minimum(np.searchsorted(known, times_s), max(len(known) - 1, 0))
        new = np.flatnonzero(known[where] != times_s) if len(known) else np.arange(len(times_s))
        if len(new) == len(times_s):
            positions, rotations = self.poses(times_s)
            return np.asarray(positions), np.asarray(rotations)
        positions, rotations = places[where], turns[where]
        if len(new):
            positions[new], rotations[new] = self.poses(times_s[new])
        return positions, rotations

    def corners(self, times_s: FloatArray) -> FloatArray:
        """``(n, 8, 3)`` corners of its box in the world [m]."""
        positions, turns = self.frames(times_s)
        return np.asarray(positions[:, None] + np.einsum("nij,kj->nki", turns, self.solid.corners))

    def frames_or_still(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same at times that rise; one position and matrix only where the object stands still all the while."""
        positions, rotations = self._known_or_asked(times_s)
        if (positions == positions[0]).all() and (rotations == rotations[0]).all():
            positions, rotations = positions[:1], rotations[:1]
        return np.ascontiguousarray(positions), np.ascontiguousarray(matrices(rotations))


class Relation(Protocol):
    """A family of pairs."""

    @property
    def labels(self) -> Sequence[tuple[str, str]]:
        """Names of both sides of every pair."""

    def measure(self, times_s: FloatArray, items: IntArray) -> Measured:
        """Signed distances of pairs ``items`` ``(n,)`` at ``times_s`` ``(n,)``."""


@dataclass(frozen=True, eq=False)
class BodyAndThing:
    """Every capsule of one performer, or some of them, against one object."""

    performer: Performer
    thing: Thing
    parts: IntArray | None = None

    @property
    def labels(self) -> Sequence[tuple[str, str]]:
        """Capsule and object."""
        parts = range(len(self.performer.body.capsule_names)) if self.parts is None else self.parts.tolist()
        return [(self.performer.part_name(part), self.thing.name) for part in parts]

    def measure(self, times_s: FloatArray, items: IntArray) -> Measured:
        """In the object's frame, so that a swinging door counts as motion."""
        items = items if self.parts is None else self.parts[items]
        ends = self.performer.capsules_at(times_s, items)
        positions, turns = self.thing.frames(times_s)
        local = np.einsum("nji,nej->nei", turns, ends - positions[:, None])
        radii = self.performer.body.capsule_radii[items]
        start, end = local[:, 0], local[:, 1]
        solid = self.thing.solid
        gap = _gap_to_box(solid, start, end) - radii
        near = gap < _EXACT_M
        if near.any():
            gap[near] = solid.segments(start[near], end[near], cap_m=_EXACT_M + radii.max()) - radii[near]
        return gap, local[:, None]


def _gap_to_box(solid: Solid, start: FloatArray, end: FloatArray) -> FloatArray:
    """A lower bound of the distance of segments from a solid [m]: both boxed in the solid's axes."""
    low, high = solid.bounds
    below = low - np.maximum(start, end)
    above = np.minimum(start, end) - high
    return np.asarray(np.linalg.norm(np.maximum(np.maximum(below, above), 0.0), axis=-1))


@dataclass(frozen=True, eq=False)
class BodyAndBody:
    """Capsules of one performer against another's; with itself, only the given pairs."""

    first: Performer
    second: Performer
    pairs: IntArray

    @property
    def labels(self) -> Sequence[tuple[str, str]]:
        """Both capsules."""
        return [(self.first.part_name(int(a)), self.second.part_name(int(b))) for a, b in self.pairs]

    def measure(self, times_s: FloatArray, items: IntArray) -> Measured:
        """Segment against segment, less both radii; a body against itself in its root's frame, which is no motion."""
        from understudy.verify._kernels import gaps_of_rows

        one, two = self.pairs[items, 0], self.pairs[items, 1]
        unique, where = distinct(times_s)
        itself = self.second is self.first
        capsules = self.first.seen_from_root(unique) if itself else self.first.capsules(unique)
        a = capsules[where, one]
        b = (capsules if itself else self.second.capsules(unique))[where, two]
        radii = self.first.body.capsule_radii[one] + self.second.body.capsule_radii[two]
        return gaps_of_rows(a, b) - radii, np.stack([a, b], axis=1)


def all_pairs(first: Performer, second: Performer, parts: IntArray | None = None) -> IntArray:
    """``(pairs, 2)`` every capsule of one performer, or some of them, with every capsule of another."""
    own = np.arange(len(first.body.capsule_names)) if parts is None else parts
    a, b = np.meshgrid(own, np.arange(len(second.body.capsule_names)))
    return np.stack([a.ravel(), b.ravel()], axis=1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class ThingAndThing:
    """One object that moves against another."""

    first: Thing
    second: Thing

    @property
    def labels(self) -> Sequence[tuple[str, str]]:
        """Both objects."""
        return [(self.first.name, self.second.name)]

    def measure(self, times_s: FloatArray, items: IntArray) -> Measured:
        """The first object in the second's frame."""
        at, turn = self.first.frames(times_s)
        base, frame = self.second.frames(times_s)
        offset = np.einsum("nji,nj->ni", frame, at - base)
        turned = np.einsum("nji,njk->nik", frame, turn)
        corners = offset[:, None] + np.einsum("nij,kj->nki", turned, self.first.solid.corners)
        low, high = self.second.solid.bounds
        apart = np.maximum(np.maximum(low - corners.max(axis=1), corners.min(axis=1) - high), 0.0)
        gap = np.linalg.norm(apart, axis=-1)
        near = gap < FAR_M
        if near.any():
            gap[near] = solid_distance(self.first.solid, self.second.solid, offset[near], turned[near])
        return gap, corners[:, None]
