"""Repairing one stretch of one limb: ways out of what it touches, drawn with windows, paces and efforts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.limbs.draws import DRAWS, LEADS, Candidate, Draw, Draws, linkages_of
from understudy.limbs.finding import window_frames
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.refusals import Notes, Refusal
from understudy.limbs.speeds import pace
from understudy.limbs.stage import Stage
from understudy.limbs.stances import stands_in
from understudy.limbs.trace import Change, Touch
from understudy.limbs.ways_out import ways_out
from understudy.limbs.window import Window, window_of
from understudy.typing import FloatArray

#: [s] shorter windows leave no time to move.
_SHORTEST_S = 0.2
#: Times as many seeds as draws have, so that those of several do not meet.
_SEEDS = 1024


@dataclass(eq=False, kw_only=True)
class _Way(Candidate):
    """Postures of a linkage that are free while the clip's own is not.

    Attributes:
        hints: ``(n, parameters + 1)`` offsets from the clip [rad] and times [s].
    """

    hints: FloatArray


def repair(
    stage: Stage, touch: Touch, others: Sequence[Touch], options: LimbOptions, watch: Watch, *, seed: int
) -> tuple[Stage, Change]:
    """Plan a limb around what it touches.

    Args:
        stage: The motion on its stage.
        touch: What touches.
        others: Everything the limb touches.
        options: How to search.
        watch: Deadline and stages.
        seed: Of the random numbers.

    Returns:
        The stage with the motion repaired, or as it was, and what happened.
    """
    refusal = _hopeless(stage, touch)
    if refusal is not None:
        return stage, _refused(touch, refusal)
    return _Repair(stage, touch, others, options, watch, seed).made()


def _hopeless(stage: Stage, touch: Touch) -> Refusal | None:
    """What makes any search for a way out pointless."""
    for cut, status, where in (
        (touch.first <= 0, Status.INFEASIBLE_START, "begins"),
        (touch.last >= len(stage.motion) - 1, Status.INFEASIBLE_GOAL, "ends"),
    ):
        if cut:
            what = " in ".join(touch.pairs[0])
            return Refusal(status=status, reason=f"{what} already where the motion {where}")
    if stands_in(stage, touch):
        reason = f"the {touch.limb.split('_')[0]} foot stands there, and a leg that is planned keeps its stance"
        return Refusal(status=Status.INFEASIBLE_START, reason=reason)
    return None


class _Repair:
    """The draws for one touch."""

    def __init__(
        self, stage: Stage, touch: Touch, others: Sequence[Touch], options: LimbOptions, watch: Watch, seed: int
    ) -> None:
        self.stage, self.touch, self.others = stage, touch, others
        self.options, self.watch, self.seed = options, watch, seed
        self.draws = Draws(linkages_of(touch.limb, options))

    def made(self) -> tuple[Stage, Change]:
        """The stage repaired by the first draw that comes to something, or as it was and what says most about why."""
        notes = Notes()
        while self.draws.count < DRAWS[0] * self.options.attempts:
            stopped, draw = self.watch.interrupted(), self.draws.next()
            if stopped is not None:
                return self.stage, _refused(
                    self.touch, Refusal(status=stopped, reason="the deadline passed or it was cancelled")
                )
            if draw is None:
                break
            self.draws.take(draw)
            self.watch.stage("window")
            window = self._window(draw)
            if isinstance(window, Refusal):
                notes.add(window)
                self.draws.failed(draw)
            elif isinstance(draw.candidate, _Way):
                plan = self._planned(draw, draw.candidate.hints, window)
                if plan.status:
                    change = plan.change(window.start_s, window.end_s, (self.touch,))
                    return self.stage.with_motion(plan.applied(self.stage.motion)), change
                notes.add(Refusal(status=plan.status, reason=plan.reason, hasty=plan.hasty))
                late = any(one.late or one.stuck for one in plan.found)
                self.draws.failed(draw, fast=plan.hasty and not late, late=late)
            else:
                self._looked(draw, window, notes)
        return self.stage, _refused(self.touch, notes.best)

    def _window(self, draw: Draw) -> Window | Refusal:
        """The window of a draw, or why nothing can be planned in it."""
        stage, space = self.stage, self.stage.space(draw.limb)
        lead_s = draw.lead_s or next(iter(LEADS))
        first, last = window_frames(stage, space, self.touch, self.others, lead_s)
        if last - first < max(2, _SHORTEST_S * stage.motion.fps):
            return Refusal(status=Status.INFEASIBLE_START, reason="there is no time around it to plan in")
        window = window_of(stage, space, first, last)
        room = shrink_s(window.end_s - window.start_s)
        for when, status in (
            (window.start_s + room, Status.INFEASIBLE_START),
            (window.end_s - room, Status.INFEASIBLE_GOAL),
        ):
            blocked = window.clip_in(when)
            if blocked:
                return Refusal(status=status, reason=blocked)
        return window

    def _looked(self, draw: Draw, window: Window, notes: Notes) -> None:
        """Look for ways out: with the room that searches keep, and where that was not enough with less."""
        room_m = self.options.kept_m if draw.wide else self.options.margin_m
        found = ways_out(window, self.touch, self.options.kept_m, self.options.style, room_m=room_m)
        if found.blocked:
            notes.add(Refusal(status=Status.EXHAUSTED, reason=found.blocked))
            self.draws.give_up(draw.limb)
        else:
            self.draws.add([_Way(limb=draw.limb, cost_m=0.0, hints=found.hints)])

    def _planned(self, draw: Draw, hints: FloatArray, window: Window) -> Plan:
        room, none = shrink_s(window.end_s - window.start_s), np.zeros(len(window.space))
        options = draw.options(self.options)
        bars = draw.paces(pace([self.stage.source], window.space), options.speed_share)
        start_s, end_s = window.start_s + room, window.end_s - room
        leg = Leg(window=window, start_s=start_s, end_s=end_s, start=none, end=none, hints=hints)
        seed = self.seed * _SEEDS + self.draws.count
        return plan_legs([leg], bars, options, self.watch, widest_s=2.0 * room, seed=seed)


def _refused(touch: Touch, why: Refusal) -> Change:
    return Change(
        limb=touch.limb,
        start_s=touch.start_s,
        end_s=touch.end_s,
        status=why.status,
        reason=why.reason,
        because=(touch,),
    )
