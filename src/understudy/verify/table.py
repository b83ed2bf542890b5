"""The report as a table of plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy.verify.feet_bars import feet_measures
from understudy.verify.goals import HandGoal

if TYPE_CHECKING:
    from understudy.verify.report import CharacterReport, Report

#: Name of the bar, measure, value, bar, where; the bar's name decides what is marked as broken.
Row = tuple[str, str, str, str, str]


def table(report: Report) -> str:
    """Measure, value, bar and place, one line each, broken ones marked."""
    broken = set(report.broken)
    shown = [("", "measure", "value", "bar", "where"), *(_marked(row, broken) for row in table_rows(report))]
    widths = [max(len(row[column]) for row in shown) for column in range(4)]
    lines = ["  ".join([*(row[k].ljust(widths[k]) for k in range(4)), row[4]]).rstrip() for row in shown]
    verdict = "ok" if report.ok else f"BROKEN: {', '.join(report.broken)}"
    return "\n".join([verdict, *lines, *(f"note: {note}" for note in report.notes)])


def table_rows(report: Report) -> list[Row]:
    """Every measure of a report in words."""
    rows = [*_penetration_rows(report)]
    for one in report.characters:
        rows += _character_rows(one, report)
    rows += _goal_rows(report)
    if report.ballistics is not None:
        flown = report.ballistics
        rows.append(
            (
                "ballistics",
                "ballistics",
                f"{flown.max_residual_mm:.2f} mm",
                f"{report.bars.ballistic_mm:g} mm",
                f"{flown.object} at {flown.time_s:.3f} s",
            )
        )
    return rows


def _marked(row: Row, broken: set[str]) -> Row:
    name, measure, value, bar, where = row
    return ("!!" if name in broken else "", measure, value, bar, where)


def _penetration_rows(report: Report) -> list[Row]:
    found = report.penetration
    where = "" if found.worst is None else f"{found.worst.a} in {found.worst.b} at {found.worst.time_s:.3f} s"
    rows = [
        ("penetration", "penetration depth", f"{1000 * found.max_depth_m:.1f} mm", "1 mm", where),
        ("penetration", "  time over 1 mm", f"{found.seconds_over_1mm:.3f} s", f"{report.bars.penetration_s:g} s", ""),
    ]
    if found.allowed_worst is not None:
        pair = found.allowed_worst
        place = f"{pair.a} in {pair.b} at {pair.time_s:.3f} s"
        rows.append(("", "  allowed overlap", f"{1000 * found.allowed_depth_m:.1f} mm", "", place))
    return rows


def _character_rows(one: CharacterReport, report: Report) -> list[Row]:
    bars, limits, smooth = report.bars, one.joint_limits, one.smoothness
    who = f"{one.name}: " if one.name else ""
    rows = [*_feet_rows(one, report, who), *_standing_rows(one, report, who)]
    place = f"{limits.joint} at {limits.time_s:.3f} s" if limits.joint else ""
    degrees = np.degrees(limits.max_excess_rad)
    rows.append(("joint_limits", f"{who}joint limits", f"{degrees:.2f} deg", _degrees(bars.limit_excess_rad), place))
    at = f"{smooth.worst_limb} at {smooth.worst_time_s:.3f} s"
    judged = not one.recorded
    for name, value, bar in (
        ("velocity", smooth.velocity_ratio, bars.velocity_ratio),
        ("acceleration", smooth.acceleration_ratio, bars.acceleration_ratio),
        ("jerk", smooth.jerk_ratio, bars.jerk_ratio),
    ):
        rows.append((name, f"{who}{name}", f"{value:.2f} x", f"{bar:g} x" if judged else "", at))
    shaking = one.tremor
    at = f"{shaking.joint} at {shaking.time_s:.3f} s" if shaking.joint else ""
    rows.append(("tremor", f"{who}tremor", f"{shaking.ratio:.2f} x", f"{bars.tremor_ratio:g} x" if judged else "", at))
    still = one.stillness
    at = f"from {still.time_s:.3f} s" if still.longest_s else ""
    rows.append(
        (
            "stillness",
            f"{who}still between movements",
            f"{still.longest_s:.2f} s",
            f"{bars.still_s:g} s" if judged else "",
            at,
        )
    )
    seam = ""
    if smooth.seams:
        first = smooth.seams[0]
        seam = f"{first.part} by {first.jump_mps:.2f} m/s at {first.time_s:.3f} s"
    rows.append(("seams", f"{who}seams", str(len(smooth.seams)), str(bars.seams), seam))
    if one.route is not None:
        rows.append(("route", f"{who}route", f"{one.route.ratio:.3f} x", f"{bars.route_ratio:g} x", ""))
    return rows


def _feet_rows(one: CharacterReport, report: Report, who: str) -> list[Row]:
    rows = []
    for kind, what, value, bar, unit, foot, time_s, _ in feet_measures(one, report.bars):
        shown = [f"{number:.2f} mm" if unit else f"{number:.4f}" for number in (value, bar) if number is not None]
        at = f"{foot} foot from {time_s:.3f} s" if foot else ""
        rows.append((kind, f"{who}{what}", shown[0], shown[1] if len(shown) > 1 else "", at))
    return rows


def _standing_rows(one: CharacterReport, report: Report, who: str) -> list[Row]:
    if one.standing is None:
        return []
    held, leaning, bars = one.standing.support, one.standing.balance, report.bars
    longest = max(bars.unsupported_s, one.standing.evidence_unsupported_s)
    farthest = max(bars.balance_m, one.standing.evidence_outside_m)
    judged = not one.recorded
    return [
        (
            "support",
            f"{who}floats for",
            f"{held.unsupported_s:.2f} s",
            f"{longest:.2f} s" if judged else "",
            f"from {held.time_s:.3f} s" if held.unsupported_s > 0.0 else "",
        ),
        (
            "balance",
            f"{who}out of balance by",
            f"{1000 * leaning.outside_m:.0f} mm",
            f"{1000 * farthest:.0f} mm" if judged else "",
            f"at {leaning.time_s:.3f} s" if leaning.outside_m > 0.0 else "",
        ),
    ]


def _goal_rows(report: Report) -> list[Row]:
    rows: list[Row] = [
        (
            "rest",
            f"{one.object} rests on {one.on or 'nothing'}",
            f"{1000 * one.gap_m:.1f} mm",
            f"{1000 * report.bars.rest_m:g} mm",
            f"at {one.time_s:.3f} s",
        )
        for one in report.rests
    ]
    for error in report.goals:
        hand = isinstance(error.goal, HandGoal)
        near = report.bars.hand_position_m if hand else report.bars.goal_position_m
        turn = report.bars.hand_rotation_rad if hand else report.bars.goal_heading_rad
        value, bar = f"{1000 * error.position_m:.1f} mm", f"{1000 * near:g} mm"
        if error.angle_rad is not None:
            value, bar = f"{value}, {_degrees(error.angle_rad)}", f"{bar}, {_degrees(turn)}"
        rows.append(("goals", f"{error.kind} goal", value, bar, f"at {error.time_s:.3f} s"))
    return rows


def _degrees(angle_rad: float) -> str:
    return f"{np.degrees(angle_rad):.3g} deg"
