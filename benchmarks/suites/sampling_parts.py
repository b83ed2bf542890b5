"""One query of the sampling suite by any method, and the rows that are no tables: gaps, growth, actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from time import process_time
from typing import Any

import numpy as np

import understudy as us
from benchmarks.suites.sampling_clips import FPS, PERFORMED, duckers, library_of, performed, raisers
from benchmarks.suites.sampling_scenes import Problem, bar, clutter, gap, shelves
from understudy.library import Library
from understudy.locomotion.published.sampling import SampleTrace, sampler_of
from understudy.locomotion.published.sampling.ground import ground_for
from understudy.scene import Box, Scene

Row = dict[str, Any]
SAMPLED = ("decoupled", "sample", "tight")


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


def shortest_m(library: Library, problem: Problem) -> float:
    """Length of the shortest path of a point, whatever the method went by [m]."""
    ends = np.array(problem.start), np.array(problem.goal)
    path = ground_for(sampler_of(library), problem.scene, ends).path(*ends, 0.0).path
    return path.length_m if path is not None else float("nan")


def transition_cost_m(library: Library, trace: us.WalkTrace) -> float:
    """Distances of all jumps or transitions of a motion, summed [m]."""
    if isinstance(trace, SampleTrace):
        return trace.transition_cost_m
    graph, total = library.graph, 0.0
    for before, after in pairwise(trace.nodes.tolist()):
        edges = np.arange(graph.edge_starts[before], graph.edge_starts[before + 1])
        total += float(graph.costs[edges][graph.targets[edges] == after].min())
    return total


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


def action_rows() -> list[Row]:
    """What a library passes with clips that duck or raise the hands, and without them."""
    plain = library_of(performed(PERFORMED[:5]))
    able = {"shelves": library_of([*performed(PERFORMED[:5]), *raisers()])}
    able["bar"] = library_of([*performed(PERFORMED[:5]), *duckers()])
    places = [("shelves", width, shelves(width)) for width in (0.72, 0.64, 0.56)]
    places += [("bar", height, bar(height)) for height in (1.6, 1.45)]
    out = []
    for what, size, problem in places:
        for name, library in (("walks", plain), ("walks and such clips", able[what])):
            result = asked(library, problem, "tight", 0)
            out.append(
                {
                    "case": f"{what} {size:g} m",
                    "method": name,
                    "passed": int(bool(result.status)),
                    "reason": result.reason,
                }
            )
    return out
