"""Environment-aware sampling: Chen and Steed's tables 1 and 2, gaps, growth.

    python -m benchmarks.suites.sampling [../shared/motion/cmu_bvh] [--quick] [--only tables|gaps|growth] [--trials N]
                                         [--methods tight,sample] [--libraries CMU] [-o sampling.json]
                                         [--pictures FOLDER]

Tables: the two-corner corridor and the clutter of 4 x 3 boxes (as a grid and randomised), low and tall, on ten
recorded walks at 30 fps and on the built-in performer; the paper's two methods, ours, and the walking methods ``maps``
and ``channel`` beside them; cases that end with "facing" ask for a heading at the goal, too. Every motion counted passed
the judge. ``median_s`` is wall time of the search alone, of all rounds up to the motion that passed, and ``cpu_s`` its
processor time over all cores: compiling, building the library's jumps, fields and volume, unrolling and judging are
apart (``ready_s``). Gaps: where each method stops. Growth: time against obstacles and footage.

Rows of an earlier output that were not measured again stay in it, so a long table can be made in parts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from rich.console import Console

import understudy as us
from benchmarks.machine import machine, versions
from benchmarks.suites.library import _show
from benchmarks.suites.sampling_clips import FPS, PERFORMED, lateral_clips, library_of, performed, ten_clips
from benchmarks.suites.sampling_scenes import Problem, clutter, corridor, gap
from understudy.library import Library
from understudy.locomotion.sampling import SampleTrace, sampler_of
from understudy.scene import Box, Scene

Row = dict[str, Any]
SAMPLED = ("decoupled", "sample", "tight")
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


def cases(radius_m: float, trials: int) -> dict[str, list[Problem]]:
    """The paper's scenes and denser ones; gaps are given in body radii there, so they depend on the library."""
    seeds = range(trials)
    found = {"two corners": [corridor()] * trials, "two corners, facing": [corridor()._replace(arriving_deg=0.0)]}
    for name, height in (("low", 0.4), ("tall", 1.8)):
        found[f"clutter, grid, {name}"] = [clutter(4.0 * radius_m, height_m=height)]
        found[f"clutter, random, {name}"] = [clutter(4.0 * radius_m, height_m=height, seed=k) for k in seeds]
        found[f"dense, random, {name}"] = [clutter(1.8 * radius_m, height_m=height, seed=k) for k in seeds]
        sparse = found[f"clutter, random, {name}"]
        found[f"clutter, random, {name}, facing"] = [one._replace(arriving_deg=one.facing_deg) for one in sparse]
    return found


def asked(library: Library, problem: Problem, method: str, seed: int) -> us.Result[Any]:
    """One query."""
    if method in SAMPLED:
        facing = float(np.radians(problem.facing_deg))
        arriving = None if problem.arriving_deg is None else float(np.radians(problem.arriving_deg))
        goal = us.Constraint(position=problem.goal, heading_rad=arriving)
        ends = [us.Constraint(position=problem.start, heading_rad=facing), goal]
        options = us.SampleOptions(method=method, seed=seed)  # type: ignore[arg-type]
        return us.sample_walk(library, problem.scene, constraints=ends, options=options)
    # A channel is as wide as its clearance, and the whole body has to stay within it.
    clearance = 0.6 if method == "channel" else 0.3
    walk_options = us.WalkOptions(method=method, clearance_m=clearance, seed=seed)  # type: ignore[arg-type]
    start = (*problem.start, problem.facing_deg)
    arrive = problem.goal if problem.arriving_deg is None else (*problem.goal, problem.arriving_deg)
    return us.walk(library, problem.scene, start=start, goal=arrive, options=walk_options)


