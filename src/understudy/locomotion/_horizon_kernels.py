"""Compiled search over the next few metres, in time: the beam of :mod:`_beam_kernels` that knows when it is where.

States also know when their clip begins, so that they are compared with what moves at that time. Where anything moves, a
bucket may hold a clip several times as long as it begins at different times: that is how one waits.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.locomotion._beam_kernels import (
    ROUNDS,
    SCORE_DEVIATION,
    SCORE_TURN_M,
    at_goal,
    projected,
)
from understudy.locomotion._bend_kernels import bend
from understudy.locomotion._branch_kernels import branch_of, turns_of
from understudy.locomotion._chain_kernels import chain_placements, clip_is_free, following, placed, wrapped
from understudy.locomotion._moving_kernels import clip_meets, something_moves, standing_meets
from understudy.locomotion.stream_tables import At, Pool, Scope, World
from understudy.locomotion.tables import GraphTable, PathTable, Tree
from understudy.locomotion.widening import PROGRESS_TURN_M
from understudy.typing import BoolArray, FloatArray, IntArray

#: [s] states of one clip in one bucket that begin this far apart are not the same.
_OTHER_TIME_S = 0.3
#: The edge of a root that is settled already.
SETTLED = -2


@njit(cache=True, nogil=True)
def horizon_beam(world: World, path: PathTable, scope: Scope, seeds: FloatArray) -> tuple[Tree, FloatArray]:
    """Search from seeds ``(n, 6)``: clip, its frame x, z, yaw, when it begins [s], and 1 where it is settled already.

    Returns:
        The tree, ``candidates`` holding the states where the search ends, best first; and ``(states,)`` when the clips
        begin [s].
    """
    low = -PROGRESS_TURN_M * math.pi - scope.early_deviation_m
    buckets = int((scope.until_m - low) / scope.bucket_m) + 2
    pool = Pool(
        np.empty((scope.states, 11)),
        np.empty((scope.states, 3), dtype=np.int64),
        np.empty((buckets, _widest(scope)), dtype=np.int64),
        np.zeros(buckets, dtype=np.int64),
        np.empty(scope.candidates, dtype=np.int64),
        np.empty(scope.candidates),
        np.zeros(3, dtype=np.int64),
    )
    _search(world, path, scope, pool, seeds, np.zeros(scope.states, dtype=np.bool_), low)
    made, found = pool.counts[0], pool.counts[1]
    order = np.argsort(pool.hard[:found])
    tree = Tree(pool.places[:made, :10].copy(), pool.links[:made], pool.ends[:found][order], pool.counts[2])
    return tree, pool.places[:made, 10].copy()


@uncounted_inline
def _widest(scope: Scope) -> int:
    return max(scope.width, scope.early_width, scope.late_width)


@uncounted
def _search(
    world: World, path: PathTable, scope: Scope, pool: Pool, seeds: FloatArray, done: BoolArray, low: float
) -> None:
    """Search until nothing waits."""
    timed = something_moves(world.movers)
    for k in range(len(seeds)):
        at = At(seeds[k, 1], seeds[k, 2], seeds[k, 3])
        if seeds[k, 5] > 0.0:
            _settled(world, path, pool, int(seeds[k, 0]), at, seeds[k, 4], low, scope.bucket_m)
        else:
            _arrive(world, path, scope, pool, int(seeds[k, 0]), at, -1, -1, 0.0, seeds[k, 4], 0, timed)
    for bucket in range(len(pool.filled)):
        for _ in range(ROUNDS * _widest(scope)):
            state = _best_open(pool, bucket, done)
            if state < 0 or pool.counts[0] >= scope.states - 1:
                break
            done[state] = True
            _expand(world, path, scope, pool, state, bucket, timed)


@uncounted_inline
def _settled(
    world: World, path: PathTable, pool: Pool, node: int, at: At, time: float, low: float, bucket_m: float
) -> None:
    """The clip a search goes on from; nothing about it is up for judgement any more."""
    graph = world.graph
    ex, ez = placed(at.x, at.z, at.yaw, graph.moves[node, 0], graph.moves[node, 1])
    facing = wrapped(at.yaw + graph.moves[node, 2])
    along, _, heading = projected(path, ex, ez, 0)
    turn = abs(wrapped(facing - heading))
    state = _write(pool, (at.x, at.z, at.yaw, ex, ez, facing, along, 0.0, 0.0, 0.0, time), node, -1, SETTLED)
    bucket = min(max(int((along - PROGRESS_TURN_M * turn - low) / bucket_m), 0), len(pool.filled) - 1)
    pool.items[bucket, pool.filled[bucket]] = state
    pool.filled[bucket] += 1


@uncounted_inline
def _expand(world: World, path: PathTable, scope: Scope, pool: Pool, state: int, bucket: int, timed: bool) -> None:
    """All clips that can follow a state's."""
    graph, places = world.graph, pool.places
    node = pool.links[state, 0]
    first, count = graph.edge_starts[node], graph.edge_starts[node + 1] - graph.edge_starts[node]
    sample = min(max(int(places[state, 6] / path.step_m), 0), len(path.points) - 1)
    off = wrapped(places[state, 5] - path.headings[sample])
    time = places[state, 10] + world.pace.seconds[node]
    pool.counts[2] += 1
    for k in range(2 * count if abs(off) > scope.steer_rad else count):
        edge = first + (k if k < count else k - count)
        turn = 0.0 if k < count else graph.ranges[edge, 0 if off > 0.0 else 1]
        x, z, yaw = following(graph, edge, turn, places[state, 0], places[state, 1], places[state, 2])
        _arrive(world, path, scope, pool, graph.targets[edge], At(x, z, yaw), state, edge, turn, time, bucket, timed)


