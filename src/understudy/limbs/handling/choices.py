"""Postures of a hand on its aim: looked for once for all windows, those that can be reached in time chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from understudy.core.planning import Status
from understudy.limbs.handling.aims import Aim, Way
from understudy.limbs.handling.excuses import posture_said
from understudy.limbs.handling.play import Refusal
from understudy.limbs.ik import Posture, Postures, reachable_postures
from understudy.limbs.tries import Try, unlike
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: Postures collected before the nearest are chosen, and where all places are considered.
_COLLECTED, _COLLECTED_WIDELY = 8, 40
#: Ways that are looked at in one tier, at most; with the trunk.
_MOST_WAYS, _MOST_LEANING = 60, 6
#: How much longer than the straight way a way round something takes, at least.
_WAY_ROUND = 1.05
#: [m] what a posture of a less preferred tier costs.
_TIER_M = 0.25
#: [m] where a hand comes no nearer than this to one place of a thing it is out of reach.
_FAR_M, _NEARLY_M = 0.15, 0.02
#: [m] up to this cost a posture is easy, and no others are looked for at first.
_EASY_M = 1.2


@dataclass(frozen=True, eq=False)
class Choice:
    """A posture and the way it puts the hand on its aim."""

    posture: Posture
    way: Way


@dataclass(eq=False)
class Known:
    """What has been found out about one aim: postures by linkage and way."""

    postures: dict[tuple[str, int], Postures] = field(default_factory=dict)

    def on(self, window: Window, aim: Aim, way: Way, clear_m: float) -> Postures:
        """Postures of a window's limb on one way."""
        key = (window.space.name, id(way))
        if key not in self.postures:
            self.postures[key] = reachable_postures(window, aim.time_s, way.end, clear_m=clear_m)
        return self.postures[key]


def choices(
    before: Window, aim: Aim, attempt: Try, speeds: FloatArray, starts_s: float, known: Known
) -> tuple[list[Choice], Refusal]:
    """Postures on the aim that can be reached in time, nearest to the clip first.

    Args:
        before: The limb up to the moment.
        aim: What is aimed at.
        attempt: How it is tried.
        speeds: ``(joints,)`` [rad/s] how fast the limb's joints may turn.
        starts_s: When the hand sets out [s].
        known: What has been found out already.
    """
    clear_m = attempt.options.kept_m + 5e-4
    seen: list[Postures] = []
    late, costs = False, []
    found: list[Choice] = []
    leaning = before.space.name.endswith("_spine")
    for rank, tier in enumerate(aim.tiers):
        for way in tier[: _MOST_LEANING if leaning else _MOST_WAYS]:
            postures = known.on(before, aim, way, clear_m)
            seen.append(postures)
            if postures.missing_m > (_NEARLY_M if leaning else _FAR_M):
                # Other places of the same thing are not that much nearer.
                break
            for posture in postures.found:
                turns = np.abs(before.space.spread @ posture.offset).reshape(-1, 3)
                needed = float((np.linalg.norm(turns, axis=1) / speeds).max())
                if _WAY_ROUND * needed < aim.time_s - starts_s:
                    found.append(Choice(posture, way))
                    costs.append(posture.cost_m + _TIER_M * rank)
                else:
                    late = True
            if len(found) >= (_COLLECTED_WIDELY if attempt.wide else _COLLECTED):
                break
        # What is preferred is not worth a contortion.
        if found and not attempt.wide and min(costs) < _EASY_M:
            break
    if found:
        ordered = [found[k] for k in np.argsort(costs, kind="stable").tolist()]
        picks = unlike([one.posture for one in ordered], attempt.postures)[attempt.after :]
        return [ordered[k] for k in picks], Refusal(status=Status.SOLVED, reason="")
    if late:
        reason = f"the {aim.hand} hand cannot be at {aim.name} by {aim.time_s:.2f} s at its pace"
        return [], Refusal(status=Status.EXHAUSTED, reason=reason, hasty=True)
    return [], Refusal(status=Status.INFEASIBLE_GOAL, reason=posture_said(before, aim, seen), hopeless=True)
