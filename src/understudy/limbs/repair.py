"""Repairing one stretch of one limb: windows that grow, then a longer linkage, and what to say when nothing helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.limbs.excuses import blocked_ends
from understudy.limbs.finding import window_frames
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.roots import rooted_in
from understudy.limbs.speeds import joint_limits_rad_s, pace
from understudy.limbs.stage import Stage
from understudy.limbs.stances import stands_in
from understudy.limbs.trace import Change, Touch
from understudy.limbs.ways_out import WaysOut, ways_out
from understudy.limbs.window import Window, window_of
from understudy.typing import FloatArray

#: [s] room on both sides of a touch, in the order in which it is tried.
PADS_S = (0.65, 1.0, 1.5, 0.35, 2.2)
#: [s] from this room on limbs need not hurry, and share of their usual haste.
_AMPLE_S, _UNHURRIED = 1.5, 0.7
#: Share of its haste a limb that was too fast is left with.
_CALMER = 0.85
#: Share of the time a window leaves that the straight way to a free posture may take: ways are longer than that.
_EASY = 0.8
#: Windows that leave so many times less than that, or than the best, are tried when everything else has failed.
_LATE = 1.3
#: [s] shorter windows leave no time to move.
_SHORTEST_S = 0.2


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
    for cut, status, where in (
        (touch.first <= 0, Status.INFEASIBLE_START, "begins"),
        (touch.last >= len(stage.motion) - 1, Status.INFEASIBLE_GOAL, "ends"),
    ):
        if cut:
            what = " in ".join(touch.pairs[0])
            return stage, _change(touch, touch.limb, status, f"{what} already where the motion {where}")
    if stands_in(stage, touch):
        reason = f"the {touch.limb.split('_')[0]} foot stands there, and a leg that is planned keeps its stance"
        return stage, _change(touch, touch.limb, Status.INFEASIBLE_START, reason)
    rooted = rooted_in(stage, touch, _longest(touch.limb, options))
    if rooted:
        return stage, _change(touch, touch.limb, Status.INFEASIBLE_START, rooted)
    return _Repair(stage, touch, others, options, watch, seed).made()


class _Try(NamedTuple):
    """A linkage, room on both sides of a touch [s], samples, and its number among all tries."""

    limb: str
    pad_s: float
    iterations: int
    number: int


class _Repair:
    """The tries at one touch, and what is known from those before."""

    def __init__(
        self, stage: Stage, touch: Touch, others: Sequence[Touch], options: LimbOptions, watch: Watch, seed: int
    ) -> None:
        self.stage, self.touch, self.others = stage, touch, others
        self.options, self.watch, self.seed = options, watch, seed
        self.todo = list(_tries(touch.limb, options))
        self.known: dict[str, WaysOut] = {}
        self.given_up: set[str] = set()
        self.calm = 1.0

    def made(self) -> tuple[Stage, Change]:
        """The stage repaired by the first try that comes to something, or as it was and what the last one came to."""
        failed: list[Change] = []
        while self.todo:
            stopped = self.watch.interrupted()
            if stopped is not None:
                failed.append(_change(self.touch, self.touch.limb, stopped, "the deadline passed or it was cancelled"))
                break
            now = self.todo.pop(0)
            if now.limb in self.given_up:
                continue
            self.watch.stage("window")
            plan, change = self._tried(now)
            if plan is not None and change is not None and plan.status:
                return self.stage.with_motion(plan.applied(self.stage.motion)), change
            if plan is not None and plan.hasty and all(plan.found):
                # What was found is too fast; a search that had too little time is not helped by less haste.
                self.calm *= _CALMER
            if change is not None:
                failed.append(change)
        return self.stage, failed[-1]

    def _tried(self, now: _Try) -> tuple[Plan | None, Change | None]:
        """A plan and what became of it; no plan where none was begun, nothing at all where it is put off."""
        stage, touch = self.stage, self.touch
        space = stage.space(now.limb)
        first, last = window_frames(stage, space, touch, self.others, now.pad_s)
        if last - first < max(2, _SHORTEST_S * stage.motion.fps):
            said = "there is no time around it to plan in"
            return None, _change(touch, now.limb, Status.INFEASIBLE_START, said)
        window = window_of(stage, space, first, last)
        room = shrink_s(window.end_s - window.start_s)
        hopeless = blocked_ends(window, window.start_s + room, window.end_s - room)
        if hopeless is None and now.limb not in self.known:
            self.known[now.limb] = ways_out(
                window, touch, self.options.kept_m, self.options.style, room_m=self.options.margin_m
            )
            if not self.known[now.limb].blocked and self._put_off(now):
                return None, None
        if hopeless is None and self.known[now.limb].blocked:
            hopeless = (Status.EXHAUSTED, self.known[now.limb].blocked)
            self.given_up.add(now.limb)
        if hopeless is not None:
            return None, _change(touch, now.limb, *hopeless, window=window)
        again = replace(self.options, iterations=now.iterations, speed_share=self.calm * self.options.speed_share)
        hints = self.known[now.limb].hints
        if now.iterations >= self.options.iterations:
            # Postures with less room than searches keep may be the only ones on the way.
            hints = np.concatenate([hints, ways_out(window, touch, self.options.kept_m, self.options.style).hints])
        haste = self._haste(now.pad_s) / self.calm
        plan = _planned(window, hints, haste, again, self.watch, seed=self.seed * 64 + now.number)
        return plan, _change(touch, now.limb, plan.status, plan.reason, window=window, plan=plan)

    def _haste(self, pad_s: float) -> float:
        """Share of its usual haste that a limb has in a window."""
        return self.calm * (_UNHURRIED if pad_s >= _AMPLE_S else 1.0)

    def _put_off(self, now: _Try) -> bool:
        """Order what is to be tried by how much too short its windows are, and say whether that puts off this one."""
        needed, pads = self._needed_s(now.limb), {one.pad_s for one in (now, *self.todo) if one.limb == now.limb}
        hurry = {pad_s: self._hurry(now._replace(pad_s=pad_s), needed) for pad_s in pads}
        least = max(min(hurry.values()), 1.0)
        rest = [one for one in self.todo if (one.limb, one.iterations) == (now.limb, now.iterations)]
        ordered = sorted([now, *rest], key=lambda one: max(hurry[one.pad_s], _EASY))
        queue = [*ordered, *(one for one in self.todo if one not in rest)]
        late = [one for one in queue if one.limb == now.limb and hurry[one.pad_s] > _LATE * least]
        self.todo = [*(one for one in queue if one not in late), *late]
        if self.todo[0] is now:
            self.todo.pop(0)
            return False
        return True

    def _hurry(self, one: _Try, needed_s: FloatArray) -> float:
        """How many times the time that a window leaves before and after it the way to a free posture takes.

        Args:
            one: Whose window.
            needed_s: ``(hints,)`` how long the straight way to every hint takes with all haste [s].
        """
        stage, when = self.stage, self.known[one.limb].hints[:, -1]
        first, last = window_frames(stage, stage.space(one.limb), self.touch, self.others, one.pad_s)
        start_s, end_s = (stage.start_s + frame / stage.motion.fps for frame in (first, last))
        left = np.minimum(when - start_s, end_s - when) - shrink_s(end_s - start_s)
        return float(np.min(needed_s / np.maximum(left, 1e-3), initial=np.inf)) / self._haste(one.pad_s)

    def _needed_s(self, limb: str) -> FloatArray:
        """``(hints,)`` how long the straight way to every hint takes with all haste [s]."""
        space, hints = self.stage.space(limb), self.known[limb].hints
        speeds = joint_limits_rad_s(space, pace([self.stage.source], space), self.options.speed_share)
        turns = np.linalg.norm((hints[:, :-1] @ space.spread.T).reshape(len(hints), -1, 3), axis=2)
        return np.asarray((turns / speeds).max(axis=1, initial=0.0))


def _longest(limb: str, options: LimbOptions) -> str:
    """The longest linkage that a limb may be planned as: an arm with the trunk, where that is allowed."""
    return f"{limb}_spine" if options.spine and limb.endswith("_arm") else limb


def _tries(limb: str, options: LimbOptions) -> Iterator[_Try]:
    """What is tried, in order."""
    for number, (linkage, pad_s, iterations) in enumerate(_windows(limb, options)):
        yield _Try(linkage, pad_s, iterations, number)


def _windows(limb: str, options: LimbOptions) -> Iterator[tuple[str, float, int]]:
    """Linkages, paddings and samples, in the order in which they are tried: everything briefly before anything long."""
    brief = max(options.iterations // 4, 1)
    longer = _longest(limb, options)
    for pad_s in PADS_S:
        yield limb, pad_s, brief
    if longer != limb:
        yield longer, PADS_S[1], brief
    for _ in range(options.attempts - 1):
        for pad_s in (*PADS_S[:3], PADS_S[4]):
            yield limb, pad_s, options.iterations
        if longer != limb:
            yield longer, PADS_S[2], options.iterations


def _planned(window: Window, hints: FloatArray, haste: float, options: LimbOptions, watch: Watch, *, seed: int) -> Plan:
    room = shrink_s(window.end_s - window.start_s)
    none = np.zeros(len(window.space))
    # At the ends of the motion nothing has to join on.
    leg = Leg(
        window=window,
        start_s=window.start_s + room,
        end_s=window.end_s - room,
        start=none,
        end=none,
        hints=hints,
        haste=haste,
    )
    return plan_legs([leg], pace([window.stage.source], window.space), options, watch, widest_s=2 * room, seed=seed)


def _change(
    touch: Touch, limb: str, status: Status, reason: str, *, window: Window | None = None, plan: Plan | None = None
) -> Change:
    found = plan.found[0] if plan is not None and plan.found else None
    return Change(
        limb=limb,
        start_s=touch.start_s if window is None else window.start_s,
        end_s=touch.end_s if window is None else window.end_s,
        status=status,
        reason=reason,
        because=(touch,),
        path=None if found is None else found.path,
        nodes=None if found is None else found.nodes,
        width_s=0.0 if plan is None else plan.width_s,
    )