def table_row(library: Library, case: str, problems: Sequence[Problem], method: str) -> Row:
    """One column of the paper's tables, means over the trials."""
    results = [asked(library, problem, method, seed) for seed, problem in enumerate(problems)]
    solved = [one for one in results if one.status]
    stages = [one.stats.stage_seconds for one in results]
    search = [seconds.get("search", 0.0) + seconds.get("bend", 0.0) for seconds in stages]
    traces = [one.trace for one in solved]
    sampled = [trace for trace in traces if isinstance(trace, SampleTrace)]
    paper = PAPER.get((case.split(": ")[1], method), (None, None, None))
    return {
        "case": case,
        "method": method,
        "verified": len(solved),
        "total": len(problems),
        "transitions": mean([trace.transitions for trace in traces]),
        "transition_cost_m": mean([trace.transition_cost_m for trace in sampled]),
        "frames": mean([len(one.motion) for one in solved]),
        "location_cm": mean([100.0 * trace.goal_error_m for trace in traces]),
        "orientation_deg": mean(
            [float(np.degrees(trace.goal_error_rad)) for trace in traces if trace.goal_error_rad is not None]
        ),
        "distance_cm": mean([100.0 * trace.length_m for trace in traces]),
        "ratio": mean([trace.length_m / trace.path_length_m for trace in traces if trace.path_length_m > 0.0]),
        "worst_ratio": max((trace.length_m / trace.path_length_m for trace in traces), default=None),
        "median_s": float(np.median(search)),
        "p95_s": float(np.percentile(search, 95)),
        "cpu_s": float(np.median([one.stats.counts.get("search_cpu_s", np.nan) for one in results])),
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


def tables(libraries: dict[str, Library], *, trials: int, methods: Sequence[str]) -> list[Row]:
    """Every scene by every method."""
    rows = []
    for name, library in libraries.items():
        warmed(library, methods)
        for case, problems in cases(sampler_of(library).radius_m, trials).items():
            rows += [table_row(library, f"{name}: {case}", problems, method) for method in methods]
            print(case, flush=True)
    return rows


def gap_rows(walking: Library, lateral: Library | None, *, factors: Sequence[float], starts: int) -> list[Row]:
    """How many starts lead through a gap of so many body radii."""
    radius = sampler_of(walking).radius_m
    methods: list[tuple[str, Library, str]] = [("decoupled", walking, "decoupled"), ("tight, walks", walking, "tight")]
    if lateral is not None:
        methods.append(("tight, walks and side steps", lateral, "tight"))
    rows = []
    for height, tall in ((0.4, "low"), (2.0, "tall")):
        for factor in factors:
            scene = gap(factor * radius, height_m=height).scene
            for name, library, method in methods:
                results = []
                for k in range(starts):
                    x = 0.8 * (k + 0.5) / starts - 0.4
                    ends = [us.Constraint(position=(x, -2.6)), us.Constraint(position=(-x, 2.6))]
                    options = us.SampleOptions(method=method)  # type: ignore[arg-type]
                    results.append(us.sample_walk(library, scene, constraints=ends, options=options))
                rows.append(
                    {
                        "case": f"gap, {tall}",
                        "method": name,
                        "radii": factor,
                        "width_m": round(factor * radius, 3),
                        "verified": sum(1 for one in results if one.status),
                        "total": starts,
                        "median_s": float(np.median([one.stats.stage_seconds.get("search", 0.0) for one in results])),
                    }
                )
    return rows


def strewn(count: int, *, seed: int = 0) -> Problem:
    """So many boxes on a floor that grows with them; the way is always as long."""
    rng = np.random.default_rng(seed)
    half = 0.5 * np.sqrt(count / 0.35) + 2.0
    scene = Scene(name=f"{count} boxes")
    for k in range(count):
        x, z = rng.uniform(-half, half, 2)
        if min(np.hypot(x, z), np.hypot(x - 1.0, z - 9.0)) > 0.8:
            size = (float(rng.uniform(0.2, 0.5)), float(rng.uniform(0.4, 1.8)), float(rng.uniform(0.2, 0.5)))
            scene = scene.with_object(f"box {k}", Box(size_m=size), position=(float(x), 0.5 * size[1], float(z)))
    return Problem(scene, (0.0, 0.0), (1.0, 9.0))


def growth_rows(walking: Library, *, quick: bool) -> list[Row]:
    """Time against obstacles, and against the library's footage."""
    rows = []
    for count in (10, 100) if quick else (10, 30, 100, 300, 1000):
        row = growth_row(f"{count} boxes", walking, lambda k, count=count: strewn(count, seed=k))
        rows.append({**row, "boxes": count})
    for frames in (1000, 2000) if quick else (1000, 2000, 5000, 10_000, 20_000, 50_000):
        began = process_time()
        library = library_of(footage_of(frames))
        built = process_time()
        jumps = len(sampler_of(library).graph.jumps.roots)
        found = process_time()
        row = growth_row(f"{len(library.footage)} frames", library, lambda k: clutter(2.2, seed=k))
        rows.append(
            {
                **row,
                "frames": len(library.footage),
                "jumps": jumps,
                "build_cpu_s": built - began,
                "jumps_cpu_s": found - built,
            }
        )
        print(rows[-1], flush=True)
    return rows


def footage_of(frames: int) -> list[us.Motion]:
    """Walks of the performer, seed after seed, until there are so many frames at 30 fps."""
    clips: list[us.Motion] = []
    seed = 0
    while sum(clip.duration_s for clip in clips) * FPS < frames:
        clips += [motion for name in PERFORMED for motion in us.builtin_clips(name, seed=seed)]
        seed += 1
    total = 0.0
    for k, clip in enumerate(clips):
        total += clip.duration_s * FPS
        if total >= frames:
            return clips[: k + 1]
    return clips


def growth_row(case: str, library: Library, problem: Callable[[int], Problem]) -> Row:
    """Medians over five queries by the tight method."""
    asked(library, problem(99), "tight", 0)
    results = [asked(library, problem(seed), "tight", 0) for seed in range(5)]
    stages = [one.stats.stage_seconds for one in results]
    return {
        "case": f"growth: {case}",
        "method": "tight",
        "verified": sum(1 for one in results if one.status),
        "total": len(results),
        "median_s": float(np.median([one.get("search", 0.0) for one in stages])),
        "cpu_s": float(np.median([one.stats.counts.get("search_cpu_s", np.nan) for one in results])),
        "floor_s": float(np.median([one.get("floor", 0.0) for one in stages])),
        "field_s": float(np.median([one.get("field", 0.0) for one in stages])),
        "volume_s": float(np.median([one.get("volume", 0.0) for one in stages])),
    }


def rows(
    folder: Path | None,
    *,
    quick: bool,
    only: str = "",
    trials: int | None = None,
    methods: Sequence[str] = (*SAMPLED, *WALKED),
    libraries: Sequence[str] = ("CMU", "performer"),
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
        out += tables(used, trials=count, methods=methods)
    if only in ("", "gaps"):
        side = (
            library_of([*ten_clips(folder), *lateral_clips(folder)], threshold_m=0.08) if folder is not None else None
        )
        out += gap_rows(first, side, factors=GAPS[1::3] if quick else GAPS, starts=1 if quick else min(count, 5))
    if only in ("", "growth"):
        out += growth_rows(first, quick=quick)
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
    parser.add_argument("--only", choices=("tables", "gaps", "growth"), default="")
    parser.add_argument("--trials", type=int, default=None, help="trials of every row; 10, or 2 when quick")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--pictures", type=Path, help="draw the gaps into this folder")
    parser.add_argument("--methods", default=",".join((*SAMPLED, *WALKED)), help="methods of the tables")
    parser.add_argument("--libraries", default="CMU,performer", help="libraries of the tables")
    arguments = parser.parse_args()
    table = rows(
        arguments.folder,
        quick=arguments.quick,
        only=arguments.only,
        trials=arguments.trials,
        methods=arguments.methods.split(","),
        libraries=arguments.libraries.split(","),
    )
    console = Console(width=260)
    console.print(f"{machine()}\n{versions()}", highlight=False)
    for key in ("ratio", "radii", "volume_s"):
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
