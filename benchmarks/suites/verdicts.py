"""Every job on problems drawn at random, judged; every clip written, judged again from its file, and tampered with.

    python -m benchmarks.suites.verdicts [--count N] [--first SEED] [--jobs NAMES] [--workers N] [--minutes M]
        [--store FILE] [-o OUT]

Each solved problem is written in the next of seven formats. The file alone must give the verdict of planning time; then
it is changed in one of eleven ways and must be refused. Use seeds that nobody has looked at.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import machine, versions
from benchmarks.suites import Row
from benchmarks.suites.certificates import FORMATS, KINDS, MOTIONS, installed, refused, tampered
from benchmarks.suites.jobs import JOBS
from benchmarks.suites.many_cores import each_done, record, records
from understudy.api.judging import verify_file
from understudy.api.saving import save
from understudy.verify.claim import Claim

_TAMPERINGS = (*KINDS, *MOTIONS)


def bench(motion: Path | None, *, quick: bool, store: Path | None = None) -> list[Row]:
    """One row per job and one for all."""
    del motion
    return rows_of(measured(2 if quick else 50, 0, list(JOBS), store))


def measured(
    count: int,
    first: int,
    jobs: Sequence[str],
    store: Path | None,
    *,
    workers: int = 1,
    minutes: float = float("inf"),
) -> list[Row]:
    """One record per problem; those in ``store``, one JSON object a line, are not tried again.

    No problem is begun once so many minutes are over: a later run goes on from what is stored.
    """
    end_s = time.monotonic() + 60.0 * minutes
    done: list[Row] = records(store)
    seen = {(one["job"], one["seed"]) for one in done}
    wanted = [(job, seed) for seed in range(first, first + count) for job in jobs if (job, seed) not in seen]
    in_time = takewhile(lambda _: time.monotonic() < end_s, wanted)
    for _, found in each_done(_tried, in_time, workers=workers):
        done.append(found)
        record(store, found)
    return [one for one in done if first <= one["seed"] < first + count and one["job"] in jobs]


@cache
def _prepared() -> None:
    """Build and load what problems share, once in each process: libraries, their jumps, recordings."""
    for job in ("walk", "walk, CMU 69", "walk, CMU 16", "sample", "between, recorded"):
        with suppress(Exception):  # told where it is measured
            JOBS[job](0)


def _tried(problem: tuple[str, int]) -> Row:
    _prepared()
    (job, seed), began = problem, time.perf_counter()
    try:
        result = JOBS[job](seed)
    except Exception as error:  # a fault of ours in one problem must not end the others
        return {"job": job, "seed": seed, "solved": False, "seconds": 0.0, "reason": f"{type(error).__name__}: {error}"}
    row: Row = {"job": job, "seed": seed, "solved": bool(result.status), "seconds": time.perf_counter() - began}
    row["infeasible"] = job == "retarget" and result.status.name == "INFEASIBLE_START"
    if not result.status:
        return {**row, "reason": result.reason or result.status.name}
    return {**row, "reason": "", **_written(result.claim, seed + list(JOBS).index(job))}


def _written(claim: Claim, number: int) -> Row:
    """Whether a file gives the same verdict, and is refused once it was changed."""
    formats = installed()
    ending, kind = formats[number % len(formats)], _TAMPERINGS[number % len(_TAMPERINGS)]
    with tempfile.TemporaryDirectory() as folder:
        saved = save(claim, Path(folder) / f"clip.{ending}")
        again = verify_file(saved.path)
        before = [] if saved.report is None else [str(one) for one in saved.report.violations]
        after = [str(one) for one in again.report.violations]
        tampered(saved.path, claim, kind)
        return {
            "format": ending,
            "violations": after,
            "equal": before == after and again.ok,
            "tampered": kind,
            "refused": refused(saved.path),
            "still_s": max((one.stillness.longest_s for one in again.report.characters), default=0.0),
        }


def rows_of(done: Sequence[Row]) -> list[Row]:
    """One row per job, in order, and one for all; a row of its own for recordings that the judge refuses themselves."""
    found = []
    for name in JOBS:
        mine = [one for one in done if one["job"] == name]
        split = [[one for one in mine if one.get("infeasible", False) is said] for said in (False, True)]
        titles = (name, f"{name}, recording refused")
        found += [_row(title, part) for title, part in zip(titles, split, strict=True) if part]
    return [*found, _row("all", done)]


def _row(name: str, mine: Sequence[Row]) -> Row:
    solved = [one for one in mine if one["solved"]]
    seconds = [one["seconds"] for one in mine]
    return {
        "case": name,
        "method": "verdict",
        "total": len(mine),
        "solved": len(solved),
        "violations": sum(len(one["violations"]) for one in solved),
        "files": len(solved),
        "equal": sum(one["equal"] for one in solved),
        "tampered refused": sum(one["refused"] for one in solved),
        "still_s": max((one["still_s"] for one in solved), default=0.0),
        "median_s": float(np.median(seconds)),
        "worst_s": max(seconds),
    }


def reasons(done: Sequence[Row], *, most: int = 3) -> dict[str, list[str]]:
    """Why problems were not solved, by job: what was said most."""
    found: dict[str, list[str]] = {}
    for job in JOBS:
        said = Counter(one["reason"][:100] for one in done if one["job"] == job and not one["solved"])
        if said:
            found[job] = [f"{count} x {reason}" for reason, count in said.most_common(most)]
    return found


def markdown(rows: Sequence[Row]) -> str:
    """The table for the page."""
    titles = ("solved", "violations in what was handed out", "files judged alike", "tampered files refused", "median s")
    lines = ["| job | " + " | ".join(titles) + " |", "|---|" + "---:|" * len(titles)]
    for row in rows:
        cells: list[Any] = [f"{row['solved']} of {row['total']}", row["violations"]]
        cells += [f"{row[key]} of {row['files']}" for key in ("equal", "tampered refused")]
        lines.append(f"| {row['case']} | " + " | ".join(map(str, [*cells, f"{row['median_s']:.1f}"])) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50, help="problems per job")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--jobs", default="|".join(JOBS), help="names, with | between them")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which no problem is begun")
    parser.add_argument("--store", type=Path, help="one JSON object a line; what is there is not tried again")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    if left_out := set(FORMATS) - set(installed()):
        print(f"not installed here, and left out: {', '.join(sorted(left_out))}")
    often = {"workers": given.workers, "minutes": given.minutes}
    done = measured(given.count, given.first, given.jobs.split("|"), given.store, **often)
    rows = rows_of(done)
    print(markdown(rows))
    for job, said in reasons(done).items():
        print(job, *said, sep="\n  ")
    if given.output is not None:
        document = {"suite": "verdicts", "machine": machine(), "versions": versions(), "rows": rows}
        given.output.write_text(json.dumps({**document, "reasons": reasons(done)}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
