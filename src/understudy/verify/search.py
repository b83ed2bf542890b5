"""Looking for overlaps over time: dense samples first, then between them wherever something could hide.

A signed distance changes by at most the way its bodies move. Between two samples at distances ``d0`` and ``d1`` with
a way ``L`` between them it cannot fall below ``(d0 + d1 - L) / 2``; intervals that could hide an overlap are halved
until they cannot. Nothing tunnels through a thin wall between two frames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import reduce

import numpy as np

from understudy.typing import BoolArray, FloatArray, IntArray
from understudy.verify.feet import runs
from understudy.verify.relations import Relation

#: [m] overlaps of this size count; half of it must not be able to hide between samples.
COUNTED_M = 1e-3
#: [m] how exactly the deepest overlap of a pair is found.
DEPTH_STEP_M = 1e-4
#: Halvings of one interval between samples.
MOST_ROUNDS = 14
#: Chords are a little shorter than the arcs they stand for.
ARC = 1.05
#: Samples of all pairs measured at a time; bounds memory, not results.
CHUNK = 400_000

#: Allowed depth ``(n,)`` [m] of pairs ``items`` at times, for measured distances ``(n,)``.
Allowance = Callable[[FloatArray, IntArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTrace:
    """One pair over time.

    Attributes:
        a: One side.
        b: The other side.
        times_s: ``(n,)`` when it was measured, rising.
        distances_m: ``(n,)`` signed distance.
        allowed_m: ``(n,)`` depth allowed.
    """

    a: str
    b: str
    times_s: FloatArray
    distances_m: FloatArray
    allowed_m: FloatArray

    @property
    def excess_m(self) -> FloatArray:
        """``(n,)`` depth beyond what is allowed; negative where all is well."""
        return -(self.distances_m + self.allowed_m)

    def intervals_over(self, depth_m: float) -> list[tuple[float, float]]:
        """Times ``(from, to)`` [s] during which the excess is above ``depth_m``, straight between samples."""
        over = self.excess_m - depth_m
        found = []
        for i in np.flatnonzero((over[:-1] > 0) | (over[1:] > 0)):
            t0, t1, x0, x1 = self.times_s[i], self.times_s[i + 1], over[i], over[i + 1]
            if x0 > 0 and x1 > 0:
                found.append((t0, t1))
            else:
                turn = t0 + (t1 - t0) * x0 / (x0 - x1) if np.isfinite(x0 - x1) else t0 if x1 <= 0 else t1
                found.append((t0, turn) if x0 > 0 else (turn, t1))
        return [(float(first), float(last)) for first, last in found]


@dataclass(frozen=True, eq=False)
class _Moments:
    """Measured moments of pairs, flat."""

    times: FloatArray
    items: IntArray
    places: FloatArray
    distances: FloatArray
    allowed: FloatArray

    @property
    def margins(self) -> FloatArray:
        """Distances above what is allowed [m]."""
        return self.distances + self.allowed

    def of(self, pairs: BoolArray) -> _Moments:
        """Those of some pairs."""
        own = np.flatnonzero(pairs[self.items])
        return _Moments(self.times[own], self.items[own], self.places[own], self.distances[own], self.allowed[own])


def search(
    relation: Relation, times_s: FloatArray, allowance: Allowance, *, near: BoolArray | None = None
) -> list[PairTrace]:
    """Every pair that comes within a millimetre of an overlap, with all moments that matter for it.

    Args:
        relation: The pairs.
        times_s: ``(n,)`` rising times to begin with [s].
        allowance: How deep each pair may overlap at each time.
        near: ``(n - 1, pairs)`` intervals between these times to look at; pairs must be a millimetre apart in all
            others. All unless given.
    """
    if near is None:
        near = np.ones((max(len(times_s) - 1, 0), relation.count), dtype=np.bool_)
    found: list[_Moments] = []
    best = np.full(relation.count, np.inf)
    for first, stop in _windows(near, relation.count):
        found += _search_window(relation, times_s, near, (first, stop), allowance, best)
    if not found:
        return []
    return _traces(relation, reduce(_joined, found))


def _windows(near: BoolArray, pairs: int) -> list[tuple[int, int]]:
    """``(first, stop)`` samples around intervals ``near`` in which any pair is near, long ones in pieces.

    Pieces share their border sample, so that no interval is left out. A single sample is a window of its own.
    """
    if len(near) == 0:
        return [(0, 1)] if pairs else []
    step = max(2, CHUNK // max(pairs, 1))
    return [
        (first, min(first + step + 1, stop + 1))
        for begin, stop in runs(np.asarray(near.any(axis=1)))
        for first in range(begin, stop, step)
    ]


def _traces(relation: Relation, moments: _Moments) -> list[PairTrace]:
    """Moments of pairs as traces of those that come within a millimetre of an overlap."""
    traces = []
    for item in np.unique(moments.items[moments.distances < COUNTED_M]).tolist():
        own = np.flatnonzero(moments.items == item)
        times, where = np.unique(moments.times[own], return_index=True)
        own, (a, b) = own[where], relation.label(item)
        distances, allowed = moments.distances[own], moments.allowed[own]
        traces.append(PairTrace(a=a, b=b, times_s=times, distances_m=distances, allowed_m=allowed))
    return traces


def _search_window(
    relation: Relation,
    times_s: FloatArray,
    near: BoolArray,
    window: tuple[int, int],
    allowance: Allowance,
    best: FloatArray,
) -> list[_Moments]:
    from understudy.verify._kernels import moments_near

    samples, items, lefts, rights = moments_near(near, *window)
    places = relation.places(times_s[samples], items)
    ways = _ways_m(places, lefts, rights)
    telling = _telling_m(ways, lefts, rights, len(items))
    every = _measured(relation, allowance, times_s[samples], items, places, telling)
    np.minimum.at(best, items, every.margins)
    for _ in range(MOST_ROUNDS):
        hidden = _hiding(every, lefts, rights, ways, best)
        if len(hidden) == 0:
            break
        lefts, rights, fresh = lefts[hidden], rights[hidden], len(every.items)
        times, items = 0.5 * (every.times[lefts] + every.times[rights]), every.items[lefts]
        places = relation.places(times, items)
        middle = fresh + np.arange(len(hidden))
        lefts, rights = np.concatenate([lefts, middle]), np.concatenate([middle, rights])
        ways = _ways_m(np.concatenate([every.places, places]), lefts, rights)
        telling = _telling_m(ways, lefts - fresh, rights - fresh, len(items))
        more = _measured(relation, allowance, times, items, places, telling)
        np.minimum.at(best, items, more.margins)
        every = _joined(every, more)
    touching = np.zeros(relation.count, dtype=np.bool_)
    touching[every.items[every.distances < COUNTED_M]] = True
    return [every.of(touching)] if touching.any() else []


def _measured(
    relation: Relation,
    allowance: Allowance,
    times: FloatArray,
    items: IntArray,
    places: FloatArray,
    telling: FloatArray,
) -> _Moments:
    distances = relation.distances(times, items, places, telling)
    return _Moments(times, items, places, distances, allowance(times, items, distances))


def _ways_m(places: FloatArray, lefts: IntArray, rights: IntArray) -> FloatArray:
    """``(intervals,)`` [m] how much a distance can change between two moments: each body by its farthest point."""
    squares = np.square(places[rights] - places[lefts]).sum(axis=-1)
    return np.asarray(ARC * np.sqrt(squares.max(axis=-1)).sum(axis=-1))


def _telling_m(ways: FloatArray, lefts: IntArray, rights: IntArray, count: int) -> FloatArray:
    """Distances ``(count,)`` of moments [m] above which nothing is near in the intervals beside them.

    A moment this far away leaves its neighbours, a way off, more than what counts away themselves; nothing can hide in
    between. How far away it is exactly does not matter. Negative moments are known already.
    """
    telling = np.full(count, 2.0 * COUNTED_M)
    for moments in (lefts, rights):
        fresh = moments >= 0
        np.maximum.at(telling, moments[fresh], ways[fresh] + 2.0 * COUNTED_M)
    return telling


def _hiding(every: _Moments, lefts: IntArray, rights: IntArray, ways: FloatArray, best: FloatArray) -> IntArray:
    """Intervals between moments in which an overlap that matters could lie."""
    before, after = every.margins[lefts], every.margins[rights]
    seen = np.minimum(before, after)
    # An overlap that shows anyway is only worth a closer look when it may be the pair's deepest.
    deepest = best[every.items[lefts]] - DEPTH_STEP_M
    wanted = np.where(seen < -COUNTED_M, deepest, np.minimum(seen - 2.5 * DEPTH_STEP_M, -0.5 * COUNTED_M))
    return np.flatnonzero((0.5 * (before + after - ways) < wanted) & (ways > 1e-9))


def _joined(first: _Moments, second: _Moments) -> _Moments:
    names = [item.name for item in fields(_Moments)]
    return _Moments(*(np.concatenate([getattr(first, name), getattr(second, name)]) for name in names))
