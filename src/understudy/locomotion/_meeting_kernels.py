"""Compiled joining of two searches, one from the start and one back from the goal, where they put the same clip down.

The clip lies a little differently in both. The whole branch, with that difference at its end, is then bent to the goal
like any other.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor.tables import DistanceGrid, SegmentGrid
from understudy.locomotion._bend_kernels import bend
from understudy.locomotion._branch_kernels import branch_of, turns_of
from understudy.locomotion._chain_kernels import chain_is_free, chain_placements, wrapped
from understudy.locomotion.tables import GraphTable, Silhouettes, Tree
from understudy.typing import FloatArray, IntArray

#: [m], [m], [m], [rad] how far short of it, past it, beside it and turned away a clip may lie from where it should.
SHORT_M, PAST_M, BESIDE_M, ASKEW_RAD = 0.03, 0.5, 0.5, 0.7
#: [m/m], [m/rad] what such a difference counts.
GAP_COST, ASKEW_M = 1.0, 0.4


@njit(cache=True)
def meetings(lengths: FloatArray, near: Tree, far: Tree, most: int) -> IntArray:
    """Pairs ``(n, 2)`` of states from the start and states from the goal that are the same clip, cheapest first.

    Args:
        lengths: ``(nodes,)`` what a clip costs [m].
        near: Searched from the start.
        far: Searched back from the goal.
        most: Most pairs.
    """
    first, order = _by_clip(far.links, len(lengths))
    pairs, costs, count = np.empty((most, 2), dtype=np.int64), np.empty(most), 0
    worst = np.inf
    for state in range(len(near.places)):
        node, place = near.links[state, 0], near.places[state]
        c, s = math.cos(place[2]), math.sin(place[2])
        for k in range(first[node], first[node + 1]):
            other = far.places[order[k]]
            dx, dz = other[0] - place[0], other[1] - place[1]
            beside, past = c * dx - s * dz, -(s * dx + c * dz)
            askew = abs(wrapped(other[2] - place[2]))
            if past < -SHORT_M or past > PAST_M or abs(beside) > BESIDE_M or askew > ASKEW_RAD:
                continue
            gap = GAP_COST * math.sqrt(dx * dx + dz * dz) + ASKEW_M * askew
            cost = place[7] + other[7] - lengths[node] + gap
            if count == most and cost >= worst:
                continue
            slot = count if count < most else int(np.argmax(costs))
            count = min(count + 1, most)
            pairs[slot, 0], pairs[slot, 1], costs[slot] = state, order[k], cost
            if count == most:
                worst = costs.max()
    return pairs[:count][np.argsort(costs[:count], kind="mergesort")]


@njit(cache=True)
def _by_clip(links: IntArray, nodes: int) -> tuple[IntArray, IntArray]:
    """Where every clip's states begin ``(nodes + 1,)`` among all states, sorted by clip ``(n,)``."""
    first = np.zeros(nodes + 1, dtype=np.int64)
    for state in range(len(links)):
        first[links[state, 0] + 1] += 1
    for node in range(nodes):
        first[node + 1] += first[node]
    filled, order = first.copy(), np.empty(len(links), dtype=np.int64)
    for state in range(len(links)):
        node = links[state, 0]
        order[filled[node]] = state
        filled[node] += 1
    return first, order


@njit(cache=True)
def joined(near: Tree, far: Tree, names: IntArray, pair: IntArray) -> tuple[IntArray, IntArray, FloatArray, int]:
    """Clips, edges and turns from the start to the goal through a pair of states, and the state it begins with.

    ``names`` are the graph's edges that the edges of the graph turned round are.
    """
    nodes, edges, root = branch_of(near.links, pair[0])
    behind, back, _ = branch_of(far.links, pair[1])
    one, other = len(edges), len(back)
    turns, their = turns_of(near, pair[0], one), turns_of(far, pair[1], other)
    clips, ways = np.empty(one + other + 1, dtype=np.int64), np.empty(one + other, dtype=np.int64)
    extra = np.empty(one + other)
    clips[: one + 1], ways[:one], extra[:one] = nodes, edges, turns
    for k in range(other):
        clips[one + 1 + k] = behind[other - 1 - k]
        ways[one + k] = names[back[other - 1 - k]]
        extra[one + k] = -their[other - 1 - k]
    return clips, ways, extra, root


@njit(cache=True)
def next_meeting(
    graph: GraphTable,
    shadows: Silhouettes,
    near_by: DistanceGrid,
    grid: SegmentGrid,
    near: Tree,
    far: Tree,
    names: IntArray,
    pairs: IntArray,
    goal: FloatArray,
    close: FloatArray,
    margin: float,
    first: int,
) -> tuple[int, IntArray, FloatArray, FloatArray, float, float]:
    """The next pair whose branch can be bent to the goal and is free then; see ``next_branch``."""
    for k in range(first, len(pairs)):
        nodes, edges, turns, root = joined(near, far, names, pairs[k])
        start = near.places[root, :3].copy()
        away, off = bend(graph, edges, nodes[-1], start, goal, close, turns)
        if away > close[0] or off > close[1]:
            continue
        at = chain_placements(graph, edges, turns, start)
        if chain_is_free(shadows, near_by, grid, nodes, at, margin):
            return k, nodes, turns, at, away, off
    return -1, np.empty(0, dtype=np.int64), np.empty(0), np.empty((0, 3)), np.inf, np.inf
