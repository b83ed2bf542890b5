"""What to say when a hand cannot be where it should."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.core.planning import Status
from understudy.limbs.ik import Postures
from understudy.limbs.stage import Stage
from understudy.limbs.targets import Goal
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: Share of an arm's length within which a target is within reach, not only just so.
_EASILY = 0.97


@dataclass(frozen=True)
class Refused:
    """Why something failed, whether it fails in every window, and whether for want of time or speed only."""

    status: Status
    reason: str
    hopeless: bool = False
    late: bool = False

    @property
    def tells(self) -> int:
        """How much it says about the whole: what came nearer to working says more."""
        return 2 if self.status is Status.EXHAUSTED else 0 if self.late else 1


def too_far_said(stage: Stage, hand: str, goal: Goal, time_s: float, shoulder: FloatArray, length_m: float) -> str:
    """By how much a target is out of reach, and when it would not be; empty when it is within reach.

    Args:
        stage: The motion on its stage.
        hand: ``"left"`` or ``"right"``.
        goal: Where the hand has to be.
        time_s: When, in the motion's time [s].
        shoulder: ``(3,)`` [m] at that time.
        length_m: How far the hand can be from it [m].
    """
    away = float(np.linalg.norm(goal.position - shoulder))
    if away <= length_m:
        return ""
    sooner = _nearest_time_s(stage, hand, goal, time_s, length_m)
    hint = f" Nearest time it could: {sooner:.2f} s." if sooner is not None else ""
    return (
        f"the {hand} hand cannot reach {goal.name} at {time_s:.2f} s: {100.0 * (away - length_m):.0f} cm too far "
        f"(shoulder at {away:.2f} m, arm {length_m:.2f} m).{hint}"
    )


def _nearest_time_s(stage: Stage, hand: str, goal: Goal, time_s: float, length_m: float) -> float | None:
    """The time nearest to the one asked for at which the shoulder is near enough to where the target is then."""
    motion = stage.motion
    joint = motion.skeleton.humanoid[f"{hand}UpperArm"]
    times = np.linspace(0.0, motion.duration_s, max(int(motion.duration_s * 10), 2))
    places, _ = stage.scene.character(stage.character).joints(times + stage.start_s)
    near = np.linalg.norm(places[:, joint] - goal.position, axis=1) < _EASILY * length_m
    if not near.any():
        return None
    return float(times[near][np.abs(times[near] - time_s).argmin()])


def no_posture_said(hand: str, goal: Goal, time_s: float, seen: Sequence[Postures]) -> str:
    """Why no posture puts the hand there, or at any other place looked at."""
    what = f"the {hand} hand cannot be at {goal.name} at {time_s:.2f} s"
    touching = [postures for postures in seen if postures.touching]
    if touching:
        part, thing = max(touching, key=lambda postures: postures.blame_m).blame
        return f"{what}: {part} would be in {thing}"
    if any(postures.outside for postures in seen):
        return f"{what} within the joints' limits"
    return f"{what}: the nearest it comes is {100.0 * min(postures.missing_m for postures in seen):.1f} cm"


def too_late_said(hand: str, goal: Goal, time_s: float, needed_s: float, given_s: float) -> str:
    """That the hand cannot be there in time: how long the straight way takes at its pace, and what there is."""
    return (
        f"the {hand} hand cannot be at {goal.name} by {time_s:.2f} s at its pace: it needs {needed_s:.2f} s at least "
        f"and has {given_s:.2f} s"
    )


def blocked_ends(window: Window, start_s: float, end_s: float | None = None) -> tuple[Status, str] | None:
    """What the clip itself is in where a plan would begin, or end [s]; nothing where both are free."""
    still = np.zeros(len(window.space))
    for when, status in ((start_s, Status.INFEASIBLE_START), (end_s, Status.INFEASIBLE_GOAL)):
        if when is None:
            continue
        slack, pair = window.nearest(still, when, within_m=0.01)
        if slack < 0.0 and pair[1]:
            return status, f"{pair[0]} is in {pair[1]} already at {when:.2f} s"
    return None
