"""Compiled last step of every search: take branches at the goal, bend them to it, keep those that stay free."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor.tables import DistanceGrid, SegmentGrid
from understudy.locomotion._bend_kernels import bend
from understudy.locomotion._chain_kernels import chain_is_free, chain_placements
from understudy.locomotion.tables import GraphTable, Silhouettes, Tree
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def branch_of(links: IntArray, state: int) -> tuple[IntArray, IntArray, int]:
    """Clips and edges from a search's root to a state, and the root state."""
    count, at = 1, state
    while links[at, 1] >= 0:
        at = links[at, 1]
        count += 1
    nodes, edges = np.empty(count, dtype=np.int64), np.empty(count - 1, dtype=np.int64)
    at = state
    for k in range(count - 1, 0, -1):
        nodes[k], edges[k - 1] = links[at, 0], links[at, 2]
        at = links[at, 1]
    nodes[0] = links[at, 0]
    return nodes, edges, at


@njit(cache=True)
def turns_of(tree: Tree, state: int, count: int) -> FloatArray:
    """``(count,)`` extra turns [rad] on the way from a search's root to a state."""
    turns = np.empty(count)
    for k in range(count - 1, -1, -1):
        turns[k] = tree.places[state, 9]
        state = tree.links[state, 1]
    return turns


@njit(cache=True)
def next_branch(
    graph: GraphTable,
    shadows: Silhouettes,
    near: DistanceGrid,
    grid: SegmentGrid,
    tree: Tree,
    goal: FloatArray,
    close: FloatArray,
    margin: float,
    first: int,
) -> tuple[int, IntArray, FloatArray, FloatArray, float, float]:
    """The next candidate that can be bent to the goal and is free then.

    Args:
        graph: The graph.
        shadows: Silhouettes of the clips.
        near: Distances on the floor.
        grid: Edges on the floor.
        tree: What a search found.
        goal: ``(4,)`` x, z, heading, and 1 where the heading matters.
        close: ``(2,)`` errors that are small enough [m], [rad].
        margin: Distance to keep from obstacles [m].
        first: Candidate to begin with.

    Returns:
        Its number (-1 for none), clips, turns, placements, and what is left of the errors [m], [rad].
    """
    for k in range(first, len(tree.candidates)):
        nodes, edges, root = branch_of(tree.links, tree.candidates[k])
        start = tree.places[root, :3].copy()
        turns = turns_of(tree, tree.candidates[k], len(edges))
        away, off = bend(graph, edges, nodes[-1], start, goal, close, turns)
        if away > close[0] or off > close[1]:
            continue
        at = chain_placements(graph, edges, turns, start)
        if chain_is_free(shadows, near, grid, nodes, at, margin):
            return k, nodes, turns, at, away, off
    return -1, np.empty(0, dtype=np.int64), np.empty(0), np.empty((0, 3)), np.inf, np.inf
