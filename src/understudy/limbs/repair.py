"""Repairing one stretch of one limb: windows that grow, then a longer linkage, and what to say when nothing helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.limbs.finding import window_frames
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import Leg, Plan, plan_legs, shrink_s
from understudy.limbs.search import sampling_intervals
from understudy.limbs.speeds import pace
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Change, Touch
from understudy.limbs.window import Window, window_of

#: [s] room on both sides of a touch, in the order in which it is tried.
PADS_S = (0.65, 1.0, 1.5, 0.35)
#: Moments of a touch at which, and postures with which, a way out is looked for before any search.
_MOMENTS, _POSTURES = 5, 400
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
    for attempt, (limb, pad_s, iterations) in enumerate(_tries(touch.limb, options)):
        stopped = watch.interrupted()
        if stopped is not None:
            failed.append(_change(touch, touch.limb, stopped, "the deadline passed or it was cancelled"))
            break
        watch.stage("window")
        space = stage.space(limb)
        first, last = window_frames(stage, space, touch, others, pad_s)
        if last - first < max(2, _SHORTEST_S * stage.motion.fps):
            failed.append(_change(touch, limb, Status.INFEASIBLE_START, "there is no time around it to plan in"))
            continue
        window = window_of(stage, space, first, last)
        hopeless = None if limb in given_up else _hopeless(window, touch, options.kept_m)
        if hopeless is not None:
            failed.append(_change(touch, limb, *hopeless, window=window))
            given_up.add(limb)
        if limb in given_up:
            continue
        plan = _planned(window, replace(options, iterations=iterations), watch, seed=seed * 64 + attempt)
        if plan.status:
            return stage.with_motion(plan.applied(stage.motion)), _change(
                touch, limb, Status.SOLVED, "", window=window, plan=plan
            )
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
        for pad_s in PADS_S[:3]:
            yield limb, pad_s, options.iterations
        if longer:
            yield longer, PADS_S[1], options.iterations


def _planned(window: Window, options: LimbOptions, watch: Watch, *, seed: int) -> Plan:
    room = shrink_s(window.end_s - window.start_s)
    none = np.zeros(len(window.space))
    # At the ends of the motion nothing has to join on.
    leg = Leg(
        window=window,
        start_s=window.start_s + room,
        end_s=window.end_s - room,
        start=none,
        end=none,
    )
    return plan_legs([leg], pace([window.stage.source], window.space), options, watch, widest_s=2 * room, seed=seed)


def _hopeless(window: Window, touch: Touch, kept_m: float) -> tuple[Status, str] | None:
    """Why a window cannot be planned in at all, if that is plain to see."""
    still = np.zeros(len(window.space))
    room = shrink_s(window.end_s - window.start_s)
    for when, status in (
        (window.start_s + room, Status.INFEASIBLE_START),
        (window.end_s - room, Status.INFEASIBLE_GOAL),
    ):
        slack, pair = window.nearest(still, when)
        if slack < 0.0 and pair[1]:
            return status, f"{pair[0]} is in {pair[1]} already at {when:.2f} s"
    return _no_posture(window, touch, kept_m)


def _no_posture(window: Window, touch: Touch, kept_m: float) -> tuple[Status, str] | None:
    """A moment of the touch at which not one of many postures of the limb is free, and what blocks most of them."""
    from understudy.limbs._nearest_kernels import free_postures

    intervals = sampling_intervals(window.space, {})
    random = np.random.default_rng(0)
    for when in np.linspace(touch.start_s, touch.end_s, _MOMENTS):
        inside = float(np.clip(when, window.start_s, window.end_s))
        absolute = random.uniform(intervals[2], intervals[3], size=(_POSTURES, len(window.space)))
        offsets = np.vstack(
            [random.normal(0.0, 0.4, size=absolute.shape), absolute - window.parameters(np.array([inside]))]
        )
        blame = np.zeros(len(window.world) + 1, dtype=np.int64)
        found = free_postures(window.setting, window.scratch, offsets, inside, kept_m, blame)
        if not found and blame.sum() > _POSTURES // 4:
            names = (*window.world.names, "the body itself")
            worst = names[int(blame.argmax())]
            return Status.EXHAUSTED, (
                f"none of {int(blame.sum())} postures of {window.space.name} is free at {inside:.2f} s, "
                f"most of them because of {worst}"
            )
    return None


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
