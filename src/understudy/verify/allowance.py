"""How deep a pair may overlap: contacts declared by scene and tasks, and the source's own overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from understudy.scene.contacts import ContactRule
from understudy.typing import FloatArray, IntArray
from understudy.verify.forward import Performer
from understudy.verify.relations import Relation
from understudy.verify.search import Allowance
from understudy.verify.source_facts import fact

#: [m] source postures within this distance, per capsule end, count as the same posture.
ALIKE_M = 0.03
#: Moments looked at from one frame of a source to the next: motions are looked at between their frames, too.
_BETWEEN = 4
#: Moments of a source in one group; groups too far away are passed over as a whole.
_GROUP = 16


def declared(relation: Relation, rules: Sequence[ContactRule]) -> Allowance:
    """Depths that rules allow; 0 where none speaks of a pair."""
    about: dict[int, list[ContactRule]] = {}

    def allowed(times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        depth = np.zeros(len(times_s))
        for item in np.unique(items).tolist():
            if item not in about:
                a, b = relation.label(item)
                about[item] = [rule for rule in rules if rule.covers(a, b)]
            for rule in about[item]:
                inside = (items == item) & (times_s >= rule.start_s) & (times_s <= rule.end_s)
                depth[inside] = np.maximum(depth[inside], rule.max_depth_m)
        return depth

    return allowed


def constant(depth_m: float) -> Allowance:
    """The same depth for every pair at every time."""
    return lambda times_s, items, distances: np.full(len(times_s), depth_m)


def larger(first: Allowance, second: Allowance) -> Allowance:
    """Whichever allows more."""
    return lambda times_s, items, distances: np.maximum(
        first(times_s, items, distances), second(times_s, items, distances)
    )


class _Overlaps(NamedTuple):
    """Every moment of a source clip in which one self pair overlaps, in groups of moments that follow each other.

    Attributes:
        ends: ``(n, 12)`` both capsules' ends, seen from the root [m].
        depths: ``(n,)`` [m].
        balls: ``(groups, 14)`` centre and radius of a ball around each group, and its largest depth; deepest first.
        ball_starts: ``(groups, 2)`` first and stop of each group.
    """

    ends: FloatArray
    depths: FloatArray
    balls: FloatArray
    ball_starts: IntArray


class AlikePostures:
    """The depth of each self pair in source clips wherever its two capsules lie alike.

    Postures are compared by the four ends of the two capsules, seen from the root.
    """

    def __init__(self, performer: Performer, sources: Sequence[Performer], pairs: IntArray) -> None:
        self._performer = performer
        self._pairs = pairs
        # Few pairs ever overlap: a clip is looked at for a pair when that is asked about, and what was found is kept.
        self._sources = [(source, fact(source, "self overlaps", _nothing_known)) for source in sources]

    def __call__(self, times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        """Allowed depth of pairs at times; only overlapping ones are looked up."""
        from understudy.verify._kernels import deepest_alike

        depth = np.zeros(len(times_s))
        over = np.flatnonzero(distances < 0.0)
        if len(over) == 0:
            return depth
        unique, where = np.unique(times_s[over], return_inverse=True)
        view = self._performer.seen_from_root(unique)
        for item in np.unique(items[over]):
            chosen = items[over] == item
            rows = over[chosen]
            ends = np.ascontiguousarray(view[where[chosen]][:, self._pairs[item]].reshape(len(rows), 12))
            best = np.zeros(len(rows))
            pair = tuple(self._pairs[item].tolist())
            for source, overlaps in self._sources:
                if pair not in overlaps:
                    overlaps[pair] = _self_overlaps(source, pair)
                known = overlaps[pair]
                # Twelve numbers of four points: each may be off by ALIKE_M.
                reach = 2.0 * ALIKE_M
                deepest_alike(ends, known.ends, known.depths, known.balls, known.ball_starts, reach, best)
            depth[rows] = best
        return depth


def _nothing_known(_: Performer) -> dict[tuple[int, ...], _Overlaps]:
    return {}


def _self_overlaps(source: Performer, pair: tuple[int, ...]) -> _Overlaps:
    """Overlaps of two capsules over a clip: at its frames, and in between where parts pass each other fast."""
    times = source.times_s
    over = np.flatnonzero(_gaps(source, pair, times) < 0.0)
    near = np.union1d(over, np.maximum(over - 1, 0))
    near = near[near < len(times) - 1]
    shares = np.arange(1, _BETWEEN) / _BETWEEN
    between = (times[near, None] + shares * (times[near + 1] - times[near])[:, None]).ravel()
    times = np.union1d(times[over], between)
    gaps = _gaps(source, pair, times)
    view = source.seen_from_root(times)[gaps < 0.0][:, list(pair)]
    return _grouped(view.reshape(len(view), 12), -gaps[gaps < 0.0])


def _gaps(source: Performer, pair: tuple[int, ...], times_s: FloatArray) -> FloatArray:
    """Gaps of two capsules at times [m]."""
    from understudy.verify._kernels import gaps_of_rows

    capsules, parts = source.capsules(times_s), list(pair)
    gaps = gaps_of_rows(*(np.ascontiguousarray(capsules[:, part]) for part in parts))
    return np.asarray(gaps - source.body.capsule_radii[parts].sum())


def _grouped(ends: FloatArray, depths: FloatArray) -> _Overlaps:
    """Moments in groups of :data:`_GROUP`, each with a ball around it."""
    starts = np.arange(0, len(ends), _GROUP)
    stops = np.minimum(starts + _GROUP, len(ends))
    balls = np.empty((len(starts), 14))
    for k, (first, stop) in enumerate(zip(starts, stops, strict=True)):
        centre = ends[first:stop].mean(axis=0)
        balls[k, :12], balls[k, 12] = centre, np.linalg.norm(ends[first:stop] - centre, axis=1).max()
        balls[k, 13] = depths[first:stop].max()
    order = np.argsort(-balls[:, 13], kind="stable")
    spans = np.stack([starts, stops], axis=1).astype(np.int64)
    return _Overlaps(np.ascontiguousarray(ends), depths, balls[order], np.ascontiguousarray(spans[order]))
