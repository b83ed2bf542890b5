"""``understudy bench``: the papers' tables and the peers, side by side."""

from __future__ import annotations

import importlib
import json
import math
import sys
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from understudy.cli.shell import Shell
from understudy.errors import OptionError, UnderstudyError, nearest_name

EXAMPLE = "Example:  understudy bench locomotion --quick -o locomotion.json"
#: Every suite, gathered into one report.
_ALL = "all"


def bench(
    shell: Shell,
    suite: Annotated[
        str | None,
        typer.Argument(metavar="SUITE", help='What to measure; "all" writes a report; default: list the suites.'),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer problems, for a quick look.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Use the papers' time limits, if the suite has them.")] = False,
    motion: Annotated[
        Path | None,
        typer.Option("--motion", metavar="FOLDER", help="Recorded clips (CMU as BVH); default: beside the checkout."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help='JSON file to write; for "all", a folder (out/bench or out/bench-quick).',
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help='With "all", also measure suites that have results.')] = False,
) -> None:
    """Measure Understudy on fixed problems, beside the papers' numbers and other planners.

    Needs a source checkout: the problems are not part of the installed package.
    """
    suites = suites_of_checkout()
    if suite is None:
        listed: dict[str, str] = suites.SUITES
        shell.answer({"suites": listed}, lambda: "\n".join(f"  {name:<14} {what}" for name, what in listed.items()))
        return
    if suite not in (*suites.SUITES, _ALL):
        raise OptionError(f'unknown suite "{suite}"; {nearest_name(suite, [*suites.SUITES, _ALL])}')
    if quick and full:
        raise OptionError("--quick and --full exclude each other; give one of them")
    if motion is not None and not motion.is_dir():
        raise OptionError(f"{motion}: no such folder of clips")
    folder = motion or suites.recorded_clips()
    if suite == _ALL:
        gather = importlib.import_module("benchmarks.report").gather
        report = gather(
            output or Path("out/bench-quick" if quick else "out/bench"),
            lambda name, store: finite(suites.document(name, folder, quick=quick, full=full, store=store)),
            quick=quick,
            again=again,
            told=shell.remark,
        )
        shell.answer({"report": str(report)}, lambda: str(report))
        return
    shell.remark(f"measuring {suite} with {'the built-in performer alone' if folder is None else f'clips of {folder}'}")
    document = finite(suites.document(suite, folder, quick=quick, full=full))
    if output is not None:
        from understudy.formats.atomic import replacing

        with replacing(output) as temporary:
            temporary.write_text(json.dumps(document, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    shell.answer(document, lambda: tables(document))


def suites_of_checkout() -> ModuleType:
    """The suites' package, found beside the package's own source.

    Raises:
        UnderstudyError: This is an installed package without them.
    """
    root = Path(__file__).resolve().parents[3]
    if not (root / "benchmarks" / "suites").is_dir():
        raise UnderstudyError("the benchmarks come with the source checkout, not with the installed package")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    return importlib.import_module("benchmarks.suites")


def finite(value: Any) -> Any:
    """The same with ``None`` for numbers that JSON cannot hold, and plain numbers for NumPy's."""
    if isinstance(value, dict):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def tables(document: dict[str, Any]) -> str:
    """The rows as text: one table for all rows with the same columns."""
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else 200)
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in document["rows"]:
        groups.setdefault(tuple(row), []).append(row)
    blocks = [f"{document['machine']}\n{document['versions']}"]
    for columns, rows in groups.items():
        table = Table()
        for column in columns:
            table.add_column(column, justify="left" if column in ("case", "method") else "right")
        for row in rows:
            table.add_row(*(_cell(row[column]) for column in columns))
        with console.capture() as captured:
            console.print(table)
        blocks.append(captured.get())
    return "\n".join(blocks)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
