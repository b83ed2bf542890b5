"""Bringing one hand to its aim and back: linkages, windows, postures, and the scene that changes in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.planning import Status, Watch
from understudy.limbs.handling.aims import Aim, Way
from understudy.limbs.handling.carrying import carried, gone_home
from understudy.limbs.handling.hands import hand_pose
from understudy.limbs.handling.play import Deed, Mark, Play, Refusal
from understudy.limbs.ik import EndTarget, Posture, Postures, goal_postures
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import Leg, Plan, plan_legs, shrink_s
from understudy.limbs.retreat import retreat
from understudy.limbs.speeds import Pace, joint_limits_rad_s, pace
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Change
from understudy.limbs.window import Window, window_of
from understudy.typing import FloatArray

#: [s] time before and after the moment, in the order in which it is tried.
LEADS_S = (1.0, 1.5, 2.2, 0.7)
#: [s] least time to get there, and back.
LEAST_S = 0.25
#: Postures tried per window; postures collected before the nearest are chosen.
_POSTURES, _COLLECTED = 3, 8
#: How much longer than the straight way a way round something takes, at least.
_WAY_ROUND = 1.05
#: [m] a point this far out on the way the hand leaves by.
_OUT_M = 0.5


@dataclass(frozen=True, eq=False)
class _Frames:
    """A window about a moment: first frame, the moment's, last, and room at its ends for smoothing [s]."""

    first: int
    here: int
    last: int
    room_s: float


@dataclass(frozen=True, eq=False)
class _Choice:
    posture: Posture
    way: Way


