"""Walking: the start of the thesis's tables 3.2-3.4 on four floors with more and more obstacles.

    python -m benchmarks.suites.locomotion [../shared/motion/cmu_bvh] [--quick] [--queries N] [--judged N]
                                           [-o locomotion.json] [--pictures FOLDER]

Random queries between points that a path with 0.5 m of clearance joins. A query is timed from the path to a bent branch
(search time); compiling, building the floor and unrolling are apart. ``verified`` counts walks that the judge passes on
a sample of ``judged`` queries in scenes of boxes. ``open`` counts given starts from which a few clips can be strung
together at all: nobody can go on from a step that ends at a wall.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console

from benchmarks.machine import machine, versions
from benchmarks.suites.library import WALK_16, WALK_69, _show, clips
from understudy.api.walking import judge_for
from understudy.floor import Floor
from understudy.library import Library, LibraryOptions, build_library
from understudy.locomotion import Spot, Walker, WalkOptions, floor_for, walk, walker_of
from understudy.locomotion._chain_kernels import clip_is_free, following
from understudy.locomotion.approach import paths_to
from understudy.locomotion.search import Branch, branches
from understudy.performer import builtin_clips
from understudy.scene import Box, Scene

SIZE_M, CLEARANCE_M, SHORTEST_M = 16.0, 0.5, 8.0
ENVIRONMENTS = {"6 boxes": 6, "12 boxes": 12, "20 boxes": 20, "30 boxes": 30}
MODES = ("free start", "start heading", "mid-walk", "goal heading")


def environment(boxes: int, seed: int) -> Scene:
    """Boxes of all sizes on a floor of 16 m by 16 m."""
    rng = np.random.default_rng(seed)
    scene = Scene(name=f"{boxes} boxes")
    for k in range(boxes):
        width, height, depth = rng.uniform([0.3, 0.4, 0.3], [1.4, 1.8, 1.4])
        half = rng.uniform(0.0, np.pi / 2)
        x, z = rng.uniform(0.0, SIZE_M, 2)
        scene = scene.with_object(
            f"box {k}",
            Box(size_m=(width, height, depth)),
            position=(x, height / 2, z),
            rotation=(np.cos(half), 0.0, np.sin(half), 0.0),
        )
    return scene


def queries(walker: Walker, floor: Floor, mode: str, seed: int) -> Iterator[tuple[Spot, Spot]]:
    """Endless random queries of one kind."""
    rng = np.random.default_rng(seed)
    while True:
        ends = rng.uniform(0.0, SIZE_M, (2, 2))
        if np.hypot(*(ends[0] - ends[1])) < SHORTEST_M or not floor.connected(*ends, CLEARANCE_M):
            continue
        (ax, az), (bx, bz) = ends.tolist()
        begin, end = Spot(position=(ax, az)), Spot(position=(bx, bz))
        if mode in ("start heading", "mid-walk"):
            clip = int(rng.integers(len(walker.library))) if mode == "mid-walk" else None
            begin = Spot(position=(ax, az), heading_rad=float(rng.uniform(-np.pi, np.pi)), clip=clip)
        if mode == "goal heading":
            end = Spot(position=(bx, bz), heading_rad=float(rng.uniform(-np.pi, np.pi)))
        yield begin, end


def can_go_on(walker: Walker, floor: Floor, start: Spot, *, clips_: int = 6) -> bool:
    """Whether some clips can follow a given one at all."""
    graph, tables = walker.graph, (walker.shadows, floor.distances.grid, floor.grid)
    here = {(start.clip, *start.position, start.heading_rad)}
    if not clip_is_free(*tables, start.clip, *start.position, start.heading_rad, 0.02):
        return False
    for _ in range(clips_):
        found = {}
        for node, x, z, yaw in here:
            for edge in range(graph.edge_starts[node], graph.edge_starts[node + 1]):
                for turn in (0.0, *graph.ranges[edge]):
                    at = following(graph, edge, turn, x, z, yaw)
                    if clip_is_free(*tables, graph.targets[edge], *at, 0.02):
                        key = (int(graph.targets[edge]), *np.round(np.array(at) / 0.2).tolist())
                        found[key] = (int(graph.targets[edge]), *at)
        here = set(list(found.values())[:400])
    return bool(here)


def searched(
    walker: Walker, floor: Floor, query: tuple[Spot, Spot], options: WalkOptions
) -> tuple[Branch | None, float, float]:
    """The first branch that arrives, seconds, and the shortest path's length."""
    began = perf_counter()
    shortest, ways = paths_to(floor, *query, [], options.clearance_m)
    watch = options.watch()
    found = (one for way in ways for one in branches(walker, floor, *query, way, options, watch) if one.arrives)
    branch = next(found, None)
    return branch, perf_counter() - began, shortest.path.length_m if shortest.path else np.nan


