"""The graph: clips as nodes, transitions as edges, in arrays that kernels can walk ([Maps]).

A node's *frame* lies on the floor under the root at the clip's first frame and faces where the hips face. An edge's
transform takes the next node's frame to this node's: ``world(next) = world(node) @ turn(pivot, phi) @ transform``, with
any ``phi`` in the edge's range.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from understudy.library.features import hip_headings_rad
from understudy.library.footage import Footage
from understudy.library.links import Links
from understudy.library.planar_arrays import ComplexArray, composed, floor_points, inverted, packed, shifts, turns
from understudy.library.scratch import blocks
from understudy.library.segmentation import Cuts, Segments
from understudy.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Graph:
    """Nodes and edges; edges are sorted by the node they leave.

    Attributes:
        first: ``(nodes,)`` footage frame a clip begins at.
        last: ``(nodes,)`` footage frame it ends at, included; a successor begins at that moment.
        labels: ``(nodes,)`` number of the clip's label.
        frames: ``(nodes, 3)`` the node's frame in its take's axes, rows ``(x, z, yaw)``.
        moves: ``(nodes, 3)`` from the node's frame to root and heading at the clip's end.
        edge_starts: ``(nodes + 1,)`` edges ``edge_starts[n]`` up to ``edge_starts[n + 1]`` leave node ``n``.
        targets: ``(edges,)`` node an edge leads to.
        transforms: ``(edges, 3)`` the next node's frame in this node's, rows ``(x, z, yaw)``.
        pivots: ``(edges, 2)`` floor point (x, z) in this node's frame about which the rest may be turned [m].
        ranges: ``(edges, 2)`` lowest and highest such turn [rad].
        costs: ``(edges,)`` root mean square distance of the transition [m].
        carriers: ``(edges,)`` carrying feet: bits 1 left, 2 right; 0 none.
    """

    first: IntArray
    last: IntArray
    labels: IntArray
    frames: FloatArray
    moves: FloatArray
    edge_starts: IntArray
    targets: IntArray
    transforms: FloatArray
    pivots: FloatArray
    ranges: FloatArray
    costs: FloatArray
    carriers: IntArray

    @property
    def nodes(self) -> int:
        """Number of clips."""
        return len(self.first)

    @property
    def edges(self) -> int:
        """Number of transitions."""
        return len(self.targets)

    @property
    def sources(self) -> IntArray:
        """``(edges,)`` node an edge leaves."""
        return np.repeat(np.arange(self.nodes), np.diff(self.edge_starts))

    def successors(self, node: int) -> IntArray:
        """Nodes that may follow a node."""
        return self.targets[self.edge_starts[node] : self.edge_starts[node + 1]]

    def edge(self, node: int, following: int) -> int | None:
        """Number of the edge between two nodes, or ``None``."""
        at = np.flatnonzero(self.successors(node) == following)
        return int(self.edge_starts[node] + at[0]) if len(at) else None


def assembled(
    footage: Footage, cuts: Cuts, segments: Segments, links: Links, *, threshold_m: float
) -> tuple[Graph, tuple[str, ...]]:
    """The graph of all clips and of the transitions between them.

    Args:
        footage: The takes.
        cuts: Where they are cut.
        segments: The clips.
        links: Which may follow which.
        threshold_m: Largest distance of a transition [m], for the ranges.

    Returns:
        The graph, and the names its label numbers stand for.
    """
    sources, targets = links.sources, links.targets
    places = floor_points(footage.root_positions.astype(np.float64))
    facing = _facing(footage)
    begin, end = cuts.frames[segments.starts], cuts.frames[segments.ends]
    frames = packed(places[begin], facing[begin])
    back = inverted(frames)
    half = links.half_ranges_rad(threshold_m)
    pivots = _local(back[sources], links.out_places)
    names = sorted({cuts.labels[cut] for cut in segments.starts})
    numbers = {name: number for number, name in enumerate(names)}
    graph = Graph(
        first=begin,
        last=end,
        labels=np.array([numbers[cuts.labels[cut]] for cut in segments.starts], dtype=np.int64),
        frames=frames,
        moves=composed(back, packed(places[end], facing[end])),
        edge_starts=np.searchsorted(sources, np.arange(len(segments) + 1)).astype(np.int64),
        targets=targets,
        transforms=composed(back[sources], composed(links.transforms(), frames[targets])),
        pivots=np.stack([pivots.imag, pivots.real], axis=-1),
        ranges=np.stack([-half, half], axis=-1),
        costs=links.rms_m,
        carriers=links.pivots,
    )
    return graph, tuple(names)


def restricted(graph: Graph, keep: BoolArray) -> Graph:
    """The graph of some of the nodes and the edges between them."""
    number = np.cumsum(keep) - 1
    sources = graph.sources
    edges = keep[sources] & keep[graph.targets]
    parts = {}
    for item in fields(Graph):
        values = getattr(graph, item.name)
        if item.name in ("first", "last", "labels", "frames", "moves"):
            parts[item.name] = values[keep]
        elif item.name != "edge_starts":
            parts[item.name] = values[edges]
    parts["targets"] = number[graph.targets[edges]]
    kept = number[sources[edges]]
    parts["edge_starts"] = np.searchsorted(kept, np.arange(int(keep.sum()) + 1)).astype(np.int64)
    return Graph(**parts)


def without_unused_labels(graph: Graph, names: tuple[str, ...]) -> tuple[Graph, tuple[str, ...]]:
    """The graph with only those labels that a clip has."""
    used, numbers = np.unique(graph.labels, return_inverse=True)
    return replace(graph, labels=numbers.astype(np.int64)), tuple(names[label] for label in used)


def without_twists(graph: Graph, planted: BoolArray) -> Graph:
    """The graph without turns into clips in which no foot is lifted: those who stand cannot turn, they twist.

    Args:
        graph: Clips and transitions.
        planted: ``(frames, 2)`` which feet stand in the footage.
    """
    lifted = np.concatenate([[0], np.cumsum(~planted.all(axis=1))])
    stands = lifted[graph.last + 1] == lifted[graph.first]
    ranges = np.where(stands[graph.targets][:, None], 0.0, graph.ranges)
    return replace(graph, ranges=ranges)


def largest_component(sources: IntArray, targets: IntArray, nodes: int) -> BoolArray:
    """``(nodes,)`` the largest set of nodes each of which can reach each other; empty when nothing can go on.

    A single node counts only when it can follow itself.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if len(sources) == 0:
        return np.zeros(nodes, dtype=bool)
    matrix = coo_array((np.ones(len(sources)), (sources, targets)), shape=(nodes, nodes)).tocsr()
    _, group = connected_components(matrix, directed=True, connection="strong")
    sizes = np.bincount(group)
    best = group == sizes.argmax()
    if sizes.max() > 1:
        return np.asarray(best)
    loops = sources[sources == targets]
    alone = np.zeros(nodes, dtype=bool)
    alone[loops[:1]] = True
    return alone


def connecting_threshold_m(costs: FloatArray, sources: IntArray, targets: IntArray, nodes: int) -> float | None:
    """Smallest threshold [m] under which some clips can go on for ever; ``None`` when there is none.

    Args:
        costs: ``(n,)`` distance of every transition that is possible at all [m].
        sources: ``(n,)`` clip it leaves.
        targets: ``(n,)`` clip it leads to.
        nodes: Number of clips.
    """
    order = np.argsort(costs, kind="stable")
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        cheap = order[: middle + 1]
        if largest_component(sources[cheap], targets[cheap], nodes).any():
            high = middle
        else:
            low = middle + 1
    return float(costs[order[low]]) if low < len(order) else None


def _facing(footage: Footage) -> FloatArray:
    """``(frames,)`` where the hips face [rad]."""
    roles = footage.skeleton.humanoid
    hips = [roles["leftUpperLeg"], roles["rightUpperLeg"]]
    at = [footage.world.positions[part][:, hips] for part in blocks(len(footage), footage.scratch)]
    return hip_headings_rad(np.concatenate(at))


def _local(back: FloatArray, points: ComplexArray) -> ComplexArray:
    return np.asarray(shifts(back) + turns(back) * points)
