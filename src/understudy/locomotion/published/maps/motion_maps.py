"""Precomputing motion maps: edges thinned, then a map expanded for every clip."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter
from weakref import WeakKeyDictionary

import numpy as np

from understudy.core.planning import Options, limited
from understudy.formats.npz_archive import Array
from understudy.library import Library
from understudy.library.motion_maps import CELL_M, CELL_RAD, SECTORS, TYPES, MotionMaps
from understudy.library.planar_arrays import composed
from understudy.locomotion.tables import GraphTable
from understudy.locomotion.walker import Walker, walker_of
from understudy.typing import FloatArray, IntArray

#: [m/rad] what a turn counts when edges are compared by where they lead.
_TURN_M = 0.5
#: What an edge's cost counts against how far it leads from those that were taken before it.
_COST_SHARE = 0.5
#: Bytes of a way in all arrays.
_WAY_BYTES = sum(np.dtype(kind).itemsize * (3 if shape[1:] else 1) for kind, shape in TYPES.values() if "w" in shape)


@dataclass(frozen=True, kw_only=True)
class MapOptions(Options):
    """How far maps look ahead.

    Attributes:
        clips: Most clips of a way, its first one included; the thesis counts transitions as well, so twice that.
        fan: Most edges followed out of a clip: the cheapest, and those that lead elsewhere.
        early_fan: The same out of the first clip; halved with every further one until it is down to ``fan``.
        most_mb: Size of all maps at which their expansion stops, shortest ways first [MB].
    """

    clips: int = limited(8, low=1, high=64)
    fan: int = limited(4, low=1, high=1000)
    early_fan: int = limited(12, low=1, high=1000)
    most_mb: float = limited(64.0, low=0.1, high=16_000.0, unit="MB")

    def fans(self) -> IntArray:
        """``(clips - 1,)`` edges followed after 0, 1, ... transitions."""
        halved = self.early_fan // 2 ** np.minimum(np.arange(self.clips - 1), 30)
        return np.maximum(halved, self.fan).astype(np.int64)


def with_maps(library: Library, options: MapOptions | None = None) -> Library:
    """The library with its motion maps, and what they took among its ``seconds``."""
    began = perf_counter()
    maps = build_maps(walker_of(library), options)
    return replace(library, maps=maps, seconds={**library.seconds, "maps": perf_counter() - began})


def build_maps(walker: Walker, options: MapOptions | None = None) -> MotionMaps:
    """The motion maps of all clips of a walker's graph."""
    from understudy.locomotion.published.maps._map_kernels import ThinTable, expanded

    options = options or MapOptions()
    graph, nodes, fans = walker.graph, len(walker.library), options.fans()
    kept, starts = thinned(graph, int(fans.max(initial=1)))
    thin = ThinTable(
        edge_starts=starts,
        targets=graph.targets[kept],
        transforms=np.ascontiguousarray(graph.transforms[kept]),
        moves=graph.moves,
        lengths=walker.lengths_m,
    )
    names = library_edges(walker)[kept]
    most = max(int(options.most_mb * 1e6 / nodes / _WAY_BYTES), 1)
    parts, grids, average = [], np.empty((nodes, 4), dtype=np.int32), np.empty(nodes)
    for node in range(nodes):
        ways = expanded(thin, node, fans, most)
        cells, grids[node] = _cells(ways.ends)
        average[node] = ways.lengths.mean()
        order = np.argsort(cells, kind="stable")
        place = np.empty(len(order) + 1, dtype=np.int64)
        place[order], place[-1] = np.arange(len(order)), -1
        edges = np.where(ways.edges < 0, -1, names[ways.edges]) if len(names) else ways.edges
        further = ways.lengths - walker.lengths_m[node]
        parts.append([cells, place[ways.parents], edges, ways.depths, ways.ends, further])
        parts[-1] = [values[order] for values in parts[-1]]
    together = [np.concatenate(values) for values in zip(*parts, strict=True)]
    begins = np.concatenate([[0], np.cumsum([len(part[0]) for part in parts])])
    arrays = dict(zip(("cells", "parents", "edges", "depths", "places", "lengths_m"), together, strict=True))
    arrays |= {"starts": begins, "grids": grids, "average_m": average}
    return MotionMaps(
        clips=options.clips, fan=options.fan, **{name: _fixed(values, name) for name, values in arrays.items()}
    )


def thinned(graph: GraphTable, fan: int) -> tuple[IntArray, IntArray]:
    """Edges that are kept: of every clip the cheapest, then those that are cheap and lead elsewhere, best first.

    Returns:
        Their numbers, clip by clip, and ``(nodes + 1,)`` where a clip's begin.
    """
    ends = composed(graph.transforms, graph.moves[graph.targets])
    kept = [
        first + _spread(ends[first:stop], graph.costs[first:stop], fan)
        for first, stop in pairwise(graph.edge_starts.tolist())
    ]
    return np.concatenate(kept), np.concatenate([[0], np.cumsum([len(edges) for edges in kept])])


def _spread(ends: FloatArray, costs: FloatArray, count: int) -> IntArray:
    if len(ends) == 0:
        return np.zeros(0, dtype=np.int64)
    chosen = [int(costs.argmin())]
    nearest = np.full(len(ends), np.inf)
    while len(chosen) < min(count, len(ends)):
        gap = ends - ends[chosen[-1]]
        turn = np.abs(np.angle(np.exp(1j * gap[:, 2])))
        nearest = np.minimum(nearest, np.hypot(gap[:, 0], gap[:, 1]) + _TURN_M * turn)
        worth = nearest - _COST_SHARE * costs
        worth[chosen] = -np.inf
        chosen.append(int(worth.argmax()))
    return np.array(chosen)


def library_edges(walker: Walker) -> IntArray:
    """``(edges,)`` the number in the library's graph of every edge a walker uses."""
    ours, whole = walker.graph, walker.library.graph
    nodes = len(ours.moves)
    codes = whole.sources * nodes + whole.targets
    order = np.argsort(codes, kind="stable")
    wanted = np.repeat(np.arange(nodes), np.diff(ours.edge_starts)) * nodes + ours.targets
    return np.asarray(order[np.searchsorted(codes[order], wanted)])


def _cells(ends: FloatArray) -> tuple[IntArray, IntArray]:
    """Cell numbers ``(n,)`` of places with headings, and the grid they count in."""
    columns, rows = np.floor(ends[:, :2] / CELL_M).astype(np.int64).T
    turned = np.mod(ends[:, 2] + np.pi, 2.0 * np.pi)
    sectors = np.minimum(np.floor(turned / CELL_RAD).astype(np.int64), SECTORS - 1)
    left, low = columns.min(), rows.min()
    wide, high = columns.max() - left + 1, rows.max() - low + 1
    return ((rows - low) * wide + columns - left) * SECTORS + sectors, np.array([left, low, wide, high])


def _fixed(values: Array, name: str) -> Array:
    out = np.ascontiguousarray(values, dtype=TYPES[name][0])
    out.flags.writeable = False
    return out


_MAPS: WeakKeyDictionary[Library, MotionMaps] = WeakKeyDictionary()


def maps_of(walker: Walker) -> MotionMaps:
    """A walker's maps: the library's own, else computed once and kept as long as the library is."""
    library = walker.library
    if library.maps is not None:
        return library.maps
    maps = _MAPS.get(library)
    if maps is None:
        maps = _MAPS[library] = build_maps(walker)
    return maps
