"""Bringing one hand to its aim and back: linkages, windows, postures, and the scene that changes in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.limbs.handling.aims import DWELL_S, Aim, Pose, Way
from understudy.limbs.handling.carrying import carried, gone_home, home_offset
from understudy.limbs.handling.choices import Choice, Known, choices
from understudy.limbs.handling.deed import deed_of
from understudy.limbs.handling.play import Deed, Play, Refusal
from understudy.limbs.handling.tracking import tracked
from understudy.limbs.hands import hand_pose
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.parting import NEAR_M, parted
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.retreat import retreat
from understudy.limbs.seeds import EndTarget
from understudy.limbs.speeds import Pace, joint_limits_rad_s, pace
from understudy.limbs.stage import Stage
from understudy.limbs.targets import outward
from understudy.limbs.tries import Try, tries
from understudy.limbs.window import Window, window_of
from understudy.typing import FloatArray

#: [s] least time to get there, and back.
LEAST_S = 0.25
#: [m] room kept while something is lifted: a forearm is near it.
_HELD_UP_M = 0.006


@dataclass(frozen=True, eq=False)
class _Frames:
    """A window about a moment: first frame, the moment's, last, and room at its ends for smoothing [s]."""

    first: int
    here: int
    last: int
    room_s: float
    home: FloatArray


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
) -> Iterator[Deed | Refusal]:
    """Every plan found for an aim, and why the others failed, in the order in which they are tried.

    Args:
        play: Everything so far.
        aim: What the hand has to do.
        options: How to search.
        watch: Deadline and stages.
        rounds: Which rounds of trying (``limbs.tries``); all of them unless given.
        standing: What earlier rounds found out, and these add to.
    """
    standing = Standing() if standing is None else standing
    stage = play.stage(aim.character, (*aim.rules, *aim.planning))
    for attempt in tries(f"{aim.hand}_arm", options, rounds):
        if watch.interrupted() is not None:
            return
        if attempt.limb in standing.given_up or (attempt.if_hasty and not standing.hasty):
            continue
        for result in _planned(play, aim, stage, attempt, watch, standing):
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
) -> Iterator[Deed | Refusal]:
    watch.stage("window")
    limb, options = attempt.limb, attempt.options
    space = stage.space(limb)
    frames = _frames(play, stage, limb, aim, attempt.lead_s)
    if isinstance(frames, Refusal):
        yield frames
        return
    key = (limb, frames.first, frames.here)
    if key not in standing.windows:
        standing.windows[key] = window_of(stage, space, frames.first, frames.here)
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
    if not found:
        if not refusal.status:
            yield refusal
        return
    for choice in found:
        yield _one(play, aim, stage, before, frames, choice, _Means(bars, speeds, options, watch, attempt.seed))


@dataclass(frozen=True, eq=False)
class _Means:
    bars: dict[str, Pace]
    speeds: FloatArray
    options: LimbOptions
    watch: Watch
    seed: int


def _frames(play: Play, stage: Stage, limb: str, aim: Aim, lead_s: float) -> _Frames | Refusal:
    bounds = play.bounds(stage, stage.space(limb), aim.time_s)
    if bounds is None:
        return Refusal(status=Status.INFEASIBLE_GOAL, reason=f"the {aim.hand} hand is busy at {aim.time_s:.2f} s")
    fps = stage.motion.fps
    here = round((aim.time_s - stage.start_s) * fps)
    first = max(here - round(lead_s * fps), bounds[0])
    last = min(here + round(lead_s * fps), bounds[1])
    room = min(shrink_s((last - first) / fps), 0.25 * (here - first) / fps)
    if last > here and last < len(stage.motion) - 1:
        room = min(room, 0.25 * (last - here) / fps)
    if (here - first) / fps - room < LEAST_S:
        return Refusal(
            status=Status.INFEASIBLE_START,
            reason=f"{(here - first) / fps:.2f} s are too short for the {aim.hand} hand to get to {aim.name}",
        )
    home = home_offset(stage, stage.space(limb), last) if aim.empties else None
    return _Frames(first, here, last, room, np.zeros(len(stage.space(limb))) if home is None else home)


