"""Which bars a report breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from understudy.verify.goals import HandGoal

if TYPE_CHECKING:
    from understudy.verify.report import CharacterReport, Report

_ROUNDING = 1e-9
#: [rad] rounding of angles read from files.
_ANGLE_ROUNDING = 1e-6


def broken_bars(report: Report) -> tuple[str, ...]:
    """Names of broken bars, in the order of the report."""
    return tuple(dict.fromkeys(_all_broken(report)))


def _all_broken(report: Report) -> Iterator[str]:
    bars, found = report.bars, report.penetration
    if found.seconds_over_1mm > bars.penetration_s or (bars.penetration_s == 0.0 and found.reaches_1mm):
        yield "penetration"
    for one in report.characters:
        yield from _broken_feet(one, report)
        yield from _broken_joints(one, report)
    for error in report.goals:
        hand = isinstance(error.goal, HandGoal)
        far = error.position_m > (bars.hand_position_m if hand else bars.goal_position_m)
        turned = error.angle_rad is not None and error.angle_rad > (
            bars.hand_rotation_rad if hand else bars.goal_heading_rad
        )
        if far or turned:
            yield "goals"
    if report.ballistics is not None:
        if report.ballistics.max_residual_mm > bars.ballistic_mm:
            yield "ballistics"
        if report.ballistics.momentum_error > bars.momentum_error:
            yield "momentum"


def _broken_feet(one: CharacterReport, report: Report) -> Iterator[str]:
    feet, source, bars = one.foot_skate, one.source_skate, report.bars
    # A recording by itself has no bar for skating: how much is too much is said by its source.
    if feet is None or source is None:
        return
    if feet.gmd > max(bars.gmd, source.gmd) + _ROUNDING:
        yield "foot_skate_gmd"
    if feet.kimodo > source.kimodo + bars.kimodo_added + _ROUNDING:
        yield "foot_skate_kimodo"
    if feet.stance_drift_mm > source.stance_drift_mm + bars.stance_drift_added_mm + _ROUNDING:
        yield "stance_drift"
    if feet.added_slide_mm is not None and feet.added_slide_mm > bars.foot_slide_mm:
        yield "foot_slide"


def _broken_joints(one: CharacterReport, report: Report) -> Iterator[str]:
    smooth, bars = one.smoothness, report.bars
    if one.joint_limits.max_excess_rad > bars.limit_excess_rad + _ANGLE_ROUNDING:
        yield "joint_limits"
    if one.has_source:
        if smooth.velocity_ratio > bars.velocity_ratio:
            yield "velocity"
        if smooth.acceleration_ratio > bars.acceleration_ratio:
            yield "acceleration"
        if smooth.jerk_ratio > bars.jerk_ratio:
            yield "jerk"
    if len(smooth.seams) > bars.seams:
        yield "seams"
    if one.route is not None and one.route.ratio > bars.route_ratio:
        yield "route"
