"""From measures to violations: the one place where a measure meets its bar."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from understudy.core.violations import Violation
from understudy.verify.feet_bars import feet_measures
from understudy.verify.goals import HandGoal, HingeGoal
from understudy.verify.search import COUNTED_M

if TYPE_CHECKING:
    from understudy.verify.goals import GoalError
    from understudy.verify.report import CharacterReport, Report

_ROUNDING = 1e-9
#: [m] files keep places to about a thousandth of a millimetre: what is as in its evidence stays so when it is read.
_ROUNDING_M = 1e-6
#: [rad] rounding of angles read from files.
_ANGLE_ROUNDING = 1e-6


def violations_of(report: Report) -> Iterator[Violation]:
    """Every bar that a report breaks, in the report's order."""
    yield from report.claimed
    yield from _overlaps(report)
    for one in report.characters:
        yield from _feet(one, report)
        yield from _stands(one, report)
        yield from _joints(one, report)
    for error in report.goals:
        yield from _goal(error, report)
    for rest in report.rests:
        if rest.gap_m > report.bars.rest_m:
            yield Violation(
                kind="rest",
                value=min(rest.gap_m, 1e3),
                bar=report.bars.rest_m,
                unit="m",
                character=rest.character,
                part=rest.object,
                other=rest.on,
                time_s=rest.time_s,
            )
    yield from _flights(report)


def _overlaps(report: Report) -> Iterator[Violation]:
    bars, found = report.bars, report.penetration
    if not (found.seconds_over_1mm > bars.penetration_s or (bars.penetration_s == 0.0 and found.reaches_1mm)):
        return
    for pair in found.pairs:
        if pair.depth_m >= COUNTED_M - 1e-6:
            yield Violation(
                kind="penetration",
                value=pair.depth_m,
                bar=COUNTED_M,
                unit="m",
                character=pair.a.partition(".")[0] if "." in pair.a else "",
                part=pair.a,
                other=pair.b,
                time_s=pair.time_s,
            )


def _feet(one: CharacterReport, report: Report) -> Iterator[Violation]:
    for measure in feet_measures(one, report.bars):
        if measure.broken and measure.bar is not None:
            yield Violation(
                kind=measure.kind,
                value=measure.value,
                bar=measure.bar,
                unit=measure.unit,
                character=one.name,
                part=f"{measure.foot} foot" if measure.foot else "",
                time_s=measure.time_s,
            )


def _stands(one: CharacterReport, report: Report) -> Iterator[Violation]:
    """A stranger's recording may stand on props that nobody recorded: it is measured only."""
    if one.standing is None or one.recorded:
        return
    bars, held, leaning = report.bars, one.standing.support, one.standing.balance
    found = partial(Violation, character=one.name)
    longest = max(bars.unsupported_s, one.standing.evidence_unsupported_s)
    if held.unsupported_s > longest + _ROUNDING:
        yield found(kind="support", value=held.unsupported_s, bar=longest, unit="s", time_s=held.time_s)
    farthest = max(bars.balance_m, one.standing.evidence_outside_m)
    if leaning.outside_m > farthest + _ROUNDING_M:
        yield found(kind="balance", value=leaning.outside_m, bar=farthest, unit="m", time_s=leaning.time_s)


def _joints(one: CharacterReport, report: Report) -> Iterator[Violation]:
    smooth, bars, limits = one.smoothness, report.bars, one.joint_limits
    found = partial(Violation, character=one.name)
    beyond, most = limits.max_excess_rad, bars.limit_excess_rad
    if beyond > most + _ANGLE_ROUNDING:
        at = limits.time_s
        yield found(kind="joint_limits", value=beyond, bar=most, unit="rad", part=limits.joint, time_s=at)
    if not one.recorded:
        yield from _paces(one, report)
    if len(smooth.seams) > bars.seams:
        for seam in smooth.seams:
            jump, allowed = seam.jump_mps, seam.allowed_mps
            yield found(kind="seams", value=jump, bar=allowed, unit="m/s", part=seam.part, time_s=seam.time_s)
    if one.route is not None and one.route.ratio > bars.route_ratio:
        yield found(kind="route", value=one.route.ratio, bar=bars.route_ratio, unit="x")


def _paces(one: CharacterReport, report: Report) -> Iterator[Violation]:
    bars, shaking, still = report.bars, one.tremor, one.stillness
    found = partial(Violation, character=one.name, unit="x")
    if still.longest_s > bars.still_s + _ROUNDING:
        yield found(kind="stillness", value=still.longest_s, bar=bars.still_s, unit="s", time_s=still.time_s)
    if shaking.ratio > bars.tremor_ratio:
        at = shaking.time_s
        yield found(kind="tremor", value=shaking.ratio, bar=bars.tremor_ratio, part=shaking.joint, time_s=at)
    for pace in one.smoothness.paces:
        bar = getattr(bars, f"{pace.kind}_ratio")
        if pace.ratio > bar:
            yield found(kind=pace.kind, value=pace.ratio, bar=bar, part=pace.limb, time_s=pace.time_s)


def _goal(error: GoalError, report: Report) -> Iterator[Violation]:
    bars, hand = report.bars, isinstance(error.goal, HandGoal)
    near, turn = (
        (bars.hand_position_m, bars.hand_rotation_rad) if hand else (bars.goal_position_m, bars.goal_heading_rad)
    )
    part = f"{error.goal.hand} hand" if isinstance(error.goal, HandGoal) else ""
    part = error.goal.object if isinstance(error.goal, HingeGoal) else part
    about = {"kind": "goals", "character": error.goal.character, "part": part, "time_s": error.time_s}
    if error.position_m > near:
        yield Violation(value=error.position_m, bar=near, unit="m", **about)  # type: ignore[arg-type]
    if error.angle_rad is not None and error.angle_rad > turn:
        yield Violation(value=error.angle_rad, bar=turn, unit="rad", **about)  # type: ignore[arg-type]


def _flights(report: Report) -> Iterator[Violation]:
    flown, bars = report.ballistics, report.bars
    if flown is None:
        return
    if flown.max_residual_mm > bars.ballistic_mm:
        yield Violation(
            kind="ballistics",
            value=flown.max_residual_mm,
            bar=bars.ballistic_mm,
            unit="mm",
            part=flown.object,
            time_s=flown.time_s,
        )
    if flown.momentum_error > bars.momentum_error:
        yield Violation(kind="momentum", value=flown.momentum_error, bar=bars.momentum_error, unit="kg m/s")