def row(walker: Walker, case: str, floor: Floor, mode: str, options: WalkOptions, count: int) -> dict[str, object]:
    """One row of a table."""
    source = queries(walker, floor, mode, seed=7)
    searched(walker, floor, next(source), options)  # compiles
    seconds, ratios, errors, expansions, lengths = [], [], [], [], []
    solved = possible = 0
    for _ in range(count):
        query = next(source)
        branch, took, shortest = searched(walker, floor, query, options)
        seconds.append(took)
        lengths.append(shortest)
        possible += branch is not None or mode != "mid-walk" or can_go_on(walker, floor, query[0])
        if branch is not None:
            solved += 1
            ratios.append(walker.lengths_m[branch.nodes].sum() / shortest)
            errors.append(branch.error_m)
            expansions.append(branch.tree.expanded)
    return {
        "case": case,
        "method": f"{options.method}, {mode}",
        "solved": solved,
        "open": possible,
        "total": count,
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "max_s": float(np.max(seconds)),
        "path_m": float(np.mean(lengths)),
        "length_ratio": float(np.median(ratios)) if ratios else None,
        "worst_goal_m": float(np.max(errors)) if errors else None,
        "expansions": float(np.median(expansions)) if expansions else None,
    }


def judged_row(library: Library, case: str, scene: Scene, floor: Floor, mode: str, count: int) -> dict[str, object]:
    """How many whole walks the judge passes."""
    walker, options = walker_of(library), WalkOptions(clearance_m=CLEARANCE_M, tries=3)
    source, judge = queries(walker, floor, mode, seed=11), judge_for(library, scene)
    results = []
    for _ in range(count):
        start, goal = next(source)
        results.append(walk(library, floor, start=start, goal=goal, judge=judge, options=options))
    solved = [one for one in results if one.status]
    return {
        "case": case,
        "method": f"beam, {mode}, judged",
        "verified": len(solved),
        "total": count,
        "first_try": sum(1 for one in solved if one.stats.counts["tries"] == 1),
        "judge_s": float(np.median([one.stats.stage_seconds.get("judge", 0.0) for one in results])),
        "unroll_s": float(np.median([one.stats.stage_seconds.get("unroll", 0.0) for one in results])),
        "refused": sorted({why for one in results if not one.status and one.trace for why in one.trace.rejected[:1]}),
    }


def libraries(folder: Path | None, *, quick: bool) -> dict[str, Library]:
    """Who walks."""
    found = {"built-in": build_library(builtin_clips("walk"))}
    if folder is not None:
        found["CMU 69"] = build_library(clips(folder, WALK_69))
        found["CMU 69 + 16"] = build_library(clips(folder, (*WALK_69, *WALK_16)))
        if not quick:
            found["CMU 69, standard"] = build_library(clips(folder, WALK_69), options=LibraryOptions(graph="standard"))
    return found


def rows(folder: Path | None, *, quick: bool, count: int, judged: int) -> list[dict[str, object]]:
    out: list[dict[str, object]] = []
    for name, library in libraries(folder, quick=quick).items():
        walker = walker_of(library)
        for k, (place, boxes) in enumerate(ENVIRONMENTS.items()):
            scene = environment(boxes, seed=k)
            floor = floor_for(walker, scene, [np.zeros(2), np.full(2, SIZE_M)])
            case = f"{name}, {place}"
            for mode in MODES:
                out.append(row(walker, case, floor, mode, WalkOptions(clearance_m=CLEARANCE_M), count))
            for method in ("channel", "astar"):
                slow = WalkOptions(method=method, clearance_m=CLEARANCE_M, max_states=500_000)  # type: ignore[arg-type]
                out.append(row(walker, case, floor, "free start", slow, 5 if quick else min(count, 50)))
            if judged:
                out += [
                    judged_row(library, case, scene, floor, mode, judged) for mode in ("free start", "goal heading")
                ]
    return out


def bench(motion: Path | None, *, quick: bool) -> list[dict[str, object]]:
    """Every row."""
    return rows(motion, quick=quick, count=100 if quick else 1000, judged=2 if quick else 20)


def pictures(library: Library, out: Path) -> None:
    """Three walks through clutter, as strobes and from above."""
    from understudy.pictures import show

    out.mkdir(parents=True, exist_ok=True)
    walker = walker_of(library)
    for k, mode in enumerate(("free start", "start heading", "goal heading")):
        scene = environment(20, seed=k)
        floor = floor_for(walker, scene, [np.zeros(2), np.full(2, SIZE_M)])
        start, goal = next(queries(walker, floor, mode, seed=3))
        result = walk(library, floor, start=start, goal=goal, judge=judge_for(library, scene))
        if result.motion is not None:
            props = scene.props()
            show(result.motion, out / f"walk_{k}_strobe.png", style="strobe", poses=16, props=props)
            show(result.motion, out / f"walk_{k}_top.png", style="top", props=props)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.locomotion", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder of CMU clips as BVH; else the built-in performer")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--queries", type=int, default=None, help="queries of every row; 1,000, or 100 when quick")
    parser.add_argument("--judged", type=int, default=None, help="walks judged for every row; 20, or 2 when quick")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--pictures", type=Path, help="draw three walks into this folder")
    arguments = parser.parse_args()
    count = arguments.queries or (100 if arguments.quick else 1000)
    judged = (2 if arguments.quick else 20) if arguments.judged is None else arguments.judged
    table = rows(arguments.folder, quick=arguments.quick, count=count, judged=judged)
    console = Console(width=220)
    console.print(f"{machine()}\n{versions()}", highlight=False)
    _show(console, [one for one in table if "median_s" in one])
    _show(console, [one for one in table if "verified" in one])
    if arguments.output:
        document = {"suite": "locomotion", "machine": machine(), "versions": versions(), "rows": table}
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if arguments.pictures:
        pictures(build_library(builtin_clips("walk")), arguments.pictures)


if __name__ == "__main__":
    main()
