"""Compiled body-aware beam: states in buckets of time, tested with the whole body, ended exactly ([Sampling]).

A state is a jump just made. Its score is what was walked so far plus, half a second ahead of it, the distance to the
goal that the potential field gives, and what heading away from the goal costs. Expanding it plays the take until the
body would touch something, and makes a new state of every root edge on the way. Where the take passes the goal, the
sequence is ended there with turned jumps and tested whole.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.locomotion._chain_kernels import following, wrapped
from understudy.locomotion.published.sampling._bucket_kernels import (
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
from understudy.locomotion.published.sampling._ending_kernels import TURNING_M, difficulty, finish, keep
from understudy.locomotion.published.sampling._volume_kernels import free_until
from understudy.locomotion.published.sampling.beam_tables import (
    LEAD_COST,
    LEAD_M,
    LEAD_X,
    LEAD_YAW,
    LEAD_Z,
    TOWARDS_X,
    TOWARDS_Z,
    Beam,
    Fields,
    Frontier,
)  # fmt: skip
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Close, Found, Jumps, Stage
from understudy.typing import FloatArray

#: [m] a point on the way counts as passed within this.
PASSED_M = 0.3
#: [m] farther from the goal than this no state can be worth more than the field says where its jump is.
FAR_M = 2.0
#: Columns of a track: root, way so far, leg.
AT_X, AT_Z, WALKED, ON_LEG, TRACK = range(5)
#: Least slope of a field that tells a direction.
LEAST_SLOPE = 0.5
#: [m] by how much a jump may turn out better than where the field goes on as it does.
SLACK_M = 0.3
#: Buckets at the beginning that hold more states; the first one holds most.
EARLY = 12


@uncounted_inline
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


@uncounted_inline
def _left(beam: Beam, goal: FloatArray, leg: int, lead: FloatArray, state: FloatArray, c: float, s: float) -> float:
    """What it still takes to the goal by a lead of a take that lies at a state and is turned by (c, s) [m].

    Where it will be a little ahead is written into the state.
    """
    fields = beam.fields
    x = state[X] + c * lead[LEAD_X] + s * lead[LEAD_Z]
    z = state[Z] - s * lead[LEAD_X] + c * lead[LEAD_Z]
    state[AHEAD_X], state[AHEAD_Z], state[AHEAD_YAW] = x, z, state[YAW] + lead[LEAD_YAW]
    rest, gx, gz = field_at(fields, leg, x, z)
    if rest == np.inf:
        return np.inf
    cost = rest + lead[LEAD_COST]
    if leg == len(fields.rests) - 1:
        if rest < lead[LEAD_M]:
            # Beyond the goal the field rises again: what matters is how near the take passes.
            cost = rest
        if goal[3] > 0.0:
            off = abs(wrapped(state[AHEAD_YAW] - goal[2]))
            cost += beam.limits.turn_cost * off * max(0.0, 1.0 - rest / 3.0)
    cost += fields.rests[leg]
    slope = math.sqrt(gx * gx + gz * gz)
    if slope >= LEAST_SLOPE and (lead[TOWARDS_X] != 0.0 or lead[TOWARDS_Z] != 0.0):
        dx, dz = c * lead[TOWARDS_X] + s * lead[TOWARDS_Z], c * lead[TOWARDS_Z] - s * lead[TOWARDS_X]
        cost += beam.limits.aim_cost * (1.0 + (gx * dx + gz * dz) / slope) * min(1.0, rest)
    return cost


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
        state[X], state[Z], state[YAW] = seeds[k, 1], seeds[k, 2], seeds[k, 3]
        c, s = math.cos(state[YAW]), math.sin(state[YAW])
        state[SCORE] = _left(beam, close.goal, 0, beam.entered[frame], state, c, s)
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
    edges, numbers, entry = stage.jumps, frontier.numbers, frontier.links[at, FRAME]
    x, z, yaw = numbers[at, X], numbers[at, Z], numbers[at, YAW]
    last = min(edges.stops[entry], entry + beam.limits.stretch)
    # Every frame is looked at: who is led by a field into a touch between two looks never gets to an ending.
    last = free_until(stage.volume, stage.body, entry, last, x, z, yaw, close.margin)
    if last < entry + edges.least:
        return
    track = np.empty((last - entry + 1, TRACK))
    _follow(edges.moves, beam.fields, stage.step, entry, numbers[at], frontier.links[at, LEG], track)
    _leave(edges, beam, close.goal, frontier, at, track, numbers[at].copy())
    full = frontier.counts[1] == len(found.costs)
    if not (full and numbers[at, SCORE] >= found.costs.max()):
        _end_here(stage, close, ending, frontier, at, track, len(beam.fields.rests) - 1, found)


@uncounted
def _follow(
    moves: FloatArray, fields: Fields, step: int, entry: int, state: FloatArray, leg: int, track: FloatArray
) -> None:
    """Write where the root is in every frame of a placed take, the way it went, and the leg it is on."""
    c, s, final = math.cos(state[YAW]), math.sin(state[YAW]), len(fields.rests) - 1
    travelled, elsewhere = 0.0, entry
    for k in range(len(track)):
        frame = entry + k
        if k % step == 0 or k == len(track) - 1:
            travelled += math.hypot(moves[frame, 0] - moves[elsewhere, 0], moves[frame, 1] - moves[elsewhere, 1])
            elsewhere = frame
        px = state[X] + c * moves[frame, 0] + s * moves[frame, 1]
        pz = state[Z] - s * moves[frame, 0] + c * moves[frame, 1]
        if leg < final and math.hypot(px - fields.ends[leg, 0], pz - fields.ends[leg, 1]) < PASSED_M:
            leg += 1
        track[k, AT_X], track[k, AT_Z], track[k, WALKED], track[k, ON_LEG] = px, pz, travelled, leg


@uncounted
def _leave(
    edges: Jumps, beam: Beam, goal: FloatArray, frontier: Frontier, at: int, track: FloatArray, state: FloatArray
) -> None:
    """Make states of all root edges that leave the frames of a track; ``state`` is a copy of the state's numbers."""
    fields, limits, jumped, worst = beam.fields, beam.limits, beam.jumped, frontier.worst
    begun, entry = frontier.links[at, ELAPSED], frontier.links[at, FRAME]
    x, z, yaw, paid = state[X], state[Z], state[YAW], state[COST] - edges.efforts[entry]
    c, s = math.cos(yaw), math.sin(yaw)
    for n in range(edges.least, len(track)):
        frame, leg, bucket = entry + n, int(track[n, ON_LEG]), (begun + n) // limits.bucket
        if bucket >= len(worst):
            return
        width = max(limits.width, limits.early_width * (EARLY - bucket) // EARLY)
        cost = paid + track[n, WALKED] + edges.efforts[frame]
        here, gx, gz = field_at(fields, leg, track[n, AT_X], track[n, AT_Z])
        # Most jumps need no closer look: they would not do even where the field goes on as it does here.
        roughly = cost
        if FAR_M < here < np.inf and gx * gx + gz * gz >= LEAST_SLOPE * LEAST_SLOPE:
            roughly = cost + here + fields.rests[leg] - SLACK_M
        if roughly + beam.jumping[frame] >= worst[bucket]:
            continue
        for k in range(edges.root_first[frame], edges.root_first[frame + 1]):
            edge = edges.roots[k]
            if roughly + edges.costs[edge] >= worst[bucket]:
                continue
            state[COST] = cost + edges.costs[edge]
            state[X], state[Z], state[YAW] = x, z, yaw
            state[SCORE] = state[COST] + _left(beam, goal, leg, jumped[edge], state, c, s)
            if state[SCORE] < worst[bucket]:
                state[X], state[Z], state[YAW] = following(edges, edge, 0.0, x, z, yaw)  # type: ignore[arg-type]
                added(frontier, width, state, edges.into[edge], at, edge, leg, begun + n, bucket)


@njit(cache=True, nogil=True)
def _end_here(
    stage: Stage, close: Close, ending: FloatArray, frontier: Frontier, at: int, track: FloatArray, final: int,
    found: Found,
) -> None:  # fmt: skip
    """Try to end a state's sequence in the frame where that is easiest."""
    entry, state, best, least = frontier.links[at, FRAME], frontier.numbers[at], -1, np.inf
    for n in range(stage.jumps.least, len(track)):
        away = math.hypot(track[n, AT_X] - close.goal[0], track[n, AT_Z] - close.goal[1])
        if int(track[n, ON_LEG]) == final and away <= close.past_m and ending[entry + n] == 0.0:
            hard = difficulty(stage, close, entry + n, state[X], state[Z], state[YAW])
            if hard < least:
                best, least = n, hard
    if best < 0:
        return
    chain, first, place = chain_of(frontier, at)
    if len(chain) >= MOST_EDGES:
        return
    turns = np.zeros(len(chain))
    head = np.array([len(chain), first, entry + best])
    if finish(stage, close, chain, head, place, turns):
        efforts = stage.jumps.efforts[head[2]] - stage.jumps.efforts[entry]
        cost = state[COST] + track[best, WALKED] + efforts + TURNING_M * np.abs(turns).sum()
        frontier.counts[1] = keep(found, frontier.counts[1], chain, head, place, turns, cost)
