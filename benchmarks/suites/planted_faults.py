"""Planted faults: accepted claims of every engine, each spoilt in one way at a random time. The judge finds every one.

    python -m benchmarks.suites.planted_faults [--each N] [--first NUMBER] [--engine NAME ...] [--kind NAME ...]
        [--workers N] [--store FILE] [-o OUT]

A fault is planted in everybody's motion, in the scene, or in the claim itself. Kinds that an engine's claims have
nothing to spoil for (no goal, nothing held) are left out for it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from rich.console import Console

import understudy as us
from benchmarks.machine import machine, versions
from benchmarks.suites.fault_claims import ENGINES, accepted
from benchmarks.suites.fault_kinds import KINDS
from benchmarks.suites.many_cores import each_done, record, records
from understudy.verify.claim import Claim

Row = dict[str, Any]
#: Times as many numbers are tried as faults are wanted; a kind that could not be planted so many times never can.
_TRIES, _BARREN = 4, 20


def planted(engine: str, kind: str, number: int) -> Claim | None:
    """The claim of an engine with the ``number``-th fault of a kind; ``None`` where there is nothing to spoil."""
    rng = np.random.default_rng([number, crc32(f"{engine} {kind}".encode())])
    return KINDS[kind](accepted(engine), rng)


def measured(
    engines: Sequence[str],
    kinds: Sequence[str],
    each: int,
    store: Path | None = None,
    *,
    first: int = 0,
    workers: int = 1,
) -> list[Row]:
    """One row per engine and kind: how many faults were planted, and which of them were not found.

    Faults are planted in rounds, one of every kind in every engine at a time, so that a run that ends early has looked
    everywhere. What is in ``store``, one JSON object a line, is not tried again. Runs with other numbers from ``first``
    on can be made elsewhere; their stores are joined by writing one behind the other.
    """
    known = {(one["engine"], one["kind"], one["number"]): one["found"] for one in records(store)}
    cells: dict[tuple[str, str], dict[int, bool]] = {(engine, kind): {} for engine in engines for kind in kinds}

    def note(engine: str, number: int, found: dict[str, bool | None]) -> None:
        for kind, seen in found.items():
            if seen is not None:
                cells[engine, kind][number] = seen

    for (engine, kind, number), seen in known.items():
        if (engine, kind) in cells:
            note(engine, number, {kind: seen})

    def tasks() -> Iterator[tuple[str, int, tuple[str, ...]]]:
        for number in range(first, first + _TRIES * each):
            for engine in engines:
                wanted = [kind for kind in kinds if _wanted(cells[engine, kind], number - first, each)]
                if left := tuple(kind for kind in wanted if (engine, kind, number) not in known):
                    yield engine, number, left

    for (engine, number, _), found in each_done(_tried, tasks(), workers=workers):
        note(engine, number, found)
        for kind, seen in found.items():
            record(store, {"engine": engine, "kind": kind, "number": number, "found": seen})
    rows = ((engine, kind, dict(sorted(found.items())[:each])) for (engine, kind), found in cells.items())
    return [_row(*row) for row in rows if row[2]]


def _wanted(planted_here: dict[int, bool], tried: int, each: int) -> bool:
    """Whether one more fault of a kind is planted in an engine's claim."""
    return len(planted_here) < each and (tried < _BARREN or bool(planted_here))


def _tried(task: tuple[str, int, tuple[str, ...]]) -> dict[str, bool | None]:
    """Whether the judge finds one fault of each kind in an engine's claim; ``None`` where there is nothing to spoil."""
    engine, number, kinds = task
    claims = {kind: planted(engine, kind, number) for kind in kinds}
    return {kind: None if claim is None else not us.verify(claim).ok for kind, claim in claims.items()}


def _row(engine: str, kind: str, found: dict[int, bool]) -> Row:
    missed = [number for number, seen in found.items() if not seen]
    return {"case": kind, "method": engine, "solved": len(found) - len(missed), "total": len(found), "missed": missed}


def bench(motion: Path | None, *, quick: bool, each: int = 50) -> list[Row]:
    """Every row."""
    return measured(list(ENGINES), list(KINDS), 2 if quick else each)


def table(rows: list[Row]) -> str:
    """Kinds by engines, found of planted, as Markdown."""
    engines = [engine for engine in ENGINES if any(row["method"] == engine for row in rows)]
    cells = {(row["case"], row["method"]): f"{row['solved']}/{row['total']}" for row in rows}
    lines = [f"| fault | {' | '.join(engines)} |", "|---" * (len(engines) + 1) + "|"]
    lines += [f"| {kind} | {' | '.join(cells.get((kind, engine), '-') for engine in engines)} |" for kind in KINDS]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.planted_faults", description=__doc__)
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="number of the first fault")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--engine", action="append", choices=list(ENGINES))
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--store", type=Path, help="one JSON object a line; what is there is not tried again")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    console = Console(width=220)
    engines, kinds = arguments.engine or list(ENGINES), arguments.kind or list(KINDS)
    rows = measured(engines, kinds, arguments.each, arguments.store, first=arguments.first, workers=arguments.workers)
    for row in rows:
        if row["missed"]:
            console.print(
                f"{row['method']}: {row['case']}: missed {row['missed'][:8]} of {row['total']}", highlight=False
            )
    console.print(table(rows), highlight=False)
    if arguments.output:
        document = {"suite": "planted_faults", "machine": machine(), "versions": versions(), "rows": rows}
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
