"""Compiled cost of an edge sequence, with everything that does not change with its end kept (paper §4 and §5).

``prefix[k]`` holds what is known where stretch ``k`` begins: where its take lies, the sums of all frames before it and
the least deviation from every target so far. A mutation of edge ``k`` changes nothing before stretch ``k``, so scoring
goes on from ``prefix[k]``; the sums are added in the same order, hence equal to the last bit.

Deviations: balls of the body's capsules instead of joint points, nearer than a margin instead of inside; frames a
fifteenth of a second apart stand for those between them.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.locomotion._chain_kernels import following, placed, wrapped
from understudy.locomotion.sampling._volume_kernels import balls_inside
from understudy.locomotion.sampling.tables import Problem, Targets
from understudy.typing import FloatArray, IntArray

#: Columns of a prefix row; the targets' least deviations follow.
X, Z, YAW, SMOOTH, COLLIDE, TRAVEL, ROOT_X, ROOT_Z, FOLLOW, ELAPSED, LEAST = range(11)
#: Cost of an action that is never shown.
MISSING = 1e6


@njit(cache=True, nogil=True)
def start_place(moves: FloatArray, stops: IntArray, targets: Targets, frame: int) -> tuple[float, float, float]:
    """Where the take of a first frame has to lie so that the sequence begins as asked."""
    heading = moves[frame, 2]
    if targets.start[3] == 0.0:
        ahead = min(frame + 15, stops[frame])
        dx, dz = moves[ahead, 0] - moves[frame, 0], moves[ahead, 1] - moves[frame, 1]
        if dx * dx + dz * dz > 0.01:
            heading = math.atan2(dx, dz)
    yaw = wrapped(targets.start[2] - heading)
    x, z = placed(0.0, 0.0, yaw, moves[frame, 0], moves[frame, 1])
    return targets.start[0] - x, targets.start[1] - z, yaw


@njit(cache=True, nogil=True)
def _deviation(problem: Problem, w: int, frame: int, x: float, z: float, heading: float) -> float:
    """How far a frame is from a target; infinite where it does not show the target's action."""
    targets, weights = problem.targets, problem.weights
    action = targets.actions[w]
    if action >= 0 and not targets.shown[action, frame]:
        return np.inf
    cost = 0.0
    if targets.kinds[w, 0]:
        cost += weights.location * ((x - targets.places[w, 0]) ** 2 + (z - targets.places[w, 1]) ** 2)
    if targets.kinds[w, 1]:
        cost += weights.orientation * wrapped(heading - targets.places[w, 2]) ** 2
    return cost


@njit(cache=True, nogil=True)
def score(problem: Problem, chain: IntArray, head: IntArray, prefix: FloatArray, begin: int, cutoff: float) -> float:
    """Cost of a sequence; infinite as soon as it must exceed ``cutoff``.

    Args:
        problem: What is minimised.
        chain: Edges, the first ``head[0]`` of them.
        head: ``(3,)`` number of edges, first and last frame.
        prefix: ``(MOST_EDGES + 1, LEAST + targets)`` rows up to ``begin`` are known; the rest is written.
        begin: First stretch that changed.
        cutoff: What a better sequence costs.
    """
    stage, targets, weights = problem.stage, problem.targets, problem.weights
    edges, moves = stage.jumps, stage.jumps.moves
    count, goal = head[0], len(targets.places) - 1
    if begin == 0:
        prefix[0] = 0.0
        prefix[0, X], prefix[0, Z], prefix[0, YAW] = start_place(moves, edges.stops, targets, head[1])
        prefix[0, ROOT_X], prefix[0, ROOT_Z] = targets.start[0], targets.start[1]
        prefix[0, LEAST:] = np.inf
    row = prefix[begin].copy()
    balls = len(stage.body.radii)
    for k in range(begin, count + 1):
        first = head[1] if k == 0 else edges.into[chain[k - 1]]
        last = head[2] + 1 if k == count else edges.out[chain[k]]
        for frame in range(first, last):
            ending = k == count and frame == head[2]
            if int(row[ELAPSED]) % stage.step == 0 or ending:
                x, z = placed(row[X], row[Z], row[YAW], moves[frame, 0], moves[frame, 1])
                heading = row[YAW] + moves[frame, 2]
                row[TRAVEL] += math.sqrt((x - row[ROOT_X]) ** 2 + (z - row[ROOT_Z]) ** 2)
                row[ROOT_X], row[ROOT_Z] = x, z
                if weights.collide > 0.0:
                    hits = balls_inside(
                        stage.volume, stage.body, frame, row[X], row[Z], row[YAW], weights.margin, balls
                    )
                    row[COLLIDE] += weights.collide * stage.step * hits / balls
                for w in range(goal):
                    row[LEAST + w] = min(row[LEAST + w], _deviation(problem, w, frame, x, z, heading))
                if weights.follow > 0.0:
                    row[FOLLOW] += stage.step * _follow(targets, x, z) / weights.follow_m**2
                if ending:
                    row[LEAST + goal] = _deviation(problem, goal, frame, x, z, heading)
            row[ELAPSED] += 1.0
        row[SMOOTH] += weights.smooth * (edges.efforts[last - 1] - edges.efforts[first])
        if row[COLLIDE] ** 2 + row[SMOOTH] + weights.follow * row[FOLLOW] > cutoff:
            return np.inf
        if k < count:
            row[SMOOTH] += weights.smooth * edges.costs[chain[k]]
            row[X], row[Z], row[YAW] = following(edges, chain[k], 0.0, row[X], row[Z], row[YAW])  # type: ignore[arg-type]
        prefix[k + 1] = row
    return _total(problem, row)


@njit(cache=True, nogil=True)
def _follow(targets: Targets, x: float, z: float) -> float:
    """Squared distance from the nearest target [m^2]."""
    nearest = (x - targets.start[0]) ** 2 + (z - targets.start[1]) ** 2
    for w in range(len(targets.places)):
        if targets.kinds[w, 0]:
            nearest = min(nearest, (x - targets.places[w, 0]) ** 2 + (z - targets.places[w, 1]) ** 2)
    return nearest


@njit(cache=True, nogil=True)
def _total(problem: Problem, row: FloatArray) -> float:
    targets, weights = problem.targets, problem.weights
    cost = row[SMOOTH] + row[COLLIDE] ** 2 + weights.follow * row[FOLLOW]
    for w in range(len(targets.places)):
        cost += min(row[LEAST + w], MISSING)
    if weights.travel > 0.0:
        goal = targets.places[len(targets.places) - 1]
        rest = math.sqrt((row[ROOT_X] - goal[0]) ** 2 + (row[ROOT_Z] - goal[1]) ** 2)
        cost += (weights.travel * ((row[TRAVEL] + rest) / targets.expected - 1.0)) ** 2
    return cost
