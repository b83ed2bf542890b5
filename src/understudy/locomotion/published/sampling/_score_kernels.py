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

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.locomotion._chain_kernels import following, placed, wrapped
from understudy.locomotion.published.sampling._volume_kernels import turned_inside
from understudy.locomotion.published.sampling.tables import Problem, Targets, Weights
from understudy.typing import FloatArray, IntArray

#: Columns of a prefix row; the targets' least deviations follow.
X, Z, YAW, SMOOTH, COLLIDE, TRAVEL, ROOT_X, ROOT_Z, FOLLOW, NEAREST, ELAPSED, LEAST = range(12)
#: Cost of an action that is never shown, and by how much sums may be rounded.
MISSING, CLOSE = 1e6, 1e-9


@uncounted
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
    # Members are taken out once: to take one counts references to all its arrays, which costs more than a frame.
    stage, targets, weights = problem.stage, problem.targets, problem.weights
    edges, volume, body, step, count = stage.jumps, stage.volume, stage.body, stage.step, head[0]
    moves, balls = edges.moves, len(body.radii)
    if begin == 0:
        prefix[0] = 0.0
        prefix[0, X], prefix[0, Z], prefix[0, YAW] = start_place(moves, edges.stops, targets, head[1])
        prefix[0, ROOT_X], prefix[0, ROOT_Z] = targets.start[0], targets.start[1]
        prefix[0, LEAST:] = np.inf
    row = prefix[begin].copy()
    # Sums are rounded, so what is as dear as the cutoff but for rounding is scored to its end.
    cutoff += CLOSE * abs(cutoff)
    for k in range(begin, count + 1):
        first = head[1] if k == 0 else edges.into[chain[k - 1]]
        last = head[2] + 1 if k == count else edges.out[chain[k]]
        c, s = math.cos(row[YAW]), math.sin(row[YAW])
        for frame in range(first, last):
            ending = k == count and frame == head[2]
            if int(row[ELAPSED]) % step == 0 or ending:
                _walked(targets, weights, moves, row, frame, c, s, ending)
                row[FOLLOW] += weights.follow * step * row[NEAREST] / weights.follow_m**2
                spare = _spare(targets, weights, row, cutoff)
                if spare < 0.0:
                    return np.inf
                if weights.collide > 0.0:
                    most = _most(weights, row[COLLIDE], spare, step, balls)
                    hits = turned_inside(volume, body, frame, row[X], row[Z], c, s, weights.margin, most)
                    row[COLLIDE] += weights.collide * step * hits / balls
                    if row[COLLIDE] ** 2 > spare:
                        return np.inf
            row[ELAPSED] += 1.0
        row[SMOOTH] += weights.smooth * (edges.efforts[last - 1] - edges.efforts[first])
        if k < count:
            row[SMOOTH] += weights.smooth * edges.costs[chain[k]]
            row[X], row[Z], row[YAW] = following(edges, chain[k], 0.0, row[X], row[Z], row[YAW])  # type: ignore[arg-type]
        prefix[k + 1] = row
    return _total(targets, weights, row)


@uncounted_inline
def _walked(
    targets: Targets, weights: Weights, moves: FloatArray, row: FloatArray, frame: int, c: float, s: float, ending: bool
) -> None:
    """Go on to a frame: where its root is, the way there, and how far it is from every target."""
    x = row[X] + c * moves[frame, 0] + s * moves[frame, 1]
    z = row[Z] - s * moves[frame, 0] + c * moves[frame, 1]
    row[TRAVEL] += math.sqrt((x - row[ROOT_X]) ** 2 + (z - row[ROOT_Z]) ** 2)
    row[ROOT_X], row[ROOT_Z] = x, z
    heading, goal = row[YAW] + moves[frame, 2], len(targets.actions) - 1
    nearest = (x - targets.start[0]) ** 2 + (z - targets.start[1]) ** 2
    for w in range(goal + 1):
        away = 0.0
        if targets.kinds[w, 0]:
            away = (x - targets.places[w, 0]) ** 2 + (z - targets.places[w, 1]) ** 2
            nearest = min(nearest, away)
        if w == goal and not ending:
            break
        action = targets.actions[w]
        if action >= 0 and not targets.shown[action, frame]:
            continue
        cost = weights.location * away
        if targets.kinds[w, 1]:
            cost += weights.orientation * wrapped(heading - targets.places[w, 2]) ** 2
        row[LEAST + w] = min(row[LEAST + w], cost)
    row[NEAREST] = nearest


@uncounted_inline
def _spare(targets: Targets, weights: Weights, row: FloatArray, cutoff: float) -> float:
    """What may still be paid for touching things.

    What is paid never gets less, and the way is never shorter than it is now with a straight rest.
    """
    spare = cutoff - row[SMOOTH] - row[FOLLOW]
    longer = _overlong(targets, weights, row)
    return spare - longer * longer if longer > 0.0 else spare


@uncounted_inline
def _most(weights: Weights, collided: float, spare: float, step: int, balls: int) -> int:
    """Balls that are counted at most: with so many, touching things costs more than is spare."""
    if spare == np.inf:
        return balls
    allowed = (math.sqrt(spare) - collided) * balls / (weights.collide * step)
    return min(balls, max(0, int(allowed)) + 1)


@uncounted_inline
def _overlong(targets: Targets, weights: Weights, row: FloatArray) -> float:
    """How much longer than expected the way is, straight on to the goal from where it is; weighed, not squared."""
    goal = len(targets.actions) - 1
    rest = math.sqrt((row[ROOT_X] - targets.places[goal, 0]) ** 2 + (row[ROOT_Z] - targets.places[goal, 1]) ** 2)
    return float(weights.travel * ((row[TRAVEL] + rest) / targets.expected - 1.0))


@uncounted
def _total(targets: Targets, weights: Weights, row: FloatArray) -> float:
    cost = row[SMOOTH] + row[COLLIDE] ** 2 + row[FOLLOW] + _overlong(targets, weights, row) ** 2
    for w in range(len(targets.actions)):
        cost += min(row[LEAST + w], MISSING)
    return float(cost)
