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
from understudy.locomotion.sampling._bucket_kernels import (
    AHEAD_X,
    AHEAD_YAW,
    AHEAD_Z,
    COST,
    ELAPSED,
    FRAME,
    LEG,
    SCORE,
    STATE,
    YAW,
    X,
    Z,
    added,
    chain_of,
)  # fmt: skip
from understudy.locomotion.sampling._ending_kernels import TURNING_M, difficulty, finish, keep
from understudy.locomotion.sampling._volume_kernels import balls_inside
from understudy.locomotion.sampling.beam_tables import Beam, Fields, Frontier
from understudy.locomotion.sampling.tables import MOST_EDGES, Close, Found, Stage
from understudy.typing import FloatArray

#: [m] a point on the way counts as passed within this.
PASSED_M = 0.3
#: [m] farther from the goal than this no state can be worth more than the field says where its jump is.
FAR_M = 2.0
#: [m] shortest way, and least slope of a field, that tell a direction.
LEAST_M, LEAST_SLOPE = 0.2, 0.5


@njit(cache=True, nogil=True)
def field_at(fields: Fields, leg: int, x: float, z: float) -> tuple[float, float, float]:
    """Distance to the end of a leg [m] and how it grows along x and z, between the centres of cells.

    Beside cells that have no way it is that of the cell the point is in, and grows nowhere.
    """
    _, nz, nx = fields.values.shape
    u, w = (x - fields.low[0]) / fields.cell, (z - fields.low[1]) / fields.cell
    ix, iz = math.floor(u), math.floor(w)
    if ix < 0 or iz < 0 or ix >= nx or iz >= nz:
        return np.inf, 0.0, 0.0
    values = fields.values[leg]
    i, k = math.floor(u - 0.5), math.floor(w - 0.5)
    if i < 0 or k < 0 or i >= nx - 1 or k >= nz - 1:
        return values[iz, ix], 0.0, 0.0
    a, b = u - 0.5 - i, w - 0.5 - k
    near, aside, after, beyond = values[k, i], values[k, i + 1], values[k + 1, i], values[k + 1, i + 1]
    if not near + aside + after + beyond < np.inf:
        return values[iz, ix], 0.0, 0.0
    value = (1.0 - b) * ((1.0 - a) * near + a * aside) + b * ((1.0 - a) * after + a * beyond)
    gx = ((1.0 - b) * (aside - near) + b * (beyond - after)) / fields.cell
    gz = ((1.0 - a) * (after - near) + a * (beyond - aside)) / fields.cell
    return value, gx, gz


@njit(cache=True, nogil=True)
def _left(stage: Stage, beam: Beam, close: Close, frame: int, leg: int, state: FloatArray) -> float:
    """What it still takes to the goal from a frame of a placed take, seen from a little ahead [m].

    Where it will be a little ahead is written into the state. Heading elsewhere than downhill has to be made good.
    """
    moves, fields, limits = stage.jumps.moves, beam.fields, beam.limits
    ahead = min(frame + limits.ahead, stage.jumps.stops[frame])
    x, z = placed(state[X], state[Z], state[YAW], moves[ahead, 0], moves[ahead, 1])
    state[AHEAD_X], state[AHEAD_Z], state[AHEAD_YAW] = x, z, state[YAW] + moves[ahead, 2]
    rest, gx, gz = field_at(fields, leg, x, z)
    if rest == np.inf:
        return np.inf
    walked = math.hypot(moves[ahead, 0] - moves[frame, 0], moves[ahead, 1] - moves[frame, 1])
    cost = rest + fields.rests[leg] + walked + stage.jumps.efforts[ahead] - stage.jumps.efforts[frame]
    if leg == len(fields.rests) - 1:
        if rest < walked:
            # Beyond the goal the field rises again: what matters is how near the take passes.
            cost = rest
        if close.goal[3] > 0.0:
            off = abs(wrapped(state[YAW] + moves[ahead, 2] - close.goal[2]))
            cost += limits.turn_cost * off * max(0.0, 1.0 - rest / 3.0)
    later = min(frame + limits.heading, stage.jumps.stops[frame])
    dx, dz = moves[later, 0] - moves[frame, 0], moves[later, 1] - moves[frame, 1]
    run, slope = math.hypot(dx, dz), math.hypot(gx, gz)
    if run < LEAST_M or slope < LEAST_SLOPE:
        return cost
    dx, dz = placed(0.0, 0.0, state[YAW], dx, dz)
    return cost + limits.aim_cost * (1.0 + (gx * dx + gz * dz) / (run * slope)) * min(1.0, rest)


@njit(cache=True, nogil=True)
def search(
    stage: Stage, beam: Beam, close: Close, ending: FloatArray, seeds: FloatArray, frontier: Frontier, found: Found
) -> None:
    """Search from seeds; how many states, solutions and expansions there were is written into ``frontier.counts``.

    Args:
        stage: Who moves, and where.
        beam: Distance to the goal; how wide and how long.
        close: What an ending has to keep.
        ending: ``(frames,)`` 0 where a walk may end, else infinite.
        seeds: ``(n, 4)`` where it may begin: frame and where its take lies.
        frontier: Room for states.
        found: Room for solutions.
    """
    limits, counts = beam.limits, frontier.counts
    state = np.zeros(STATE)
    for k in range(len(seeds)):
        frame = int(seeds[k, 0])
        state[X], state[Z], state[YAW], state[COST] = seeds[k, 1], seeds[k, 2], seeds[k, 3], 0.0
        state[SCORE] = _left(stage, beam, close, frame, 0, state)
        added(frontier, limits.early_width, state, frame, -1, -1, 0, 0, 0)
    stop = len(frontier.filled)
    for bucket in range(len(frontier.filled)):
        if bucket > stop:
            break
        waiting = frontier.items[bucket, : frontier.filled[bucket]].copy()
        for at in waiting[np.argsort(frontier.numbers[waiting, SCORE])]:
            if counts[0] >= limits.states - 1:
                break
            counts[2] += 1
            before = counts[1]
            _expand(stage, beam, close, ending, frontier, at, found)
            if counts[1] > before and counts[1] >= limits.solutions:
                stop = min(stop, bucket + 1)


