"""Limbs: scenes and random problems to a verified motion, and their searches beside OMPL's RRTConnect.

Whole problems run through ``us.correct`` and ``us.reach``: find, plan, smooth, and the judge. ``solved`` counts motions
the judge has passed; what ours did not solve is asked of ``limb_oracle``, and ``of_feasible`` is the share solved of
those that it does not find infeasible. Failures are timed by themselves. Times are of the processor; ``wall_ms`` beside
them is by the clock. ``speed`` and ``acceleration`` are over the source's 99.9th percentile, or an unhurried reach's
where the source stands still or, in a reach, is calmer than that. Clips are known from a run before: what the judge
remembers of a clip is found once.

Searches are the first one of a problem, with the same window, ends, margin and limits for everybody, and the same
compiled certificate of whole edges; ``by poses`` instead looks at poses one by one at 240 Hz, as OMPL's users do.
Everybody shortens: ours by ours, OMPL by its own simplifier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import understudy as us
from benchmarks.suites import Row
from benchmarks.suites.limb_everyday import everyday_problem
from benchmarks.suites.limb_everyday_oracle import FEASIBLE as POSTURE_EXISTS
from benchmarks.suites.limb_everyday_oracle import verdict as free_posture
from benchmarks.suites.limb_oracle import FEASIBLE, verdict
from benchmarks.suites.limb_problems import LimbProblem, random_problem, scenes
from benchmarks.suites.limb_queries import LimbQuery, query_of
from benchmarks.suites.ompl_peer import asked, available
from understudy.api.limbs import report_on
from understudy.limbs import LimbOptions, stage_of
from understudy.limbs.speeds import judged_limbs, limb_turns, usual_turns

#: [s] processor time that OMPL gets per search.
_LIMIT_S = 1.0


class _Tally:
    """Runs of one case."""

    def __init__(self) -> None:
        self.solved: list[tuple[float, float]] = []
        self.failed: list[float] = []
        self.reasons: Counter[str] = Counter()
        self.feasible_failures = 0
        self.hand_mm: list[float] = []
        self.speed: list[float] = []
        self.acceleration: list[float] = []
        self.seams = 0

    def run(self, problem: LimbProblem, seed: int, *, oracle_s: float) -> None:
        """One problem with one seed; the oracle is asked where ours fails."""
        began, clock = process_time(), perf_counter()
        result = problem.solved(LimbOptions(seed=seed))
        spent, wall = process_time() - began, perf_counter() - clock
        if result.status:
            self.solved.append((spent, wall))
            self._measure(problem, result)
            return
        self.failed.append(spent)
        why = verdict(problem, limit_s=oracle_s) if oracle_s > 0.0 else FEASIBLE
        self.reasons[why] += 1
        self.feasible_failures += why == FEASIBLE

    def _measure(self, problem: LimbProblem, result: us.Result[us.LimbTrace]) -> None:
        trace, motion = result.trace, result.motion
        if trace is None or motion is None or motion is problem.motion:
            return
        if not problem.limbs:
            self.hand_mm.append(1000.0 * trace.error_m)
        space = stage_of(problem.motion).space(trace.planned[0])
        ratios = []
        for joints in judged_limbs(space).values():
            now = limb_turns(motion, joints)
            usual = usual_turns([problem.motion], joints, reaching=not problem.limbs)
            ratios.append([float(one.max()) / most for one, most in zip(now, usual, strict=True)])
        self.speed.append(max(one[0] for one in ratios))
        self.acceleration.append(max(one[1] for one in ratios))
        self.seams += len(report_on(motion, problem.motion, problem.scene, trace).characters[0].smoothness.seams)

    def row(self, case: str) -> Row:
        """Everything in milliseconds."""
        cpu, wall = ([1000.0 * one[k] for one in self.solved] for k in (0, 1))
        able = len(self.solved) + self.feasible_failures
        return {
            "case": case,
            "method": "ours, verified",
            "solved": len(self.solved),
            "total": len(self.solved) + len(self.failed),
            "of_feasible": len(self.solved) / able if able else None,
            "median_ms": _share(cpu, 50),
            "p95_ms": _share(cpu, 95),
            "wall_ms": _share(wall, 50),
            "fail_median_ms": _share([1000.0 * one for one in self.failed], 50),
            "fail_p95_ms": _share([1000.0 * one for one in self.failed], 95),
            "hand_mm": max(self.hand_mm, default=None),
            "speed_p95": _share(self.speed, 95),
            "acceleration_p95": _share(self.acceleration, 95),
            "seams": self.seams,
            "not_solved": "; ".join(f"{count} {why}" for why, count in self.reasons.most_common()),
        }


def _share(values: Sequence[float], percent: float) -> float | None:
    return float(np.percentile(values, percent)) if len(values) else None


def whole_rows(motion: Path | None, *, seeds: int, problems: int, oracle_s: float) -> list[Row]:
    """Scenes with many seeds, and random problems."""
    rows = []
    for problem in scenes():
        problem.solved(LimbOptions())
        tally = _Tally()
        for seed in range(seeds):
            tally.run(problem, seed, oracle_s=oracle_s if seed == 0 else 0.0)
        rows.append(tally.row(problem.case))
    corrections, reaches = _Tally(), _Tally()
    for number in range(problems):
        problem = random_problem(motion, number)
        if number < 24:
            problem.solved(LimbOptions())
        (corrections if problem.limbs else reaches).run(problem, number, oracle_s=oracle_s)
    return [*rows, corrections.row("random corrections"), reaches.row("random reaches")]


def everyday_rows(motion: Path | None, *, problems: int) -> list[Row]:
    """Everyday problems for hands, by kind; ``of_feasible`` counts those with a free posture by brute force."""
    found: dict[str, _Tally] = {}
    for number in range(problems):
        problem = everyday_problem(motion, number)
        tally = found.setdefault(problem.kind, _Tally())
        began, clock = process_time(), perf_counter()
        result = problem.solved()
        spent, wall = process_time() - began, perf_counter() - clock
        if result.status:
            tally.solved.append((spent, wall))
            continue
        tally.failed.append(spent)
        why = free_posture(problem)
        tally.reasons[f"{why}: {result.status.value}"] += 1
        tally.feasible_failures += why == POSTURE_EXISTS
    return [tally.row(f"everyday: {kind}") for kind, tally in found.items()]


def search_rows(case: str, queries: Sequence[LimbQuery], *, by_poses: bool) -> list[Row]:
    """The first searches of some problems, by ours and by OMPL, with and without speed limits."""
    rows: list[Row] = []
    for limited in (True, False):
        kind = "speed limits" if limited else "no speed limits"
        rows.append(_timed(case, f"ours, {kind}", queries, lambda q, n, on=limited: _ours(q, n, on)))  # type: ignore[misc]
        if not available():
            continue
        for whole in (True, False) if by_poses else (True,):
            name = f"OMPL RRTConnect, {kind}, {'our edges' if whole else 'by poses'}"
            rows.append(
                _timed(case, name, queries, lambda q, n, on=limited, edges=whole: _theirs(q, n, on, edges))  # type: ignore[misc]
            )
    return rows


def _ours(query: LimbQuery, seed: int, limited: bool) -> bool:
    speeds = query.speeds if limited else query.unlimited
    # A quarter of the samples first, as whole problems do, then all of them.
    return any(query.ours(speeds, seed=4 * seed + k) for k in range(2))


def _theirs(query: LimbQuery, seed: int, limited: bool, edges: bool) -> bool:
    problem = query.as_arrays(query.speeds if limited else query.unlimited, whole_edges=edges)
    return asked(problem, "RRTConnect", limit_s=_LIMIT_S, seed=seed).path is not None


def _timed(case: str, method: str, queries: Sequence[LimbQuery], run: Callable[[LimbQuery, int], bool]) -> Row:
    spent, solved = [], 0
    for number, query in enumerate(queries):
        began = process_time()
        solved += run(query, number)
        spent.append(1000.0 * (process_time() - began))
    return {
        "case": case,
        "method": method,
        "solved": solved,
        "total": len(queries),
        "median_ms": _share(spent, 50),
        "p95_ms": _share(spent, 95),
        "limit_ms": 1000.0 * _LIMIT_S if method.startswith("OMPL") else None,
    }


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """A hundred seeds a scene, five hundred random problems, 64 everyday ones; quick: five, thirty and eight."""
    seeds, problems, searches = (5, 30, 12) if quick else (100, 500, 150)
    rows = whole_rows(motion, seeds=seeds, problems=problems, oracle_s=1.0 if quick else 4.0)
    rows += everyday_rows(motion, problems=8 if quick else 64)
    options = LimbOptions()
    for problem in scenes():
        query = query_of(problem, options)
        if query is not None:
            rows += search_rows(problem.case, [query] * (3 if quick else 20), by_poses=not quick)
    found = [query_of(random_problem(motion, number), options) for number in range(searches)]
    queries = [query for query in found if query is not None]
    return rows + search_rows(f"{len(queries)} random searches", queries, by_poses=True)
