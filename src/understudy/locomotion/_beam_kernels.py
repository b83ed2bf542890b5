"""Compiled beam search: states in buckets along the path, the best few of each expanded.

A state's progress is its arc length along the path less what its heading is off, so turning counts as getting on. Its
score, the smaller the better, is how much longer than the path it has walked, plus what its deviation and heading will
still cost. States know when their clip begins, so that they are compared with what moves at that time. A bucket holds a
clip only once; where anything moves, once for every time at which it may begin: that is how one waits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.locomotion._chain_kernels import placed, wrapped
from understudy.locomotion._moving_kernels import clip_is_clear, something_moves
from understudy.locomotion.schedule import PROGRESS_TURN_M
from understudy.locomotion.tables import COLUMNS, SETTLED, At, Limits, PathTable, Tree, World
from understudy.typing import BoolArray, FloatArray, IntArray

#: [m/rad] a heading error's share in the score; a deviation's share.
SCORE_TURN_M, SCORE_DEVIATION = 0.5, 0.6
#: A bucket is looked through at most so many times its width.
ROUNDS = 4
#: Samples of the path looked at before and after the last one when a state is projected.
BACK, AHEAD = 6, 24
#: Of these every few first, then those around the nearest.
COARSE = 4
#: [rad], [s] where a search turns both ways, or anything moves, states of one clip this far apart are not the same.
ALIKE_RAD, ALIKE_S = 0.15, 0.3


@uncounted_inline
def projected(path: PathTable, x: float, z: float, near: int) -> tuple[float, float, float]:
    """Arc length [m] of the nearest point of the path around a sample, the distance to it, and its heading.

    Beyond the goal the path goes on straight.
    """
    count = len(path.points)
    best, best2 = 0, np.inf
    low, high = max(near - BACK, 0), min(near + AHEAD, count)
    for k in range(min(low + COARSE // 2, high - 1), high, COARSE):
        d2 = (x - path.points[k, 0]) ** 2 + (z - path.points[k, 1]) ** 2
        if d2 < best2:
            best, best2 = k, d2
    for k in range(max(best - COARSE, low), min(best + COARSE + 1, high)):
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


@uncounted_inline
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

    world: World
    path: PathTable
    limits: Limits
    timed: bool


class Work(NamedTuple):
    """What a beam writes.

    Attributes:
        places: See :class:`Tree`.
        links: See :class:`Tree`.
        items: ``(buckets, widest)`` states of every bucket.
        clips: ``(buckets, widest)`` their clips.
        scores: ``(buckets, widest)`` their scores.
        waiting: ``(buckets, widest)`` whether they are still to be expanded.
        filled: ``(buckets,)`` how many there are.
        worst: ``(buckets,)`` the worst of their scores.
        ends: ``(candidates,)`` states at the goal.
        hard: ``(candidates,)`` how hard it is to bend them to it.
        counts: ``(2,)`` states made, candidates found.
    """

    places: FloatArray
    links: IntArray
    items: IntArray
    clips: IntArray
    scores: FloatArray
    waiting: BoolArray
    filled: IntArray
    worst: FloatArray
    ends: IntArray
    hard: FloatArray
    counts: IntArray


class Step(NamedTuple):
    """A clip about to be put down.

    Attributes:
        node: Which clip.
        parent: State it follows; -1 at the root.
        edge: Transition between them; -1 at the root.
        turn: Extra turn at that transition [rad].
        cost: Cost of the way so far, with the transition [m].
        arc: Arc length the parent has reached [m].
        time: When it begins [s].
        bucket: Bucket that is being expanded.
    """

    node: int
    parent: int
    edge: int
    turn: float
    cost: float
    arc: float
    time: float
    bucket: int


@njit(cache=True, nogil=True)
def beam(world: World, path: PathTable, limits: Limits, seeds: FloatArray) -> Tree:
    """Search from seeds ``(n, 6)``: clip, its frame x, z, yaw, when it begins [s], and 1 where it is settled."""
    field = Field(world, path, limits, something_moves(world.movers))
    widest = limits.widths.max()
    buckets = int((_total(path) - limits.low_m) / limits.bucket_m) + 2
    work = Work(
        np.empty((limits.states, COLUMNS)),
        np.empty((limits.states, 3), dtype=np.int64),
        np.empty((buckets, widest), dtype=np.int64),
        np.empty((buckets, widest), dtype=np.int64),
        np.empty((buckets, widest)),
        np.zeros((buckets, widest), dtype=np.bool_),
        np.zeros(buckets, dtype=np.int64),
        np.full(buckets, -np.inf),
        np.empty(limits.candidates, dtype=np.int64),
        np.empty(limits.candidates),
        np.zeros(2, dtype=np.int64),
    )
    expanded = _searched(field, work, seeds)
    made, found = work.counts[0], work.counts[1]
    order = np.argsort(work.hard[:found])
    return Tree(work.places[:made].copy(), work.links[:made].copy(), work.ends[:found][order], expanded)


@uncounted
def _searched(field: Field, work: Work, seeds: FloatArray) -> int:
    """Search until nothing waits; how many states were expanded.

    Nothing is allocated from here on, so arrays are not counted either: that took most of the time.
    """
    graph, limits, expanded = field.world.graph, field.limits, 0
    buckets, widest = work.items.shape
    for k in range(len(seeds)):
        node, x, z, yaw = int(seeds[k, 0]), seeds[k, 1], seeds[k, 2], seeds[k, 3]
        ex, ez = placed(x, z, yaw, graph.moves[node, 0], graph.moves[node, 1])
        facing = wrapped(yaw + graph.moves[node, 2])
        edge = SETTLED if seeds[k, 5] > 0.0 else -1
        _arrive(field, work, Step(node, -1, edge, 0.0, 0.0, 0.0, seeds[k, 4], 0), x, z, yaw, ex, ez, facing)
    for bucket in range(buckets):
        for _ in range(ROUNDS * widest):
            slot = _best_waiting(work, bucket)
            if slot < 0 or work.counts[0] >= limits.states - 1:
                break
            work.waiting[bucket, slot] = False
            expanded += 1
            _expand(field, work, work.items[bucket, slot], bucket)
    return expanded


@uncounted_inline
def _total(path: PathTable) -> float:
    """Length of a path [m]."""
    return path.step_m * (len(path.points) - 1)


@uncounted_inline
def _stretch(limits: Limits, along: float) -> int:
    """Which stretch of the path an arc length is in."""
    return min(max(int(along / limits.bucket_m), 0), len(limits.widths) - 1)


# Kernels that take whole tables are inlined: handing over dozens of arrays costs more than most of them do.


@uncounted_inline
def _expand(field: Field, work: Work, state: int, bucket: int) -> None:
    """Put down every clip that may follow a state; where its heading is off, turned as far as it may be, too.

    With a negative ``steer_rad`` always, and both ways: out of a corner one may have to turn away from the path first.
    """
    graph, strides = field.world.graph, field.world.strides
    node = work.links[state, 0]
    place = work.places[state]
    px, pz, pyaw, arc, cost = place[0], place[1], place[2], place[6], place[7]
    time = place[10] + field.world.pace.seconds[node]
    c, s = math.cos(pyaw), math.sin(pyaw)
    off = _heading_error(field.path, work.places, state)
    steer = field.limits.steers_rad[_stretch(field.limits, arc)]
    ways = 1 if abs(off) <= steer else 2 if steer >= 0.0 else 3
    for way in range(ways):
        # As it is; then turned towards the path; then away from it.
        end = 0 if way == 0 else 1 if (off > 0.0) == (way == 1) else 2
        for edge in range(graph.edge_starts[node], graph.edge_starts[node + 1]):
            turn = 0.0 if end == 0 else graph.ranges[edge, end - 1]
            tx, tz, yaw = strides.frames[end, edge, 0], strides.frames[end, edge, 1], strides.frames[end, edge, 2]
            ux, uz, facing = strides.ends[end, edge, 0], strides.ends[end, edge, 1], strides.ends[end, edge, 2]
            _arrive(
                field,
                work,
                Step(graph.targets[edge], state, edge, turn, cost + graph.costs[edge], arc, time, bucket),
                px + c * tx + s * tz,
                pz - s * tx + c * tz,
                wrapped(pyaw + yaw),
                px + c * ux + s * uz,
                pz - s * ux + c * uz,
                wrapped(pyaw + facing),
            )


@uncounted_inline
def _heading_error(path: PathTable, places: FloatArray, state: int) -> float:
    """How far a state's end is turned to the left of the path there (towards +X from +Z) [rad]."""
    sample = min(max(int(places[state, 6] / path.step_m), 0), len(path.points) - 1)
    return wrapped(places[state, 5] - path.headings[sample])


