"""Planted faults: accepted claims of every engine, each spoilt in one way at a random time. The judge finds every one.

    python -m benchmarks.suites.planted_faults [--each N] [--engine NAME ...] [--kind NAME ...] [-o OUT]

A fault is planted in everybody's motion, in the scene, or in the claim itself. Kinds that an engine's claims have
nothing to spoil for (no goal, nothing held) are left out for it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from rich.console import Console

import understudy as us
from benchmarks.machine import machine, versions
from benchmarks.suites.fault_claims import ENGINES, accepted
from benchmarks.suites.fault_kinds import KINDS
from understudy.verify.claim import Claim

Row = dict[str, Any]


def planted(engine: str, kind: str, number: int) -> Claim | None:
    """The claim of an engine with the ``number``-th fault of a kind; ``None`` where there is nothing to spoil."""
    rng = np.random.default_rng([number, crc32(f"{engine} {kind}".encode())])
    return KINDS[kind](accepted(engine), rng)


def cell(engine: str, kind: str, each: int) -> Row | None:
    """How many faults of a kind were planted in an engine's claim, and how many were found."""
    tried, missed = 0, []
    for number in range(4 * each):
        claim = planted(engine, kind, number)
        if claim is None:
            continue
        tried += 1
        if us.verify(claim).ok:
            missed.append(number)
        if tried == each:
            break
    if not tried:
        return None
    return {"case": kind, "method": engine, "solved": tried - len(missed), "total": tried, "missed": missed}


def bench(motion: Path | None, *, quick: bool, each: int = 50) -> list[Row]:
    """Every row."""
    found = [cell(engine, kind, 2 if quick else each) for engine in ENGINES for kind in KINDS]
    return [row for row in found if row is not None]


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
    parser.add_argument("--engine", action="append", choices=list(ENGINES))
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    console, rows = Console(width=220), []
    for engine in arguments.engine or ENGINES:
        for kind in arguments.kind or KINDS:
            row = cell(engine, kind, arguments.each)
            if row is not None:
                rows.append(row)
                console.print(f"{engine}: {kind}: {row['solved']} of {row['total']}", highlight=False)
                if row["missed"]:
                    console.print(
                        f"{engine}: {kind}: missed {len(row['missed'])} of {row['total']}: {row['missed'][:8]}"
                    )
    console.print(table(rows), highlight=False)
    if arguments.output:
        document = {"suite": "planted_faults", "machine": machine(), "versions": versions(), "rows": rows}
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