@uncounted_inline
def _best_open(pool: Pool, bucket: int, done: BoolArray) -> int:
    """The state of a bucket with the best score that has not been expanded; -1 for none."""
    best, score = -1, np.inf
    for k in range(pool.filled[bucket]):
        state = pool.items[bucket, k]
        if not done[state] and pool.places[state, 8] < score:
            best, score = state, pool.places[state, 8]
    return best


@uncounted_inline
def _is_clear(world: World, scope: Scope, node: int, at: At, time: float, timed: bool) -> bool:
    if not clip_is_free(world.shadows, world.near, world.grid, node, at.x, at.z, at.yaw, scope.margin_m):
        return False
    return not (timed and clip_meets(world.shadows, world.pace, world.movers, node, at, time, scope.apart_m))


@uncounted_inline
def _arrive(
    world: World,
    path: PathTable,
    scope: Scope,
    pool: Pool,
    node: int,
    at: At,
    parent: int,
    edge: int,
    turned: float,
    time: float,
    current: int,
    timed: bool,
) -> None:
    """Judge a new state and keep it in its bucket, or among the candidates where the search ends."""
    graph, made = world.graph, pool.counts[0]
    if made >= scope.states - 1:
        return
    ex, ez = placed(at.x, at.z, at.yaw, graph.moves[node, 0], graph.moves[node, 1])
    facing = wrapped(at.yaw + graph.moves[node, 2])
    cost = graph.lengths[node]
    arc = 0.0
    if parent >= 0:
        cost += pool.places[parent, 7] + graph.costs[edge]
        arc = pool.places[parent, 6]
    along, off, heading = projected(path, ex, ez, int(max(arc, 0.0) / path.step_m))
    difficulty = np.inf
    if scope.to_goal:
        difficulty = at_goal(path, along, scope.until_m, ex, ez, facing, scope.past_m)
        if len(path.finals) > 0 and not path.finals[node]:
            difficulty = np.inf
    passed = along >= scope.until_m - 1e-9
    if passed and scope.to_goal and difficulty == np.inf:
        return
    early = along < scope.early_m
    if off > (scope.early_deviation_m if early else scope.deviation_m):
        return
    turn = abs(wrapped(facing - heading))
    score = cost - along + SCORE_DEVIATION * off + SCORE_TURN_M * turn
    row = (at.x, at.z, at.yaw, ex, ez, facing, along, cost, score, turned, time)
    if difficulty < np.inf:
        _keep_end(pool, row, node, parent, edge, difficulty + score)
    if (passed and scope.to_goal) or pool.counts[0] >= scope.states - 1:
        return
    bucket, slot = 0, 0
    if not passed:
        # The low end of the buckets is where one faces backwards, off the path.
        low = -PROGRESS_TURN_M * math.pi - scope.early_deviation_m
        bucket = min(max(int((along - PROGRESS_TURN_M * turn - low) / scope.bucket_m), current), len(pool.filled) - 1)
        width = scope.early_width if early else scope.width
        if scope.to_goal and along > scope.until_m - scope.late_m:
            width = max(width, scope.late_width)
        slot = _slot(pool, bucket, node, score, time if timed else -1.0, width)
    if slot < 0 or not _is_clear(world, scope, node, at, time, timed):
        return
    if passed:
        _keep_end(pool, row, node, parent, edge, score)
        return
    if time + world.pace.seconds[node] > scope.until_s:
        _keep_end(pool, row, node, parent, edge, score + scope.until_m - along)
        return
    state = _write(pool, row, node, parent, edge)
    pool.items[bucket, slot] = state
    pool.filled[bucket] = max(pool.filled[bucket], slot + 1)


