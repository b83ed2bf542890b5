"""The judge of performed scenes, on motions as their files have them.

``perform`` hands out only what the judge has passed, by rules that know each task. What writing and reading may do to
it is asked here: the motions of the files are judged beside the motions that were passed, and may break nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping

from understudy.api.handling_judge import hand_goal
from understudy.api.performing_result import PerformResult
from understudy.core.motion import Motion
from understudy.verify.judge import verify
from understudy.verify.report import Report


def judged_performance(result: PerformResult, motions: Mapping[str, Motion]) -> tuple[Report, str]:
    """The judge's report on motions read back, and why they will not do.

    Args:
        result: What ``perform`` handed out.
        motions: The same motions by character, as their files have them.
    """
    report = _report(result, motions)
    lost = [bar for bar in report.broken if bar not in _report(result, result.motions).broken] if report.broken else []
    return report, f"written and read again, the judge finds {', '.join(lost)} broken" if lost else ""


def _report(result: PerformResult, motions: Mapping[str, Motion]) -> Report:
    play = result.play
    return verify(
        list(motions.items()),
        result.scene,
        source={name: play.sources[name] for name in motions if name in play.sources},
        goals=[hand_goal(mark, result.scene) for mark in play.marks],
    )
