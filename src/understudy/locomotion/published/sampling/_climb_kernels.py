"""Compiled Monte-Carlo search: the best few sequences are mutated until nothing better is found (paper §3 and §6).

One call is one chain: random sequences, mutations of the best ``candidates``, a table of explored sequences, restarts
from new random ones at local minima. A sequence that nears the goal without touching anything is ended exactly at once;
solutions are what passes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.compiling.kernel import njit
from understudy.locomotion.published.sampling._ending_kernels import TURNING_M, difficulty, finish, keep
from understudy.locomotion.published.sampling._mutation_kernels import mutated, random_sequence
from understudy.locomotion.published.sampling._random_kernels import RandomState, hashed
from understudy.locomotion.published.sampling._score_kernels import COLLIDE, LEAST, SMOOTH, TRAVEL, YAW, X, Z, score
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Found, Problem
from understudy.typing import FloatArray, IntArray

#: Iterations without anything better after which a chain begins anew, and random sequences it begins with.
PATIENCE, FRESH = 6, 12
#: Share of colliding body, summed over the frames, up to which an ending is tried: turning the last jumps may free it.
TOUCHES = 0.6
#: [m] frames of the last stretch around the end that are tried.
AROUND = 6


@njit(cache=True, nogil=True)
def _unseen(explored: npt.NDArray[np.uint64], key: np.uint64) -> bool:
    """Whether a sequence was not explored yet; it is from now on. Full rows forget their oldest entry."""
    mask = len(explored) - 1
    for k in range(8):
        slot = (int(key >> np.uint64(20)) + k) & mask
        if explored[slot] == key:
            return False
        if explored[slot] == 0:
            explored[slot] = key
            return True
    explored[int(key >> np.uint64(20)) & mask] = key
    return True


@njit(cache=True, nogil=True)
def _insert(
    costs: FloatArray,
    chains: IntArray,
    heads: IntArray,
    prefixes: FloatArray,
    cost: float,
    chain: IntArray,
    head: IntArray,
    prefix: FloatArray,
) -> bool:
    """Put a sequence in place of the worst candidate if it is better."""
    worst = int(np.argmax(costs))
    if cost >= costs[worst]:
        return False
    costs[worst] = cost
    chains[worst, : head[0]] = chain[: head[0]]
    heads[worst] = head
    prefixes[worst, : head[0] + 2] = prefix[: head[0] + 2]
    return True


@njit(cache=True, nogil=True)
def _try_end(problem: Problem, chain: IntArray, head: IntArray, prefix: FloatArray, found: Found, count: int) -> int:
    """End a sequence exactly, in the frame around its last where that is easiest; returns the number of solutions."""
    stage, close, edges = problem.stage, problem.close, problem.stage.jumps
    size = head[0]
    row = prefix[size]
    if prefix[size + 1, COLLIDE] > TOUCHES:
        return count
    targets = problem.targets
    for w in range(len(targets.places) - 1):
        if targets.actions[w] >= 0 and prefix[size + 1, LEAST + w] == np.inf:
            return count
    entry = head[1] if size == 0 else edges.into[chain[size - 1]]
    action = targets.actions[len(targets.actions) - 1]
    best, least = -1, np.inf
    for last in range(max(entry + edges.least, head[2] - AROUND), min(edges.stops[entry], head[2] + AROUND) + 1):
        if action >= 0 and not targets.shown[action, last]:
            continue
        hard = difficulty(stage, close, last, row[X], row[Z], row[YAW])
        if hard < least:
            best, least = last, hard
    if best < 0:
        return count
    ended, turns = head.copy(), np.zeros(size)
    ended[2] = best
    if finish(stage, close, chain[:size].copy(), ended, prefix[0, :3].copy(), turns):
        cost = prefix[size + 1, TRAVEL] + prefix[size + 1, SMOOTH] + TURNING_M * np.abs(turns).sum()
        return keep(found, count, chain[:size].copy(), ended, prefix[0, :3].copy(), turns, cost)
    return count


@njit(cache=True, nogil=True)
def climb(
    problem: Problem,
    candidates: int,
    mutations: int,
    demote: bool,
    budget: int,
    enough: int,
    state: RandomState,
    found: Found,
    curve: FloatArray,
    best_chain: IntArray,
    best_head: IntArray,
) -> tuple[int, int, int]:
    """Run one chain.

    Args:
        problem: What is minimised.
        candidates: Sequences that are mutated in an iteration.
        mutations: Mutations of each.
        demote: Whether edges may be replaced by finer ones.
        budget: Sequences scored at most.
        enough: Solutions after which it stops at the next local minimum.
        state: Random numbers.
        found: Room for solutions.
        curve: ``(n, 3)`` room for the anytime curve: evaluations, least cost, cost of the best solution.
        best_chain: ``(MOST_EDGES,)`` room for the cheapest sequence, whether it ends at the goal or not.
        best_head: ``(3,)`` the same.

    Returns:
        How many sequences were scored, solutions found and curve rows written.
    """
    width = LEAST + len(problem.targets.places)
    edges = problem.stage.jumps
    costs, heads = np.full(candidates, np.inf), np.zeros((candidates, 3), dtype=np.int64)
    chains = np.zeros((candidates, MOST_EDGES), dtype=np.int64)
    prefixes = np.zeros((candidates, MOST_EDGES + 2, width))
    chain, head, prefix = np.zeros(MOST_EDGES, dtype=np.int64), np.zeros(3, dtype=np.int64), prefixes[0].copy()
    explored = np.zeros(1 << 16, dtype=np.uint64)
    scored = count = rows = 0
    lowest, cheapest = np.inf, np.inf
    while scored < budget and not (count >= enough):
        costs[:] = np.inf
        explored[:] = 0
        for _ in range(FRESH):
            scored += 1
            if random_sequence(edges, problem.hops, problem.targets, chain, head, state):
                cost = score(problem, chain, head, prefix, 0, costs.max())
                _insert(costs, chains, heads, prefixes, cost, chain, head, prefix)
        if costs.min() == np.inf:
            continue
        idle = 0
        while idle < PATIENCE and scored < budget:
            better = False
            for c in range(candidates):
                if costs[c] == np.inf:
                    continue
                source, source_head, known = chains[c].copy(), heads[c].copy(), prefixes[c].copy()
                for _ in range(mutations):
                    chain[:], head[:] = source, source_head
                    begin = mutated(edges, problem.hops, problem.targets, chain, head, demote, state)
                    if begin < 0 or not _unseen(explored, hashed(chain, head)):
                        continue
                    scored += 1
                    prefix[: begin + 1] = known[: begin + 1]
                    cost = score(problem, chain, head, prefix, begin, costs.max())
                    if not _insert(costs, chains, heads, prefixes, cost, chain, head, prefix):
                        continue
                    better = True
                    count = _try_end(problem, chain, head, prefix, found, count)
                    if cost < lowest:
                        lowest = cost
                        best_chain[:], best_head[:] = chain, head
                    solved = found.costs[:count].min() if count > 0 else np.inf
                    if rows < len(curve) and (cost == lowest or solved < cheapest):
                        curve[rows, 0], curve[rows, 1], curve[rows, 2] = scored, lowest, solved
                        rows += 1
                    cheapest = min(cheapest, solved)
            idle = 0 if better else idle + 1
    return scored, count, rows
