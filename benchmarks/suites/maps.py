"""Motion maps: the thesis's tables 4.2, 4.3 and 4.5 on our libraries, and error maps over a floor.

    python -m benchmarks.suites.maps [../shared/motion/cmu_bvh] [--queries N] [--quick] -o maps.json [--pictures FOLDER]

``size`` rows: seconds, bytes, occupied cells and mean length of the maps at every depth, and how long a library takes
to load with them. ``search`` rows: queries on a floor of 16 m by 16 m with 30 boxes, timed in thread seconds from
the path to a branch that is bent to the goal; the maps are built before. The thesis's figures are beside ours.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.machine import machine, versions
from benchmarks.published import TABLE_41, TABLE_44
from benchmarks.suites import Row
from benchmarks.suites.library import WALK_69, clips
from benchmarks.suites.map_coverage import reach_map
from benchmarks.suites.walk_queries import CLEARANCE_M, Query, environment, floor_of, queries
from understudy.floor import Floor
from understudy.library import Library, LibraryOptions, build_library, load_library, save_library
from understudy.locomotion import Walker, WalkOptions, walker_of
from understudy.locomotion.approach import paths_to
from understudy.locomotion.published.maps.motion_maps import MapOptions, build_maps
from understudy.locomotion.search import plans
from understudy.locomotion.walking import problem_of
from understudy.performer import builtin_clips

#: The thesis: depth (clips and transitions) -> seconds, MB (table 4.2); success, ms (table 4.3).
THESIS_SIZE = {6: (1.21, 7), 8: (6.76, 35), 10: (35.38, 179), 11: (88, 444), 12: (184, 889)}
THESIS_SEARCH = {8: (63, 412.6), 10: (87, 188.7), 11: (90, 148.3), 12: (93, 145.8)}
DEPTHS = (3, 4, 5, 6, 7, 8, 9)
#: A standard graph for tables 4.1 and 4.4, which go deeper.
STANDARD, STANDARD_DEPTHS = "CMU 69, standard", (6, 7, 8, 9, 10, 11)
MODES = ("free start", "start heading", "mid-walk", "goal heading")


def size_row(name: str, walker: Walker, depth: int) -> Row:
    """What maps of one depth take."""
    began = thread_time()
    maps = build_maps(walker, MapOptions(clips=depth))
    built = thread_time() - began
    with TemporaryDirectory() as folder:
        path = save_library(replace(walker.library, maps=maps), Path(folder) / "maps.usl")
        seconds = []
        for _ in range(3):
            began = perf_counter()
            load_library(path)
            seconds.append(perf_counter() - began)
    reached = reach_map(maps, np.arange(0, maps.nodes, max(1, maps.nodes // 12)), cells=50)
    return {
        "case": f"{name}, size",
        "method": f"{depth} clips (thesis depth {maps.thesis_depth})",
        "build_s": built,
        "load_s": min(seconds),
        "bytes": maps.nbytes,
        "ways": len(maps),
        "cells_per_map": float(maps.occupied().mean()),
        "average_m": float(maps.average_m.mean()),
        "floor_reached": reached.reached,
        "thesis_s_mb": (TABLE_41 if name == STANDARD else THESIS_SIZE).get(maps.thesis_depth),
    }


def search_row(case: str, walker: Walker, floor: Floor, asked: list[Query], options: WalkOptions, label: str) -> Row:
    """How queries of one kind fare."""
    seconds, ratios, errors = [], [], []
    for k, (start, goal) in enumerate([asked[0], *asked]):
        began = thread_time()
        shortest, ways = paths_to(floor, start, goal, [], options.clearance_m, aimed_rad=options.aimed_rad)
        watch = options.watch()
        problems = (problem_of(walker, floor, start, goal, way, options) for way in ways)
        found = (one for problem in problems for one in plans(problem, watch))
        branch = next((one for one in found if one.arrives), None)
        took = thread_time() - began
        if k == 0:
            continue  # compiles
        seconds.append(took)
        if branch is not None and shortest.path is not None:
            ratios.append(walker.lengths_m[branch.nodes].sum() / shortest.path.length_m)
            errors.append(branch.error_m)
    return {
        "case": case,
        "method": label,
        "solved": len(ratios),
        "total": len(asked),
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "mean_s": float(np.mean(seconds)),
        "length_ratio": float(np.median(ratios)) if ratios else None,
        "worst_goal_m": float(np.max(errors)) if errors else None,
    }


def search_rows(name: str, library: Library, count: int, depths: tuple[int, ...]) -> list[Row]:
    """Maps of several depths, and the beam, on the same queries."""
    out = []
    for depth in (*depths, 0):
        mapped = (
            library if not depth else replace(library, maps=build_maps(walker_of(library), MapOptions(clips=depth)))
        )
        walker = walker_of(mapped)
        floor = floor_of(walker, environment(30, seed=3))
        options = WalkOptions(method="maps" if depth else "beam", clearance_m=CLEARANCE_M)
        for mode in MODES if depth in (0, max(depths)) else MODES[:1]:
            asked = queries(walker, floor, mode, count, seed=7)
            label = f"maps, {depth} clips (thesis depth {2 * depth})" if depth else "beam"
            row = search_row(f"{name}, 30 boxes, {mode}", walker, floor, asked, options, label)
            published = TABLE_44 if name == STANDARD else THESIS_SEARCH
            out.append({**row, "thesis_percent_ms": published.get(2 * depth)})
    return out


def libraries(folder: Path | None) -> dict[str, Library]:
    found = {"built-in": build_library(builtin_clips("walk"))}
    if folder is not None:
        found["CMU 69"] = build_library(clips(folder, WALK_69))
        found[STANDARD] = build_library(clips(folder, WALK_69), options=LibraryOptions(graph="standard"))
    return found


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """All rows."""
    return rows(motion, quick=quick, count=20 if quick else 1000)


def rows(motion: Path | None, *, quick: bool, count: int) -> list[Row]:
    """Rows with so many queries each."""
    out: list[Row] = []
    for name, library in libraries(motion).items():
        walker = walker_of(library)
        build_maps(walker, MapOptions(clips=2))  # compiles
        depths, followed = (STANDARD_DEPTHS, (6, 10, 11)) if name == STANDARD else (DEPTHS, (4, 5, 6, 7, 8))
        out += [size_row(name, walker, depth) for depth in (depths[2::3] if quick else depths)]
        out += search_rows(name, library, count, followed[-1:] if quick else followed)
    return out


def pictures(library: Library, name: str, out: Path) -> None:
    """Error maps over a floor of 10 m by 10 m, from every clip and from one."""
    from benchmarks.heat_map import heat_map

    out.mkdir(parents=True, exist_ok=True)
    maps = build_maps(walker_of(library))
    for what, nodes in (("all starts", np.arange(maps.nodes)), ("one start", np.array([maps.nodes // 2]))):
        found = reach_map(maps, nodes)
        drawings = (
            ("error", found.error_m, 0.0, 0.5, "position error [m]"),
            ("ratio", found.length_ratio, 1.0, 2.0, "length over distance"),
            ("headings", np.where(found.headings > 0, found.headings, np.nan), 0.0, 12.0, "headings of 30 deg"),
        )
        for kind, values, low, high, title in drawings:
            drawn = heat_map(values, size_m=10.0, low=low, high=high, title=f"{name}, {what}: {title}")
            drawn.save(out / f"{name}_{what}_{kind}.png".replace(" ", "_"))


def show(table: list[Row]) -> None:
    for kind in ("build_s", "solved"):
        some = [row for row in table if kind in row]
        if some:
            shown = Table(*some[0])
            for row in some:
                shown.add_row(*(f"{value:.4g}" if isinstance(value, float) else str(value) for value in row.values()))
            Console(width=200).print(shown)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.maps", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder of CMU clips as BVH; else the built-in performer")
    parser.add_argument("--queries", type=int, default=None, help="queries of every row")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--pictures", type=Path, help="draw error maps into this folder")
    arguments = parser.parse_args()
    count = arguments.queries or (20 if arguments.quick else 1000)
    table = rows(arguments.folder, quick=arguments.quick, count=count)
    show(table)
    if arguments.output:
        document = {"suite": "maps", "machine": machine(), "versions": versions(), "rows": table}
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if arguments.pictures:
        for name, library in libraries(arguments.folder).items():
            pictures(library, name, arguments.pictures)


if __name__ == "__main__":
    main()
