"""Compiled tightening of a sequence that ends at the goal: other jumps between its takes, fewer, an earlier end.

Every change is cheaper before it is tried; then jumps are turned so that it ends at the goal, and it must stay free.
What beams leave undone, because they keep few states and put jumps down unturned, is made good here.
"""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.locomotion._chain_kernels import placed
from understudy.locomotion.published.sampling._ending_kernels import TURNING_M, chain_places, finish
from understudy.locomotion.published.sampling.tables import Close, Hops, Stage
from understudy.typing import FloatArray, IntArray

#: [m] what a change has to gain; frames the end is moved by.
WORTH_M, EARLIER = 0.02, (8, 4, 2, 1)
#: What a metre of the way weighs, and how much more with every part of the shortest way that it is longer than that: a
#: jump less is worth a few centimetres on a straight way and nothing on one that goes round already.
WAY, LONGER = 1.0, 80.0
#: [m] sequences that end farther from the goal before their jumps are turned are not worth trying.
REACH_M = 1.0


@njit(cache=True, nogil=True)
def fixed_cost(stage: Stage, close: Close, chain: IntArray, head: IntArray) -> float:
    """Length of a sequence's way, weighed, its jumps and its effort [m]; infinite where it is not whole."""
    jumps, cost, way = stage.jumps, 0.0, 0.0
    for k in range(len(chain) + 1):
        first = head[1] if k == 0 else jumps.into[chain[k - 1]]
        last = head[2] if k == len(chain) else jumps.out[chain[k]]
        if last - first < jumps.least or jumps.takes[first] != jumps.takes[last]:
            return np.inf
        way += jumps.arcs[last] - jumps.arcs[first]
        cost += jumps.efforts[last] - jumps.efforts[first]
        if k < len(chain):
            cost += jumps.costs[chain[k]]
    longer = max(way - close.shortest_m, 0.0)
    return cost + WAY * way + 0.5 * LONGER * longer * longer / close.shortest_m


@njit(cache=True, nogil=True)
def _finished(
    stage: Stage, close: Close, chain: IntArray, head: IntArray, place: FloatArray, turns: FloatArray, fixed: float,
    least: float,
) -> float:  # fmt: skip
    """What a sequence costs once it is turned to the goal; infinite where that cannot be or is not worth it."""
    at = chain_places(stage, chain, turns, place)[len(chain)]
    moves = stage.jumps.moves
    x, z = placed(at[0], at[1], at[2], moves[head[2], 0], moves[head[2], 1])
    if np.hypot(x - close.goal[0], z - close.goal[1]) > REACH_M:
        return np.inf
    if not finish(stage, close, chain, head, place, turns):
        return np.inf
    cost = fixed + TURNING_M * np.abs(turns).sum()
    return cost if cost < least - WORTH_M else np.inf


@njit(cache=True, nogil=True)
def _between(hops: Hops, takes: IntArray, first: int, last: int) -> tuple[int, int]:
    """Where the root edges from one frame's run to another's begin and end in ``hops.pairs``."""
    runs = int(np.sqrt(len(hops.pair_first) - 1) + 0.5)
    pair = takes[first] * runs + takes[last]
    return hops.pair_first[pair], hops.pair_first[pair + 1]


@njit(cache=True, nogil=True)
def tighten(
    stage: Stage, hops: Hops, close: Close, chain: IntArray, head: IntArray, place: FloatArray, turns: FloatArray,
    most: int,
) -> float:  # fmt: skip
    """Make a sequence cheaper; returns what it costs then [m].

    Args:
        stage: Who moves, and where.
        hops: Root edges between takes.
        close: What to reach and to keep.
        chain: ``(MOST_EDGES,)`` edges, the first ``head[0]`` of them; changed.
        head: ``(3,)`` n, first and last frame; changed.
        place: ``(3,)`` where the first take lies.
        turns: ``(MOST_EDGES,)`` turns of the jumps; changed [rad].
        most: How many changes are tried to the end; half of them where a heading is asked for, as these take longer.
    """
    least = fixed_cost(stage, close, chain[: head[0]], head) + TURNING_M * np.abs(turns[: head[0]]).sum()
    tried, better = 0, True
    if close.goal[3] > 0.0:
        most //= 2
    while better and tried < most:
        better = False
        for move in range(1 + 2 * head[0]):
            least, more, gained = _moved(stage, hops, close, chain, head, place, turns, move, least)
            tried += more
            better = better or gained
            if tried >= most or gained:
                break
    return least


@njit(cache=True, nogil=True)
def _moved(
    stage: Stage, hops: Hops, close: Close, chain: IntArray, head: IntArray, place: FloatArray, turns: FloatArray,
    move: int, least: float,
) -> tuple[float, int, bool]:  # fmt: skip
    """Try all changes of one kind: 0 ends earlier, odd numbers replace a jump, even ones two jumps by one."""
    jumps, count, tried, gained = stage.jumps, head[0], 0, False
    old, old_turns, now = chain[:count].copy(), turns[:count].copy(), head.copy()
    if move == 0:
        for earlier in EARLIER:
            now[2] = head[2] - earlier
            fixed = fixed_cost(stage, close, old, now)
            if fixed >= least - WORTH_M:
                continue
            tried += 1
            other = old_turns.copy()
            cost = _finished(stage, close, old, now, place, other, fixed, least)
            if cost < least:
                head[2], turns[:count], least, gained = now[2], other, cost, True
                break
        return least, tried, gained
    at, two = (move - 1) // 2, move % 2 == 0
    if two and at >= count - 1:
        return least, tried, gained
    into = jumps.into[old[at + 1]] if two else jumps.into[old[at]]
    first, last = _between(hops, jumps.takes, jumps.out[old[at]], into)
    size = count - 1 if two else count
    new, new_turns = np.empty(size, dtype=np.int64), np.empty(size)
    new[:at], new_turns[:at] = old[:at], old_turns[:at]
    new[at + 1 :], new_turns[at + 1 :] = old[count - size + at + 1 :], old_turns[count - size + at + 1 :]
    now[0] = size
    for k in range(first, last):
        new[at], new_turns[at] = hops.pairs[k], 0.0
        if not two and hops.pairs[k] == old[at]:
            continue
        fixed = fixed_cost(stage, close, new, now)
        if fixed >= least - WORTH_M:
            continue
        tried += 1
        other = new_turns.copy()
        cost = _finished(stage, close, new, now, place, other, fixed, least)
        if cost < least:
            chain[:size], turns[:size], head[0], least, gained = new, other, size, cost, True
    return least, tried, gained
