"""Pairs of postures under the one verdict, and side views of all of them with what carries the body in red.

python -m benchmarks.suites.posture_pairs [--recorded FIRST COUNT] [--drawn FIRST COUNT] [--store FILE]
    [--pictures FOLDER] [-o OUT]

These are all pairs of built-in postures, unless pairs are drawn. A run that was stopped goes on from its store.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

import understudy as us
from benchmarks.case_ledger import Ledger, Record
from benchmarks.machine import machine, versions
from benchmarks.suites import Row
from benchmarks.suites.jobs import between as between_drawn
from benchmarks.suites.jobs import between_recorded
from benchmarks.suites.posture_strips import sheets, strip
from understudy.performer.postures import needs_seat, posture_names

#: A pair by name, what kind of pair it is, and how it is planned.
_Case = tuple[str, str, Callable[[], Any]]


def kind_of(first: str, second: str) -> str:
    """What a pair asks for: hands that nobody can stand still on, a seat, or neither."""
    if any(name.startswith("flare") for name in (first, second)):
        return "over the hands"
    return "on a seat" if needs_seat(first) or needs_seat(second) else "carries itself"


def built_in() -> Iterator[_Case]:
    """All pairs of built-in postures."""
    for first, second in combinations(posture_names(), 2):
        yield f"{first} - {second}", kind_of(first, second), lambda a=first, b=second: us.between(a, b)


def seeded(kind: str, job: Callable[[int], Any], first: int, count: int) -> Iterator[_Case]:
    """Pairs that ``benchmarks.suites.jobs`` draws."""
    for seed in range(first, first + count):
        yield f"{seed}", kind, lambda seed=seed: job(seed)


def bench(motion: Path | None, *, quick: bool, store: Path | None = None) -> list[Row]:
    """One row per kind of pair."""
    del motion
    return measured(list(built_in())[:: 20 if quick else 1], store=store)


def measured(cases: list[_Case], *, store: Path | None = None, pictures: Path | None = None) -> list[Row]:
    """One row per kind of pair; sheets of strips in a folder for pictures."""
    ledger = Ledger(store)
    for name, kind, plan in cases:
        ledger.measured(name, lambda name=name, kind=kind, plan=plan: _measured(name, kind, plan, pictures))
    records = [ledger.records[name] for name, _, _ in cases]
    if pictures is not None:
        sheets([path for name, _, _ in cases if (path := _strip_path(pictures, name)).is_file()], pictures)
    return [_row(kind, [one for one in records if one["kind"] == kind]) for kind in dict.fromkeys(c[1] for c in cases)]


def _measured(name: str, kind: str, plan: Callable[[], Any], pictures: Path | None) -> Record:
    """What became of a pair."""
    began = process_time()
    result = plan()
    record: Record = {"kind": kind, "status": result.status.name, "reason": result.reason}
    record["cpu_s"] = process_time() - began
    if result.motion is None or result.claim is None:
        return record
    (one,) = us.verify(result.claim).characters
    record["motion_s"] = result.motion.duration_s
    record["still_s"] = one.stillness.longest_s
    if one.foot_skate is not None:
        skate = one.foot_skate
        record["drift_mm"] = skate.stance_drift_mm
        record["slide_mm"] = max(skate.contact_slide_mm, skate.dragged_mm)
    if one.standing is not None:
        record["outside_m"] = one.standing.balance.outside_m
    record["ways"] = Counter(leg.how for leg in result.trace.legs)
    record["supports"] = [[*one.supports, round(one.end_s - one.start_s, 2)] for one in result.trace.stances]
    if pictures is not None:
        _strip_path(pictures, name).parent.mkdir(parents=True, exist_ok=True)
        told = f"{name}, {result.motion.duration_s:.1f} s" + ("" if result.status else f": {result.reason}"[:150])
        strip(told, result.claim).save(_strip_path(pictures, name))
    return record


def _strip_path(pictures: Path, name: str) -> Path:
    return pictures / "strips" / f"{name.replace(' ', '')}.png"


def _row(kind: str, records: list[Record]) -> Row:
    """How many were solved, and the worst of what was."""
    solved = [one for one in records if one["status"] == "SOLVED"]
    lengths = sorted(one["motion_s"] for one in solved)
    row: Row = {"case": kind, "method": "between", "total": len(records), "solved": len(solved)}
    row["statuses"] = Counter(one["status"] for one in records)
    if solved:
        row["median_motion_s"], row["longest_motion_s"] = lengths[len(lengths) // 2], lengths[-1]
        worst = ("cpu_s", "still_s", "drift_mm", "slide_mm")
        row |= {f"worst_{name}": max(one.get(name, 0.0) for one in solved) for name in worst}
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recorded", nargs=2, type=int, metavar=("FIRST", "COUNT"))
    parser.add_argument("--drawn", nargs=2, type=int, metavar=("FIRST", "COUNT"))
    parser.add_argument("--store", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    cases: list[_Case] = []
    cases += [] if given.recorded is None else seeded("recorded", between_recorded, *given.recorded)
    cases += [] if given.drawn is None else seeded("drawn", between_drawn, *given.drawn)
    cases = cases or list(built_in())
    rows = measured(cases[:: 20 if given.quick else 1], store=given.store, pictures=given.pictures)
    for row in rows:
        print(json.dumps(row))
    if given.output is not None:
        document = {"suite": "posture_pairs", "machine": machine(), "versions": versions(), "rows": rows}
        given.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
