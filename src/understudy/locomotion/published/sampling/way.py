"""A sequence as a motion: its stretches become clips of a library of their own, which is unrolled like any other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.library import Graph, Library, Unrolled, unroll
from understudy.library.planar_arrays import transform
from understudy.locomotion.published.sampling.frame_graph import FrameGraph
from understudy.locomotion.published.sampling.tables import Found
from understudy.typing import FloatArray, IntArray


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
    """

    edges: IntArray
    turns_rad: FloatArray
    first: int
    last: int
    place: FloatArray
    cost: float

    def stretches(self, graph: FrameGraph) -> IntArray:
        """``(n + 1, 2)`` first and last footage frame of every stretch."""
        begins = np.concatenate([[self.first], graph.jumps.into[self.edges]])
        return np.stack([begins, np.concatenate([graph.jumps.out[self.edges], [self.last]])], axis=1)


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
