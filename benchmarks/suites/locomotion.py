"""Walking through clutter: the thesis's tables 3.2-3.4, 4.5 and 4.6 on four floors, and whole walks judged.

    understudy bench locomotion [--quick]
    python -m benchmarks.suites.locomotion [FOLDER] -o OUT [--queries N] [--judged N] [--only CASE] [--pictures OUT]

Random queries between points that a path with 0.5 m of clearance joins. A query is timed from the path to a bent branch
(search time); compiling, building the floor and unrolling are apart. Rows with ``verified`` are whole walks,
counted after the judge; ``open`` counts given starts from which a few clips can be strung together at all.
Tables 4.1-4.4 are in the suite ``maps``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.case_ledger import Ledger
from benchmarks.machine import machine, versions
from benchmarks.suites import Row
from benchmarks.suites.library import WALK_16, WALK_69, clips
from benchmarks.suites.walk_queries import CLEARANCE_M, ENVIRONMENTS, MODES, can_go_on, environment, floor_of, queries
from benchmarks.suites.walk_trials import TECHNIQUES, Trials, improvement, trials
from understudy.api.walking import walk as judged_walk
from understudy.library import Library, LibraryOptions, build_library
from understudy.locomotion import WalkOptions, walker_of
from understudy.performer import builtin_clips

#: Technique against technique, as in Tables 3.2-3.4: name, graph and technique before, graph and technique after.
COMPARISONS = (
    ("3.2: feature graph", ("standard", "A*"), ("feature", "A*")),
    ("3.3: IBK, standard, channel", ("standard", "channel"), ("standard", "channel + IBK")),
    ("3.3: IBK, standard, without channel", ("standard", "A*"), ("standard", "A* + IBK")),
    ("3.3: IBK, feature, channel", ("feature", "channel"), ("feature", "channel + IBK")),
    ("3.3: IBK, feature, without channel", ("feature", "A*"), ("feature", "A* + IBK")),
    ("3.4: FC", ("standard", "A*"), ("feature", "channel")),
    ("3.4: FCI", ("standard", "A*"), ("feature", "channel + IBK")),
    ("ours: beam on the feature graph", ("standard", "A*"), ("feature", "beam")),
    ("4.5: maps against A*, feature", ("feature", "A* + IBK"), ("feature", "maps")),
    ("4.5: maps against channel, feature", ("feature", "channel + IBK"), ("feature", "maps")),
    ("4.6: maps against A*, standard", ("standard", "A* + IBK"), ("standard", "maps")),
    ("4.6: maps against channel, standard", ("standard", "channel + IBK"), ("standard", "maps")),
)
#: Slow searches get no more queries than this; the thesis needs 24 s for one of them.
SLOW, SLOW_QUERIES = ("A*", "A* + IBK"), 1000


@dataclass(frozen=True)
class Job:
    """One floor and one library of the suite; small, so that another process can do it.

    Attributes:
        folder: Recorded clips; ``None`` for the performer.
        library: Which library.
        place: Which floor.
        count: Queries of every row.
        judged: Walks judged in every row.
    """

    folder: Path | None
    library: str
    place: str
    count: int
    judged: int


@cache
def library_of(folder: Path | None, name: str) -> Library:
    """Who walks."""
    if folder is None or name == "built-in":
        return build_library(builtin_clips("walk"))
    if name == "CMU 69, standard":
        return build_library(clips(folder, WALK_69), options=LibraryOptions(graph="standard"))
    return build_library(clips(folder, WALK_69 if name == "CMU 69" else (*WALK_69, *WALK_16)))


def done(job: Job) -> list[Row]:
    """All rows of a job."""
    if job.library == "thesis":
        return list(thesis_rows(job))
    library = library_of(job.folder, job.library)
    walker, scene = walker_of(library), environment(ENVIRONMENTS[job.place], seed=list(ENVIRONMENTS).index(job.place))
    floor, case = floor_of(walker, scene), f"{job.library}, {job.place}"
    out: list[Row] = []
    for mode in MODES:
        asked = queries(walker, floor, mode, job.count)
        found = trials(walker, floor, asked, TECHNIQUES["beam"])
        row = found.row(case, f"beam, {mode}")
        if mode == "mid-walk":
            stuck = (asked[k][0] for k in np.flatnonzero(~found.solved))
            row["open"] = int(found.solved.sum()) + sum(can_go_on(walker, floor, start) for start in stuck)
        out.append(row)
        if job.judged:
            out.append(judged_row(job, mode))
    if walker.still[:, 1].any():
        for mode in ("free start", "both headings"):
            asked = queries(walker, floor, mode, job.count)
            stops = trials(walker, floor, asked, WalkOptions(clearance_m=CLEARANCE_M, stop=True))
            out.append(stops.row(case, f"beam, {mode}, stop"))
    return out


def thesis_rows(job: Job) -> Iterator[Row]:
    """Every technique on both graphs, then the comparisons."""
    found: dict[tuple[str, str], Trials] = {}
    for graph, name in (("standard", "CMU 69, standard"), ("feature", "CMU 69")):
        walker = walker_of(library_of(job.folder, name))
        floor = floor_of(walker, environment(ENVIRONMENTS[job.place], seed=list(ENVIRONMENTS).index(job.place)))
        asked = queries(walker, floor, "free start", job.count)
        for technique, options in TECHNIQUES.items():
            some = asked[: min(job.count, SLOW_QUERIES)] if technique in SLOW else asked
            one = trials(walker, floor, some, options)
            found[graph, technique] = one
            yield one.row(f"{graph} graph, {job.place}", technique)
    for title, before, after in COMPARISONS:
        yield {"case": job.place, "method": title, **improvement(found[before], found[after])}


def judged_row(job: Job, mode: str) -> Row:
    """How many whole walks the judge passes."""
    library = library_of(job.folder, job.library)
    walker, scene = walker_of(library), environment(ENVIRONMENTS[job.place], seed=list(ENVIRONMENTS).index(job.place))
    floor = floor_of(walker, scene)
    options = WalkOptions(clearance_m=CLEARANCE_M)
    results = [
        judged_walk(library, scene, floor=floor, start=start, goal=goal, options=options)
        for start, goal in queries(walker, floor, mode, job.judged, seed=11)
    ]
    solved = [one for one in results if one.status]
    refused = [one.trace.rejected[0] for one in results if not one.status and one.trace and one.trace.rejected]
    return {
        "case": f"{job.library}, {job.place}",
        "method": f"beam, {mode}, judged",
        "verified": len(solved),
        "total": job.judged,
        "first_try": sum(1 for one in solved if one.stats.counts["tries"] == 1),
        "judge_s": float(np.median([one.stats.stage_seconds.get("judge", 0.0) for one in results])),
        "unroll_s": float(np.median([one.stats.stage_seconds.get("unroll", 0.0) for one in results])),
        "refused": "; ".join(sorted(set(refused))),
    }


def jobs(folder: Path | None, *, count: int, judged: int, only: str = "") -> list[Job]:
    """What there is to do, the longest first."""
    names = ["built-in"] if folder is None else ["thesis", "CMU 69", "CMU 69 + 16", "built-in"]
    every = [Job(folder, name, place, count, judged) for name in names for place in reversed(ENVIRONMENTS)]
    return [job for job in every if only in f"{job.library}, {job.place}"]


def rows(todo: list[Job], *, workers: int = 2, store: Path | None = None) -> list[Row]:
    """Do jobs side by side, one a core; those a file of jobs knows are not done again."""
    ledger = Ledger(store)
    left = [job for job in todo if str(job) not in ledger.records]
    if len(left) > 1:
        with ProcessPoolExecutor(min(workers, len(left))) as pool:
            for job, table in zip(left, pool.map(done, left), strict=True):
                ledger.measured(str(job), partial(_as_record, table))
    return [row for job in todo for row in ledger.measured(str(job), lambda job=job: _as_record(done(job)))["rows"]]


def _as_record(table: list[Row]) -> dict[str, list[Row]]:
    return {"rows": table}


def bench(motion: Path | None, *, quick: bool, store: Path | None = None) -> list[Row]:
    """Every row; quick: the emptiest and the fullest floor, and no library of two people."""
    if quick:
        asked = jobs(motion, count=6, judged=1)
        ends = (next(iter(ENVIRONMENTS)), list(ENVIRONMENTS)[-1])
        few = [job for job in asked if job.place in ends and job.library != "CMU 69 + 16"]
        return rows([job for job in few if job.library == "thesis" or job.place == ends[1]], workers=1, store=store)
    return rows(jobs(motion, count=1000, judged=50), store=store)


def pictures(library: Library, out: Path) -> None:
    """Three walks through clutter, as strobes and from above."""
    from understudy.pictures import show

    out.mkdir(parents=True, exist_ok=True)
    walker = walker_of(library)
    for k, mode in enumerate(("free start", "start heading", "goal heading")):
        scene = environment(20, seed=k)
        floor = floor_of(walker, scene)
        start, goal = queries(walker, floor, mode, 1, seed=3)[0]
        result = judged_walk(library, scene, floor=floor, start=start, goal=goal)
        if result.motion is not None:
            props = scene.props()
            show(result.motion, out / f"walk_{k}_strobe.png", style="strobe", poses=16, props=props)
            show(result.motion, out / f"walk_{k}_top.png", style="top", props=props)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.locomotion", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder of CMU clips as BVH; else the built-in performer")
    parser.add_argument("--queries", type=int, default=1000, help="queries of every row")
    parser.add_argument("--judged", type=int, default=50, help="walks judged for every row")
    parser.add_argument("--only", default="", help='only cases with this in their name, e.g. "CMU 69, 30 boxes"')
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--pictures", type=Path, help="draw three walks into this folder")
    arguments = parser.parse_args()
    table = rows(jobs(arguments.folder, count=arguments.queries, judged=arguments.judged, only=arguments.only))
    document = {"suite": "locomotion", "machine": machine(), "versions": versions(), "rows": table}
    arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if arguments.pictures:
        pictures(build_library(builtin_clips("walk")), arguments.pictures)


if __name__ == "__main__":
    main()
