"""Compiled beam search: states in buckets along the path, the best few of each expanded (methods.md M4, "Tried").

A state's progress is its arc length along the path less what its heading is off, so turning counts as getting on. Its
score, the smaller the better, is how much longer than the path it has walked, plus what its deviation and heading will
still cost. A bucket holds a clip only once.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.floor.tables import DistanceGrid, SegmentGrid
from understudy.locomotion._chain_kernels import clip_is_free, following, placed, wrapped
from understudy.locomotion.tables import GraphTable, Limits, PathTable, Silhouettes, Tree
from understudy.typing import BoolArray, FloatArray, IntArray

#: [m/rad] a heading error's share in progress and in score; a deviation's share in the score.
PROGRESS_TURN_M, SCORE_TURN_M, SCORE_DEVIATION = 0.4, 0.5, 0.6
#: A bucket is looked through at most so many times its width.
ROUNDS = 4
#: Samples of the path looked at before and after the last one when a state is projected.
BACK, AHEAD = 6, 24


@njit(cache=True, forceinline=True)
def projected(path: PathTable, x: float, z: float, near: int) -> tuple[float, float, float]:
    """Arc length [m] of the nearest point of the path around a sample, the distance to it, and its heading.

    Beyond the goal the path goes on straight.
    """
    count = len(path.points)
    best, best2 = 0, np.inf
    for k in range(max(near - BACK, 0), min(near + AHEAD, count)):
        d2 = (x - path.points[k, 0]) ** 2 + (z - path.points[k, 1]) ** 2
        if d2 < best2:
            best, best2 = k, d2
    heading = path.headings[best]
    dx, dz = x - path.points[best, 0], z - path.points[best, 1]
    along = dx * math.sin(heading) + dz * math.cos(heading)
    if best < count - 1 and best > 0:
        along = min(max(along, -path.step_m), path.step_m)
    elif best == 0 and count > 1:
        along = min(along, path.step_m)
    off = math.sqrt(max(dx * dx + dz * dz - along * along, 0.0))
    return best * path.step_m + along, off, heading


@njit(cache=True, forceinline=True)
def at_goal(path: PathTable, arc: float, total: float, x: float, z: float, yaw: float, past: float) -> float:
    """How hard it will be to bend a branch from here to the goal [m]; infinite where that is not tried.

    Bending folds a branch and hardly lengthens it, so only branches count that have reached or passed the goal.
    """
    if arc < total - 0.03:
        return np.inf
    away = math.sqrt((x - path.goal[0]) ** 2 + (z - path.goal[1]) ** 2)
    if away > past:
        return np.inf
    if path.goal[3] > 0.0:
        away += 0.4 * abs(wrapped(path.goal[2] - yaw))
    return away


@njit(cache=True)
def beam(
    graph: GraphTable,
    shadows: Silhouettes,
    near: DistanceGrid,
    grid: SegmentGrid,
    path: PathTable,
    limits: Limits,
    seeds: FloatArray,
) -> Tree:
    """Search from seeds ``(n, 4)``: clip and its frame x, z, yaw."""
    total = path.step_m * (len(path.points) - 1)
    low = -PROGRESS_TURN_M * math.pi - limits.early_deviation_m
    buckets = int((total - low) / limits.bucket_m) + 2
    places, links = np.empty((limits.states, 10)), np.empty((limits.states, 3), dtype=np.int64)
    widest = max(limits.width, limits.early_width)
    items, filled = np.empty((buckets, widest), dtype=np.int64), np.zeros(buckets, dtype=np.int64)
    done = np.zeros(limits.states, dtype=np.bool_)
    ends, hard = np.empty(limits.candidates, dtype=np.int64), np.empty(limits.candidates)
    made, found, expanded = 0, 0, 0
    for k in range(len(seeds)):
        node = int(seeds[k, 0])
        made, found = _arrive(
            graph, shadows, near, grid, path, limits, node, seeds[k, 1], seeds[k, 2], seeds[k, 3],
            -1, -1, 0.0, 0.0, 0.0, total, low, 0, places, links, items, filled, made, ends, hard, found,
        )  # fmt: skip
    for bucket in range(buckets):
        for _ in range(ROUNDS * widest):
            state = _best_open(items, filled, bucket, places, done)
            if state < 0 or made >= limits.states - 1:
                break
            done[state] = True
            expanded += 1
            node = links[state, 0]
            first, count = graph.edge_starts[node], graph.edge_starts[node + 1] - graph.edge_starts[node]
            off = _heading_error(path, places, state)
            for k in range(2 * count if abs(off) > limits.steer_rad else count):
                edge = first + (k if k < count else k - count)
                turn = 0.0 if k < count else graph.ranges[edge, 0 if off > 0.0 else 1]
                x, z, yaw = following(graph, edge, turn, places[state, 0], places[state, 1], places[state, 2])
                made, found = _arrive(
                    graph, shadows, near, grid, path, limits, graph.targets[edge], x, z, yaw,
                    state, edge, turn, places[state, 7] + graph.costs[edge], places[state, 6], total, low, bucket,
                    places, links, items, filled, made, ends, hard, found,
                )  # fmt: skip
    order = np.argsort(hard[:found])
    return Tree(places[:made], links[:made], ends[:found][order], expanded)


@njit(cache=True)
def _heading_error(path: PathTable, places: FloatArray, state: int) -> float:
    """How far a state's end is turned to the left of the path there (towards +X from +Z) [rad]."""
    sample = min(max(int(places[state, 6] / path.step_m), 0), len(path.points) - 1)
    return wrapped(places[state, 5] - path.headings[sample])


