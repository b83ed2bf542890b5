"""Compiled buckets of the beam's states: the best of every quarter of a second, none twice."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.locomotion._chain_kernels import wrapped
from understudy.locomotion.published.sampling.beam_tables import Frontier
from understudy.typing import FloatArray, IntArray

#: Columns of a state's numbers, how many there are, and columns of its links.
X, Z, YAW, COST, SCORE, AHEAD_X, AHEAD_Z, AHEAD_YAW, STATE = range(9)
FRAME, PARENT, EDGE, LEG, ELAPSED = range(5)
#: States that will be nearer than this in place [m] and heading [rad] a little ahead are the same.
SAME_M, SAME_RAD = 0.08, 0.15


@uncounted
def added(
    frontier: Frontier, width: int, state: FloatArray, frame: int, parent: int, edge: int, leg: int, elapsed: int,
    bucket: int,
) -> None:  # fmt: skip
    """Keep a state if it is among the best of its bucket."""
    made = frontier.counts[0]
    if state[SCORE] >= frontier.worst[bucket] or made >= len(frontier.numbers):
        return
    slot = _slot(frontier, bucket, width, state)
    if slot < 0:
        return
    for i in range(STATE):
        frontier.numbers[made, i] = state[i]
    links = frontier.links[made]
    links[FRAME], links[PARENT], links[EDGE], links[LEG], links[ELAPSED] = frame, parent, edge, leg, elapsed
    frontier.items[bucket, slot] = made
    frontier.filled[bucket] = max(frontier.filled[bucket], slot + 1)
    frontier.counts[0] = made + 1
    if frontier.filled[bucket] >= width:
        worst = -np.inf
        for k in range(frontier.filled[bucket]):
            worst = max(worst, frontier.numbers[frontier.items[bucket, k], SCORE])
        frontier.worst[bucket] = worst


@uncounted
def _slot(frontier: Frontier, bucket: int, width: int, state: FloatArray) -> int:
    """Where in its bucket a new state goes: in place of its equal or of the worst; -1 when its equal is better."""
    filled, items, numbers = frontier.filled[bucket], frontier.items[bucket], frontier.numbers
    worst, worst_score = -1, -np.inf
    for k in range(filled):
        other = numbers[items[k]]
        if (
            abs(other[AHEAD_X] - state[AHEAD_X]) < SAME_M
            and abs(other[AHEAD_Z] - state[AHEAD_Z]) < SAME_M
            and abs(wrapped(other[AHEAD_YAW] - state[AHEAD_YAW])) < SAME_RAD
        ):
            return k if state[SCORE] < other[SCORE] else -1
        if other[SCORE] > worst_score:
            worst, worst_score = k, other[SCORE]
    return filled if filled < width else worst


@njit(cache=True, nogil=True)
def chain_of(frontier: Frontier, state: int) -> tuple[IntArray, int, FloatArray]:
    """Edges from a seed to a state, the seed's frame, and where its take lies."""
    links = frontier.links
    count, at = 0, state
    while links[at, PARENT] >= 0:
        count += 1
        at = links[at, PARENT]
    chain = np.empty(count, dtype=np.int64)
    first, place = links[at, FRAME], frontier.numbers[at, :3].copy()
    at = state
    for k in range(count - 1, -1, -1):
        chain[k] = links[at, EDGE]
        at = links[at, PARENT]
    return chain, first, place
