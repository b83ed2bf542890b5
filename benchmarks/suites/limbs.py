"""Limbs: scenes and random problems to a verified motion, and their searches beside OMPL's RRTConnect.

Whole problems run through ``us.correct`` and ``us.reach``: find, plan, smooth, and the judge. ``solved`` counts motions
the judge has passed; what ours did not solve is asked of ``limb_oracle``, and ``of_feasible`` is the share solved of
those that it does not find infeasible. Failures are timed by themselves. Times are of the processor; ``wall_ms`` beside
them is by the clock. ``speed`` and ``acceleration`` are over what is usual: the source's 99.9th percentile or, if that
is larger, recorded people's in everyday life. Clips are known from a run before: what the judge remembers of a clip is
found once.

Searches are the first one of a problem, with the same window, ends, margin and limits for everybody, and the same
compiled certificate of whole edges; ``by poses`` instead looks at poses one by one at 240 Hz, as OMPL's users do.
Everybody shortens: ours by ours, OMPL by its own simplifier.

``python -m benchmarks.suites.limbs LEDGER OUT`` goes on where a stopped run was (``benchmarks.case_ledger``).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import understudy as us
from benchmarks.case_ledger import Ledger, Record
from benchmarks.machine import machine, versions
from benchmarks.suites import Row, recorded_clips
from benchmarks.suites.limb_everyday import everyday_problem
from benchmarks.suites.limb_everyday_oracle import FEASIBLE as POSTURE_EXISTS
from benchmarks.suites.limb_everyday_oracle import verdict as free_posture
from benchmarks.suites.limb_infeasible import infeasible_rows
from benchmarks.suites.limb_oracle import FEASIBLE, verdict
from benchmarks.suites.limb_problems import LimbProblem, random_problem, scenes
from benchmarks.suites.limb_queries import LimbQuery, query_of
from benchmarks.suites.limb_scenes import recorded_scene_rows, scene_file_rows
from benchmarks.suites.ompl_peer import asked, available
from understudy.api.limbs import report_on
from understudy.limbs import LimbOptions, stage_of
from understudy.limbs.handling import HandlingOptions
from understudy.limbs.speeds import judged_limbs, limb_turns, usual_turns

#: [s] processor time that OMPL gets per search.
_LIMIT_S = 1.0
#: Problems that warm up what is compiled and remembered, untimed.
_WARM = 24
#: First of the everyday problems: those before it were looked at while the planner was mended.
EVERYDAY_FIRST = 1000
#: [s] by the clock after which an everyday problem counts as not solved.
_PATIENCE_S = 60.0


def whole_record(problem: LimbProblem, seed: int, *, oracle_s: float) -> Record:
    """One problem with one seed; the oracle is asked where ours fails."""
    began, clock = process_time(), perf_counter()
    result = problem.solved(LimbOptions(seed=seed))
    spent, wall = process_time() - began, perf_counter() - clock
    record: Record = {"solved": bool(result.status), "cpu_s": spent, "wall_s": wall}
    if result.status:
        return record | _measure(problem, result)
    why = verdict(problem, limit_s=oracle_s) if oracle_s > 0.0 else FEASIBLE
    return record | {"why": why, "status": result.status.value, "reason": result.reason}


def _measure(problem: LimbProblem, result: us.Result[us.LimbTrace]) -> Record:
    """How exact, how fast and how smooth a solution is; nothing where nothing had to be changed."""
    trace, motion = result.trace, result.motion
    if trace is None or motion is None or motion is problem.motion:
        return {}
    space = stage_of(problem.motion).space(trace.planned[0])
    ratios = []
    for name, joints in judged_limbs(space).items():
        now, usual = limb_turns(motion, joints), usual_turns([problem.motion], name)
        ratios.append([float(one.max()) / most for one, most in zip(now, usual, strict=True)])
    return {
        "hand_mm": None if problem.limbs else 1000.0 * trace.error_m,
        "speed": max(one[0] for one in ratios),
        "acceleration": max(one[1] for one in ratios),
        "seams": len(report_on(motion, problem.motion, problem.scene, trace).characters[0].smoothness.seams),
    }


def whole_row(case: str, records: Sequence[Record]) -> Row:
    """Everything in milliseconds."""
    solved, failed = [one for one in records if one["solved"]], [one for one in records if not one["solved"]]
    able = len(solved) + sum(one["why"] in (FEASIBLE, POSTURE_EXISTS) for one in failed)
    proven = [one for one in failed if one["status"].startswith("infeasible")]
    reasons = Counter(f"{one['why']} ({one['status']})" for one in failed)
    return {
        "case": case,
        "method": "ours, verified",
        "solved": len(solved),
        "total": len(records),
        "of_feasible": len(solved) / able if able else None,
        "median_ms": _share([1000.0 * one["cpu_s"] for one in solved], 50),
        "p95_ms": _share([1000.0 * one["cpu_s"] for one in solved], 95),
        "wall_ms": _share([1000.0 * one["wall_s"] for one in solved], 50),
        "refused": len(proven),
        "refused_median_ms": _share([1000.0 * one["cpu_s"] for one in proven], 50),
        "refused_p95_ms": _share([1000.0 * one["cpu_s"] for one in proven], 95),
        "fail_median_ms": _share([1000.0 * one["cpu_s"] for one in failed], 50),
        "fail_p95_ms": _share([1000.0 * one["cpu_s"] for one in failed], 95),
        "hand_mm": max((one["hand_mm"] for one in solved if one.get("hand_mm") is not None), default=None),
        "speed_p95": _share([one["speed"] for one in solved if "speed" in one], 95),
        "acceleration_p95": _share([one["acceleration"] for one in solved if "speed" in one], 95),
        "seams": sum(one.get("seams", 0) for one in solved),
        "not_solved": "; ".join(f"{count} {why}" for why, count in reasons.most_common()),
    }


def _share(values: Sequence[float], percent: float) -> float | None:
    return float(np.percentile(values, percent)) if len(values) else None


def random_rows(motion: Path | None, ledger: Ledger, *, problems: int, oracle_s: float) -> list[Row]:
    """Random corrections and reaches."""
    corrections, reaches = list[Record](), list[Record]()

    def measured(number: int) -> Record:
        problem = random_problem(motion, number)
        if number < _WARM:
            problem.solved(LimbOptions())
        return whole_record(problem, number, oracle_s=oracle_s)

    for number in range(problems):
        record = ledger.measured(f"random {number}", lambda number=number: measured(number))  # type: ignore[misc]
        (reaches if number % 2 else corrections).append(record)
    return [whole_row("random corrections", corrections), whole_row("random reaches", reaches)]


def scene_rows(ledger: Ledger, *, seeds: int, oracle_s: float) -> list[Row]:
    """Scenes with many seeds."""
    rows = []
    for problem in scenes():
        if any(f"{problem.case} {seed}" not in ledger.records for seed in range(seeds)):
            problem.solved(LimbOptions())
        records = [
            ledger.measured(
                f"{problem.case} {seed}",
                lambda one=problem, seed=seed: whole_record(one, seed, oracle_s=0.0 if seed else oracle_s),  # type: ignore[misc]
            )
            for seed in range(seeds)
        ]
        rows.append(whole_row(problem.case, records))
    return rows


def every_row(ledger: Ledger) -> Row:
    """Random problems and scenes with all their seeds as one: what somebody who asks for anything may expect."""
    cases = ("random", *(problem.case for problem in scenes()))
    records = [one for key, one in ledger.records.items() if key.rpartition(" ")[0] in cases]
    return whole_row("all random problems and scenes", records)


def everyday_rows(motion: Path | None, ledger: Ledger, *, problems: int) -> list[Row]:
    """Everyday problems for hands, by kind; ``of_feasible`` counts those with a free posture by brute force."""
    found: dict[str, list[Record]] = {}

    def measured(number: int) -> Record:
        problem = everyday_problem(motion, number)
        began, clock = process_time(), perf_counter()
        result = problem.solved(HandlingOptions(deadline_s=_PATIENCE_S))
        spent, wall = process_time() - began, perf_counter() - clock
        record: Record = {"kind": problem.kind, "solved": bool(result.status), "cpu_s": spent, "wall_s": wall}
        if result.status:
            return record
        why = free_posture(problem)
        return record | {"why": why, "status": result.status.value, "reason": result.reason, "case": problem.case}

    for number in range(EVERYDAY_FIRST, EVERYDAY_FIRST + problems):
        record = ledger.measured(f"everyday {number}", lambda number=number: measured(number))  # type: ignore[misc]
        found.setdefault(record["kind"], []).append(record)
    every = [one for records in found.values() for one in records]
    return [
        *(whole_row(f"everyday: {kind}", records) for kind, records in found.items()),
        whole_row("everyday: all", every),
    ]


def search_rows(case: str, queries: Sequence[LimbQuery], ledger: Ledger, *, by_poses: bool) -> list[Row]:
    """The first searches of some problems, by ours and by OMPL, with and without speed limits."""
    methods: list[tuple[str, Callable[[LimbQuery, int], bool]]] = []
    for limited in (True, False):
        kind = "speed limits" if limited else "no speed limits"
        methods.append((f"ours, {kind}", lambda q, n, on=limited: _ours(q, n, on)))  # type: ignore[misc]
        for whole in ((True, False) if by_poses else (True,)) if available() else ():
            name = f"OMPL RRTConnect, {kind}, {'our edges' if whole else 'by poses'}"
            methods.append((name, lambda q, n, on=limited, edges=whole: _theirs(q, n, on, edges)))  # type: ignore[misc]
    rows = []
    for name, run in methods:
        records = [
            ledger.measured(
                f"search {_plain(case)} {name} {number}", lambda q=query, n=number, run=run: _timed(q, n, run)
            )  # type: ignore[misc]
            for number, query in enumerate(queries)
        ]
        rows.append(_search_row(case, name, records))
    return rows


def _plain(case: str) -> str:
    """A case without how many there are of it: a longer run goes on from a shorter one."""
    return case.lstrip("0123456789 ") if case.endswith("searches") else case


def _ours(query: LimbQuery, seed: int, limited: bool) -> bool:
    speeds = query.speeds if limited else query.unlimited
    # A quarter of the samples first, as whole problems do, then all of them.
    return any(query.ours(speeds, seed=4 * seed + k) for k in range(2))


def _theirs(query: LimbQuery, seed: int, limited: bool, edges: bool) -> bool:
    problem = query.as_arrays(query.speeds if limited else query.unlimited, whole_edges=edges)
    return asked(problem, "RRTConnect", limit_s=_LIMIT_S, seed=seed).path is not None


def _timed(query: LimbQuery, number: int, run: Callable[[LimbQuery, int], bool]) -> Record:
    began = process_time()
    solved = run(query, number)
    return {"solved": bool(solved), "cpu_s": process_time() - began}


def _search_row(case: str, method: str, records: Sequence[Record]) -> Row:
    spent = [1000.0 * one["cpu_s"] for one in records]
    return {
        "case": case,
        "method": method,
        "solved": sum(one["solved"] for one in records),
        "total": len(records),
        "median_ms": _share(spent, 50),
        "p95_ms": _share(spent, 95),
        "limit_ms": 1000.0 * _LIMIT_S if method.startswith("OMPL") else None,
    }


def measured(
    motion: Path | None,
    ledger: Ledger,
    *,
    seeds: int,
    problems: int,
    everyday: int,
    searches: int,
    files: int,
    by_poses: bool = True,
) -> list[Row]:
    """Every row, from as many seeds a scene, problems, everyday problems, searches and seeds a file as asked for."""
    oracle_s = 4.0 if by_poses else 1.0
    rows = random_rows(motion, ledger, problems=problems, oracle_s=oracle_s)
    options = LimbOptions()
    queries = [query_of(random_problem(motion, number), options) for number in range(searches)]
    wanted = [query for query in queries if query is not None]
    rows += search_rows(f"{len(wanted)} random searches", wanted, ledger, by_poses=True)
    rows += everyday_rows(motion, ledger, problems=everyday)
    rows += scene_rows(ledger, seeds=seeds, oracle_s=oracle_s)
    rows.append(every_row(ledger))
    rows += infeasible_rows(motion, ledger, variations=max(problems // 10, 1))
    rows += scene_file_rows(ledger, seeds=files) + recorded_scene_rows(motion, ledger, seeds=files // 10)
    for problem in scenes():
        query = query_of(problem, options)
        if query is not None:
            rows += search_rows(problem.case, [query] * max(searches // 8, 1), ledger, by_poses=by_poses)
    return rows


def bench(motion: Path | None, *, quick: bool, store: Path | None = None) -> list[Row]:
    """A hundred seeds a scene, five hundred random problems, 64 everyday ones; quick: one, twelve and four.

    Scene files with their whole task lists are performed with twenty seeds, by recorded people with two.
    """
    ledger = Ledger(store)
    if quick:
        return measured(motion, ledger, seeds=1, problems=12, everyday=4, searches=6, files=1, by_poses=False)
    return measured(motion, ledger, seeds=100, problems=500, everyday=64, searches=150, files=20)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[3:]] or [100, 500, 64, 150, 20]
    found = measured(
        recorded_clips(),
        Ledger(Path(sys.argv[1])),
        seeds=numbers[0],
        problems=numbers[1],
        everyday=numbers[2],
        searches=numbers[3],
        files=numbers[4],
    )
    written = {"suite": "limbs", "numbers": numbers, "machine": machine(), "versions": versions(), "rows": found}
    Path(sys.argv[2]).write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
