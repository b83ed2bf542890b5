"""Compiled last step of every search: take branches at the goal, bend them to it, keep those that meet nothing.

Two searches, one from the start and one back from the goal, are joined where they put the same clip down. The clip lies
a little differently in both; the whole branch, with that difference at its end, is bent to the goal like any other.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.locomotion._bend_kernels import bend
from understudy.locomotion._chain_kernels import chain_placements, wrapped
from understudy.locomotion._moving_kernels import chain_is_clear
from understudy.locomotion.tables import SETTLED, Tolerances, Tree, World
from understudy.typing import FloatArray, IntArray

#: [m], [m], [m], [rad] how far short of it, past it, beside it and turned away a clip may lie from where it should.
SHORT_M, PAST_M, BESIDE_M, ASKEW_RAD = 0.03, 0.5, 0.5, 0.7
#: [m/m], [m/rad] what such a difference counts.
GAP_COST, ASKEW_M = 1.0, 0.4


@njit(cache=True, nogil=True)
def branch_of(tree: Tree, state: int) -> tuple[IntArray, IntArray, FloatArray, int]:
    """Clips, edges and extra turns [rad] from a search's root to a state, and the root state."""
    links, count, at = tree.links, 1, state
    while links[at, 1] >= 0:
        at = links[at, 1]
        count += 1
    nodes, edges, turns = np.empty(count, dtype=np.int64), np.empty(count - 1, dtype=np.int64), np.empty(count - 1)
    at = state
    for k in range(count - 1, 0, -1):
        nodes[k], edges[k - 1], turns[k - 1] = links[at, 0], links[at, 2], tree.places[at, 9]
        at = links[at, 1]
    nodes[0] = links[at, 0]
    return nodes, edges, turns, at


@njit(cache=True, nogil=True)
def bent(
    world: World, tree: Tree, root: int, nodes: IntArray, edges: IntArray, turns: FloatArray, goal: FloatArray,
    kept: Tolerances,
) -> tuple[bool, FloatArray, float, float]:  # fmt: skip
    """Whether a branch that begins with a tree's root can be bent to the goal and meets nothing then.

    Args:
        world: What it might meet; how far its graph says that transitions may be turned.
        tree: Where the branch begins.
        root: The state it begins with.
        nodes: ``(n,)`` its clips.
        edges: ``(n - 1,)`` its transitions.
        turns: ``(n - 1,)`` how they are turned, changed in place [rad].
        goal: ``(4,)`` x, z, heading, and 1 where the heading matters.
        kept: Errors and margins.

    Returns:
        Whether it does, ``(n, 3)`` placements, and what is left of the errors [m], [rad].
    """
    start = tree.places[root, :3].copy()
    away, off = bend(world.graph, edges, nodes[-1], start, goal, kept.errors, turns)
    if away > kept.errors[0] or off > kept.errors[1]:
        return False, np.empty((0, 3)), away, off
    at, settled = chain_placements(world.graph, edges, turns, start), tree.links[root, 2] == SETTLED
    new, margins = 1 if settled else 0, (kept.margin_m, kept.apart_m)
    clear = len(nodes) > new and chain_is_clear(world, nodes, at, tree.places[root, 10], margins, new, True)
    return clear, at, away, off


@njit(cache=True, nogil=True)
def bends(world: World, tree: Tree, state: int, goal: FloatArray, kept: Tolerances) -> bool:
    """Whether the branch to a state can be bent to the goal and meets nothing then."""
    nodes, edges, turns, root = branch_of(tree, state)
    return bent(world, tree, root, nodes, edges, turns, goal, kept)[0]


@njit(cache=True, nogil=True)
def next_branch(
    world: World, tree: Tree, goal: FloatArray, kept: Tolerances, first: int
) -> tuple[int, IntArray, FloatArray, FloatArray, float, float]:
    """The next candidate, from ``first`` on, that can be bent to the goal and meets nothing then.

    Returns:
        Its number (-1 for none), clips, turns, placements, and what is left of the errors [m], [rad].
    """
    for k in range(first, len(tree.candidates)):
        nodes, edges, turns, root = branch_of(tree, tree.candidates[k])
        ok, at, away, off = bent(world, tree, root, nodes, edges, turns, goal, kept)
        if ok:
            return k, nodes, turns, at, away, off
    return -1, np.empty(0, dtype=np.int64), np.empty(0), np.empty((0, 3)), np.inf, np.inf


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def next_meeting(
    world: World,
    near: Tree,
    far: Tree,
    names: IntArray,
    pairs: IntArray,
    goal: FloatArray,
    kept: Tolerances,
    first: int,
) -> tuple[int, IntArray, FloatArray, FloatArray, float, float]:  # fmt: skip
    """The next pair whose branch can be bent to the goal and meets nothing then; see ``next_branch``.

    ``names`` are the graph's edges that the edges of the graph turned round are.
    """
    for k in range(first, len(pairs)):
        clips, ways, extra, root = branch_of(near, pairs[k, 0])
        behind, back, their, _ = branch_of(far, pairs[k, 1])
        nodes = np.concatenate((clips, behind[::-1][1:]))
        edges = np.concatenate((ways, names[back[::-1]]))
        turns = np.concatenate((extra, -their[::-1]))
        ok, at, away, off = bent(world, near, root, nodes, edges, turns, goal, kept)
        if ok:
            return k, nodes, turns, at, away, off
    return -1, np.empty(0, dtype=np.int64), np.empty(0), np.empty((0, 3)), np.inf, np.inf
