"""The spacetime stage for a planned motion: its keys and pins stay, its momentum changes gently."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.motion import Motion
from understudy.postures.making import motion_stage
from understudy.postures.problem import Problem
from understudy.postures.spacetime import Pinned, refined
from understudy.postures.tables import PIN_JOINT, PIN_POINT, PIN_TURN
from understudy.postures.trace import BetweenTrace


def gentler(problem: Problem, motion: Motion, trace: BetweenTrace) -> tuple[Motion, BetweenTrace]:
    """The motion refined over all its frames at once, and the trace with what became of its momentum."""
    stage = motion_stage(problem, trace)
    times = trace.key_times_s if trace.key_times_s is not None else np.zeros(0)
    keys = [round(float(time) * motion.fps) for time in times]
    pins = problem.stage.pins
    rows = [] if pins is None else zip(pins.indices, pins.numbers, strict=True)
    pinned = [Pinned(joint=int(row[PIN_JOINT]), point=at[PIN_POINT:PIN_TURN]) for row, at in rows]
    out = refined(motion, problem.body, stage, keys=keys, pinned=pinned, floor=problem.has_floor)
    return out.motion, replace(trace, refined=out)
