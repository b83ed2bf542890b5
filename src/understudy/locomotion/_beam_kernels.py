"""Compiled beam search: states in buckets along the path, the best few of each expanded (methods.md M4, "Tried").

A state's progress is its arc length along the path less what its heading is off, so turning counts as getting on. Its
score, the smaller the better, is how much longer than the path it has walked, plus what its deviation and heading will
still cost. A bucket holds a clip only once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

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


class Field(NamedTuple):
    """What a beam reads."""

    graph: GraphTable
    shadows: Silhouettes
    near: DistanceGrid
    grid: SegmentGrid
    path: PathTable
    limits: Limits


class Work(NamedTuple):
    """What a beam writes.

    Attributes:
        places: See :class:`Tree`.
        links: See :class:`Tree`.
        items: ``(buckets, widest)`` states of every bucket.
        filled: ``(buckets,)`` how many there are.
        ends: ``(candidates,)`` states at the goal.
        hard: ``(candidates,)`` how hard it is to bend them to it.
        counts: ``(2,)`` states made, candidates found.
    """

    places: FloatArray
    links: IntArray
    items: IntArray
    filled: IntArray
    ends: IntArray
    hard: FloatArray
    counts: IntArray


#: [rad] in searches out of corners, a clip may be in a bucket once for every such heading.
ALIKE_RAD = 0.15


class Step(NamedTuple):
    """A clip about to be put down.

    Attributes:
        node: Which clip.
        parent: State it follows; -1 at the root.
        edge: Transition between them; -1 at the root.
        turn: Extra turn at that transition [rad].
        cost: Cost of the way so far, with the transition [m].
        arc: Arc length the parent has reached [m].
        bucket: Bucket that is being expanded.
    """

    node: int
    parent: int
    edge: int
    turn: float
    cost: float
    arc: float
    bucket: int


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
    field = Field(graph, shadows, near, grid, path, limits)
    widest = max(limits.width, limits.early_width)
    buckets = int((_total(path) - _low(limits)) / limits.bucket_m) + 2
    work = Work(
        np.empty((limits.states, 10)),
        np.empty((limits.states, 3), dtype=np.int64),
        np.empty((buckets, widest), dtype=np.int64),
        np.zeros(buckets, dtype=np.int64),
        np.empty(limits.candidates, dtype=np.int64),
        np.empty(limits.candidates),
        np.zeros(2, dtype=np.int64),
    )
    done, expanded = np.zeros(limits.states, dtype=np.bool_), 0
    for k in range(len(seeds)):
        _arrive(field, work, Step(int(seeds[k, 0]), -1, -1, 0.0, 0.0, 0.0, 0), seeds[k, 1], seeds[k, 2], seeds[k, 3])
    for bucket in range(buckets):
        for _ in range(ROUNDS * widest):
            state = _best_open(work.items, work.filled, bucket, work.places, done)
            if state < 0 or work.counts[0] >= limits.states - 1:
                break
            done[state] = True
            expanded += 1
            _expand(field, work, state, bucket)
    made, found = work.counts[0], work.counts[1]
    order = np.argsort(work.hard[:found])
    return Tree(work.places[:made], work.links[:made], work.ends[:found][order], expanded)


@njit(cache=True, forceinline=True)
def _total(path: PathTable) -> float:
    """Length of a path [m]."""
    return path.step_m * (len(path.points) - 1)


@njit(cache=True, forceinline=True)
def _low(limits: Limits) -> float:
    """The least progress a state may have [m]."""
    return -PROGRESS_TURN_M * math.pi - limits.early_deviation_m


# Kernels that take whole tables are inlined: handing over dozens of arrays costs more than most of them do.


@njit(cache=True, forceinline=True)
def _expand(field: Field, work: Work, state: int, bucket: int) -> None:
    """Put down every clip that may follow a state; where its heading is off, turned as far as it may be, too.

    With a negative ``steer_rad`` always, and both ways: out of a corner one may have to turn away from the path first.
    """
    graph, place = field.graph, work.places[state]
    node = work.links[state, 0]
    first, count = graph.edge_starts[node], graph.edge_starts[node + 1] - graph.edge_starts[node]
    off = _heading_error(field.path, work.places, state)
    ways = 1 if abs(off) <= field.limits.steer_rad else 2 if field.limits.steer_rad >= 0.0 else 3
    for k in range(ways * count):
        edge, way = first + k % count, k // count
        turn = 0.0 if way == 0 else graph.ranges[edge, 0 if (off > 0.0) == (way == 1) else 1]
        x, z, yaw = following(graph, edge, turn, place[0], place[1], place[2])
        cost = place[7] + graph.costs[edge]
        _arrive(field, work, Step(graph.targets[edge], state, edge, turn, cost, place[6], bucket), x, z, yaw)


@njit(cache=True, forceinline=True)
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
def _arrive(field: Field, work: Work, step: Step, x: float, z: float, yaw: float) -> None:
    """Judge a new state and keep it in its bucket, or among the candidates when it is at the goal."""
    graph, path, limits, counts = field.graph, field.path, field.limits, work.counts
    if counts[0] >= limits.states - 2:
        return
    node, total = step.node, _total(path)
    ex, ez = placed(x, z, yaw, graph.moves[node, 0], graph.moves[node, 1])
    facing = wrapped(yaw + graph.moves[node, 2])
    cost = step.cost + graph.lengths[node]
    along, off, heading = projected(path, ex, ez, int(max(step.arc, 0.0) / path.step_m))
    difficulty = at_goal(path, along, total, ex, ez, facing, limits.past_m)
    if len(path.finals) > 0 and not path.finals[node]:
        difficulty = np.inf
    passed = along >= total - 1e-9
    if passed and difficulty == np.inf:
        return
    early = along < limits.early_m
    if off > (limits.early_deviation_m if early else limits.deviation_m):
        return
    turn = abs(wrapped(facing - heading))
    score = cost - along + SCORE_DEVIATION * off + SCORE_TURN_M * turn
    place = (x, z, yaw, ex, ez, facing, along, cost, score, step.turn)
    if difficulty < np.inf:
        slot = _slot_of_worst(work.hard, counts[1], difficulty + score, limits.candidates)
        if slot >= 0:
            work.hard[slot], work.ends[slot] = difficulty + score, counts[0]
            counts[1] = max(counts[1], slot + 1)
            _write(work, step, place)
    if passed:
        return
    progress = int((along - PROGRESS_TURN_M * turn - _low(limits)) / limits.bucket_m)
    bucket = min(max(progress, step.bucket), len(work.filled) - 1)
    alike = np.inf if limits.steer_rad >= 0.0 else ALIKE_RAD
    slot = _slot(work, bucket, node, score, limits.early_width if early else limits.width, facing, alike)
    if slot < 0 or not clip_is_free(field.shadows, field.near, field.grid, node, x, z, yaw, limits.margin_m):
        return
    work.items[bucket, slot] = counts[0]
    work.filled[bucket] = max(work.filled[bucket], slot + 1)
    _write(work, step, place)


@njit(cache=True, forceinline=True)
def _write(work: Work, step: Step, place: tuple[float, ...]) -> None:
    """A new state."""
    index = work.counts[0]
    for i in range(10):
        work.places[index, i] = place[i]
    work.links[index, 0], work.links[index, 1], work.links[index, 2] = step.node, step.parent, step.edge
    work.counts[0] += 1


@njit(cache=True, forceinline=True)
def _slot(work: Work, bucket: int, node: int, score: float, width: int, facing: float, alike: float) -> int:
    """Where in its bucket a new state goes: in place of the same clip or of the worst; -1 when it is no better.

    Clips whose ends face more than ``alike`` [rad] apart are not the same.
    """
    worst, worst_score = -1, -np.inf
    for k in range(work.filled[bucket]):
        state = work.items[bucket, k]
        if work.links[state, 0] == node and abs(wrapped(work.places[state, 5] - facing)) <= alike:
            return k if score < work.places[state, 8] - 1e-12 else -1
        if work.places[state, 8] > worst_score:
            worst, worst_score = k, work.places[state, 8]
    if work.filled[bucket] < width:
        return int(work.filled[bucket])
    return worst if score < worst_score else -1


@njit(cache=True, forceinline=True)
def _slot_of_worst(values: FloatArray, count: int, value: float, most: int) -> int:
    """Where a value goes in a list of the smallest ``most``; -1 when it is too large."""
    if count < most:
        return count
    worst = int(np.argmax(values))
    return worst if value < values[worst] else -1
