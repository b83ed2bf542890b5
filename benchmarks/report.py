"""One report of all suites: run those that are missing, then write Markdown, JSON and plots.

    understudy bench all --quick -o out/bench        or   python -m benchmarks.report out/bench

Every suite has a file of its own, written when it ends, so a run that is stopped goes on with the next suite; long
suites keep their rows as well, and go on with the next row.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.headlines import headline_table
from benchmarks.paper_tables import TABLES, PaperTable
from benchmarks.peers import peer_lines
from benchmarks.suites import SUITES, Row

Document = dict[str, Any]
#: Columns that are no numbers to compare.
_NAMES = ("case", "method")
#: Folder of what suites that are not through have measured.
ROWS = "rows"


def gather(
    folder: Path,
    measured: Callable[[str, Path], Document],
    *,
    quick: bool,
    again: bool = False,
    told: Callable[[str], None] = print,
) -> Path:
    """Measure every suite that has no result yet, and write the report.

    Args:
        folder: Results; one JSON file a suite.
        measured: Runs a suite, given its name and a path where it may keep rows it has measured.
        quick: Whether results of quick runs will do.
        again: Measure those with a result too.
        told: Given a line before each suite.

    Returns:
        The report.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in SUITES:
        path, store = folder / f"{name}.json", folder / ROWS / (f"{name}-quick" if quick else name)
        if _serves(path, quick) and not (again and _replaceable(path, quick)):
            told(f"{name}: kept")
            continue
        told(f"{name}: measuring")
        store.parent.mkdir(exist_ok=True)
        try:
            document = measured(name, store)
        except Exception as error:  # what one suite needs may be missing; the others still count
            document = {"suite": name, "quick": quick, "error": f"{type(error).__name__}: {error}", "rows": []}
        _write(path, json.dumps(document, indent=2) + "\n")
        if "error" not in document:
            _remove(store)
    return write_report(folder)


def write_report(folder: Path) -> Path:
    """Write ``report.md``, ``report.json`` and a plot per suite from the results in a folder."""
    documents = list(_documents(folder))
    parts = [
        "# Benchmark report",
        "",
        *_machines(documents),
        *_spent(documents),
        *_short(documents),
        *_papers(documents),
        *_peers(documents),
    ]
    for document in documents:
        parts += _section(document, folder)
    _write(folder / "report.json", json.dumps({"suites": documents}, indent=2) + "\n")
    report = folder / "report.md"
    _write(report, "\n".join(parts).rstrip() + "\n")
    return report


def _documents(folder: Path) -> list[Document]:
    """Results of suites, parts of one suite together, in the suites' order."""
    found: dict[str, Document] = {}
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(document, dict) or document.get("suite") not in SUITES:
            continue
        name = document["suite"]
        if name in found:
            document = {**document, "rows": [*found[name]["rows"], *document["rows"]]}
        found[name] = document
    return [found[name] for name in SUITES if name in found]


def _machines(documents: Sequence[Document]) -> list[str]:
    seen = []
    for document in documents:
        if "machine" not in document:
            continue
        machine, versions = document["machine"], document["versions"]
        line = f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}; " + ", ".join(
            f"{name} {version}" for name, version in versions.items()
        )
        if line not in seen:
            seen.append(line)
    return [f"Measured on: {line}\n" for line in seen]


def _spent(documents: Sequence[Document]) -> list[str]:
    """How long the suites took, where they say so."""
    told = [(one["suite"], one["seconds"], one.get("quick", False)) for one in documents if "seconds" in one]
    if not told:
        return []
    cpu, wall = (sum(seconds[key] for _, seconds, _ in told) for key in ("cpu", "wall"))
    each = ", ".join(f"{name} {seconds['cpu']:.0f} ({seconds['wall']:.0f})" for name, seconds, _ in told)
    looks = sum(is_quick for *_, is_quick in told)
    quick = f" {looks} of them are quick looks, with fewer problems." if looks else ""
    total = f"{len(told)} suites took {cpu:.0f} s of processors, {wall:.0f} s by the clock.{quick}"
    return [f"{total} Processor seconds (by the clock): {each}.", ""]


def _short(documents: Sequence[Document]) -> list[str]:
    """The lines that the README shows too."""
    rows = {document["suite"]: document["rows"] for document in documents}
    return [
        "## In short",
        "",
        "Medians of single jobs, of processor time where it is known.",
        "",
        *headline_table(rows),
        "",
    ]


