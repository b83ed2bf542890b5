"""From posture to posture: seconds per stage, success, length and jerk, on the published cases and on random ones.

``solved`` motions are planned, shortened, timed and smoothed; ``verified`` ones passed the judge: single cases played
at 1 kHz, large sets at their own 120 Hz (the judge looks between frames by itself).
Times are of planning with smoothing, without the judge.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from benchmarks.machine import machine, versions
from benchmarks.suites.posture_problems import (
    CROSSED,
    PUBLISHED,
    PostureProblem,
    around,
    every_pair,
    named,
    recorded,
    tangles,
)
from understudy.api.postures import claim_of, report_on
from understudy.api.verdict import Verdict
from understudy.core import Motion, Result
from understudy.kinematics import motion_world
from understudy.postures import BetweenOptions, BetweenTrace, between

Row = dict[str, object]
#: Stages reported.
STAGES = ("input", "plan", "shorten", "smooth", "judge")
METHODS = {
    **{f"ours, d = {d}": BetweenOptions(falloff=d, relax=True) for d in (2, 3, 5)},
    **{f"ours, d = {d}, safe zone": BetweenOptions(falloff=d, relax=True, safe_zone=True) for d in (2, 3, 5)},
}


class Run(NamedTuple):
    """One plan: what came out, how long it took, and how long a processor worked on it [s]."""

    problem: PostureProblem
    result: Result[BetweenTrace]
    seconds: float
    cpu_s: float


def solved(problem: PostureProblem, options: BetweenOptions) -> Run:
    """Plan once, up to a motion that the judge passes."""
    began, worked = perf_counter(), process_time()
    result = between(
        problem.keys,
        judge=Verdict(lambda motion, trace: claim_of(problem.scene, motion, trace, body=problem.body)).violations,
        scene=problem.scene,
        pins=problem.pins,
        body=problem.body,
        loose=problem.loose,
        options=options,
    )
    return Run(problem, result, perf_counter() - began, process_time() - worked)


def verified(problem: PostureProblem, result: Result[BetweenTrace], fps: float) -> bool:
    """Whether the judge passes the motion when it is played at ``fps``."""
    if result.motion is None or result.trace is None:
        return False
    return report_on(problem.scene, result.motion.resampled(fps), result.trace, body=problem.body).ok


def mean_jerk(motion: Motion) -> float:
    """Mean jerk of all joints [m/s^3]."""
    jerk = np.diff(motion_world(motion).positions, n=3, axis=0) * motion.fps**3
    return float(np.linalg.norm(jerk, axis=-1).mean())


def row(case: str, method: str, runs: Iterable[Run], *, fps: float = 120.0) -> Row:
    """One line of the table."""
    listed = list(runs)
    good = [run for run in listed if run.result.status and run.result.trace and run.result.motion]
    seconds = [run.seconds for run in listed]
    legs = [leg for run in good for leg in run.result.trace.legs]  # type: ignore[union-attr]
    stages = {
        f"{stage}_s": float(np.median([run.result.stats.stage_seconds.get(stage, 0.0) for run in listed]))
        for stage in STAGES
    }
    return {
        "case": case,
        "method": method,
        "solved": len(good),
        "verified": sum(verified(run.problem, run.result, fps) for run in good),
        "total": len(listed),
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "max_s": float(np.max(seconds)),
        "cpu_s": float(np.median([run.cpu_s for run in listed])),
        **stages,
        "steps": float(np.median([leg.steps for leg in legs])) if legs else None,
        "length_ratio": float(np.median([leg.length_rad / max(leg.straight_rad, 1e-9) for leg in legs]))
        if legs
        else None,
        "jerk_m_s3": float(np.median([mean_jerk(run.result.motion) for run in good])) if good else None,  # type: ignore[arg-type]
        "how": ", ".join(f"{how} {count}" for how, count in Counter(leg.how for leg in legs).items()),
    }


def repeated(problem: PostureProblem, options: BetweenOptions, times: int) -> Row:
    """A row of one problem planned several times; the motion is the same every time."""
    runs = [solved(problem, options) for _ in range(times)]
    method = next(name for name, one in METHODS.items() if one is options)
    line = row(problem.case, method, runs[-1:], fps=1000.0)
    seconds = [run.seconds for run in runs]
    return {
        **line,
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "max_s": max(seconds),
        "cpu_s": float(np.median([run.cpu_s for run in runs])),
    }


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """All tables; OMPL's planners on the same problems are in ``posture_peers``."""
    for problem in (named(PUBLISHED)[0], around()[0], around()[3], around()[4]):
        solved(problem, METHODS["ours, d = 3"])  # compiles
    times = 2 if quick else 10
    rows = [repeated(problem, options, times) for problem in named(PUBLISHED) for options in METHODS.values()]
    middle = METHODS["ours, d = 3"]
    rows += [repeated(problem, middle, times) for problem in (*named(CROSSED), *around())]
    pairs = every_pair()[:: 40 if quick else 1]
    rows.append(row("all pairs of built-in postures", "ours, d = 3", (solved(problem, middle) for problem in pairs)))
    many = (10, 10) if quick else (1000, 200)
    for method, options in METHODS.items():
        if "zone" not in method:
            problems = tangles(many[0] if options is middle else many[0] // 10, seed=1)
            rows.append(row("tangles", method, (solved(problem, options) for problem in problems)))
    if motion is not None:
        problems = recorded(motion, many[1], seed=1)
        runs = (solved(problem, middle) for problem in problems)
        rows.append(row("recorded extremes", "ours, d = 3", runs))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.postures", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder of CMU clips as BVH")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    document = {
        "suite": "postures",
        "machine": machine(),
        "versions": versions(),
        "rows": bench(arguments.folder, quick=arguments.quick),
    }
    text = json.dumps(document, indent=2)
    if arguments.output:
        arguments.output.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
