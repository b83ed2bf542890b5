"""Compiled body-aware beam: states in buckets of time, tested with the whole body, ended exactly (methods.md M5).

A state is a jump just made. Its score is what was walked so far plus, half a second ahead of it, the distance to the
goal that the potential field gives. Expanding it plays the take until the body would touch something, and makes a new
state of every root edge on the way. Where the take passes the goal, the sequence is ended there with turned jumps and
tested whole.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.locomotion._chain_kernels import following, placed, wrapped
from understudy.locomotion.sampling._ending_kernels import difficulty, finish, keep
from understudy.locomotion.sampling._volume_kernels import balls_inside
from understudy.locomotion.sampling.tables import MOST_EDGES, BeamLimits, Close, Fields, Found, Stage
from understudy.typing import FloatArray, IntArray

#: Columns of a state's numbers and of its links.
X, Z, YAW, COST, SCORE, AHEAD_X, AHEAD_Z, AHEAD_YAW = range(8)
FRAME, PARENT, EDGE, LEG, ELAPSED, DONE = range(6)
#: States that will be nearer than this in place [m] and heading [rad] half a second ahead are the same.
SAME_M, SAME_RAD = 0.08, 0.15
#: [m] a point on the way counts as passed within this.
PASSED_M = 0.3


@njit(cache=True, nogil=True)
def field_at(fields: Fields, leg: int, x: float, z: float) -> float:
    """Distance to the end of a leg [m], by the cell a point is in."""
    _, nz, nx = fields.values.shape
    ix, iz = math.floor((x - fields.low[0]) / fields.cell), math.floor((z - fields.low[1]) / fields.cell)
    if ix < 0 or iz < 0 or ix >= nx or iz >= nz:
        return np.inf
    return float(fields.values[leg, iz, ix])


@njit(cache=True, nogil=True)
def _left(
    stage: Stage, fields: Fields, close: Close, limits: BeamLimits, frame: int, leg: int, place: FloatArray
) -> float:
    """What it still takes to the goal from a frame of a placed take, seen from a little ahead [m].

    ``place`` is a state's row; where it will be a little ahead is written into it.
    """
    moves = stage.jumps.moves
    ahead = min(frame + limits.ahead, stage.jumps.stops[frame])
    x, z = placed(place[0], place[1], place[2], moves[ahead, 0], moves[ahead, 1])
    place[AHEAD_X], place[AHEAD_Z], place[AHEAD_YAW] = x, z, place[2] + moves[ahead, 2]
    rest = field_at(fields, leg, x, z)
    if rest == np.inf:
        return np.inf
    walked = math.hypot(moves[ahead, 0] - moves[frame, 0], moves[ahead, 1] - moves[frame, 1])
    cost = rest + fields.rests[leg] + walked + stage.jumps.efforts[ahead] - stage.jumps.efforts[frame]
    if leg == len(fields.rests) - 1 and rest < walked:
        # Beyond the goal the field rises again: what matters is how near the take passes.
        cost = rest
    if close.goal[3] > 0.0 and leg == len(fields.rests) - 1:
        off = abs(wrapped(place[2] + moves[ahead, 2] - close.goal[2]))
        cost += limits.turn_cost * off * max(0.0, 1.0 - rest / 3.0)
    return cost


@njit(cache=True, nogil=True)
def _slot(items: IntArray, filled: int, width: int, numbers: FloatArray, state: FloatArray) -> int:
    """Where in its bucket a new state goes: in place of its equal or of the worst; -1 when it is no better."""
    worst, worst_score = -1, -np.inf
    for k in range(filled):
        score = numbers[items[k], SCORE]
        if score > worst_score:
            worst, worst_score = k, score
    if filled >= width and state[SCORE] >= worst_score:
        return -1
    for k in range(filled):
        other = items[k]
        if (
            abs(numbers[other, AHEAD_X] - state[AHEAD_X]) < SAME_M
            and abs(numbers[other, AHEAD_Z] - state[AHEAD_Z]) < SAME_M
            and abs(wrapped(numbers[other, AHEAD_YAW] - state[AHEAD_YAW])) < SAME_RAD
        ):
            return k if state[SCORE] < numbers[other, SCORE] else -1
    return filled if filled < width else worst


@njit(cache=True, nogil=True)
def _chain_of(links: IntArray, numbers: FloatArray, state: int) -> tuple[IntArray, int, FloatArray]:
    """Edges from a root to a state, the root's frame, and where its take lies."""
    count, at = 0, state
    while links[at, PARENT] >= 0:
        count += 1
        at = links[at, PARENT]
    chain = np.empty(count, dtype=np.int64)
    first, place = links[at, FRAME], numbers[at, :3].copy()
    at = state
    for k in range(count - 1, -1, -1):
        chain[k] = links[at, EDGE]
        at = links[at, PARENT]
    return chain, first, place


@njit(cache=True, nogil=True)
def _end_here(
    stage: Stage,
    close: Close,
    links: IntArray,
    numbers: FloatArray,
    state: int,
    ends: FloatArray,
    walked: FloatArray,
    found: Found,
    count: int,
) -> int:
    """Try to end a state's sequence in the frame where that is easiest; returns how many solutions there are."""
    chain, first, place = _chain_of(links, numbers, state)
    if len(chain) >= MOST_EDGES:
        return count
    entry = links[state, FRAME]
    best = int(np.argmin(ends))
    turns = np.zeros(len(chain))
    head = np.array([len(chain), first, entry + best])
    if finish(stage, close, chain, head, place, turns):
        cost = numbers[state, COST] + walked[best] + 0.5 * np.abs(turns).sum()
        count = keep(found, count, chain, head, place, turns, cost)
    return count


