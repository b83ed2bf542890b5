"""Run the kernel benchmarks: ``python -m benchmarks [NAME ...] [--quick]``.

Every ``benchmarks/micro/bench_*.py`` offers ``rows(quick: bool) -> list[dict]``; a row has the keys
``case``, ``method``, ``median_us``, ``p95_us``, ``n`` and whatever else is worth reading.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.machine import machine, versions

HERE = Path(__file__).resolve().parent
COLUMNS = ("case", "method", "median_us", "p95_us", "n")


def _names() -> list[str]:
    return sorted(path.stem.removeprefix("bench_") for path in (HERE / "micro").glob("bench_*.py"))


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _table(name: str, rows: list[dict[str, object]]) -> Table:
    extras = list(dict.fromkeys(key for row in rows for key in row if key not in COLUMNS))
    table = Table(title=name, title_justify="left")
    for column in (*COLUMNS, *extras):
        table.add_column(column, justify="left" if column in ("case", "method") else "right")
    for row in rows:
        table.add_row(*(_text(row.get(column, "")) for column in (*COLUMNS, *extras)))
    return table


def _checked_rows(name: str, *, quick: bool) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = importlib.import_module(f"benchmarks.micro.bench_{name}").rows(quick)
    for row in rows:
        missing = [column for column in COLUMNS if column not in row]
        if missing:
            raise KeyError(f"bench_{name}: row {row} lacks {', '.join(missing)}")
    return rows


def main() -> None:
    names = _names()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time Understudy's kernels.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(names) or 'none yet'}")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, for a look")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results" / "micro.json")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in names]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}; there are: {', '.join(names) or 'none yet'}")

    # Tables are read in logs too, where there is no terminal to ask for its width.
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(f"{machine()}\n{versions()}", highlight=False)
    results: dict[str, list[dict[str, object]]] = {}
    for name in arguments.names or names:
        results[name] = _checked_rows(name, quick=arguments.quick)
        console.print(_table(name, results[name]))

    document = {"machine": machine(), "versions": versions(), "quick": arguments.quick, "results": results}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    console.print(f"wrote {arguments.output}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