def tries(aim: Aim, options: LimbOptions) -> Iterator[tuple[str, float, int, int]]:
    """Linkages, times around the moment, samples and seeds: everything briefly before anything long."""
    arm = f"{aim.hand}_arm"
    linkages = (arm, f"{arm}_spine") if options.spine else (arm,)
    for attempt in range(options.attempts):
        for limb in linkages:
            for lead_s in LEADS_S if limb == arm else LEADS_S[1:2]:
                yield (
                    limb,
                    lead_s,
                    max(options.iterations // (4 if attempt == 0 else 1), 1),
                    options.seed * 64 + attempt,
                )


def deeds(play: Play, aim: Aim, options: LimbOptions, watch: Watch) -> Iterator[Deed | Refusal]:
    """Every plan found for an aim, and why the others failed, in the order in which they are tried."""
    given_up: set[str] = set()
    for limb, lead_s, iterations, seed in tries(aim, options):
        if watch.interrupted() is not None:
            return
        if limb in given_up:
            continue
        for result in _planned(play, aim, limb, lead_s, replace(options, iterations=iterations), watch, seed):
            if isinstance(result, Refusal) and result.hopeless:
                given_up.add(limb)
            yield result


def _planned(
    play: Play, aim: Aim, limb: str, lead_s: float, options: LimbOptions, watch: Watch, seed: int
) -> Iterator[Deed | Refusal]:
    watch.stage("window")
    stage = play.stage(aim.character, (*aim.rules, *aim.planning))
    space = stage.space(limb)
    if aim.empties:
        stage = gone_home(stage, space, round((aim.time_s - stage.start_s) * stage.motion.fps))
    frames = _frames(play, stage, limb, aim, lead_s)
    if isinstance(frames, Refusal):
        yield frames
        return
    before = window_of(stage, space, frames.first, frames.here)
    bars = pace([stage.source], space)
    speeds = joint_limits_rad_s(space, bars, options.speed_share)
    start_s = before.start_s + frames.room_s
    slack, pair = before.nearest(np.zeros(len(space)), start_s)
    if slack < 0.0 and pair[1]:
        yield Refusal(status=Status.INFEASIBLE_START, reason=f"{pair[0]} is in {pair[1]} already at {start_s:.2f} s")
        return
    watch.stage("ik")
    choices, refusal = _choices(before, aim, options, speeds, frames)
    if not choices:
        yield refusal
        return
    for choice in choices:
        yield _one(play, aim, stage, before, frames, choice, _Means(bars, speeds, options, watch, seed))


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
    if last - here < round(LEAST_S * fps) and last == len(stage.motion) - 1:
        last = len(stage.motion) - 1
    room = min(shrink_s((last - first) / fps), 0.25 * (here - first) / fps)
    if last > here and last < len(stage.motion) - 1:
        room = min(room, 0.25 * (last - here) / fps)
    if (here - first) / fps - room < LEAST_S:
        return Refusal(
            status=Status.INFEASIBLE_START,
            reason=f"{(here - first) / fps:.2f} s are too short for the {aim.hand} hand to get to {aim.name}",
        )
    return _Frames(first, here, last, room)


def _choices(
    before: Window, aim: Aim, options: LimbOptions, speeds: FloatArray, frames: _Frames
) -> tuple[list[_Choice], Refusal]:
    """Postures on the aim that can be reached in time, nearest to the clip first."""
    seen: list[Postures] = []
    late = False
    starts = before.start_s + frames.room_s
    for tier in aim.tiers:
        found: list[_Choice] = []
        for way in tier:
            postures = goal_postures(before, aim.time_s, way.end, clear_m=options.kept_m + 5e-4)
            seen.append(postures)
            for posture in postures.found:
                turns = np.abs(before.space.spread @ posture.offset).reshape(-1, 3)
                needed = float((np.linalg.norm(turns, axis=1) / speeds).max())
                if _WAY_ROUND * needed < aim.time_s - starts:
                    found.append(_Choice(posture, way))
                else:
                    late = True
            if len(found) >= _COLLECTED:
                break
        if found:
            found.sort(key=lambda one: one.posture.cost_m)
            return found[:_POSTURES], Refusal(status=Status.SOLVED, reason="")
    return [], _no_choice(before, aim, seen, late=late)


def _no_choice(before: Window, aim: Aim, seen: list[Postures], *, late: bool) -> Refusal:
    from understudy.limbs.handling.excuses import posture_said

    if late:
        reason = f"the {aim.hand} hand cannot be at {aim.name} by {aim.time_s:.2f} s at its pace"
        return Refusal(status=Status.EXHAUSTED, reason=reason)
    return Refusal(status=Status.INFEASIBLE_GOAL, reason=posture_said(before, aim, seen), hopeless=True)


def _one(
    play: Play, aim: Aim, stage: Stage, before: Window, frames: _Frames, choice: _Choice, means: _Means
) -> Deed | Refusal:
    """A plan with one posture, or why there is none."""
    space, offset = before.space, choice.posture.offset
    joint = hand_pose(stage, space, aim.hand, aim.time_s, offset)
    scene = aim.after(stage.scene, joint, choice.way)
    later = replace(stage, scene=scene, _shared={})
    legs = [_there(before, aim, frames, choice, means.speeds)]
    if frames.last > frames.here:
        after = window_of(later, space, frames.here, frames.last)
        slack, pair = after.nearest(offset, aim.time_s)
        if slack < 0.0 and pair[1]:
            return Refusal(
                status=Status.INFEASIBLE_GOAL,
                reason=f"with {aim.object or 'it'} in hand {pair[0]} is in {pair[1]} at {aim.time_s:.2f} s",
            )
        legs += _onward(later, after, aim, frames, choice, means)
    plan = plan_legs(legs, means.bars, means.options, means.watch, widest_s=2.0 * frames.room_s, seed=means.seed)
    if not plan.status:
        return Refusal(status=plan.status, reason=_reason(plan, aim))
    return _deed(play, aim, later, plan, choice, legs)


def _reason(plan: Plan, aim: Aim) -> str:
    return f"the {aim.hand} hand at {aim.name} at {aim.time_s:.2f} s: {plan.reason}"


def _there(before: Window, aim: Aim, frames: _Frames, choice: _Choice, speeds: FloatArray) -> Leg:
    arriving = _plant(before, aim, choice, speeds, -1, choice.way.out)
    return Leg(
        window=before,
        start_s=before.start_s + frames.room_s,
        end_s=aim.time_s,
        start=np.zeros(len(before.space)),
        end=choice.posture.offset,
        arriving=arriving,
    )


def _onward(later: Stage, after: Window, aim: Aim, frames: _Frames, choice: _Choice, means: _Means) -> list[Leg]:
    """Back to the clip, or to where a load can be carried; where there is no time left, the hand stays."""
    back_s, offset = after.end_s - frames.room_s, choice.posture.offset
    ends = frames.last == len(later.motion) - 1
    if ends and back_s - aim.time_s < 2.0 * LEAST_S:
        return [Leg(window=after, start_s=aim.time_s, end_s=after.end_s, start=offset, end=offset)]
    home, onward = np.zeros(len(after.space)), []
    if aim.fills and not ends:
        found = carried(later, after.space, frames.last, means.options)
        if found is not None and np.any(found[1]):
            home = found[1]
            back_s = after.end_s
            onward = [Leg(window=found[0], start_s=back_s, end_s=found[0].end_s, start=home, end=home)]
    up = np.array([0.0, 1.0, 0.0]) if aim.lifts else choice.way.out
    leaving = _plant(after, aim, choice, means.speeds, 1, up)
    back = Leg(window=after, start_s=aim.time_s, end_s=back_s, start=offset, end=home, leaving=leaving)
    return [back, *onward]


def _plant(window: Window, aim: Aim, choice: _Choice, speeds: FloatArray, sign: int, out: FloatArray) -> FloatArray:
    """The way straight out from the aim, to plant in a tree."""
    there = choice.way.end.position
    moved = aim.target_at if sign < 0 else (lambda _: aim.target_at(aim.time_s))
    shift = there - aim.target_at(aim.time_s)
    end = EndTarget(position=there, point=choice.way.end.point)
    return retreat(
        window,
        choice.posture,
        aim.time_s,
        lambda when: moved(when) + shift,
        there + _OUT_M * out,
        end,
        speeds,
        sign,
    )


def _deed(play: Play, aim: Aim, later: Stage, plan: Plan, choice: _Choice, legs: list[Leg]) -> Deed:
    made = plan.applied(later.motion)
    scene = later.scene.with_motion(aim.character, made, start_s=later.start_s)
    end = choice.way.end
    turned = None if end.rotations is None else _nearest(end.rotations, made, aim, later)
    mark = Mark(
        character=aim.character,
        hand=aim.hand,
        time_s=aim.time_s,
        position=end.position,
        point=end.point,
        rotation=turned,
    )
    change = Change(
        limb=plan.space.name,
        start_s=legs[0].window.start_s,
        end_s=legs[-1].window.end_s,
        status=plan.status,
        path=np.concatenate([one.path for one in plan.found]),
        nodes=np.concatenate([one.nodes for one in plan.found]),
        width_s=plan.width_s,
    )
    rules = aim.rules
    return Deed(
        kind=aim.kind,
        character=aim.character,
        hands=(aim.hand,),
        object=aim.object,
        time_s=aim.time_s,
        marks=(mark,),
        limbs=(plan.space.name,),
        changes=(change,),
        rules=rules,
        play=play.done(scene, limbs=(plan.space.name,), character=aim.character, marks=(mark,), allow=rules),
    )


def _nearest(rotations: FloatArray, made: object, aim: Aim, later: Stage) -> FloatArray:
    """The one of several allowed orientations that the hand took."""
    from understudy.core.motion import Motion

    assert isinstance(made, Motion)
    _, turn = hand_pose(replace(later, motion=made), later.space(f"{aim.hand}_arm"), aim.hand, aim.time_s)
    angles = rot.angle_between(np.asarray(rotations), turn)
    return np.asarray(rotations)[int(np.argmin(angles))]
