"""From the clip to a hand that follows a path, and back: searched like any reach, joined with the same velocity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from understudy.limbs.hands import hand_pose
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.parting import parted
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.retreat import retreat
from understudy.limbs.seeds import EndTarget
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import Pace, joint_limits_rad_s, pace
from understudy.limbs.stage import Stage
from understudy.limbs.targets import outward
from understudy.limbs.window import Window, window_of
from understudy.scene.contacts import ContactRule
from understudy.typing import FloatArray

#: [s] how much of the path takes part in smoothing, and how far velocity is corrected.
_SHARED_S, _CORRECTED_S = 0.2, 0.6


def joined(
    stage: Stage,
    space: LimbSpace,
    followed: FloatArray,
    frames: tuple[int, int],
    name: str,
    elsewhere: tuple[ContactRule, ...],
    options: LimbOptions,
) -> FloatArray | str:
    """Offsets ``(n, parameters)`` of the frames before a followed path, or after it.

    Args:
        stage: The motion on its stage.
        space: The limb.
        followed: ``(m, parameters)`` [rad] offsets of the path, in the order of time.
        frames: The path's nearest frame and the far frame at which the clip is met: ``(first of path, earlier frame)``
            to arrive, ``(last of path, later frame)`` to leave.
        name: The object that the hand lies on: it comes onto it, or leaves it, straight out of it.
        elsewhere: Contacts that are meant where the hand does not touch it.
        options: How to search.

    Returns:
        Offsets from the far frame to just before the path, or from just after it to the far frame; or why not.
    """
    here, far = frames
    fps = stage.motion.fps
    arrives = far < here
    count = min(max(round(_SHARED_S * fps), 2), len(followed) - 1)
    span = (far, here + count) if arrives else (here - count, far)
    window = window_of(stage, space, *span)
    strict = replace(stage, allow=elsewhere)
    plan = _planned(window, followed, (here, count), name, strict, options, arrives=arrives)
    if not plan.status:
        return plan.reason
    ends = [count, 0] if arrives else [0, count]
    rows = plan.offsets[ends[1] : len(plan.offsets) - ends[0]]
    rows = rows[:-1] if arrives else rows[1:]
    return _corrected(rows, plan.offsets, followed, here - window.first, fps, arrives=arrives)


def _planned(
    window: Window,
    followed: FloatArray,
    shared: tuple[int, int],
    name: str,
    strict: Stage,
    options: LimbOptions,
    *,
    arrives: bool,
) -> Plan:
    (here, count), stage = shared, window.stage
    fps, none = stage.motion.fps, np.zeros(len(window.space))
    time_s = stage.start_s + here / fps
    room = min(shrink_s(window.end_s - window.start_s), 0.25 * abs(len(window.frame_times_s) - 1 - count) / fps)
    bars = pace([stage.source], window.space)
    end, sign = (0, -1) if arrives else (-1, 1)
    rows = _straight_out(window, followed[end], time_s, name, bars, options, sign=sign)
    if arrives:
        reach = Leg(
            window=window, start_s=window.start_s + room, end_s=time_s, start=none, end=followed[0], arriving=rows
        )
        path = Leg(window=window, start_s=time_s, end_s=window.end_s, start=followed[0], end=followed[count], soft=True)
        legs = [*parted([reach], strict, -1), path]
    else:
        path = Leg(window=window, start_s=window.start_s, end_s=time_s, start=followed[-1 - count], end=followed[-1])
        back = Leg(window=window, start_s=time_s, end_s=window.end_s - room, start=followed[-1], end=none, leaving=rows)
        legs = [path, *parted([back], strict, 1)]
    # Beyond the window the path goes on, which a check of the whole motion's pace cannot know yet: it is left to the
    # judge.
    free = {name: replace(bar, speed=np.inf, acceleration=np.inf, jerk=np.inf) for name, bar in bars.items()}
    return plan_legs(legs, free, options, options.watch(), widest_s=2.0 * room, seed=options.seed)


def _straight_out(
    window: Window,
    offset: FloatArray,
    time_s: float,
    name: str,
    bars: Mapping[str, Pace],
    options: LimbOptions,
    *,
    sign: int,
) -> FloatArray | None:
    """The way straight out of what a hand lies on; nothing where it lies on nothing."""
    hand = window.space.name.removesuffix("_arm")
    joint = hand_pose(window.stage, window.space, hand, time_s, offset)
    out = outward(window.stage, hand, joint, [name], time_s)
    if out is None:
        return None
    speeds = joint_limits_rad_s(window.space, dict(bars), options.speed_share)
    end = EndTarget(position=joint[0], point=np.zeros(3))
    return retreat(window, offset, time_s, lambda when: joint[0], out, end, speeds, sign, joint[1])


def _corrected(
    rows: FloatArray, planned: FloatArray, followed: FloatArray, at: int, fps: float, *, arrives: bool
) -> FloatArray:
    """Rows whose velocity at the join is the path's; their value there is already."""
    reach = max(round(_CORRECTED_S * fps), 2)
    if arrives:
        wanted = followed[1] - followed[0]
        missing = wanted - (planned[at] - planned[at - 1])
        away = np.arange(-len(rows), 0)
    else:
        wanted = followed[-1] - followed[-2]
        missing = wanted - (planned[at + 1] - planned[at])
        away = np.arange(1, len(rows) + 1)
    share = np.clip(1.0 - np.abs(away) / reach, 0.0, 1.0) ** 2
    return np.asarray(rows + (away * share)[:, None] * missing)
