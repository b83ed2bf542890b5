"""Environment-aware sampling: Chen and Steed's tables 1 and 2, gaps, growth.

    python -m benchmarks.suites.sampling [../shared/motion/cmu_bvh] [--quick] [--only tables|gaps|growth|actions]
                                         [--trials N] [--methods tight,sample] [--libraries CMU] [-o sampling.json]
                                         [--scenes "two corners"] [--pictures FOLDER]

Tables: the two-corner corridor and the clutter of 4 x 3 boxes (as a grid and randomised), low and tall, on ten
recorded walks at 30 fps and on the built-in performer; the paper's two methods, ours, and the walking methods ``maps``
and ``channel`` beside them; cases that end with "facing" ask for a heading at the goal, too. Every motion counted
passed the judge. ``ratio`` is the way walked over the shortest path of a point. ``median_s`` is wall time of the search
alone, of all rounds up to the motion that passed, and ``cpu_s`` its processor time over all cores;
``whole_cpu_s`` is that of the whole query with floor, fields, volume (``ready_s``), unrolling and judging. Gaps: where
each method stops. Growth: time against obstacles and footage.

Rows of an earlier output that were not measured again stay in it, so a long table can be made in parts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np
from rich.console import Console

from benchmarks.machine import machine, versions
from benchmarks.suites.library import _show
from benchmarks.suites.sampling_clips import lateral_clips, library_of, performed, ten_clips
from benchmarks.suites.sampling_parts import (
    SAMPLED,
    Row,
    action_rows,
    asked,
    gap_rows,
    growth_rows,
    shortest_m,
    transition_cost_m,
)
from benchmarks.suites.sampling_scenes import Problem, clutter, corridor
from understudy.library import Library
from understudy.locomotion.published.sampling import sampler_of

WALKED = ("maps", "channel")
GAPS = (3.0, 2.5, 2.0, 1.8, 1.6, 1.4, 1.2, 1.0, 0.8)
#: Means of ten trials as the paper gives them: transitions, distance [cm], search time [s].
PAPER = {
    ("two corners", "decoupled"): (12.5, 1058.36, 106.2),
    ("two corners", "sample"): (11.3, 966.41, 39.03),
    ("clutter, random, low", "decoupled"): (22.7, 1481.69, 740.82),
    ("clutter, random, low", "sample"): (11.4, 831.87, 38.13),
    ("clutter, grid, low", "decoupled"): (27.0, 854.44, 332.3),
    ("clutter, grid, low", "sample"): (6.0, 807.23, 3.86),
}


def cases(radius_m: float, trials: int, first_seed: int = 0) -> dict[str, list[Problem]]:
    """The paper's scenes and denser ones; gaps are given in body radii there, so they depend on the library."""
    seeds = range(first_seed, first_seed + trials)
    found = {"two corners": [corridor()] * trials, "two corners, facing": [corridor()._replace(arriving_deg=0.0)]}
    for name, height in (("low", 0.4), ("tall", 1.8)):
        found[f"clutter, grid, {name}"] = [clutter(4.0 * radius_m, height_m=height)] * trials
        found[f"clutter, random, {name}"] = [clutter(4.0 * radius_m, height_m=height, seed=k) for k in seeds]
        found[f"dense, random, {name}"] = [clutter(1.8 * radius_m, height_m=height, seed=k) for k in seeds]
        sparse = found[f"clutter, random, {name}"]
        found[f"clutter, random, {name}, facing"] = [one._replace(arriving_deg=one.facing_deg) for one in sparse]
    return found


def table_row(library: Library, case: str, problems: Sequence[Problem], method: str) -> Row:
    """One column of the paper's tables, means over the trials.

    Walking draws no random numbers, so that trials of one scene are one.
    """
    if method in WALKED and all(problem is problems[0] for problem in problems):
        problems = problems[:1]
    results, whole_s, ratios = [], [], []
    for seed, problem in enumerate(problems):
        began = process_time()
        results.append(asked(library, problem, method, seed))
        whole_s.append(process_time() - began)
        if results[-1].status:
            ratios.append(results[-1].trace.length_m / shortest_m(library, problem))
    solved = [one for one in results if one.status]
    stages = [one.stats.stage_seconds for one in results]
    search = [sum(seconds.get(stage, 0.0) for stage in ("search", "bend")) for seconds in stages]
    traces = [one.trace for one in solved]
    paper = PAPER.get((case.split(": ")[1], method), (None, None, None))
    return {
        "case": case,
        "method": method,
        "verified": len(solved),
        "total": len(problems),
        "transitions": mean([trace.transitions for trace in traces]),
        "transition_cost_m": mean([transition_cost_m(library, trace) for trace in traces]),
        "frames": mean([len(one.motion) for one in solved]),
        "location_cm": mean([100.0 * trace.goal_error_m for trace in traces]),
        "orientation_deg": mean(
            [float(np.degrees(trace.goal_error_rad)) for trace in traces if trace.goal_error_rad is not None]
        ),
        "distance_cm": mean([100.0 * trace.length_m for trace in traces]),
        "ratio": mean(ratios),
        "worst_ratio": max(ratios, default=None),
        "median_s": float(np.median(search)),
        "p95_s": float(np.percentile(search, 95)),
        "cpu_s": float(np.median([one.stats.counts.get("search_cpu_s", np.nan) for one in results]))
        if method in SAMPLED
        else None,
        "whole_cpu_s": float(np.median(whole_s)),
        "ready_s": mean([one.get("floor", 0.0) + one.get("field", 0.0) + one.get("volume", 0.0) for one in stages]),
        "tries": mean([one.stats.counts.get("tries", 0.0) for one in results]),
        "paper_transitions": paper[0],
        "paper_distance_cm": paper[1],
        "paper_s": paper[2],
    }


def mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def warmed(library: Library, methods: Sequence[str]) -> Library:
    """Compile everything and find the jumps."""
    for method in methods:
        asked(library, clutter(3.0, seed=99), method, 0)
    return library


def tables(
    libraries: dict[str, Library],
    *,
    trials: int,
    methods: Sequence[str],
    scenes: Sequence[str] = (),
    first_seed: int = 0,
) -> list[Row]:
    """Every scene, or some, by every method."""
    rows = []
    for name, library in libraries.items():
        warmed(library, methods)
        for case, problems in cases(sampler_of(library).radius_m, trials, first_seed).items():
            if scenes and case not in scenes:
                continue
            rows += [table_row(library, f"{name}: {case}", problems, method) for method in methods]
            print(case, flush=True)
    return rows


def rows(
    folder: Path | None,
    *,
    quick: bool,
    only: str = "",
    trials: int | None = None,
    methods: Sequence[str] = (*SAMPLED, *WALKED),
    libraries: Sequence[str] = ("CMU", "performer"),
    scenes: Sequence[str] = (),
    first_seed: int = 0,
) -> list[Row]:
    """Rows of one part, or of all."""
    count = trials or (2 if quick else 10)
    recorded = folder is not None and ("CMU" in libraries or "performer" not in libraries)
    used = {"CMU": library_of(ten_clips(folder))} if folder is not None and recorded else {}
    if not used or ("performer" in libraries and not quick):
        used["performer"] = library_of(performed())
    first = next(iter(used.values()))
    out: list[Row] = []
    if only in ("", "tables"):
        out += tables(used, trials=count, methods=methods, scenes=scenes, first_seed=first_seed)
    if only in ("", "gaps"):
        side = (
            library_of([*ten_clips(folder), *lateral_clips(folder)], threshold_m=0.08) if folder is not None else None
        )
        out += gap_rows(first, side, factors=GAPS[1::3] if quick else GAPS, starts=1 if quick else min(count, 5))
    if only in ("", "growth"):
        out += growth_rows(first, quick=quick)
    if only == "actions" or not (only or quick):
        out += action_rows()
    return out


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """Every row."""
    return rows(motion, quick=quick)


def kept(path: Path, fresh: Sequence[Row]) -> list[Row]:
    """Rows of an earlier output that were not measured again, and the fresh ones."""
    keys = ("case", "method", "radii")
    new = {tuple(row.get(key) for key in keys) for row in fresh}
    old = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else []
    return [*(row for row in old if tuple(row.get(key) for key in keys) not in new), *fresh]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.sampling", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder of CMU clips as BVH; else the built-in performer")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=("tables", "gaps", "growth", "actions"), default="")
    parser.add_argument("--trials", type=int, default=None, help="trials of every row; 10, or 2 when quick")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--pictures", type=Path, help="draw the gaps into this folder")
    parser.add_argument("--methods", default=",".join((*SAMPLED, *WALKED)), help="methods of the tables")
    parser.add_argument("--libraries", default="CMU,performer", help="libraries of the tables")
    parser.add_argument(
        "--scenes", default="", help='scenes of the tables, as "two corners;clutter, grid, low"; else all'
    )
    parser.add_argument("--first-seed", type=int, default=0, help="of random clutter in the tables; 0")
    arguments = parser.parse_args()
    table = rows(
        arguments.folder,
        quick=arguments.quick,
        only=arguments.only,
        trials=arguments.trials,
        methods=arguments.methods.split(","),
        libraries=arguments.libraries.split(","),
        scenes=[one for one in arguments.scenes.split(";") if one],
        first_seed=arguments.first_seed,
    )
    console = Console(width=260)
    console.print(f"{machine()}\n{versions()}", highlight=False)
    for key in ("ratio", "radii", "volume_s", "passed"):
        _show(console, [one for one in table if key in one])
    if arguments.output:
        table = kept(arguments.output, table)
        document = {"suite": "sampling", "machine": machine(), "versions": versions(), "rows": table}
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if arguments.pictures:
        from benchmarks.suites.sampling_pictures import gap_picture, growth_picture

        gap_picture([one for one in table if "radii" in one], arguments.pictures / "sampling-gaps.png")
        growth_picture([one for one in table if "volume_s" in one], arguments.pictures / "sampling-growth.png")


if __name__ == "__main__":
    main()