@njit(cache=True, nogil=True)
def beam(
    stage: Stage,
    fields: Fields,
    close: Close,
    limits: BeamLimits,
    ending: FloatArray,
    seeds: FloatArray,
    numbers: FloatArray,
    links: IntArray,
    found: Found,
) -> tuple[int, int, int]:
    """Search from seeds ``(n, 4)``: frame and where its take lies.

    Args:
        stage: Who moves, and where.
        fields: Distance to the goal.
        close: What an ending has to keep.
        limits: How wide and how long.
        ending: ``(frames,)`` 0 where a walk may end, else infinite.
        seeds: Where it may begin.
        numbers: ``(states, 8)`` room for states.
        links: ``(states, 6)`` room for their links.
        found: Room for solutions.

    Returns:
        How many states, solutions and expansions there were.
    """
    buckets = limits.longest // limits.bucket + 2
    widest = max(limits.width, limits.early_width)
    items, filled = np.empty((buckets, widest), dtype=np.int64), np.zeros(buckets, dtype=np.int64)
    made = count = expanded = 0
    state = np.zeros(8)
    for k in range(len(seeds)):
        frame = int(seeds[k, 0])
        state[:3], state[COST] = seeds[k, 1:], 0.0
        state[SCORE] = _left(stage, fields, close, limits, frame, 0, state)
        made = _add(items, filled, 0, limits.early_width, numbers, links, made, state, frame, -1, -1, 0, 0)
    stop = buckets
    for bucket in range(buckets):
        if bucket > stop:
            break
        order = np.argsort(numbers[items[bucket, : filled[bucket]], SCORE])
        for k in order:
            if made >= limits.states - 1:
                break
            expanded += 1
            before = count
            made, count = _expand(
                stage,
                fields,
                close,
                limits,
                ending,
                items,
                filled,
                numbers,
                links,
                made,
                items[bucket, k],
                found,
                count,
            )
            if count > before and count >= limits.solutions:
                stop = min(stop, bucket + 1)
    return made, count, expanded


@njit(cache=True, nogil=True)
def _add(
    items: IntArray,
    filled: IntArray,
    bucket: int,
    width: int,
    numbers: FloatArray,
    links: IntArray,
    made: int,
    state: FloatArray,
    frame: int,
    parent: int,
    edge: int,
    leg: int,
    elapsed: int,
) -> int:
    """Keep a state if it is among the best of its bucket; returns how many there are."""
    if state[SCORE] == np.inf or bucket >= len(filled) or made >= len(numbers):
        return made
    slot = _slot(items[bucket], filled[bucket], width, numbers, state)
    if slot < 0:
        return made
    numbers[made] = state
    links[made, FRAME], links[made, PARENT], links[made, EDGE] = frame, parent, edge
    links[made, LEG], links[made, ELAPSED] = leg, elapsed
    items[bucket, slot] = made
    filled[bucket] = max(filled[bucket], slot + 1)
    return made + 1


@njit(cache=True, nogil=True)
def _expand(
    stage: Stage,
    fields: Fields,
    close: Close,
    limits: BeamLimits,
    ending: FloatArray,
    items: IntArray,
    filled: IntArray,
    numbers: FloatArray,
    links: IntArray,
    made: int,
    at: int,
    found: Found,
    count: int,
) -> tuple[int, int]:
    """Play a state's take, make states of all jumps on the way, and try to end where it passes the goal."""
    edges, moves = stage.jumps, stage.jumps.moves
    entry, leg, elapsed = links[at, FRAME], links[at, LEG], links[at, ELAPSED]
    x, z, yaw = numbers[at, X], numbers[at, Z], numbers[at, YAW]
    last = min(edges.stops[entry], entry + limits.stretch)
    ends, walked = np.full(last - entry + 1, np.inf), np.zeros(last - entry + 1)
    state = np.zeros(8)
    travelled, elsewhere = 0.0, entry
    for frame in range(entry, last + 1):
        if (frame - entry) % stage.step == 0 or frame == last:
            if balls_inside(stage.volume, stage.body, frame, x, z, yaw, close.margin, 1) > 0:
                break
            travelled += math.hypot(moves[frame, 0] - moves[elsewhere, 0], moves[frame, 1] - moves[elsewhere, 1])
            elsewhere = frame
            if leg < len(fields.rests) - 1:
                px, pz = placed(x, z, yaw, moves[frame, 0], moves[frame, 1])
                if math.hypot(px - fields.ends[leg, 0], pz - fields.ends[leg, 1]) < PASSED_M:
                    leg += 1
        walked[frame - entry] = travelled
        if frame - entry < edges.least:
            continue
        if leg == len(fields.rests) - 1:
            ends[frame - entry] = ending[frame] + difficulty(stage, close, frame, x, z, yaw)
        cost = numbers[at, COST] + travelled + edges.efforts[frame] - edges.efforts[entry]
        bucket = (elapsed + frame - entry) // limits.bucket
        for k in range(edges.root_first[frame], edges.root_first[frame + 1]):
            edge = edges.roots[k]
            state[X], state[Z], state[YAW] = following(edges, edge, 0.0, x, z, yaw)  # type: ignore[arg-type]
            state[COST] = cost + edges.costs[edge]
            state[SCORE] = state[COST] + _left(stage, fields, close, limits, edges.into[edge], leg, state)
            made = _add(
                items, filled, bucket, limits.width, numbers, links, made, state,
                edges.into[edge], at, edge, leg, elapsed + frame - entry,
            )  # fmt: skip
    full = count == len(found.costs)
    if np.isfinite(ends).any() and not (full and numbers[at, SCORE] >= found.costs.max()):
        count = _end_here(stage, close, links, numbers, at, ends, walked, found, count)
    return made, count
