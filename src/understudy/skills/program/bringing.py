"""Bringing arms over from one posture into another, past whatever is in the way.

Where one motion continues another an arm, and what it holds, has to get from where it is to where the next motion has
it. A plain fade is looked at first; where that meets something the limb planner finds a way, while the body goes on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.limbs.handling import Play
from understudy.limbs.legs import Leg
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import plan_legs
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import pace
from understudy.limbs.stage import Stage
from understudy.limbs.window import window_of
from understudy.skills.program.faults import Fault

#: [s] within which an arm may come over, soonest first.
WITHIN_S = (1.1, 2.4)
#: [s] of standing still that is put before a motion for planning, and left after the arm is there: room for smoothing.
_ROOM_S = 0.3
#: [rad] how far out of its limits a joint of an arm may be before it is worth a word.
_BEYOND_RAD = 0.01
#: [m] room that is kept while searching: things that were just taken are beside others.
_MARGIN_M = 0.008


def meets(
    play: Play,
    name: str,
    hand: str,
    until_s: float | None = None,
    *,
    limits: bool = True,
    deep_m: float = 0.0,
    begun: bool = False,
) -> str:
    """What an arm, with what it holds, comes upon in somebody's motion; empty when it is free all the time.

    Args:
        play: With the motion.
        name: Whose.
        hand: Which arm.
        until_s: How far to look [s]; to the end unless given.
        limits: Whether joints are asked for their limits too.
        deep_m: By how much it may overlap [m]: what is held is covered a little more than it is large.
        begun: Whether the first frame is what was before: only what gets deeper than that is come upon.
    """
    stage = play.stage(name)
    space, motion = stage.space(f"{hand}_arm"), stage.motion
    last = len(motion) - 1 if until_s is None else min(round(until_s * motion.fps), len(motion) - 1)
    if limits:
        beyond = space.excess(space.coordinates(motion.rotations[: last + 1]))
        joint = int(beyond.max(axis=0).argmax())
        if beyond.max() > _BEYOND_RAD:
            return f"{motion.skeleton.names[space.joints[joint]]} is out of its limits"
    window = window_of(stage, space, 0, last)
    found = window.insides()
    worst = int(found[:, 0].argmin())
    if found[worst, 0] >= min(-deep_m, float(found[0, 0]) if begun else 0.0):
        return ""
    a, b = window.pair_names(*(int(value) for value in found[worst, 1:]))
    return Fault(f"{a} meets {b} at {worst / motion.fps:.2f} s", time_s=worst / motion.fps)


def brought(play: Play, name: str, before: Motion, hand: str, options: LimbOptions, watch: Watch) -> Motion | str:
    """Somebody's motion with an arm that begins as it ended before and comes over free of everything; or why not.

    Args:
        play: With the motion, whose body continues what was before already.
        name: Whose.
        before: What was done before.
        hand: Which arm.
        options: How to search.
        watch: Deadline and stages.
    """
    space = play.stage(name).space(f"{hand}_arm")
    motion = _with_own_twist(play.motion(name), before, space)
    play = replace(play, scene=play.scene.with_motion(name, motion))
    room = round(_ROOM_S * motion.fps)
    stage = _waiting(play, name, room)
    away = space.parameters(before.rotations[-1]) - space.parameters(motion.rotations[0])
    away = (away + np.pi) % (2.0 * np.pi) - np.pi
    rest = np.zeros(len(space))
    bars = pace([stage.source], space)
    fault = "there is no time for it"
    for within_s in WITHIN_S:
        last = round(within_s * motion.fps) + 2 * room
        if last >= len(stage.motion):
            break
        window = window_of(stage, space, 0, last)
        slack, pair = window.nearest(away, 0.0)
        if slack < 0.0:
            return Fault(f"{pair[0]} is in {pair[1]} already", anyhow=True)
        legs = [
            Leg(window=window, start_s=window.start_s, end_s=0.0, start=away, end=away),
            Leg(window=window, start_s=0.0, end_s=within_s, start=away, end=rest),
        ]
        plan = plan_legs(legs, bars, replace(options, margin_m=_MARGIN_M), watch, widest_s=2.0 * _ROOM_S)
        if plan.status:
            return plan.applied(stage.motion).frames(room, len(stage.motion))
        fault = plan.reason
    return fault


def _with_own_twist(motion: Motion, before: Motion, space: LimbSpace) -> Motion:
    """A motion in which what a limb's parameters do not say, such as a wrist's twist, begins as it ended before."""
    share = 1.0 - smoothstep(motion.times_s / WITHIN_S[0])
    rotations, changed = motion.rotations.copy(), share > 0.0
    own, last = space.coordinates(rotations[changed]), space.coordinates(before.rotations[-1])
    away = np.where(space.driven.any(axis=0), 0.0, (last - own[0] + np.pi) % (2.0 * np.pi) - np.pi)
    rotations[changed] = space.with_coordinates(rotations[changed], own + share[changed, None] * away)
    return replace(motion, rotations=rotations)


def _waiting(play: Play, name: str, frames: int) -> Stage:
    """The stage with somebody who stands still for some frames before time zero."""
    motion = _later(play.motion(name), frames)
    scene = play.scene.with_motion(name, motion, start_s=-frames / motion.fps)
    return replace(play, scene=scene, sources={name: _later(play.sources[name], frames)}).stage(name)


def _later(motion: Motion, frames: int) -> Motion:
    root, turns = motion.root_positions, motion.rotations
    return replace(
        motion,
        root_positions=np.concatenate([np.repeat(root[:1], frames, axis=0), root]),
        rotations=np.concatenate([np.repeat(turns[:1], frames, axis=0), turns]),
    )
