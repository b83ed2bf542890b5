"""Compiled A*: the thesis's unrolling of the graph, with collision tests or pruned by the channel ([Maps]).

States wait in a binary heap by walked length plus straight distance to the goal (thesis §3.7). Deviations, because our
graphs branch ten times more than the thesis's and plain A* would not end on them: the distance to the goal weighs
``GREED``-fold, and of states with the same clip in the same cell of ``CELL_M`` and ``CELL_RAD`` only the first is kept.
As in the thesis a branch near the goal is bent to it at once, and the search goes on where that fails.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._path_kernels import is_within
from understudy.floor.tables import DistanceGrid, SegmentGrid
from understudy.locomotion._bend_kernels import bend
from understudy.locomotion._branch_kernels import branch_of
from understudy.locomotion._chain_kernels import (
    chain_is_free,
    chain_placements,
    clip_is_free,
    following,
    placed,
    wrapped,
)
from understudy.locomotion.tables import GraphTable, Limits, PathTable, Silhouettes, Tree
from understudy.typing import FloatArray, IntArray

GREED = 1.5
#: How many frames of a clip are held against the channel.
CHANNEL_FRAMES = 3
#: [m], [rad] placements of a clip that differ less are one state.
CELL_M, CELL_RAD = 0.05, math.radians(7.5)


@njit(cache=True)
def astar(
    graph: GraphTable,
    shadows: Silhouettes,
    near: DistanceGrid,
    grid: SegmentGrid,
    pieces: FloatArray,
    band: DistanceGrid,
    path: PathTable,
    limits: Limits,
    seeds: FloatArray,
    reach: float,
    close: FloatArray,
) -> Tree:
    """Search from seeds ``(n, 4)``; with ``reach`` > 0 clips have to stay that close to the path, else be free.

    Ends when enough branches can be bent to the goal within ``close`` [m], [rad], when nothing is left, or when there
    are too many states.
    """
    places, links = np.empty((limits.states, 10)), np.empty((limits.states, 3), dtype=np.int64)
    heap, keys = np.empty(limits.states, dtype=np.int64), np.empty(limits.states)
    ends, hard = np.empty(limits.candidates, dtype=np.int64), np.empty(limits.candidates)
    made, found, expanded, waiting = 0, 0, 0, 0
    seen = {-1}
    for k in range(len(seeds)):
        node = int(seeds[k, 0])
        x, z, yaw = seeds[k, 1], seeds[k, 2], seeds[k, 3]
        ok = _reachable(shadows, near, grid, pieces, band, node, x, z, yaw, limits.margin_m, reach)
        if ok and made < limits.states:
            _write(graph, path, places, links, made, node, x, z, yaw, -1, -1, 0.0)
            waiting = _push(heap, keys, waiting, made, places[made, 8])
            made += 1
    while waiting > 0 and found < limits.candidates:
        state = heap[0]
        waiting = _pop(heap, keys, waiting)
        expanded += 1
        away = math.sqrt((places[state, 3] - path.goal[0]) ** 2 + (places[state, 4] - path.goal[1]) ** 2)
        if away <= limits.past_m and _bends(graph, shadows, near, grid, places, links, state, path.goal, close, limits):
            turned = 0.4 * abs(wrapped(places[state, 5] - path.goal[2])) if path.goal[3] > 0.0 else 0.0
            ends[found], hard[found] = state, away + turned
            found += 1
        node = links[state, 0]
        if made + graph.edge_starts[node + 1] - graph.edge_starts[node] > limits.states:
            break
        for edge in range(graph.edge_starts[node], graph.edge_starts[node + 1]):
            x, z, yaw = following(graph, edge, 0.0, places[state, 0], places[state, 1], places[state, 2])
            target = graph.targets[edge]
            cell = _cell(target, x, z, yaw)
            if cell in seen:
                continue
            seen.add(cell)
            if not _reachable(shadows, near, grid, pieces, band, target, x, z, yaw, limits.margin_m, reach):
                continue
            _write(
                graph, path, places, links, made, target, x, z, yaw, state, edge, places[state, 7] + graph.costs[edge]
            )
            waiting = _push(heap, keys, waiting, made, places[made, 8])
            made += 1
    order = np.argsort(hard[:found])
    return Tree(places[:made], links[:made], ends[:found][order], expanded)


@njit(cache=True, forceinline=True)
def _cell(node: int, x: float, z: float, yaw: float) -> int:
    """One number for a clip and the cell its frame is in."""
    turns = int((wrapped(yaw) + math.pi) // CELL_RAD)
    row, column = int(x // CELL_M), int(z // CELL_M)
    return ((node * 64 + turns) * 65536 + row % 65536) * 65536 + column % 65536


@njit(cache=True)
def _bends(
    graph: GraphTable,
    shadows: Silhouettes,
    near: DistanceGrid,
    grid: SegmentGrid,
    places: FloatArray,
    links: IntArray,
    state: int,
    goal: FloatArray,
    close: FloatArray,
    limits: Limits,
) -> bool:
    """Whether the branch to a state can be bent to the goal and is free then."""
    nodes, edges, root = branch_of(links, state)
    turns, start = np.zeros(len(edges)), places[root, :3].copy()
    away, off = bend(graph, edges, nodes[-1], start, goal, close, turns)
    if away > close[0] or off > close[1]:
        return False
    return chain_is_free(shadows, near, grid, nodes, chain_placements(graph, edges, turns, start), limits.margin_m)


@njit(cache=True, forceinline=True)
def _reachable(
    shadows: Silhouettes,
    near: DistanceGrid,
    grid: SegmentGrid,
    pieces: FloatArray,
    band: DistanceGrid,
    node: int,
    x: float,
    z: float,
    yaw: float,
    margin: float,
    reach: float,
) -> bool:
    """Whether a placed clip is allowed: free, or in the channel at its last frame and a few before (thesis §3.7)."""
    if reach <= 0.0:
        return clip_is_free(shadows, near, grid, node, x, z, yaw, margin)
    c, s, last = math.cos(yaw), math.sin(yaw), shadows.first[node + 1] - 1
    stride = max((last - shadows.first[node]) // CHANNEL_FRAMES, 1)
    for f in range(last, shadows.first[node] - 1, -stride):
        for k in range(shadows.frame_first[f], shadows.frame_first[f + 1]):
            px, pz = shadows.discs[k, 0], shadows.discs[k, 1]
            px, pz = x + c * px + s * pz, z - s * px + c * pz
            if not is_within(pieces, band.frame, band.values, px, pz, reach):
                return False
    return True


@njit(cache=True, forceinline=True)
def _write(
    graph: GraphTable,
    path: PathTable,
    places: FloatArray,
    links: IntArray,
    index: int,
    node: int,
    x: float,
    z: float,
    yaw: float,
    parent: int,
    edge: int,
    cost: float,
) -> None:
    ex, ez = placed(x, z, yaw, graph.moves[node, 0], graph.moves[node, 1])
    cost += graph.lengths[node]
    left = math.sqrt((ex - path.goal[0]) ** 2 + (ez - path.goal[1]) ** 2)
    places[index, 0], places[index, 1], places[index, 2] = x, z, yaw
    places[index, 3], places[index, 4], places[index, 5] = ex, ez, wrapped(yaw + graph.moves[node, 2])
    places[index, 6], places[index, 7], places[index, 8] = -left, cost, cost + GREED * left
    places[index, 9] = 0.0
    links[index, 0], links[index, 1], links[index, 2] = node, parent, edge


@njit(cache=True)
def _push(heap: IntArray, keys: FloatArray, count: int, item: int, key: float) -> int:
    """Add to a binary heap; the new size."""
    at = count
    while at > 0:
        parent = (at - 1) // 2
        if keys[parent] <= key:
            break
        heap[at], keys[at] = heap[parent], keys[parent]
        at = parent
    heap[at], keys[at] = item, key
    return count + 1


@njit(cache=True)
def _pop(heap: IntArray, keys: FloatArray, count: int) -> int:
    """Remove the first of a binary heap; the new size."""
    count -= 1
    item, key = heap[count], keys[count]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        heap[at], keys[at] = heap[child], keys[child]
        at = child
    heap[at], keys[at] = item, key
    return count
