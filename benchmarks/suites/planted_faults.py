"""Planted faults: accepted claims of every engine, each spoilt in one way at a random time. The judge finds every one.

    python -m benchmarks.suites.planted_faults [--each N] [--engine NAME ...] [--kind NAME ...] [--store FILE] [-o OUT]

A fault is planted in everybody's motion, in the scene, or in the claim itself. Kinds that an engine's claims have
nothing to spoil for (no goal, nothing held) are left out for it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
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
#: Times as many numbers are tried as faults are wanted; a kind that could not be planted so many times never can.
_TRIES, _BARREN = 4, 20


def planted(engine: str, kind: str, number: int) -> Claim | None:
    """The claim of an engine with the ``number``-th fault of a kind; ``None`` where there is nothing to spoil."""
    rng = np.random.default_rng([number, crc32(f"{engine} {kind}".encode())])
    return KINDS[kind](accepted(engine), rng)


def measured(engines: Sequence[str], kinds: Sequence[str], each: int, store: Path | None = None) -> list[Row]:
    """One row per engine and kind: how many faults were planted, and which of them were not found.

    Faults are planted in rounds, one of every kind in every engine at a time, so that a run that ends early has looked
    everywhere. What is in ``store``, one JSON object a line, is not tried again.
    """
    lines = [] if store is None or not store.exists() else store.read_text(encoding="utf-8").splitlines()
    known = {(one["engine"], one["kind"], one["number"]): one["found"] for one in map(json.loads, lines)}
    cells: dict[tuple[str, str], dict[int, bool]] = {(engine, kind): {} for engine in engines for kind in kinds}
    for number in range(_TRIES * each):
        for (engine, kind), planted_here in cells.items():
            if len(planted_here) == each or (number >= _BARREN and not planted_here):
                continue
            key = (engine, kind, number)
            if key not in known:
                claim = planted(*key)
                known[key] = None if claim is None else not us.verify(claim).ok
                if store is not None:
                    entry = {"engine": engine, "kind": kind, "number": number, "found": known[key]}
                    with store.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(entry) + "\n")
            if known[key] is not None:
                planted_here[number] = known[key]
    return [_row(engine, kind, found) for (engine, kind), found in cells.items() if found]


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
    parser.add_argument("--engine", action="append", choices=list(ENGINES))
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--store", type=Path, help="one JSON object a line; what is there is not tried again")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    console = Console(width=220)
    engines, kinds = arguments.engine or list(ENGINES), arguments.kind or list(KINDS)
    rows = measured(engines, kinds, arguments.each, arguments.store)
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