def _papers(documents: Sequence[Document]) -> list[str]:
    """The papers' tables, published / ours."""
    found = {document["suite"]: document for document in documents}
    lines = [
        "## The papers' tables",
        "",
        "Every cell reads *published / ours*. Published times are from the computers of their day, other clips and "
        "other scenes: orders of magnitude can be compared, and success, lengths and counts.",
        "",
    ]
    for table in TABLES:
        lines += _paper_table(table, found.get(table.suite, {}))
    return lines


def _paper_table(table: PaperTable, document: Document) -> list[str]:
    rows = document.get("rows", [])
    look = " Ours: a quick look, with fewer problems." if document.get("quick") else ""
    lines = [f"### {table.title}", "", f"Published: {table.paper}.{look}", ""]
    if not rows:
        return [*lines, f"Not measured: the suite `{table.suite}` has no rows here.", ""]
    lines += ["| " + " | ".join(table.head) + " |", "|" + "---|" * len(table.head)]
    return [*lines, *("| " + " | ".join(line) + " |" for line in table.lines(rows)), ""]


def _peers(documents: Sequence[Document]) -> list[str]:
    """Every peer, and its nearest case to ours."""
    rows = {document["suite"]: document["rows"] for document in documents}
    head = [
        "## Peers, measured in the same run",
        "",
        "| peer | suite | rows | a case | theirs | ours |",
        "|---|---|---|---|---|---|",
    ]
    return [*head, *("| " + " | ".join(line) + " |" for line in peer_lines(rows)), ""]


def _section(document: Document, folder: Path) -> list[str]:
    name = document["suite"]
    look = " (a quick look: fewer problems)" if document.get("quick") else ""
    lines = [f"## {name}{look}", "", f"{SUITES[name][0].upper()}{SUITES[name][1:]}.", ""]
    if document.get("note"):
        lines += [str(document["note"]), ""]
    if document.get("error"):
        return [*lines, f"Not measured: {document['error']}", ""]
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in document["rows"]:
        groups.setdefault(tuple(row), []).append(row)
    for columns, rows in groups.items():
        lines += _table(columns, rows)
    plot = folder / f"{name}.png"
    if _plotted(document["rows"], plot, name):
        lines += [f"![Medians of {name}]({plot.name})", ""]
    return lines


def _table(columns: Sequence[str], rows: Sequence[Row]) -> list[str]:
    kept = [column for column in columns if column in _NAMES or any(row[column] is not None for row in rows)]
    lines = ["| " + " | ".join(column.replace("_", " ") for column in kept) + " |", "|" + "---|" * len(kept)]
    lines += ["| " + " | ".join(_cell(row[column]) for column in kept) + " |" for row in rows]
    return [*lines, ""]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value).replace("|", "/")


def _plotted(rows: Sequence[Row], path: Path, name: str) -> bool:
    """Bars of the medians, shortest first; false where a suite has too few to compare."""
    bars = [
        (f"{row['case']}: {row['method']}", float(row["median_s"]))
        for row in rows
        if isinstance(row.get("median_s"), int | float) and row["median_s"] and row["median_s"] > 0
    ]
    if len(bars) < 2:
        return False
    from benchmarks.bar_chart import bar_chart

    bar_chart(bars, path, title=f"{name}: median, logarithmic", unit="s")
    return True


def _serves(path: Path, quick: bool) -> bool:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return "error" not in document and (quick or not document.get("quick", False))


def _replaceable(path: Path, quick: bool) -> bool:
    """Whether a result may be measured anew: a quick look never takes the place of a whole table."""
    return not quick or bool(json.loads(path.read_text(encoding="utf-8")).get("quick", False))


def _remove(store: Path) -> None:
    """Rows of a suite that is through are in its result."""
    if store.is_dir():
        shutil.rmtree(store)
    else:
        store.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    from understudy.formats.atomic import replacing

    # Rows may hold numbers JSON has no word for.
    with replacing(path) as temporary:
        temporary.write_text(re.sub(r"\b(NaN|-?Infinity)\b", "null", text), encoding="utf-8")


if __name__ == "__main__":
    print(write_report(Path(sys.argv[1])))
