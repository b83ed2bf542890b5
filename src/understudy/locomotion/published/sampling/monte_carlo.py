"""Monte-Carlo motion-graph search on all cores: many short chains beat one long one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from understudy.core.planning import Watch
from understudy.locomotion.published.sampling.options import SampleOptions
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Problem
from understudy.locomotion.published.sampling.tight import NOTHING, avoiding, room_for
from understudy.locomotion.published.sampling.way import Way, ways_of
from understudy.typing import FloatArray

#: Solutions one chain keeps, and after how many it would stop before its evaluations are spent.
_KEPT, _ENOUGH = 12, 1_000_000
_CURVE_ROWS = 4096


@dataclass(frozen=True, eq=False)
class Climb:
    """What one chain found.

    Attributes:
        ways: Solutions, the cheapest first.
        curve: ``(n, 4)`` seconds since the round began, evaluations, least cost, cost of the best solution.
        evaluations: Sequences scored.
    """

    ways: list[Way]
    curve: FloatArray
    evaluations: int


def climbs(
    problems: Sequence[Problem], options: SampleOptions, watch: Watch, avoid: Mapping[int, float] = NOTHING
) -> Iterator[list[Climb]]:
    """Rounds of chains, each on the next of some problems.

    Each chain has random numbers of its own, so threads do not change what is found.

    Jumps in ``avoid``, which the caller fills between rounds, cost more.
    """
    for number in range(options.rounds):
        if watch.interrupted() is not None:
            return
        watch.stage("search")
        seeds = np.random.SeedSequence([options.seed, number]).generate_state(options.chains, dtype=np.uint64)
        problem = problems[number % len(problems)]
        now = problem._replace(stage=avoiding(problem.stage, avoid))
        with ThreadPoolExecutor(max_workers=min(options.threads, options.chains)) as pool:
            yield list(pool.map(lambda seed, now=now: _climb(now, options, int(seed)), seeds))


def _climb(problem: Problem, options: SampleOptions, seed: int) -> Climb:
    from understudy.locomotion.published.sampling._climb_kernels import climb

    found, curve = room_for(_KEPT), np.zeros((_CURVE_ROWS, 3))
    chain, head = np.zeros(MOST_EDGES, dtype=np.int64), np.full(3, -1, dtype=np.int64)
    began = perf_counter()
    scored, count, rows = climb(
        problem,
        options.candidates,
        options.mutations,
        options.demote,
        options.evaluations,
        _ENOUGH,
        np.array([seed], dtype=np.uint64),
        found,
        curve,
        chain,
        head,
    )
    took = perf_counter() - began
    seconds = took * curve[:rows, :1] / max(scored, 1)
    return Climb(ways_of(found, count), np.concatenate([seconds, curve[:rows]], axis=1), scored)
