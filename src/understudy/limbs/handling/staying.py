"""A hand that stays where it is for a while, on a target that may move, while the body goes on with its clip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.limbs.handling.aims import Aim, Way
from understudy.limbs.handling.joining import Contact, joined
from understudy.limbs.handling.play import Deed, Mark, Play, Span
from understudy.limbs.handling.tracking import tracked
from understudy.limbs.hands import hand_pose
from understudy.limbs.ik import Posture, goal_postures
from understudy.limbs.legs import changed_rotations
from understudy.limbs.options import LimbOptions
from understudy.limbs.refusals import Refusal
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Change
from understudy.limbs.window import window_of
from understudy.typing import FloatArray

#: [s] time before and after the stay, in the order in which it is tried.
_LEADS_S = (1.2, 1.8, 0.8)
#: Postures tried.
_POSTURES = 3


def staying(play: Play, aim: Aim, options: LimbOptions, watch: Watch) -> Iterator[Deed | Refusal]:
    """Plans in which a hand stays on its aim for ``aim.hold_s``, and why others failed."""
    stage = play.stage(aim.character, (*aim.rules, *aim.planning))
    fps, space = stage.motion.fps, stage.space(f"{aim.hand}_arm")
    here = round((aim.time_s - stage.start_s) * fps)
    until = here + max(round(aim.hold_s * fps), 1)
    bounds = play.bounds(stage, space, aim.time_s)
    if bounds is None or until > bounds[1]:
        reason = f"the {aim.hand} hand cannot stay at {aim.name} for {aim.hold_s:g} s from {aim.time_s:.2f} s on"
        yield Refusal(status=Status.INFEASIBLE_GOAL, reason=reason)
        return
    ways = [way for tier in aim.tiers for way in tier]
    for lead_s in _LEADS_S:
        span = (max(here - round(lead_s * fps), bounds[0]), min(until + round(lead_s * fps), bounds[1]))
        window = window_of(stage, space, *span)
        for way in ways:
            found = goal_postures(window, aim.time_s, way.end, clear_m=options.kept_m + 5e-4)
            if not found.found:
                reason = f"the {aim.hand} hand cannot be at {aim.name} at {aim.time_s:.2f} s"
                yield Refusal(status=Status.INFEASIBLE_GOAL, reason=reason)
            for posture in found.found[:_POSTURES]:
                if watch.interrupted() is not None:
                    return
                yield _stay(play, aim, stage, (span[0], here, until, span[1]), way, posture, options)


def _stay(
    play: Play,
    aim: Aim,
    stage: Stage,
    frames: tuple[int, int, int, int],
    way: Way,
    posture: Posture,
    options: LimbOptions,
) -> Deed | Refusal:
    first, here, until, last = frames
    space, fps = stage.space(f"{aim.hand}_arm"), stage.motion.fps
    window = window_of(stage, space, first, last)
    still = np.arange(here, until + 1)
    times = stage.start_s + still / fps
    joint = hand_pose(stage, space, aim.hand, aim.time_s, posture.offset)
    moved = np.array([aim.target_at(float(time)) for time in times]) - aim.target_at(aim.time_s)
    poses = (joint[0] + moved, np.repeat(joint[1][None], len(still), axis=0))
    offsets = tracked(stage, window, aim.hand, posture.offset, still.tolist(), poses)
    what = f"the {aim.hand} hand at {aim.name} from {aim.time_s:.2f} to {times[-1]:.2f} s"
    if offsets is None:
        return Refusal(status=Status.EXHAUSTED, reason=f"{what}: the arm cannot follow")
    rows = [offsets]
    touched = tuple(rule.b for rule in aim.touching)
    for side, far in ((0, first), (1, last)):
        if far == (here, until)[side]:
            continue
        from_at = aim.target_at(float(times[(0, -1)[side]]))
        contact = Contact(
            hand=aim.hand,
            names=touched,
            elsewhere=(*play.allow, *aim.resting),
            moved=lambda when, from_at=from_at: aim.target_at(when) - from_at,  # type: ignore[misc]
        )
        part = joined(stage, space, offsets, ((here, until)[side], far), contact, options, options.watch())
        if isinstance(part, str):
            return Refusal(status=Status.EXHAUSTED, reason=f"{what}: {part}")
        rows.insert(0, part) if side == 0 else rows.append(part)
    whole = np.concatenate(rows)
    touch = window.first_touch(whole, window.frame_times_s, options.kept_m)
    if touch is not None:
        return Refusal(status=Status.EXHAUSTED, reason=f"{what}: {touch[1][0]} meets {touch[1][1]}")
    motion = replace(stage.motion, rotations=changed_rotations(stage.motion, space, first, whole))
    return _deed(play, aim, stage.with_motion(motion), way, (float(times[-1]), moved[-1]), window.start_s, window.end_s)


def _deed(
    play: Play,
    aim: Aim,
    stage: Stage,
    way: Way,
    end: tuple[float, FloatArray],
    start_s: float,
    end_s: float,
) -> Deed:
    limb = f"{aim.hand}_arm"
    marks = tuple(
        Mark(
            character=aim.character,
            hand=aim.hand,
            time_s=when,
            position=way.end.position + shift,
            point=way.end.point,
        )
        for when, shift in ((aim.time_s, np.zeros(3)), end)
    )
    span = Span(character=aim.character, hands=(aim.hand,), start_s=aim.time_s, end_s=end[0])
    change = Change(limb=limb, start_s=start_s, end_s=end_s, status=Status.SOLVED)
    after = play.done(stage.scene, limbs=(limb,), character=aim.character, marks=marks, allow=aim.rules, spans=(span,))
    return Deed(
        kind=aim.kind,
        character=aim.character,
        hands=(aim.hand,),
        object=aim.object,
        time_s=aim.time_s,
        marks=marks,
        limbs=(limb,),
        changes=(change,),
        rules=aim.rules,
        play=after,
    )
