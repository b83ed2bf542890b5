"""Waiting: clips in which somebody stands on both feet and that may follow themselves, as often as need be."""

from __future__ import annotations

import numpy as np

from understudy.locomotion.plan import Plan, Settled
from understudy.locomotion.walker import Walker
from understudy.typing import IntArray

#: [m] a clip that moves less and can follow itself is one to wait with.
_STANDS_M = 0.05


def standing_clips(walker: Walker) -> IntArray:
    """Clips to wait with, shortest first; empty where the library cannot stand."""
    graph, seconds = walker.graph, walker.library.lengths()
    sources = np.repeat(np.arange(len(seconds)), np.diff(graph.edge_starts))
    loops = np.zeros(len(seconds), dtype=bool)
    loops[sources[sources == graph.targets]] = True
    stands = loops & walker.still.all(axis=1) & (np.hypot(graph.moves[:, 0], graph.moves[:, 1]) < _STANDS_M)
    found = np.flatnonzero(stands)
    return found[np.argsort(seconds[found], kind="stable")]


def waiting(walker: Walker, last: Settled, lasts_s: float) -> Plan:
    """A plan that stands for about so long after a clip that ends standing, the longest clips first.

    Empty where no clip to wait with can follow, or the time is shorter than half of the shortest.
    """
    from understudy.locomotion._chain_kernels import following

    graph, seconds, stands = walker.graph, walker.library.lengths(), standing_clips(walker)
    node, at, time_s = last.node, last.at, last.start_s + float(seconds[last.node])
    end_s, plan = time_s + lasts_s, Plan()
    while True:
        edges = np.arange(graph.edge_starts[node], graph.edge_starts[node + 1])
        edges = edges[np.isin(graph.targets[edges], stands)]
        edges = edges[np.argsort(-seconds[graph.targets[edges]], kind="stable")]
        # Every clip that ends less than half of itself, or half of the shortest, too late.
        late = time_s + seconds[graph.targets[edges]] - end_s
        fits = edges[late <= 0.5 * (float(seconds[stands[0]]) if len(stands) else 0.0)]
        if not len(fits):
            return plan
        edge = int(fits[0])
        at = np.array(following(graph, edge, 0.0, at[0], at[1], at[2]))
        node = int(graph.targets[edge])
        plan = plan.then(Plan.single(node, at, time_s))
        time_s += float(seconds[node])