def _one(
    play: Play, aim: Aim, stage: Stage, before: Window, frames: _Frames, choice: Choice, means: _Means
) -> Deed | Refusal:
    """A plan with one posture, or why there is none."""
    space, offset = before.space, choice.posture.offset
    joint = hand_pose(stage, space, aim.hand, aim.time_s, offset)
    later = replace(stage, scene=aim.after(stage.scene, joint, choice.way), _shared={})
    after = window_of(later, space, frames.here, frames.last) if frames.last > frames.here else None
    if after is not None:
        slack, pair = after.nearest(offset, aim.time_s)
        if slack < 0.0 and pair[1]:
            return Refusal(
                status=Status.INFEASIBLE_GOAL,
                reason=f"with {aim.object or 'it'} in hand {pair[0]} is in {pair[1]} at {aim.time_s:.2f} s",
            )
    strict = [replace(one, allow=(*play.allow, *aim.resting)) for one in (stage, later)]
    plan, legs = None, []
    # Where something rests the hand is there a moment early and stays a moment longer, if that can be done.
    for rests, up in _manners(aim):
        now = replace(aim, rests=rests, holds_up=up)
        there = _there(stage, before, now, frames, choice, joint, means)
        legs = parted(there, strict[0], -1)
        if after is not None:
            onward = _onward(later, after, now, frames, choice, joint, means)
            legs += parted(onward, strict[1], 1)
        plan = plan_legs(legs, means.bars, means.options, means.watch, widest_s=2.0 * frames.room_s, seed=means.seed)
        if plan.status:
            break
    assert plan is not None
    if not plan.status:
        return Refusal(status=plan.status, reason=_reason(plan, aim), hasty=plan.hasty)
    made = plan.applied(later.motion)
    if aim.empties and np.any(frames.home):
        made = gone_home(made, later.source, space, frames.last)
    return deed_of(play, aim, replace(later, motion=made), plan, choice.way, legs)


def _manners(aim: Aim) -> list[tuple[bool, bool]]:
    """Whether the hand rests and whether it stays lifted, in turn."""
    rests = (True, False) if aim.rests else (False,)
    return [(one, up) for up in ((False, True) if aim.holds_up and aim.fills else (False,)) for one in rests]


def _reason(plan: Plan, aim: Aim) -> str:
    return f"the {aim.hand} hand at {aim.name} at {aim.time_s:.2f} s: {plan.reason}"


def _there(
    stage: Stage, before: Window, aim: Aim, frames: _Frames, choice: Choice, joint: Pose, means: _Means
) -> list[Leg]:
    """To the aim; where something rests and there is time, the hand is there a moment early."""
    end, end_s, stay = choice.posture.offset, aim.time_s, []
    frame = frames.here - round(DWELL_S * stage.motion.fps)
    starts = before.start_s + frames.room_s
    if aim.rests and (frame - frames.first) / stage.motion.fps - frames.room_s > LEAST_S:
        early = _kept(stage, before, aim, choice, joint, frame, means)
        if early is not None:
            end, end_s = early, stage.start_s + frame / stage.motion.fps
            hold = Leg(window=before, start_s=end_s, end_s=aim.time_s, start=end, end=choice.posture.offset)
            stay = [replace(hold, margin_m=NEAR_M)]
    arriving = _plant(before, aim, choice.way, end, joint, means.speeds, end_s, -1)
    none = np.zeros(len(before.space))
    there = Leg(window=before, start_s=starts, end_s=end_s, start=none, end=end, arriving=arriving, soft=bool(stay))
    return [there, *stay]


