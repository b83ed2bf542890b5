"""The judge's report as the page shows it."""

from __future__ import annotations

from understudy.studio.project import Check, Mark, Verdict, Worst
from understudy.verify.report import Report
from understudy.verify.search import COUNTED_M
from understudy.verify.table import table_rows

#: Shortest mark a person can still see and hit on the timeline [s].
_LEAST_MARK_S = 0.1


def verdict_of(report: Report, *, seconds: float, reason: str = "") -> Verdict:
    """Green or red, with every row of the report and the worst overlap.

    Args:
        report: What the judge says.
        seconds: What the planning took [s].
        reason: Why it will not do all the same; empty when the report decides.
    """
    ok = report.ok and not reason
    text = "verified" if ok else reason or report.reason
    broken = set(report.broken)
    checks: list[Check] = [
        {"name": measure.strip(), "value": value, "bar": bar, "where": where, "ok": name not in broken}
        for name, measure, value, bar, where in table_rows(report)
    ]
    return Verdict(
        status="verified" if ok else "rejected", text=text, seconds=seconds, checks=tuple(checks), worst=_worst(report)
    )


def collision_marks(report: Report) -> list[Mark]:
    """Where things overlap: one mark for each pair, on the track of the person whose part it is."""
    people = {one.name for one in report.characters}
    marks = []
    for pair in report.penetration.pairs:
        owner = next((part.split(".")[0] for part in (pair.a, pair.b) if part.split(".")[0] in people), "")
        if pair.depth_m < COUNTED_M or not owner:
            continue
        half = max(pair.seconds, _LEAST_MARK_S) / 2
        marks.append(
            Mark(
                track=owner,
                kind="collision",
                start_s=max(pair.time_s - half, 0.0),
                end_s=pair.time_s + half,
                text=f"{pair.a} is {1000 * pair.depth_m:.0f} mm in {pair.b}",
            )
        )
    return marks


def _worst(report: Report) -> Worst | None:
    worst = report.penetration.worst
    if worst is None or "penetration" not in report.broken:
        return None
    return {"time_s": worst.time_s, "a": worst.a, "b": worst.b}
