"""Repairing one stretch of one limb: windows that grow, then a longer linkage, and what to say when nothing helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.kinematics._inputs import frozen
from understudy.limbs.finding import window_frames
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import Leg, Plan, plan_legs, shrink_s
from understudy.limbs.speeds import pace
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Change, Touch
from understudy.limbs.window import Window, window_of

#: [s] room on both sides of a touch, in the order in which it is tried.
PADS_S = (0.65, 1.0, 1.5, 0.35)
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
    for limb, pad_s, attempt in _tries(touch.limb, options):
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
        if (
            attempt == 0
            and failed
            and (failed[-1].start_s, failed[-1].end_s, failed[-1].limb)
            == (
                stage.start_s + first / stage.motion.fps,
                stage.start_s + last / stage.motion.fps,
                limb,
            )
        ):
            continue
        window = window_of(stage, space, first, last)
        hopeless = _hopeless(window, touch)
        if hopeless is not None:
            failed.append(_change(touch, limb, *hopeless, window=window))
            continue
        plan = _planned(window, options, watch, seed=seed * 64 + attempt)
        if plan.status:
            return stage.with_motion(plan.applied(stage.motion)), _change(
                touch, limb, Status.SOLVED, "", window=window, plan=plan
            )
        failed.append(_change(touch, limb, plan.status, plan.reason, window=window, plan=plan))
    return stage, failed[-1]


def _tries(limb: str, options: LimbOptions) -> Iterator[tuple[str, float, int]]:
    """Linkages, paddings and attempts, in the order in which they are tried."""
    linkages = [limb]
    if options.spine and limb.endswith("_arm"):
        linkages.append(f"{limb}_spine")
    for linkage in linkages:
        for pad_s in PADS_S if linkage == limb else PADS_S[:2]:
            for attempt in range(options.attempts):
                yield linkage, pad_s, attempt


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


def _hopeless(window: Window, touch: Touch) -> tuple[Status, str] | None:
    """Why a window cannot be planned in at all, if that is plain to see."""
    from understudy.limbs._nearest_kernels import blocked_base

    still = np.zeros(len(window.space))
    room = shrink_s(window.end_s - window.start_s)
    for when, status in (
        (window.start_s + room, Status.INFEASIBLE_START),
        (window.end_s - room, Status.INFEASIBLE_GOAL),
    ):
        slack, pair = window.nearest(still, when)
        if slack < 0.0 and pair[1]:
            return status, f"{pair[0]} is in {pair[1]} already at {when:.2f} s"
    parts = [k for k in range(len(window.part_names)) if int(window.setting.window.carriers[k]) == 0]
    if parts and parts[0] == 0 and not window.space.name.endswith("_spine"):
        radius = float(window.setting.window.own_radii[0])
        f, solid = blocked_base(window.setting, window.scratch, frozen(window.frame_times_s), radius - 0.001)
        if f >= 0:
            joint = window.space.body.skeleton.names[window.space.joints[0]]
            when = window.frame_times_s[int(f)]
            other = window.world.names[int(solid)]
            return Status.EXHAUSTED, f"{other} is where {joint} passes at {when:.2f} s; no pose of the limb avoids it"
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
