"""What the README and the report say first: one line a job, every figure taken from a row of the results.

python -m benchmarks.headlines benchmarks/results README.md      writes the table between the README's marks
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
_HEAD = "| job | ours | beside it |"
_DASH = "|---|---|---|"
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Headline:
    """A job, the row that shows it and what stands beside it.

    Attributes:
        job: What is done.
        suite: Where the rows are.
        case: Of both rows.
        ours: Method of ours.
        theirs: Method beside it, of the same suite and case; empty without one.
        named: How that is called, with ``{}`` for what it came to.
    """

    job: str
    suite: str
    case: str
    ours: str
    theirs: str = ""
    named: str = ""

    def line(self, rows: Rows) -> str | None:
        """The table's line, or ``None`` where it was not measured."""
        row = self._row(rows, self.ours)
        if row is None:
            return None
        beside = self.named
        if self.theirs:
            other = self._row(rows, self.theirs)
            beside = "not measured" if other is None else self.named.format(_told(other, of="solved" in row))
        return f"| {self.job} | {_told(row)} | {beside} |"

    def _row(self, rows: Rows, method: str) -> Mapping[str, Any] | None:
        kept = (row for row in rows.get(self.suite, ()) if row["case"] == self.case and row["method"] == method)
        return next(kept, None)


def _verdicts(job: str, case: str) -> Headline:
    """A job on problems drawn at random, each result judged by the one verdict."""
    return Headline(job, "verdicts", case, "verdict")


HEADLINES = (
    _verdicts("a walk among boxes to an exact spot", "walk"),
    _verdicts("the same with a library of CMU 69", "walk, CMU 69"),
    _verdicts("ten people on a circle change places", "ring"),
    _verdicts("path and motion chosen together", "sample"),
    _verdicts("an arm kept out of things in its way", "correct"),
    _verdicts("a hand brought to a place", "reach"),
    _verdicts("something taken and put elsewhere in passing", "grab and place"),
    _verdicts("through a pulled door", "door, pulled"),
    _verdicts("a book fetched and put on a table", "book"),
    _verdicts("a cup filled on a cluttered table", "pour"),
    _verdicts("from one built-in posture to another", "between"),
    _verdicts("from one recorded posture to another", "between, recorded"),
    _verdicts("a walk on a body of another size", "retarget"),
    Headline(
        "a motion graph of 6,887 frames",
        "library",
        "6887 frames",
        "feature",
        "pair by pair (standard)",
        "pair by pair {}; thesis 27 s",
    ),
    Headline(
        "out of a knotted yoga posture",
        "posture_peers",
        "yoga",
        "ours, d = 3",
        "OMPL RRTConnect",
        "OMPL RRTConnect {}",
    ),
    Headline("a ball dragged in the studio, everybody follows", "studio", "drag a ball, juggling", "studio"),
    Headline(
        "a body checked against 40 obstacles",
        "kernels",
        "collision: 20 boxes + 20 capsules",
        "ours",
        "pinocchio + coal tree",
        "Pinocchio with Coal {}",
    ),
)


def headline_table(rows: Rows) -> list[str]:
    """The table, by suite and its rows."""
    return [_HEAD, _DASH, *(line for one in HEADLINES if (line := one.line(rows)) is not None)]


def with_headlines(text: str, rows: Rows) -> str:
    """A page with the table between its marks."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return "\n".join([before + BEGIN, *headline_table(rows), END + after])


def _told(row: Mapping[str, Any], *, of: bool = True) -> str:
    """Time (of the processor where both are known) and success of a row."""
    if row.get("edits_per_s"):
        return f"{row['edits_per_s']:.0f} edits a second"
    done, total = row.get("verified", row.get("solved")), row.get("total")
    if row.get("limit_s") and not done:
        return f"{done} of {total} within {_time(float(row['limit_s']))}"
    time = _time(float(row.get("cpu_s") or row.get("median_s") or row["median_ms"] / 1000.0))
    if row.get("of_feasible"):
        return f"{time}, {100.0 * row['of_feasible']:.1f} % of those with a way ({total} tried)"
    return f"{time}, {done:,} of {total:,}" if of and done is not None else time


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            value = seconds / size
            break
    return f"{value:,.0f} {unit}" if value >= 10.0 else f"{value:.1f} {unit}"


def results(folder: Path) -> Rows:
    """Rows of all suites in a folder, by suite."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(document, dict) and "suite" in document:
            found.setdefault(document["suite"], []).extend(document["rows"])
    return found


if __name__ == "__main__":
    page = Path(sys.argv[2])
    page.write_text(with_headlines(page.read_text(encoding="utf-8"), results(Path(sys.argv[1]))), encoding="utf-8")
