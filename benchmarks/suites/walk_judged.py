"""Whole walks through clutter as ``understudy.walk`` makes them, each judged: what fails, and on what.

    python -m benchmarks.suites.walk_judged [FOLDER] -o OUT [--count N] [--library NAME ...] [--mode MODE ...]

One line of JSON a walk, written as it is made; walks that are in the file already are not made again. The floor has 30
boxes; ``open`` says of given starts that failed whether a few clips can be strung together from there at all.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.suites import Row
from benchmarks.suites.locomotion import library_of
from benchmarks.suites.walk_queries import CLEARANCE_M, MODES, can_go_on, environment, floor_of, queries
from understudy.api.walking import walk
from understudy.locomotion import WalkOptions, walker_of

PLACE, BOXES, SEED = "30 boxes", 30, 3
LIBRARIES = ("CMU 69", "CMU 69 + 16", "built-in")


def judged(folder: Path | None, name: str, mode: str, count: int, output: Path) -> None:
    """Make what is missing of a row."""
    done = {(row["library"], row["mode"], row["query"]) for row in lines(output)}
    if all((name, mode, k) in done for k in range(count)):
        return
    library = library_of(folder, name)
    walker, scene = walker_of(library), environment(BOXES, seed=SEED)
    floor, options = floor_of(walker, scene), WalkOptions(clearance_m=CLEARANCE_M)
    for k, (start, goal) in enumerate(queries(walker, floor, mode, count, seed=11)):
        if (name, mode, k) in done:
            continue
        begun = process_time()
        result = walk(library, scene, floor=floor, start=start, goal=goal, options=options)
        trace = result.trace
        path_m = None if trace is None or trace.path is None else trace.path.length_m
        row = {
            "library": name,
            "mode": mode,
            "query": k,
            "passed": bool(result.status),
            "status": result.status.value,
            "reason": result.reason,
            "tries": result.stats.counts.get("tries"),
            "rejected": [] if trace is None else list(getattr(trace, "rejected", ())),
            "ratio": None if not result.status or not path_m else getattr(trace, "length_m", np.nan) / path_m,
            "cpu_s": process_time() - begun,
            "seconds": {stage: round(value, 4) for stage, value in result.stats.stage_seconds.items()},
        }
        if not result.status and start.clip is not None:
            row["open"] = can_go_on(walker, floor, start)
        with output.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")


def lines(output: Path) -> list[Row]:
    """What a file holds already."""
    return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()] if output.exists() else []


def report(rows: list[Row]) -> str:
    """A table in Markdown, and why the failing walks failed."""
    out = ["| library | query | passed the judge | at the first try | length / path, median |", "|---|---|---|---|---|"]
    why = []
    for name in LIBRARIES:
        for mode in MODES:
            some = [row for row in rows if (row["library"], row["mode"]) == (name, mode)]
            if not some:
                continue
            good = [row for row in some if row["passed"]]
            shut = sum(row.get("open") is False for row in some)
            of = f"{len(some) - shut} that can go on (of {len(some)})" if shut else f"{len(some)}"
            ratios = [row["ratio"] for row in good if row["ratio"]]
            first = sum(row["tries"] == 1 for row in good)
            out.append(f"| {name} | {mode} | {len(good)} of {of} | {first} | {np.median(ratios):.2f} |")
            why += [
                f"{name}, {mode}, {row['query']}: {row['reason']} {row['rejected']}"
                for row in some
                if not row["passed"]
            ]
    return "\n".join([*out, "", *why])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--library", nargs="+", default=LIBRARIES)
    parser.add_argument("--mode", nargs="+", default=MODES)
    arguments = parser.parse_args()
    for mode in arguments.mode:
        for name in arguments.library:
            judged(arguments.folder, name, mode, arguments.count, arguments.output)
    print(report(lines(arguments.output)))


if __name__ == "__main__":
    main()
