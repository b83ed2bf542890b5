"""Frame rates that cannot be: walks too quick or too slow for a body under gravity.

A walking body vaults over its leg. Gravity can bend its path that much only while the Froude number
``v^2 / (g leg)`` stays below 1, and people break into a run near 0.5; a clip declared at twice its rate shows four
times the true number. Slow walks are judged by their rhythm, which lies between 1.4 and 2.6 steps per second.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.core.motion import Motion
from understudy.inspection.gait import Gait, gait_of
from understudy.inspection.intervals import runs
from understudy.inspection.problem import Problem
from understudy.typing import BoolArray, FloatArray

GRAVITY_MPS2 = 9.81
#: People walk below 0.5.
FROUDE_MAX = 0.6
#: Steps per second of walks; ordinary ones keep to 1.4 .. 2.6.
STEPS_PER_S = (1.1, 2.75)
#: Steps per second of runs; sprinters reach 5.
RUN_STEPS_PER_S_MAX = 5.2
#: A rhythm needs this many even steps in a row, the longest at most this much longer than the shortest.
RHYTHM_STEPS, EVENNESS = 3, 1.6
#: Shares of the leg's length: a walking step is at least so long, and the hips rise at least so much over it.
LONG_STEP, VAULT = 0.5, 0.005


class _Finding(NamedTuple):
    why: str
    step: int


def frame_rate_problems(motion: Motion) -> list[Problem]:
    """Whether the steps of a humanoid motion contradict its frame rate."""
    gait = gait_of(motion)
    finding = _impossible_walk(gait) or _odd_rhythm(gait)
    if finding is None:
        return []
    return [
        Problem(
            kind="frame_rate",
            message=f"{motion.fps:g} fps does not fit the steps: {finding.why}",
            joint=None,
            first_frame=int(gait.frames[finding.step]),
            last_frame=int(gait.frames[finding.step + 1]),
            severity="warning",
        )
    ]


def _walking(gait: Gait) -> BoolArray:
    """``(steps,)`` long steps over which the hips vault."""
    leg = gait.leg_length_m
    return np.asarray((gait.bounce_m < -VAULT * leg) & (gait.lengths_m > LONG_STEP * leg))


def _impossible_walk(gait: Gait) -> _Finding | None:
    speeds = gait.lengths_m / gait.durations_s
    froude = np.where(_walking(gait), speeds**2 / (GRAVITY_MPS2 * gait.leg_length_m), 0.0)
    if not len(froude) or froude.max() <= FROUDE_MAX:
        return None
    step = int(froude.argmax())
    return _Finding(f"walking at {speeds[step]:.1f} m/s, where anyone would run", step)


def _odd_rhythm(gait: Gait) -> _Finding | None:
    """The first even series of steps that is too quick or too slow."""
    durations = gait.durations_s
    vaults = gait.bounce_m < 0
    long = gait.lengths_m > 0.35 * gait.leg_length_m
    for walks, low, high in (
        (vaults, STEPS_PER_S[0], STEPS_PER_S[1]),
        (~vaults, 0.0, RUN_STEPS_PER_S_MAX),
    ):
        for first, stop in runs(walks & long):
            for step in range(first, stop - RHYTHM_STEPS + 1):
                rate = _even_rate(durations[step : step + RHYTHM_STEPS])
                slow = rate is not None and rate < low and _walking(gait)[step : step + RHYTHM_STEPS].all()
                if rate is not None and (rate > high or slow):
                    return _Finding(f"{rate:.1f} steps per second", step)
    return None


def _even_rate(durations_s: FloatArray) -> float | None:
    if durations_s.max() > EVENNESS * durations_s.min():
        return None
    return float(1.0 / durations_s.mean())