@uncounted_inline
def _best_waiting(work: Work, bucket: int) -> int:
    """The slot of a bucket with the best score that has not been expanded; -1 for none."""
    best, score = -1, np.inf
    for k in range(work.filled[bucket]):
        if work.waiting[bucket, k] and work.scores[bucket, k] < score:
            best, score = k, work.scores[bucket, k]
    return best


@uncounted_inline
def _arrive(
    field: Field, work: Work, step: Step, x: float, z: float, yaw: float, ex: float, ez: float, facing: float
) -> None:
    """Judge a new state, its clip's frame and its end, and keep it in its bucket, or as a candidate at the goal.

    A clip that is settled already is not up for judgement any more.
    """
    world, path, limits, counts = field.world, field.path, field.limits, work.counts
    if counts[0] >= limits.states - 2:
        return
    node, total, settled = step.node, _total(path), step.edge == SETTLED
    cost = step.cost if settled else step.cost + world.graph.lengths[node]
    along, off, heading = projected(path, ex, ez, int(max(step.arc, 0.0) / path.step_m))
    stretch = _stretch(limits, along)
    difficulty = np.inf if settled else at_goal(path, along, total, ex, ez, facing, limits.past_m)
    if len(path.finals) > 0 and not path.finals[node]:
        difficulty = np.inf
    passed = along >= total - 1e-9
    if not settled and ((passed and difficulty == np.inf) or off > limits.deviations_m[stretch]):
        return
    turn = abs(wrapped(facing - heading))
    score = cost - along + SCORE_DEVIATION * off + SCORE_TURN_M * turn
    place = (x, z, yaw, ex, ez, facing, along, cost, score, step.turn, step.time)
    if difficulty < np.inf:
        slot = _slot_of_worst(work.hard, counts[1], difficulty + score, limits.candidates)
        if slot >= 0:
            work.hard[slot], work.ends[slot] = difficulty + score, counts[0]
            counts[1] = max(counts[1], slot + 1)
            _write(work, step, place)
    if passed and not settled:
        return
    progress = int((along - PROGRESS_TURN_M * turn - limits.low_m) / limits.bucket_m)
    bucket = min(max(progress, step.bucket), len(work.filled) - 1)
    alike_rad = np.inf if limits.steers_rad[stretch] >= 0.0 else ALIKE_RAD
    alike_s = ALIKE_S if field.timed else np.inf
    slot = _slot(work, bucket, node, score, limits.widths[stretch], facing, step.time, alike_rad, alike_s)
    if slot < 0:
        return
    margins = limits.margin_m, limits.apart_m
    if not settled and not clip_is_clear(world, node, At(x, z, yaw), step.time, margins, field.timed):
        return
    work.items[bucket, slot], work.clips[bucket, slot] = counts[0], node
    work.scores[bucket, slot], work.waiting[bucket, slot] = score, True
    work.filled[bucket] = max(work.filled[bucket], slot + 1)
    worst = score
    for k in range(work.filled[bucket]):
        worst = max(worst, work.scores[bucket, k])
    work.worst[bucket] = worst
    _write(work, step, place)


