"""Stopping and waiting: the quickest way from every clip to one that stands and may be repeated."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from understudy.locomotion.horizon import Plan, Settled
from understudy.locomotion.walker import Walker
from understudy.typing import FloatArray, IntArray

#: [m] a clip that moves less and can follow itself is one to wait with.
_STANDS_M = 0.05
#: Clips on the way to standing at most.
_MOST_STEPS = 6

#: Per clip: the transition to take to stand soonest, -1 where none leads there; and clips to wait with.
Stops = tuple[IntArray, IntArray]
_KNOWN: WeakKeyDictionary[Walker, Stops] = WeakKeyDictionary()


def stops_of(walker: Walker) -> Stops:
    """How a walker comes to stand; made once, and kept as long as the walker is."""
    known = _KNOWN.get(walker)
    if known is None:
        known = _KNOWN[walker] = _stops(walker)
    return known


def _stops(walker: Walker) -> Stops:
    graph, seconds = walker.graph, walker.library.lengths()
    sources = np.repeat(np.arange(len(seconds)), np.diff(graph.edge_starts))
    loops = np.zeros(len(seconds), dtype=bool)
    loops[sources[sources == graph.targets]] = True
    stands = loops & (np.hypot(graph.moves[:, 0], graph.moves[:, 1]) < _STANDS_M)
    time = np.where(stands, 0.0, np.inf)
    via = np.full(len(seconds), -1, dtype=np.int64)
    for _ in range(_MOST_STEPS):
        through = time[graph.targets] + seconds[graph.targets]
        for edge in np.flatnonzero(through < time[sources]).tolist():
            node = sources[edge]
            if through[edge] < time[node]:
                time[node], via[node] = through[edge], edge
    for node in np.flatnonzero(stands).tolist():
        edges = np.arange(graph.edge_starts[node], graph.edge_starts[node + 1])
        via[node] = edges[graph.targets[edges] == node][0]
    return via, np.flatnonzero(stands)


def stopping(walker: Walker, settled: Settled, lasts_s: float) -> Plan:
    """A plan that comes to stand as soon as it can and waits there; empty where the library cannot stand."""
    from understudy.locomotion._chain_kernels import following

    via, _ = stops_of(walker)
    graph, seconds = walker.graph, walker.library.lengths()
    node, at, time = settled.node, settled.at, settled.start_s + float(seconds[settled.node])
    nodes: list[int] = []
    places: list[FloatArray] = []
    starts: list[float] = []
    while via[node] >= 0 and (not nodes or time - starts[0] < lasts_s):
        edge = int(via[node])
        # Whoever repeats a clip to wait stays where the feet are.
        if int(graph.targets[edge]) != node:
            at = np.array(following(graph, edge, 0.0, at[0], at[1], at[2]))
        node = int(graph.targets[edge])
        nodes.append(node)
        places.append(at)
        starts.append(time)
        time += float(seconds[node])
    if not nodes:
        return Plan()
    return Plan(
        nodes=np.array(nodes, dtype=np.int64),
        turns_rad=np.zeros(len(nodes)),
        placements=np.array(places),
        starts_s=np.array(starts),
        waits=True,
    )
