"""Bringing one hand to its aim and back: linkages, windows, postures, and the scene that changes in between.

Something that is put down soon after it was taken is one plan: to it, on to its place, and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.limbs.handling.aims import Aim
from understudy.limbs.handling.carrying import gone_home, home_offset
from understudy.limbs.handling.choices import Choice, Known, choices
from understudy.limbs.handling.deed import deed_of
from understudy.limbs.handling.knots import LEAST_S, Frames, Knot, Means, legs_of
from understudy.limbs.handling.play import Deed, Play, Refusal
from understudy.limbs.hands import hand_pose
from understudy.limbs.legs import Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.speeds import joint_limits_rad_s, pace
from understudy.limbs.stage import Stage
from understudy.limbs.tries import Try, tries
from understudy.limbs.window import Window, window_of

#: What a hand does next with what it has taken, given the play in which it has it: when [s], and aims.
Later = tuple[float, Callable[[Play], Iterator[Aim | Refusal]]]


@dataclass(eq=False)
class Standing:
    """What is known of an aim from one round of trying to the next.

    Attributes:
        known: Postures on it.
        given_up: Linkages that cannot be on it at all.
        windows: Windows tabulated so far.
        hasty: Whether a plan failed for want of time or speed only.
    """

    known: Known = field(default_factory=Known)
    given_up: set[str] = field(default_factory=set)
    windows: dict[tuple[str, int, int], Window] = field(default_factory=dict)
    hasty: bool = False


def deeds(
    play: Play,
    aim: Aim,
    options: LimbOptions,
    watch: Watch,
    *,
    rounds: Sequence[int] | None = None,
    standing: Standing | None = None,
    later: Later | None = None,
) -> Iterator[Deed | Refusal]:
    """Every plan found for an aim, and why the others failed, in the order in which they are tried.

    Args:
        play: Everything so far.
        aim: What the hand has to do.
        options: How to search.
        watch: Deadline and stages.
        rounds: Which rounds of trying (``limbs.tries``); all of them unless given.
        standing: What earlier rounds found out, and these add to.
        later: What it does soon after, in the same plan.
    """
    standing = Standing() if standing is None else standing
    stage = play.stage(aim.character, (*aim.rules, *aim.planning))
    for attempt in tries(f"{aim.hand}_arm", options, rounds):
        if watch.interrupted() is not None:
            return
        if attempt.limb in standing.given_up or (attempt.if_hasty and not standing.hasty):
            continue
        for result in _planned(play, aim, stage, attempt, watch, standing, later):
            if isinstance(result, Refusal):
                standing.hasty = standing.hasty or result.hasty
                standing.given_up |= {attempt.limb} if result.hopeless else set()
            yield result


def _planned(
    play: Play,
    aim: Aim,
    stage: Stage,
    attempt: Try,
    watch: Watch,
    standing: Standing,
    later: Later | None,
) -> Iterator[Deed | Refusal]:
    watch.stage("window")
    limb, options = attempt.limb, attempt.options
    space = stage.space(limb)
    here = round((aim.time_s - stage.start_s) * stage.motion.fps)
    frames = _frames(play, stage, limb, aim, attempt.lead_s, aim.time_s if later is None else later[0])
    if isinstance(frames, Refusal):
        yield frames
        return
    key = (limb, frames.first, here)
    if key not in standing.windows:
        standing.windows[key] = window_of(stage, space, frames.first, here)
    before = standing.windows[key]
    bars = pace([stage.source], space)
    speeds = joint_limits_rad_s(space, bars, options.speed_share)
    start_s = before.start_s + frames.room_s
    slack, pair = before.nearest(np.zeros(len(space)), start_s)
    if slack < 0.0 and pair[1]:
        yield Refusal(status=Status.INFEASIBLE_START, reason=f"{pair[0]} is in {pair[1]} already at {start_s:.2f} s")
        return
    watch.stage("ik")
    found, refusal = choices(before, aim, attempt, speeds, start_s, standing.known)
    if not found and not refusal.status:
        yield refusal
    means = Means(bars, speeds, options, watch, attempt.seed)
    for choice in found:
        knot = _knot(aim, choice, here, stage, before)
        if isinstance(knot, Refusal):
            yield knot
            continue
        for knots in [[knot]] if later is None else _followed(play, knot, later, attempt, means):
            yield knots if isinstance(knots, Refusal) else _one(play, knots, frames, means)


def _followed(play: Play, knot: Knot, later: Later, attempt: Try, means: Means) -> Iterator[list[Knot] | Refusal]:
    """A knot and another after it, each way of having the hand there."""
    aim, held = knot.aim, knot.after
    now = replace(play, scene=held.scene, allow=(*play.allow, *aim.rules))
    for second in later[1](now):
        if isinstance(second, Refusal):
            yield second
            continue
        stage = held.allowing((*second.rules, *second.planning))
        here = round((second.time_s - stage.start_s) * stage.motion.fps)
        window = window_of(stage, knot.window.space, knot.frame, here)
        found, refusal = choices(window, second, attempt, means.speeds, aim.time_s, Known())
        if not found and not refusal.status:
            yield replace(refusal, hopeless=False)
        for choice in found:
            following = _knot(second, choice, here, stage, window)
            yield following if isinstance(following, Refusal) else [knot, following]


def _knot(aim: Aim, choice: Choice, frame: int, stage: Stage, window: Window) -> Knot | Refusal:
    """A hand on its aim, and the scene from then on; or what it would be in then."""
    space, offset = window.space, choice.posture.offset
    joint = hand_pose(stage, space, aim.hand, aim.time_s, offset)
    after = replace(stage, scene=aim.after(stage.scene, joint, choice.way), _shared={})
    if frame < len(stage.motion) - 1:
        slack, pair = window_of(after, space, frame, frame + 1).nearest(offset, aim.time_s)
        if slack < 0.0 and pair[1]:
            said = f"with {aim.object or 'it'} in hand {pair[0]} is in {pair[1]} at {aim.time_s:.2f} s"
            return Refusal(status=Status.INFEASIBLE_GOAL, reason=said)
    return Knot(aim=aim, choice=choice, joint=joint, frame=frame, before=stage, after=after, window=window)


def _frames(play: Play, stage: Stage, limb: str, aim: Aim, lead_s: float, until_s: float) -> Frames | Refusal:
    bounds = play.bounds(stage, stage.space(limb), aim.time_s)
    if bounds is None:
        return Refusal(status=Status.INFEASIBLE_GOAL, reason=f"the {aim.hand} hand is busy at {aim.time_s:.2f} s")
    fps = stage.motion.fps
    here, until = (round((time_s - stage.start_s) * fps) for time_s in (aim.time_s, until_s))
    if until > bounds[1]:
        return Refusal(status=Status.INFEASIBLE_GOAL, reason=f"the {aim.hand} hand is busy at {until_s:.2f} s")
    first = max(here - round(lead_s * fps), bounds[0])
    last = min(until + round(lead_s * fps), bounds[1])
    room = min(shrink_s((last - first) / fps), 0.25 * (here - first) / fps)
    if last > until and last < len(stage.motion) - 1:
        room = min(room, 0.25 * (last - until) / fps)
    if (here - first) / fps - room < LEAST_S:
        return Refusal(
            status=Status.INFEASIBLE_START,
            reason=f"{(here - first) / fps:.2f} s are too short for the {aim.hand} hand to get to {aim.name}",
        )
    home = home_offset(stage, stage.space(limb), last) if aim.empties else None
    return Frames(first, last, room, np.zeros(len(stage.space(limb))) if home is None else home)


def _one(play: Play, knots: Sequence[Knot], frames: Frames, means: Means) -> Deed | Refusal:
    """A plan past some knots, or why there is none."""
    plan, legs = None, []
    # Where something rests the hand is there a moment early and stays a moment longer, if that can be done.
    for rests, up in _manners([knot.aim for knot in knots]):
        now = [replace(one, aim=replace(one.aim, rests=rests and one.aim.rests, holds_up=up)) for one in knots]
        legs = legs_of(now, play.allow, frames, means)
        plan = plan_legs(legs, means.bars, means.options, means.watch, widest_s=2.0 * frames.room_s, seed=means.seed)
        if plan.status:
            break
    assert plan is not None
    if not plan.status:
        return Refusal(status=plan.status, reason=_reason(plan, knots), hasty=plan.hasty)
    last = knots[-1]
    made = plan.applied(last.after.motion)
    if last.aim.empties and np.any(frames.home):
        made = gone_home(made, last.after.source, plan.space, frames.last)
    done, found = replace(last.after, motion=made), list[Deed]()
    for knot in knots:
        before = found[-1].play if found else play
        found.append(deed_of(before, knot.aim, done, plan, knot.choice.way, legs))
    first, *more = found
    return replace(first, play=found[-1].play, then=more[0] if more else None)


def _manners(aims: Sequence[Aim]) -> list[tuple[bool, bool]]:
    """Whether the hand rests and whether it stays lifted, in turn."""
    rests = (True, False) if any(aim.rests for aim in aims) else (False,)
    lifted = len(aims) == 1 and aims[0].holds_up and aims[0].fills
    return [(one, up) for up in ((False, True) if lifted else (False,)) for one in rests]


def _reason(plan: Plan, knots: Sequence[Knot]) -> str:
    places = " and ".join(f"{knot.aim.name} at {knot.aim.time_s:.2f} s" for knot in knots)
    return f"the {knots[0].aim.hand} hand at {places}: {plan.reason}"