@uncounted_inline
def _write(work: Work, step: Step, place: tuple[float, ...]) -> None:
    """A new state."""
    index = work.counts[0]
    for i in range(COLUMNS):
        work.places[index, i] = place[i]
    work.links[index, 0], work.links[index, 1], work.links[index, 2] = step.node, step.parent, step.edge
    work.counts[0] += 1


@uncounted_inline
def _slot(
    work: Work, bucket: int, node: int, score: float, width: int, facing: float, time: float, alike_rad: float,
    alike_s: float,
) -> int:  # fmt: skip
    """Where in its bucket a new state goes: in place of its like or of the worst; -1 when it is no better.

    States of one clip whose ends face more than ``alike_rad`` apart, or that begin ``alike_s`` apart, are not alike.
    """
    filled = work.filled[bucket]
    if filled >= width and score >= work.worst[bucket]:
        return -1
    worst, worst_score = -1, -np.inf
    for k in range(filled):
        if work.clips[bucket, k] == node:
            other = work.places[work.items[bucket, k]]
            if abs(wrapped(other[5] - facing)) <= alike_rad and abs(other[10] - time) < alike_s:
                return k if score < work.scores[bucket, k] - 1e-12 else -1
        if work.scores[bucket, k] > worst_score:
            worst, worst_score = k, work.scores[bucket, k]
    return int(filled) if filled < width else worst


@uncounted_inline
def _slot_of_worst(values: FloatArray, count: int, value: float, most: int) -> int:
    """Where a value goes in a list of the smallest ``most``; -1 when it is too large."""
    if count < most:
        return count
    worst = 0
    for k in range(1, count):
        if values[k] > values[worst]:
            worst = k
    return worst if value < values[worst] else -1