def _onward(
    later: Stage, after: Window, aim: Aim, frames: _Frames, choice: Choice, joint: Pose, means: _Means
) -> list[Leg]:
    """Back to the clip, or to where a load can be carried; where there is no time left, the hand stays."""
    back_s, offset, start_s = after.end_s - frames.room_s, choice.posture.offset, aim.time_s
    ends = frames.last == len(later.motion) - 1
    if ends and back_s - aim.time_s < 2.0 * LEAST_S:
        return [Leg(window=after, start_s=aim.time_s, end_s=after.end_s, start=offset, end=offset)]
    home, onward, stay = frames.home, [], []
    near = _HELD_UP_M if aim.holds_up else None
    if aim.fills:
        up = (
            _plant(after, aim, choice.way, offset, joint, means.speeds, aim.time_s, 1)[:, :-1] if aim.holds_up else None
        )
        # At the end of the motion, too, what is held has to be somewhere.
        frame = frames.last - (max(round(frames.room_s * later.motion.fps), 2) if ends else 0)
        found = carried(later, after.space, frame, means.options, up)
        if found is not None and np.any(found[1]):
            home, back_s = found[1], found[0].start_s
            onward = [Leg(window=found[0], start_s=back_s, end_s=found[0].end_s, start=home, end=home, margin_m=near)]
    frame = frames.here + round(DWELL_S * later.motion.fps)
    if aim.rests and back_s - later.start_s - frame / later.motion.fps > LEAST_S:
        late = _kept(later, after, aim, choice, joint, frame, means)
        if late is not None:
            start_s = later.start_s + frame / later.motion.fps
            hold = Leg(window=after, start_s=aim.time_s, end_s=start_s, start=offset, end=late, soft=True)
            stay = [replace(hold, margin_m=NEAR_M)]
            offset = late
    leaving = _plant(after, aim, choice.way, offset, joint, means.speeds, start_s, 1)
    back = Leg(window=after, start_s=start_s, end_s=back_s, start=offset, end=home, leaving=leaving, margin_m=near)
    return [*stay, back, *onward]


def _kept(
    stage: Stage, window: Window, aim: Aim, choice: Choice, joint: Pose, frame: int, means: _Means
) -> FloatArray | None:
    """The offset that has the hand, at another frame, where it is at the moment itself; with its target before that.

    Nothing where the arm would be too fast for that: whoever walks past takes things without stopping.
    """
    time_s = stage.start_s + frame / stage.motion.fps
    moved = aim.target_at(time_s) - aim.target_at(aim.time_s) if time_s < aim.time_s else np.zeros(3)
    clip = window.parameters(np.array([aim.time_s, time_s]))
    start = clip[0] + choice.posture.offset - clip[1]
    found = tracked(stage, window, aim.hand, start, [frame], ((joint[0] + moved)[None], joint[1][None]))
    if found is None:
        return None
    turns = (window.space.spread @ (found[0] - choice.posture.offset)).reshape(-1, 3)
    needed = float((np.linalg.norm(turns, axis=1) / means.speeds).max())
    return found[0] if needed < 0.9 * abs(time_s - aim.time_s) else None


def _plant(
    window: Window,
    aim: Aim,
    way: Way,
    offset: FloatArray,
    joint: Pose,
    speeds: FloatArray,
    time_s: float,
    sign: int,
) -> FloatArray:
    """The way straight out from the aim, to plant in a tree; the hand is not turned on it.

    What is lifted or lowered goes straight up or down; an empty hand leaves what it lies on as soon as it can.
    """
    there, loaded = way.end.position, (aim.lifts and sign > 0) or (aim.empties and sign < 0)
    touched = [rule.b for rule in aim.touching]
    lying = None if loaded else outward(window.stage, aim.hand, joint, touched, aim.time_s)
    out = np.array([0.0, 1.0, 0.0]) if sign > 0 and aim.lifts else way.out
    moved = aim.target_at if sign < 0 else (lambda _: aim.target_at(aim.time_s))
    shift = there - aim.target_at(aim.time_s)
    end = EndTarget(position=there, point=way.end.point)
    return retreat(
        window,
        offset,
        time_s,
        lambda when: moved(when) + shift,
        out if lying is None else lying,
        end,
        speeds,
        sign,
        joint[1],
        straight=loaded,
    )
