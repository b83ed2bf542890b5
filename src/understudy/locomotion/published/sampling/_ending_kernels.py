"""Compiled exact endings: the last jumps of a sequence are turned until it ends at the goal, and it must stay free.

Of solutions that were free before inverse branch kinematics most collide after it, so both belong together: the last 3,
4, 5 and then all jumps are turned, within gentle ranges first, and every frame is tested.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.locomotion._bend_kernels import bend
from understudy.locomotion._chain_kernels import following, placed, wrapped
from understudy.locomotion.published.sampling._volume_kernels import stretch_is_free
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Chain, Close, Found, Stage
from understudy.typing import FloatArray, IntArray

#: Jumps that are turned at first, at second, ...; all of them at last.
TURNED = (3, 4, 5, MOST_EDGES)
#: Shares of the jumps' ranges: at first turns that nobody sees.
SHARES = (0.4, 1.0)
#: [m] how far before the goal a sequence may end: turning folds it and hardly lengthens it. [m/rad] as in ``bend``.
SHORT_M, HEADING_M = 0.03, 0.4
#: [m/rad] what turning jumps costs.
TURNING_M = 0.2
#: Steps of turning: what gets there does so in a few, and what does not is tried often.
STEPS = 10
#: Frames over which the direction of travel is taken.
TRAVEL_FRAMES = 4


@uncounted
def difficulty(stage: Stage, close: Close, frame: int, x: float, z: float, yaw: float) -> float:
    """How hard it will be to end at the goal in this frame of a placed take [m]; infinite where it is not tried."""
    moves = stage.jumps.moves
    ex, ez = placed(x, z, yaw, moves[frame, 0], moves[frame, 1])
    gx, gz = close.goal[0] - ex, close.goal[1] - ez
    away = math.sqrt(gx * gx + gz * gz)
    if away > close.past_m:
        return np.inf
    before = max(frame - TRAVEL_FRAMES, 0)
    bx, bz = placed(x, z, yaw, moves[before, 0], moves[before, 1])
    run = math.sqrt((ex - bx) ** 2 + (ez - bz) ** 2)
    if run > 0.02 and (gx * (ex - bx) + gz * (ez - bz)) / run > SHORT_M:
        return np.inf
    if close.goal[3] > 0.0:
        away += HEADING_M * abs(wrapped(close.goal[2] - yaw - moves[frame, 2]))
    return away


@njit(cache=True, nogil=True)
def chain_places(stage: Stage, chain: IntArray, turns: FloatArray, place: FloatArray) -> FloatArray:
    """``(n + 1, 3)`` where the take of every stretch lies."""
    out = np.empty((len(chain) + 1, 3))
    out[0] = place
    for k in range(len(chain)):
        out[k + 1] = following(stage.jumps, chain[k], turns[k], out[k, 0], out[k, 1], out[k, 2])  # type: ignore[arg-type]
    return out


@uncounted
def chain_is_free(
    stage: Stage, chain: IntArray, head: IntArray, at: FloatArray, since: int, step: int, margin: float
) -> bool:
    """Whether all stretches from one on keep a margin."""
    edges = stage.jumps
    for k in range(len(chain), since - 1, -1):
        first = head[1] if k == 0 else edges.into[chain[k - 1]]
        last = head[2] if k == len(chain) else edges.out[chain[k]]
        if not stretch_is_free(stage.volume, stage.body, first, last, step, at[k, 0], at[k, 1], at[k, 2], margin):
            return False
    return True


@njit(cache=True, nogil=True)
def finish(stage: Stage, close: Close, chain: IntArray, head: IntArray, place: FloatArray, turns: FloatArray) -> bool:
    """Turn a sequence's jumps so that it ends at the goal.

    Args:
        stage: Who moves, and where.
        close: What to reach and to keep.
        chain: ``(n,)`` edges.
        head: ``(3,)`` n, first and last frame.
        place: ``(3,)`` where the first take lies.
        turns: ``(n,)`` turns of the jumps, changed where it succeeds [rad].

    Returns:
        Whether it ends at the goal with everything free.
    """
    count = len(chain)
    at = chain_places(stage, chain, turns, place)
    wanted, every = turns.copy(), np.arange(count)
    jumps = alone(stage, chain, turns, head[2], SHARES[-1])
    away, off = bend(jumps, every, 0, at[0], close.goal, close.errors, wanted, STEPS)  # type: ignore[arg-type]
    if away > close.errors[0] or off > close.errors[1]:
        # What all jumps cannot do, some of them cannot either.
        return False
    for share in SHARES:
        for most in TURNED:
            since = max(count - most, 0)
            wanted = turns[since:].copy()
            jumps = alone(stage, chain[since:], turns[since:], head[2], share)
            own = np.arange(count - since)
            away, off = bend(jumps, own, 0, at[since], close.goal, close.errors, wanted, STEPS)  # type: ignore[arg-type]
            if away <= close.errors[0] and off <= close.errors[1]:
                tried = turns.copy()
                tried[since:] = wanted
                if chain_is_free(stage, chain, head, chain_places(stage, chain, tried, place), 0, 1, close.margin):
                    turns[:] = tried
                    return True
            if since == 0:
                break
    return False


@njit(cache=True, nogil=True)
def alone(stage: Stage, chain: IntArray, turns: FloatArray, last: int, share: float) -> Chain:
    """The jumps of a sequence by themselves, with a share of their ranges, and at least as far as they are turned."""
    jumps, count = stage.jumps, len(chain)
    transforms, pivots, ranges = np.empty((count, 3)), np.empty((count, 2)), np.empty((count, 2))
    for k in range(count):
        transforms[k], pivots[k] = jumps.transforms[chain[k]], jumps.pivots[chain[k]]
        ranges[k, 0] = min(share * jumps.ranges[chain[k], 0], turns[k])
        ranges[k, 1] = max(share * jumps.ranges[chain[k], 1], turns[k])
    return Chain(transforms, pivots, ranges, jumps.moves[last : last + 1].copy())


@njit(cache=True, nogil=True)
def keep(
    found: Found, count: int, chain: IntArray, head: IntArray, place: FloatArray, turns: FloatArray, cost: float
) -> int:
    """Write a solution among the best; returns how many there are."""
    for k in range(count):
        if found.heads[k, 0] == head[0] and found.heads[k, 1] == head[1]:
            same = True
            for j in range(len(chain)):
                if found.chains[k, j] != chain[j]:
                    same = False
                    break
            if same:
                return count
    slot = count
    if count == len(found.costs):
        slot = int(np.argmax(found.costs))
        if cost >= found.costs[slot]:
            return count
    found.chains[slot, : len(chain)] = chain
    found.turns[slot, : len(chain)] = turns
    found.heads[slot] = head
    found.places[slot] = place
    found.costs[slot] = cost
    return max(count, slot + 1)
