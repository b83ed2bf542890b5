"""From the clip to a hand that follows a path, and back: searched like any reach, joined with the same velocity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.planning import Watch
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import pace
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window, window_of
from understudy.typing import FloatArray

#: [s] how much of the path takes part in smoothing, and how far velocity is corrected.
_SHARED_S, _CORRECTED_S = 0.2, 0.6


def joined(
    stage: Stage,
    space: LimbSpace,
    followed: FloatArray,
    frames: tuple[int, int],
    options: LimbOptions,
    watch: Watch,
) -> FloatArray | str:
    """Offsets ``(n, parameters)`` of the frames before a followed path, or after it.

    Args:
        stage: The motion on its stage.
        space: The limb.
        followed: ``(m, parameters)`` [rad] offsets of the path, in the order of time.
        frames: The path's nearest frame and the far frame at which the clip is met: ``(first of path, earlier frame)``
            to arrive, ``(last of path, later frame)`` to leave.
        options: How to search.
        watch: Deadline and stages.

    Returns:
        Offsets from the far frame to just before the path, or from just after it to the far frame; or why not.
    """
    here, far = frames
    fps = stage.motion.fps
    arrives = far < here
    count = min(max(round(_SHARED_S * fps), 2), len(followed) - 1)
    span = (far, here + count) if arrives else (here - count, far)
    window = window_of(stage, space, *span)
    plan = _planned(stage, window, followed, (here, count), options, watch, arrives=arrives)
    if not plan.status:
        return plan.reason
    ends = [count, 0] if arrives else [0, count]
    rows = plan.offsets[ends[1] : len(plan.offsets) - ends[0]]
    rows = rows[:-1] if arrives else rows[1:]
    return _corrected(rows, plan.offsets, followed, here - window.first, fps, arrives=arrives)


def _planned(
    stage: Stage,
    window: Window,
    followed: FloatArray,
    shared: tuple[int, int],
    options: LimbOptions,
    watch: Watch,
    *,
    arrives: bool,
) -> Plan:
    here, count = shared
    fps, none = stage.motion.fps, np.zeros(len(window.space))
    time_s = stage.start_s + here / fps
    room = min(shrink_s(window.end_s - window.start_s), 0.25 * abs(len(window.frame_times_s) - 1 - count) / fps)
    if arrives:
        reach = Leg(window=window, start_s=window.start_s + room, end_s=time_s, start=none, end=followed[0])
        path = Leg(window=window, start_s=time_s, end_s=window.end_s, start=followed[0], end=followed[count], soft=True)
        legs = [reach, path]
    else:
        path = Leg(window=window, start_s=window.start_s, end_s=time_s, start=followed[-1 - count], end=followed[-1])
        legs = [path, Leg(window=window, start_s=time_s, end_s=window.end_s - room, start=followed[-1], end=none)]
    # Beyond the window the path goes on, which a check of the whole motion's pace cannot know yet: it is left to the
    # judge.
    bars = {
        name: replace(bar, speed=np.inf, acceleration=np.inf, jerk=np.inf)
        for name, bar in pace([stage.source], window.space).items()
    }
    return plan_legs(legs, bars, options, watch, widest_s=2.0 * room, seed=options.seed)


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
