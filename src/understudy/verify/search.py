"""Looking for overlaps over time: dense samples first, then between them wherever something could hide.

A signed distance changes by at most the way its bodies move. Between two samples at distances ``d0`` and ``d1`` with
a way ``L`` between them it cannot fall below ``(d0 + d1 - L) / 2``; intervals that could hide an overlap are halved
until they cannot. Nothing tunnels through a thin wall between two frames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
    for first, stop in windows_of(near, relation.count):
        found += _search_window(relation, times_s, near, (first, stop), allowance, best)
    if not found:
        return []
    times, items = np.concatenate([one.times for one in found]), np.concatenate([one.items for one in found])
    distances, allowed = (
        np.concatenate([one.distances for one in found]),
        np.concatenate([one.allowed for one in found]),
    )
    return kept_traces(relation.label, items, times, distances, allowed)


def windows_of(near: BoolArray, pairs: int) -> list[tuple[int, int]]:
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


def kept_traces(
    label: Callable[[int], tuple[str, str]],
    items: IntArray,
    times: FloatArray,
    distances: FloatArray,
    allowed: FloatArray,
) -> list[PairTrace]:
    """Moments ``(n,)`` of pairs ``items`` as traces of those that come within a millimetre of an overlap."""
    traces = []
    for item in np.unique(items[distances < COUNTED_M]).tolist():
        own = np.flatnonzero(items == item)
        unique, where = np.unique(times[own], return_index=True)
        own = own[where]
        a, b = label(item)
        traces.append(PairTrace(a=a, b=b, times_s=unique, distances_m=distances[own], allowed_m=allowed[own]))
    return traces


def _search_window(
    relation: Relation,
    times_s: FloatArray,
    near: BoolArray,
    window: tuple[int, int],
    allowance: Allowance,
    best: FloatArray,
) -> list[_Moments]:
    from understudy.verify._search_kernels import hiding, lower, moments_near, ways_of

    samples, items, lefts, rights = moments_near(near, *window)
    places = relation.places(times_s[samples], items)
    ways = ways_of(places, lefts, rights, ARC)
    every = _measured(relation, times_s[samples], items, places, (ways, lefts, rights, 0), allowance)
    lower(best, items, every.margins)
    for _ in range(MOST_ROUNDS):
        hidden = hiding(every.margins, every.items, ways, (lefts, rights), best, COUNTED_M, DEPTH_STEP_M)
        if len(hidden) == 0:
            break
        lefts, rights = lefts[hidden], rights[hidden]
        times, items, fresh = 0.5 * (every.times[lefts] + every.times[rights]), every.items[lefts], len(every.items)
        places = relation.places(times, items)
        middle = fresh + np.arange(len(hidden))
        lefts, rights = np.concatenate([lefts, middle]), np.concatenate([middle, rights])
        ways = ways_of(np.concatenate([every.places, places]), lefts, rights, ARC)
        more = _measured(relation, times, items, places, (ways, lefts, rights, fresh), allowance)
        lower(best, items, more.margins)
        every = _joined(every, more)
    touching = np.zeros(relation.count, dtype=np.bool_)
    touching[every.items[every.distances < COUNTED_M]] = True
    return [every.of(touching)] if touching.any() else []


def _measured(
    relation: Relation,
    times: FloatArray,
    items: IntArray,
    places: FloatArray,
    between: tuple[FloatArray, IntArray, IntArray, int],
    allowance: Allowance,
) -> _Moments:
    """Moments measured as exactly as the intervals ``between`` them ask for, of which they are the last ones."""
    from understudy.verify._search_kernels import telling_m

    ways, lefts, rights, first = between
    telling = telling_m(ways, lefts, rights, first, first + len(times), COUNTED_M)
    distances = relation.distances(times, items, places, telling)
    return _Moments(times, items, places, distances, allowance(times, items, distances))


def _joined(first: _Moments, second: _Moments) -> _Moments:
    return _Moments(
        np.concatenate([first.times, second.times]),
        np.concatenate([first.items, second.items]),
        np.concatenate([first.places, second.places]),
        np.concatenate([first.distances, second.distances]),
        np.concatenate([first.allowed, second.allowed]),
    )
