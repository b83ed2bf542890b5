"""Looking for overlaps over time: dense samples first, then between them wherever something could hide.

A signed distance changes by at most the way its bodies move. Between two samples at distances ``d0`` and ``d1`` with
a way ``L`` between them it cannot fall below ``(d0 + d1 - L) / 2``; intervals that could hide an overlap are halved
until they cannot. Nothing tunnels through a thin wall between two frames.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.typing import FloatArray, IntArray
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
class _Samples:
    """Measured moments of pairs, flat."""

    times: FloatArray
    items: IntArray
    distances: FloatArray
    allowed: FloatArray
    places: FloatArray

    @property
    def margin(self) -> FloatArray:
        """Distance above what is allowed [m]."""
        return self.distances + self.allowed

    def at(self, index: IntArray) -> _Samples:
        return _Samples(
            self.times[index], self.items[index], self.distances[index], self.allowed[index], self.places[index]
        )


def search(
    relation: Relation, times_s: FloatArray, allowance: Allowance, *, spans: Sequence[tuple[int, int]] | None = None
) -> list[PairTrace]:
    """Every pair that comes within a millimetre of an overlap, with all moments it was measured at.

    Args:
        relation: The pairs.
        times_s: ``(n,)`` rising times to begin with [s].
        allowance: How deep each pair may overlap at each time.
        spans: ``(first, stop)`` samples to look at; nothing may be near before, between and after them. All unless
            given.
    """
    labels = relation.labels
    kept: list[_Samples] = []
    step = max(2, CHUNK // max(len(labels), 1))
    best = np.full(len(labels), np.inf)
    for begin, end in ((0, len(times_s)),) if spans is None else spans:
        # Windows share their border sample, so that no interval is left out.
        for first in range(begin, max(end - 1, begin + 1), step):
            window = times_s[first : min(first + step + 1, end)]
            kept += _search_window(relation, window, len(labels), allowance, best)
    if not kept:
        return []
    times, items = np.concatenate([k.times for k in kept]), np.concatenate([k.items for k in kept])
    distances, allowed = np.concatenate([k.distances for k in kept]), np.concatenate([k.allowed for k in kept])
    return kept_traces(labels, items, times, distances, allowed)


def kept_traces(
    labels: Sequence[tuple[str, str]], items: IntArray, times: FloatArray, distances: FloatArray, allowed: FloatArray
) -> list[PairTrace]:
    """Moments ``(n,)`` of pairs ``items`` as traces of those that come within a millimetre of an overlap."""
    traces = []
    for item in np.unique(items[distances < COUNTED_M]):
        own = np.flatnonzero(items == item)
        unique, where = np.unique(times[own], return_index=True)
        own = own[where]
        a, b = labels[item]
        traces.append(PairTrace(a=a, b=b, times_s=unique, distances_m=distances[own], allowed_m=allowed[own]))
    return traces


def _search_window(
    relation: Relation, times: FloatArray, pairs: int, allowance: Allowance, best: FloatArray
) -> list[_Samples]:
    grid_times = np.repeat(times, pairs)
    grid_items = np.tile(np.arange(pairs), len(times))
    grid = _measured(relation, grid_times, grid_items, allowance)
    np.minimum.at(best, grid.items, grid.margin)
    near = np.isin(grid.items, np.unique(grid.items[grid.distances < 0.1]))
    kept = [grid.at(np.flatnonzero(near))]
    left, right = grid.at(np.arange(len(grid_times) - pairs)), grid.at(np.arange(pairs, len(grid_times)))
    for _ in range(MOST_ROUNDS):
        open_ = np.flatnonzero(_may_hide(left, right, best))
        if len(open_) == 0:
            break
        left, right = left.at(open_), right.at(open_)
        middle = _measured(relation, 0.5 * (left.times + right.times), left.items, allowance)
        np.minimum.at(best, middle.items, middle.margin)
        kept.append(middle)
        left, right = _joined(left, middle), _joined(middle, right)
    return kept


def _measured(relation: Relation, times: FloatArray, items: IntArray, allowance: Allowance) -> _Samples:
    distances, places = relation.measure(times, items)
    return _Samples(times, items, distances, allowance(times, items, distances), places)


def _may_hide(left: _Samples, right: _Samples, best: FloatArray) -> np.ndarray:
    """Whether an overlap that matters could lie between two samples."""
    way = ARC * np.linalg.norm(left.places - right.places, axis=-1).max(axis=2).sum(axis=1)
    lower, upper = left.margin, right.margin
    with np.errstate(invalid="ignore"):
        least = 0.5 * (lower + upper - way)
    seen = np.minimum(lower, upper)
    # An overlap that shows anyway is only worth a closer look when it may be the pair's deepest.
    hidden = np.minimum(seen - 2.5 * DEPTH_STEP_M, -0.5 * COUNTED_M)
    wanted = np.where(seen < -COUNTED_M, best[left.items] - DEPTH_STEP_M, hidden)
    return (least < wanted) & (way > 1e-9)


def _joined(first: _Samples, second: _Samples) -> _Samples:
    return _Samples(
        np.concatenate([first.times, second.times]),
        np.concatenate([first.items, second.items]),
        np.concatenate([first.distances, second.distances]),
        np.concatenate([first.allowed, second.allowed]),
        np.concatenate([first.places, second.places]),
    )
