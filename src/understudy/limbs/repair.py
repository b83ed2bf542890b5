"""Repairing one stretch of one limb: windows that grow, then a longer linkage, and what to say when nothing helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.limbs.excuses import blocked_ends
from understudy.limbs.finding import window_frames
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.speeds import pace
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
    failed: list[Change] = []
    given_up: set[str] = set()
    known: dict[str, WaysOut] = {}
    calm = 1.0
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
    for attempt, (limb, pad_s, iterations) in enumerate(_tries(touch.limb, options)):
        stopped = watch.interrupted()
        if stopped is not None:
            failed.append(_change(touch, touch.limb, stopped, "the deadline passed or it was cancelled"))
            break
        if limb in given_up:
            continue
        watch.stage("window")
        space = stage.space(limb)
        first, last = window_frames(stage, space, touch, others, pad_s)
        if last - first < max(2, _SHORTEST_S * stage.motion.fps):
            failed.append(_change(touch, limb, Status.INFEASIBLE_START, "there is no time around it to plan in"))
            continue
        window = window_of(stage, space, first, last)
        room = shrink_s(window.end_s - window.start_s)
        hopeless = blocked_ends(window, window.start_s + room, window.end_s - room)
        if hopeless is None and limb not in known:
            known[limb] = ways_out(window, touch, options.kept_m)
        if hopeless is None and known[limb].blocked:
            hopeless = (Status.EXHAUSTED, known[limb].blocked)
            given_up.add(limb)
        if hopeless is not None:
            failed.append(_change(touch, limb, *hopeless, window=window))
            continue
        haste = calm * (_UNHURRIED if pad_s >= _AMPLE_S else 1.0)
        again = replace(options, iterations=iterations, speed_share=haste * options.speed_share)
        plan = _planned(window, known[limb].hints, again, watch, seed=seed * 64 + attempt)
        if plan.status:
            return stage.with_motion(plan.applied(stage.motion)), _change(
                touch, limb, Status.SOLVED, "", window=window, plan=plan
            )
        calm *= _CALMER if plan.hasty else 1.0
        failed.append(_change(touch, limb, plan.status, plan.reason, window=window, plan=plan))
    return stage, failed[-1]


def _tries(limb: str, options: LimbOptions) -> Iterator[tuple[str, float, int]]:
    """Linkages, paddings and samples, in the order in which they are tried: everything briefly before anything long."""
    brief = max(options.iterations // 4, 1)
    longer = f"{limb}_spine" if options.spine and limb.endswith("_arm") else ""
    for pad_s in PADS_S:
        yield limb, pad_s, brief
    if longer:
        yield longer, PADS_S[1], brief
    for _ in range(options.attempts - 1):
        for pad_s in (*PADS_S[:3], PADS_S[4]):
            yield limb, pad_s, options.iterations
        if longer:
            yield longer, PADS_S[2], options.iterations


def _planned(window: Window, hints: FloatArray, options: LimbOptions, watch: Watch, *, seed: int) -> Plan:
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
