"""The judge of performed scenes, on motions as their files have them.

``perform`` hands out only what the judge has passed, by rules that know each task. What writing and reading may do to
it is asked here: joints have to be where they were, and what the motions of the files touch and reach is judged beside
the motions that were passed, and may be no worse.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy.api.handling_judge import hand_goal
from understudy.api.performing_result import PerformResult
from understudy.core.motion import Motion
from understudy.kinematics import motion_world
from understudy.verify.judge import verify
from understudy.verify.report import Report

#: [m] how far from where it was judged a joint may be in the file.
_NEAR_M = 1e-4
#: Bars that are asked again; the others compare with sources frame by frame, and hold where joints are where they were.
_ASKED = ("penetration", "goals")


def judged_performance(result: PerformResult, motions: Mapping[str, Motion]) -> tuple[Report, str]:
    """The judge's report on motions read back, and why they will not do.

    Args:
        result: What ``perform`` handed out.
        motions: The same motions by character, as their files have them.
    """
    report = _report(result, motions)
    faults = [
        f"{name}: joints are up to {1000 * off:.2f} mm from where they were judged"
        for name, motion in motions.items()
        if (off := _apart_m(motion, result.motions[name])) > _NEAR_M
    ]
    if broken := [bar for bar in _ASKED if bar in report.broken]:
        before = _report(result, result.motions).broken
        faults += [f"written and read again, the judge finds {bar} broken" for bar in broken if bar not in before]
    return report, "; ".join(faults)


def _report(result: PerformResult, motions: Mapping[str, Motion]) -> Report:
    play = result.play
    return verify(
        list(motions.items()),
        result.scene,
        source={name: play.sources[name] for name in motions if name in play.sources},
        goals=[hand_goal(mark, result.scene) for mark in play.marks],
    )


def _apart_m(motion: Motion, other: Motion) -> float:
    """How far joints of the same name are apart at most [m]; a motion of another length is nowhere near."""
    names = [name for name in motion.skeleton.names if name in other.skeleton.names]
    if len(motion) != len(other) or not names:
        return float("inf")
    places = [
        motion_world(one).positions[:, [one.skeleton.names.index(name) for name in names]] for one in (motion, other)
    ]
    return float(np.linalg.norm(places[0] - places[1], axis=-1).max())