@uncounted_inline
def _write(
    pool: Pool,
    row: tuple[float, float, float, float, float, float, float, float, float, float, float],
    node: int,
    parent: int,
    edge: int,
) -> int:
    state = pool.counts[0]
    for k in range(11):
        pool.places[state, k] = row[k]
    pool.links[state, 0], pool.links[state, 1], pool.links[state, 2] = node, parent, edge
    pool.counts[0] = state + 1
    return int(state)


@uncounted_inline
def _keep_end(
    pool: Pool,
    row: tuple[float, float, float, float, float, float, float, float, float, float, float],
    node: int,
    parent: int,
    edge: int,
    value: float,
) -> None:
    """Keep a state among the best ends."""
    found, most = pool.counts[1], len(pool.ends)
    slot = found
    if found == most:
        slot = int(np.argmax(pool.hard))
        if value >= pool.hard[slot]:
            return
    pool.hard[slot], pool.ends[slot] = value, _write(pool, row, node, parent, edge)
    pool.counts[1] = max(found, slot + 1)


@uncounted_inline
def _slot(pool: Pool, bucket: int, node: int, score: float, time: float, width: int) -> int:
    """Where in its bucket a new state goes: in place of its like or of the worst; -1 when it is no better."""
    worst, worst_score = -1, -np.inf
    for k in range(pool.filled[bucket]):
        state = pool.items[bucket, k]
        if pool.links[state, 0] == node and (time < 0.0 or abs(pool.places[state, 10] - time) < _OTHER_TIME_S):
            return k if score < pool.places[state, 8] - 1e-12 else -1
        if pool.places[state, 8] > worst_score:
            worst, worst_score = k, pool.places[state, 8]
    if pool.filled[bucket] < width:
        return int(pool.filled[bucket])
    return worst if score < worst_score else -1


@njit(cache=True, nogil=True)
def chain_is_clear(
    world: World, scope: Scope, nodes: IntArray, at: FloatArray, time: float, first: int, stays: bool
) -> bool:
    """Whether placed clips from ``first`` on, the very first of which begins at a time, meet nothing.

    Args:
        world: What they might meet.
        scope: The margins.
        nodes: ``(clips,)``.
        at: ``(clips, 3)`` their frames.
        time: When clip 0 begins [s].
        first: The first clip that is looked at.
        stays: Whether the walker stands still after the last one.
    """
    timed = something_moves(world.movers)
    for k in range(len(nodes)):
        here = At(at[k, 0], at[k, 1], at[k, 2])
        if k >= first and not _is_clear(world, scope, nodes[k], here, time, timed):
            return False
        time += world.pace.seconds[nodes[k]]
    if stays and timed:
        k = len(nodes) - 1
        here = At(at[k, 0], at[k, 1], at[k, 2])
        return not standing_meets(world.shadows, world.pace, world.movers, nodes[k], here, time, scope.apart_m)
    return True


@njit(cache=True, nogil=True)
def next_arrival(
    world: World,
    ranged: GraphTable,
    tree: Tree,
    times: FloatArray,
    goal: FloatArray,
    close: FloatArray,
    scope: Scope,
    first: int,
) -> tuple[int, IntArray, FloatArray, FloatArray, float, float]:
    """The next candidate that can be bent to the goal within the ranges of a graph and meets nothing then.

    Returns:
        Its number (-1 for none), clips, turns, placements, and what is left of the errors [m], [rad]. The first clip is
        the tree's root.
    """
    for k in range(first, len(tree.candidates)):
        nodes, edges, root = branch_of(tree.links, tree.candidates[k])
        start = tree.places[root, :3].copy()
        turns = turns_of(tree, tree.candidates[k], len(edges))
        away, off = bend(ranged, edges, nodes[-1], start, goal, close, turns)
        if away > close[0] or off > close[1]:
            continue
        at = chain_placements(ranged, edges, turns, start)
        new = 1 if tree.links[root, 2] == SETTLED else 0
        if len(nodes) > new and chain_is_clear(world, scope, nodes, at, times[root], new, True):
            return k, nodes, turns, at, away, off
    return -1, np.empty(0, dtype=np.int64), np.empty(0), np.empty((0, 3)), np.inf, np.inf
