"""A sequence as a motion: its stretches become clips of a library of their own, which is unrolled like any other."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from understudy.library import Graph, Library, Unrolled, unroll
from understudy.library.planar_arrays import transform
from understudy.locomotion.published.sampling.frame_graph import FrameGraph
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Close, Found, Hops, Stage
from understudy.typing import FloatArray, IntArray

#: Ways of a round that are tightened, as what is cheapest afterwards is seldom what was before; how many of them
#: thoroughly; and how many changes of each are tried then and else.
_TIGHTENED, _THOROUGHLY, _MOST_TRIED, _FEW_TRIED = 16, 6, 320, 60


@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """A sequence that ends at the goal.

    Attributes:
        edges: ``(n,)`` jumps.
        turns_rad: ``(n,)`` extra turn at each [rad].
        first: Footage frame it begins with.
        last: Footage frame it ends with.
        place: ``(3,)`` where the first take lies (x, z, yaw).
        cost: Length of the way and of its jumps [m].
        before: The way it was before it was tightened, where it was.
    """

    edges: IntArray
    turns_rad: FloatArray
    first: int
    last: int
    place: FloatArray
    cost: float
    before: Way | None = None

    def stretches(self, graph: FrameGraph) -> IntArray:
        """``(n + 1, 2)`` first and last footage frame of every stretch."""
        begins = np.concatenate([[self.first], graph.jumps.into[self.edges]])
        return np.stack([begins, np.concatenate([graph.jumps.out[self.edges], [self.last]])], axis=1)

    def played(self, graph: FrameGraph) -> IntArray:
        """Footage frames it plays, in order and none twice."""
        return np.unique(np.concatenate([np.arange(*span) for span in self.stretches(graph)]))


def ways_of(found: Found, count: int) -> list[Way]:
    """Solutions a kernel wrote, the cheapest first."""
    ways = []
    for k in np.argsort(found.costs[:count], kind="stable").tolist():
        size, first, last = found.heads[k].tolist()
        ways.append(
            Way(
                edges=found.chains[k, :size].copy(),
                turns_rad=found.turns[k, :size].copy(),
                first=first,
                last=last,
                place=found.places[k].copy(),
                cost=float(found.costs[k]),
            )
        )
    return ways


def tightened(stage: Stage, hops: Hops, close: Close, way: Way, most: int = _MOST_TRIED) -> Way:
    """A cheaper way to the same goal over the same takes, where there is one; else the same."""
    from understudy.locomotion.published.sampling._tighten_kernels import tighten

    if len(way.edges) == 0:
        return way
    chain, turns = np.zeros(MOST_EDGES, dtype=np.int64), np.zeros(MOST_EDGES)
    head = np.array([len(way.edges), way.first, way.last])
    chain[: head[0]], turns[: head[0]] = way.edges, way.turns_rad
    cost = tighten(stage, hops, close, chain, head, way.place, turns, most)
    edges, turns_rad, last = chain[: int(head[0])].copy(), turns[: int(head[0])].copy(), int(head[2])
    same = last == way.last and np.array_equal(edges, way.edges) and np.array_equal(turns_rad, way.turns_rad)
    return replace(way, edges=edges, turns_rad=turns_rad, last=last, cost=cost, before=None if same else way)


def priced(stage: Stage, close: Close, way: Way) -> float:
    """What a way costs where ways are compared [m]."""
    from understudy.locomotion.published.sampling._ending_kernels import TURNING_M
    from understudy.locomotion.published.sampling._tighten_kernels import fixed_cost

    head = np.array([len(way.edges), way.first, way.last])
    return float(fixed_cost(stage, close, way.edges, head) + TURNING_M * np.abs(way.turns_rad).sum())


def best_tightened(stage: Stage, hops: Hops, close: Close, ways: Sequence[Way], *, threads: int) -> list[Way]:
    """The first few of some ways tightened, the cheapest first and none twice."""
    ways = sorted(ways, key=lambda way: priced(stage, close, way))
    with ThreadPoolExecutor(max_workers=max(1, min(threads, _TIGHTENED))) as pool:
        most = [_MOST_TRIED if k < _THOROUGHLY else _FEW_TRIED for k in range(_TIGHTENED)]
        made = list(pool.map(lambda way, tried: tightened(stage, hops, close, way, tried), ways, most))
    made.sort(key=lambda way: way.cost)
    unlike = {(way.first, way.last, *way.edges.tolist()): way for way in reversed(made)}
    return [way for way in made if way in unlike.values()]


def library_of(library: Library, source: FrameGraph, way: Way) -> Library:
    """A library whose clips are a way's stretches, each followed by the next; clips lie in their takes' axes."""
    stretches = way.stretches(source)
    count, edges = len(stretches), way.edges
    graph = Graph(
        first=stretches[:, 0],
        last=stretches[:, 1],
        labels=np.zeros(count, dtype=np.int64),
        frames=np.zeros((count, 3)),
        moves=source.jumps.moves[stretches[:, 1]],
        edge_starts=np.minimum(np.arange(count + 1), count - 1),
        targets=np.arange(1, count),
        transforms=source.jumps.transforms[edges],
        pivots=source.jumps.pivots[edges],
        ranges=source.jumps.ranges[edges],
        costs=source.rms_m[edges],
        carriers=source.carriers[edges],
    )
    return replace(library, graph=graph, labels=("stretch",), segments=count)


def motion_of(clips: Library, way: Way) -> Unrolled:
    """The motion of a way; its placements are where the takes of all stretches lie."""
    return unroll(clips, list(range(len(clips))), turns_rad=way.turns_rad.tolist(), start=transform(way.place))