@njit(cache=True, forceinline=True)
def _best_open(items: IntArray, filled: IntArray, bucket: int, places: FloatArray, done: BoolArray) -> int:
    """The state of a bucket with the best score that has not been expanded; -1 for none."""
    best, score = -1, np.inf
    for k in range(filled[bucket]):
        state = items[bucket, k]
        if not done[state] and places[state, 8] < score:
            best, score = state, places[state, 8]
    return best


@njit(cache=True, forceinline=True)
def _arrive(
    graph: GraphTable,
    shadows: Silhouettes,
    near: DistanceGrid,
    grid: SegmentGrid,
    path: PathTable,
    limits: Limits,
    node: int,
    x: float,
    z: float,
    yaw: float,
    parent: int,
    edge: int,
    turned: float,
    cost: float,
    arc: float,
    total: float,
    low: float,
    current: int,
    places: FloatArray,
    links: IntArray,
    items: IntArray,
    filled: IntArray,
    made: int,
    ends: IntArray,
    hard: FloatArray,
    found: int,
) -> tuple[int, int]:
    """Judge a new state and keep it in its bucket, or among the candidates when it is at the goal."""
    if made >= limits.states - 1:
        return made, found
    ex, ez = placed(x, z, yaw, graph.moves[node, 0], graph.moves[node, 1])
    facing = wrapped(yaw + graph.moves[node, 2])
    cost += graph.lengths[node]
    along, off, heading = projected(path, ex, ez, int(max(arc, 0.0) / path.step_m))
    difficulty = at_goal(path, along, total, ex, ez, facing, limits.past_m)
    passed = along >= total - 1e-9
    if passed and difficulty == np.inf:
        return made, found
    early = along < limits.early_m
    if off > (limits.early_deviation_m if early else limits.deviation_m):
        return made, found
    turn = abs(wrapped(facing - heading))
    score = cost - along + SCORE_DEVIATION * off + SCORE_TURN_M * turn
    if difficulty < np.inf:
        slot = _slot_of_worst(hard, found, difficulty + score, limits.candidates)
        if slot >= 0:
            _write(places, links, made, x, z, yaw, ex, ez, facing, along, cost, score, turned, node, parent, edge)
            hard[slot], ends[slot] = difficulty + score, made
            made, found = made + 1, max(found, slot + 1)
    if passed or made >= limits.states - 1:
        return made, found
    bucket = min(max(int((along - PROGRESS_TURN_M * turn - low) / limits.bucket_m), current), len(filled) - 1)
    slot = _slot(items, filled, bucket, places, links, node, score, limits.early_width if early else limits.width)
    if slot < 0 or not clip_is_free(shadows, near, grid, node, x, z, yaw, limits.margin_m):
        return made, found
    _write(places, links, made, x, z, yaw, ex, ez, facing, along, cost, score, turned, node, parent, edge)
    items[bucket, slot] = made
    filled[bucket] = max(filled[bucket], slot + 1)
    return made + 1, found


@njit(cache=True, forceinline=True)
def _slot(
    items: IntArray,
    filled: IntArray,
    bucket: int,
    places: FloatArray,
    links: IntArray,
    node: int,
    score: float,
    width: int,
) -> int:
    """Where in its bucket a new state goes: in place of the same clip or of the worst; -1 when it is no better."""
    worst, worst_score = -1, -np.inf
    for k in range(filled[bucket]):
        state = items[bucket, k]
        if links[state, 0] == node:
            return k if score < places[state, 8] - 1e-12 else -1
        if places[state, 8] > worst_score:
            worst, worst_score = k, places[state, 8]
    if filled[bucket] < width:
        return int(filled[bucket])
    return worst if score < worst_score else -1


@njit(cache=True, forceinline=True)
def _slot_of_worst(values: FloatArray, count: int, value: float, most: int) -> int:
    """Where a value goes in a list of the smallest ``most``; -1 when it is too large."""
    if count < most:
        return count
    worst = int(np.argmax(values))
    return worst if value < values[worst] else -1


@njit(cache=True, forceinline=True)
def _write(
    places: FloatArray,
    links: IntArray,
    index: int,
    x: float,
    z: float,
    yaw: float,
    ex: float,
    ez: float,
    facing: float,
    along: float,
    cost: float,
    score: float,
    turned: float,
    node: int,
    parent: int,
    edge: int,
) -> None:
    places[index, 0], places[index, 1], places[index, 2] = x, z, yaw
    places[index, 3], places[index, 4], places[index, 5] = ex, ez, facing
    places[index, 6], places[index, 7], places[index, 8], places[index, 9] = along, cost, score, turned
    links[index, 0], links[index, 1], links[index, 2] = node, parent, edge
