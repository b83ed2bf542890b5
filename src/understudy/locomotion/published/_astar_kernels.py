"""Compiled A*: the thesis's unrolling of the graph, with collision tests or pruned by the channel ([Maps]).

States wait in a binary heap by walked length plus straight distance to the goal (thesis §3.7). Deviations, because our
graphs branch ten times more than the thesis's and plain A* would not end on them: the distance to the goal weighs
``GREED``-fold, and of states with the same clip in the same cell of ``CELL_M`` and ``CELL_RAD`` only the first is kept.
As in the thesis a branch near the goal is bent to it at once, and the search goes on where that fails.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.floor._path_kernels import is_within
from understudy.floor.tables import DistanceGrid
from understudy.locomotion._branch_kernels import bends
from understudy.locomotion._chain_kernels import clip_is_free, following, placed, wrapped
from understudy.locomotion.tables import COLUMNS, At, PathTable, Tolerances, Tree, World
from understudy.typing import FloatArray

GREED = 1.5
#: How many frames of a clip are held against the channel.
CHANNEL_FRAMES = 3
#: [m], [rad] placements of a clip that differ less are one state.
CELL_M, CELL_RAD = 0.05, math.radians(7.5)
#: Branches that end the search.
ENOUGH = 12


class Channel(NamedTuple):
    """Where clips may lie.

    Attributes:
        pieces: ``(n, 10)`` the path; see :class:`understudy.floor.FloorPath`.
        band: Distances from it.
        reach_m: How far from the path clips may lie [m]; 0 for anywhere free.
    """

    pieces: FloatArray
    band: DistanceGrid
    reach_m: float


@njit(cache=True, nogil=True)
def astar(
    world: World, path: PathTable, channel: Channel, kept: Tolerances, past: float, states: int, seeds: FloatArray
) -> Tree:
    """Search from seeds ``(n, 4)``, clip and its frame.

    Ends when enough branches can be bent to the goal, when nothing is left, or when there are too many states.

    Args:
        world: The graph and what stands there.
        path: The path; its goal is what counts.
        channel: Where clips may lie.
        kept: Errors and margins.
        past: How far from the goal a branch may end before it is bent [m].
        states: Most states.
        seeds: Where to begin.
    """
    graph = world.graph
    places, links = np.zeros((states, COLUMNS)), np.empty((states, 3), dtype=np.int64)
    heap, keys = np.empty(states, dtype=np.int64), np.empty(states)
    ends, hard = np.empty(ENOUGH, dtype=np.int64), np.empty(ENOUGH)
    made, found, expanded, waiting = 0, 0, 0, 0
    seen = {-1}
    for k in range(min(len(seeds), states)):
        node, at = int(seeds[k, 0]), At(seeds[k, 1], seeds[k, 2], seeds[k, 3])
        if _allowed(world, channel, node, at, kept.margin_m):
            _write(world, path, places, made, node, at, 0.0)
            links[made, 0], links[made, 1], links[made, 2] = node, -1, -1
            waiting = heap_push(keys, heap, waiting, places[made, 8], made)
            made += 1
    while waiting > 0 and found < ENOUGH:
        _, state, waiting = heap_pop(keys, heap, waiting)
        expanded += 1
        place, node = places[state], links[state, 0]
        away = math.hypot(place[3] - path.goal[0], place[4] - path.goal[1])
        if away <= past and bends(world, Tree(places, links, ends, 0), state, path.goal, kept):
            turned = 0.4 * abs(wrapped(place[5] - path.goal[2])) if path.goal[3] > 0.0 else 0.0
            ends[found], hard[found] = state, away + turned
            found += 1
        if made + graph.edge_starts[node + 1] - graph.edge_starts[node] > states:
            break
        for edge in range(graph.edge_starts[node], graph.edge_starts[node + 1]):
            x, z, yaw = following(graph, edge, 0.0, place[0], place[1], place[2])
            target, at = graph.targets[edge], At(x, z, yaw)
            cell = _cell(target, x, z, yaw)
            if cell in seen:
                continue
            seen.add(cell)
            if _allowed(world, channel, target, at, kept.margin_m):
                _write(world, path, places, made, target, at, place[7] + graph.costs[edge])
                links[made, 0], links[made, 1], links[made, 2] = target, state, edge
                waiting = heap_push(keys, heap, waiting, places[made, 8], made)
                made += 1
    order = np.argsort(hard[:found])
    return Tree(places[:made].copy(), links[:made].copy(), ends[:found][order], expanded)


@njit(cache=True, forceinline=True)
def _cell(node: int, x: float, z: float, yaw: float) -> int:
    """One number for a clip and the cell its frame is in."""
    turns = int((wrapped(yaw) + math.pi) // CELL_RAD)
    row, column = int(x // CELL_M), int(z // CELL_M)
    return ((node * 64 + turns) * 65536 + row % 65536) * 65536 + column % 65536


@njit(cache=True, forceinline=True)
def _allowed(world: World, channel: Channel, node: int, at: At, margin: float) -> bool:
    """Whether a placed clip is free, or in the channel at its last frame and a few before (thesis §3.7)."""
    shadows = world.shadows
    if channel.reach_m <= 0.0:
        return clip_is_free(shadows, world.near, world.grid, node, at.x, at.z, at.yaw, margin)
    last = shadows.first[node + 1] - 1
    for f in range(last, shadows.first[node] - 1, -max((last - shadows.first[node]) // CHANNEL_FRAMES, 1)):
        for k in range(shadows.frame_first[f], shadows.frame_first[f + 1]):
            x, z = placed(at.x, at.z, at.yaw, shadows.discs[k, 0], shadows.discs[k, 1])
            if not is_within(channel.pieces, channel.band.frame, channel.band.values, x, z, channel.reach_m):
                return False
    return True


@njit(cache=True, forceinline=True)
def _write(world: World, path: PathTable, places: FloatArray, index: int, node: int, at: At, cost: float) -> None:
    """A new state."""
    moves, place = world.graph.moves, places[index]
    x, z = placed(at.x, at.z, at.yaw, moves[node, 0], moves[node, 1])
    left = math.hypot(x - path.goal[0], z - path.goal[1])
    place[0], place[1], place[2] = at.x, at.z, at.yaw
    place[3], place[4], place[5] = x, z, wrapped(at.yaw + moves[node, 2])
    place[6], place[7] = -left, cost + world.graph.lengths[node]
    place[8] = place[7] + GREED * left
