"""How deep a pair may overlap: contacts declared by scene and tasks, and the source's own overlaps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.scene.contacts import ContactRule
from understudy.typing import FloatArray, IntArray
from understudy.verify.forward import Performer, joint_frames, sample_times_s
from understudy.verify.relations import BodyAndBody, Relation
from understudy.verify.search import Allowance

#: [m] source postures within this distance, per capsule end, count as the same posture.
ALIKE_M = 0.03


def declared(relation: Relation, rules: Sequence[ContactRule]) -> Allowance:
    """Depths that rules allow; 0 where none speaks of a pair."""
    about = [[rule for rule in rules if rule.covers(a, b)] for a, b in relation.labels]

    def allowed(times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        depth = np.zeros(len(times_s))
        for item in np.unique(items):
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


def of_same_frames(performer: Performer, source: Performer) -> Allowance:
    """The depth of each self pair in a source that has the same frames, at the same time."""
    relation = BodyAndBody(source, source, performer.body.self_pairs)

    def allowed(times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        depth = np.zeros(len(times_s))
        over = np.flatnonzero(distances < 0.0)
        if len(over):
            own, _ = relation.measure(times_s[over] - performer.start_s, items[over])
            depth[over] = np.maximum(-own, 0.0)
        return depth

    return allowed


class AlikePostures:
    """The depth of each self pair in source clips wherever its two capsules lie alike.

    Postures are compared by the four ends of the two capsules, seen from the root.
    """

    def __init__(self, performer: Performer, sources: Sequence[Performer]) -> None:
        self._performer = performer
        self._pairs = performer.body.self_pairs
        views, gaps = [], []
        for source in sources:
            times = sample_times_s(source.motion)
            views.append(_seen_from_root(source, times))
            relation = BodyAndBody(source, source, self._pairs)
            flat_times, flat_items = (
                np.repeat(times, len(self._pairs)),
                np.tile(np.arange(len(self._pairs)), len(times)),
            )
            gaps.append(relation.measure(flat_times, flat_items)[0].reshape(len(times), -1))
        self._views = np.concatenate(views)
        self._depths = np.maximum(-np.concatenate(gaps), 0.0)
        self._trees: dict[int, object] = {}

    def __call__(self, times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        """Allowed depth of pairs at times; only overlapping ones are looked up."""
        depth = np.zeros(len(times_s))
        over = np.flatnonzero(distances < 0.0)
        for item in np.unique(items[over]):
            rows = over[items[over] == item]
            view = _seen_from_root(self._performer, times_s[rows] - self._performer.start_s)
            ends = view[:, self._pairs[item]].reshape(len(rows), 12)
            # Twelve numbers of four points: each may be off by ALIKE_M.
            found = self._tree(int(item)).query_ball_point(ends, 2.0 * ALIKE_M)  # type: ignore[attr-defined]
            depth[rows] = [self._depths[near, item].max() if near else 0.0 for near in found]
        return depth

    def _tree(self, item: int) -> object:
        from scipy.spatial import cKDTree

        if item not in self._trees:
            self._trees[item] = cKDTree(self._views[:, self._pairs[item]].reshape(len(self._views), 12))
        return self._trees[item]


def _seen_from_root(performer: Performer, motion_times_s: FloatArray) -> FloatArray:
    """``(n, capsules, 2, 3)`` capsule ends in the root's frame."""
    positions, world = joint_frames(performer.motion, motion_times_s)
    ends = performer.capsules(motion_times_s + performer.start_s)
    return np.asarray(np.einsum("nji,ncej->ncei", world[:, 0], ends - positions[:, 0, None, None]))