@njit(cache=True, nogil=True)
def _expand(
    stage: Stage, beam: Beam, close: Close, ending: FloatArray, frontier: Frontier, at: int, found: Found
) -> None:
    """Play a state's take, make states of all jumps on the way, and try to end where it passes the goal."""
    edges, moves, fields, numbers = stage.jumps, stage.jumps.moves, beam.fields, frontier.numbers
    entry, leg = frontier.links[at, FRAME], frontier.links[at, LEG]
    x, z, yaw = numbers[at, X], numbers[at, Z], numbers[at, YAW]
    last = min(edges.stops[entry], entry + beam.limits.stretch)
    ends, walked = np.full(last - entry + 1, np.inf), np.zeros(last - entry + 1)
    travelled, elsewhere, final = 0.0, entry, len(fields.rests) - 1
    px, pz = placed(x, z, yaw, moves[entry, 0], moves[entry, 1])
    for frame in range(entry, last + 1):
        # Every frame is looked at: who is led by a field into a touch between two looks never gets to an ending.
        if balls_inside(stage.volume, stage.body, frame, x, z, yaw, close.margin, 1) > 0:
            break
        if (frame - entry) % stage.step == 0 or frame == last:
            travelled += math.hypot(moves[frame, 0] - moves[elsewhere, 0], moves[frame, 1] - moves[elsewhere, 1])
            elsewhere = frame
            px, pz = placed(x, z, yaw, moves[frame, 0], moves[frame, 1])
            if leg < final and math.hypot(px - fields.ends[leg, 0], pz - fields.ends[leg, 1]) < PASSED_M:
                leg += 1
        walked[frame - entry] = travelled
        if frame - entry < edges.least:
            continue
        if leg == final:
            ends[frame - entry] = ending[frame] + difficulty(stage, close, frame, x, z, yaw)
        if edges.root_first[frame] < edges.root_first[frame + 1]:
            cost = numbers[at, COST] + travelled + edges.efforts[frame] - edges.efforts[entry]
            _leave(stage, beam, close, frontier, at, leg, frame, cost, px, pz)
    full = frontier.counts[1] == len(found.costs)
    if np.isfinite(ends).any() and not (full and numbers[at, SCORE] >= found.costs.max()):
        _end_here(stage, close, frontier, at, ends, walked, found)


@njit(cache=True, nogil=True)
def _leave(
    stage: Stage, beam: Beam, close: Close, frontier: Frontier, at: int, leg: int, frame: int, cost: float, px: float,
    pz: float,
) -> None:  # fmt: skip
    """Make states of all root edges that leave a frame of a placed take, whose root is at (px, pz)."""
    edges, limits, numbers = stage.jumps, beam.limits, frontier.numbers
    elapsed = frontier.links[at, ELAPSED] + frame - frontier.links[at, FRAME]
    bucket = elapsed // limits.bucket
    if bucket >= len(frontier.filled):
        return
    # The field falls by no more than what is walked: most jumps need no closer look.
    here = field_at(beam.fields, leg, px, pz)[0]
    least = cost + here + beam.fields.rests[leg] if FAR_M < here < np.inf else -np.inf
    state = np.zeros(STATE)
    x, z, yaw = numbers[at, X], numbers[at, Z], numbers[at, YAW]
    for k in range(edges.root_first[frame], edges.root_first[frame + 1]):
        edge = edges.roots[k]
        if least + edges.costs[edge] >= frontier.worst[bucket]:
            continue
        state[X], state[Z], state[YAW] = following(edges, edge, 0.0, x, z, yaw)  # type: ignore[arg-type]
        state[COST] = cost + edges.costs[edge]
        state[SCORE] = state[COST] + _left(stage, beam, close, edges.into[edge], leg, state)
        added(frontier, limits.width, state, edges.into[edge], at, edge, leg, elapsed, bucket)


@njit(cache=True, nogil=True)
def _end_here(
    stage: Stage, close: Close, frontier: Frontier, at: int, ends: FloatArray, walked: FloatArray, found: Found
) -> None:
    """Try to end a state's sequence in the frame where that is easiest."""
    chain, first, place = chain_of(frontier, at)
    if len(chain) >= MOST_EDGES:
        return
    best = int(np.argmin(ends))
    turns = np.zeros(len(chain))
    head = np.array([len(chain), first, frontier.links[at, FRAME] + best])
    if finish(stage, close, chain, head, place, turns):
        efforts = stage.jumps.efforts[head[2]] - stage.jumps.efforts[frontier.links[at, FRAME]]
        cost = frontier.numbers[at, COST] + walked[best] + efforts + TURNING_M * np.abs(turns).sum()
        frontier.counts[1] = keep(found, frontier.counts[1], chain, head, place, turns, cost)
