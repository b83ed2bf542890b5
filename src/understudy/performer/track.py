"""Where a walker goes and in which phase of the gait: commanded velocity turned into path, heading and phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from understudy.core.editing import raised, smoothstep
from understudy.errors import OptionError
from understudy.performer.model import LEG_M, GaitModel
from understudy.performer.smoothing import gaussian
from understudy.performer.style import Style
from understudy.performer.variation import wander
from understudy.typing import BoolArray, FloatArray

#: [s] the body faces where the path will lead this much later.
HEADING_LEAD_S = 0.12
#: [s] smoothing of velocities before the gait depends on them, and how far ahead and back a turn is felt.
CONTEXT_SIGMA_S = 0.12
CONTEXT_LEAD_S = 0.25
#: Phase after a footfall at which a stopped walker rests: both feet down.
REST_PHASE = 0.08
#: [s] a first step is a whole step already, though the walker is slow yet; so is the last one.
_ACTIVE_S = 0.2
#: [s] phase gathers and loses speed over this time.
_RAMP_S = 0.3


class Command(NamedTuple):
    """What is asked for from a time on.

    Attributes:
        time_s: When it is reached [s].
        forward_mps: Speed along the path's direction [m/s]; negative backwards.
        left_mps: Speed to the left [m/s].
        turn_radps: Turn rate to the left [rad/s].
        ease_s: The change to it begins this much earlier [s]; at most back to the command before.
    """

    time_s: float
    forward_mps: float = 0.0
    left_mps: float = 0.0
    turn_radps: float = 0.0
    ease_s: float = 0.8


@dataclass(frozen=True, eq=False, kw_only=True)
class Track:
    """Path and phase frame by frame.

    Attributes:
        times_s: ``(frames,)``, evenly spaced.
        place: ``(frames, 2)`` (x, z) [m].
        heading: ``(frames,)`` [rad], continuous.
        phase: ``(frames,)`` strides, never falling.
        context: ``(frames, 5)`` v, l, w, lead, lag of the reference person; see ``model``.
        activity: ``(frames,)`` 0 standing .. 1 walking.
    """

    times_s: FloatArray
    place: FloatArray
    heading: FloatArray
    phase: FloatArray
    context: FloatArray
    activity: FloatArray

    @property
    def fps(self) -> float:
        """Frames per second."""
        return float(1.0 / (self.times_s[1] - self.times_s[0]))


def commanded_track(
    commands: Sequence[Command],
    *,
    duration_s: float,
    fps: float,
    leg_m: float,
    model: GaitModel,
    style: Style,
    start_phase: float,
    rng: np.random.Generator,
    margin_s: float = 1.5,
) -> Track:
    """Integrate commands into a track; it reaches ``margin_s`` beyond both ends so that steps there are whole."""
    frames = round((duration_s + 2 * margin_s) * fps) + 1
    times = np.arange(frames) / fps - margin_s
    velocity = _eased(commands, times)
    course = _integrated(velocity[:, 2], fps)
    heading = np.interp(times + HEADING_LEAD_S, times, course)
    c, s = np.cos(course), np.sin(course)
    move = np.stack([s * velocity[:, 0] + c * velocity[:, 1], c * velocity[:, 0] - s * velocity[:, 1]], axis=1)
    place = np.stack([_integrated(move[:, n], fps) for n in range(2)], axis=1)
    origin = int(np.argmin(np.abs(times)))
    place -= place[origin]
    turn = heading[origin]
    c, s = np.cos(turn), np.sin(turn)
    place = place @ np.array([[c, s], [-s, c]])
    heading = heading - turn
    context = context_of(place, heading, fps, leg_m)
    phase = _phase(times, velocity, context, model, style, leg_m, start_phase, rng)
    return Track(
        times_s=times, place=place, heading=heading, phase=phase, context=context, activity=activity_of(context, fps)
    )


def track_along(
    place: FloatArray,
    heading: FloatArray,
    *,
    fps: float,
    leg_m: float,
    model: GaitModel,
    style: Style,
    start_phase: float = 0.0,
    rng: np.random.Generator,
) -> Track:
    """The track of a walker whose path is known.

    Args:
        place: ``(frames, 2)`` (x, z) [m], smooth; steps near both ends are whole where it goes on there.
        heading: ``(frames,)`` [rad], continuous.
        fps: Frames per second.
        leg_m: Hip to ankle [m].
        model: The gait.
        style: The manner.
        start_phase: Phase of the first frame in strides; a walker who stands at first rests near it.
        rng: Of the differences from step to step.
    """
    times = np.arange(len(place)) / fps
    move, turn = np.gradient(place, axis=0) * fps, np.gradient(heading) * fps
    c, s = np.cos(heading), np.sin(heading)
    velocity = np.stack([s * move[:, 0] + c * move[:, 1], c * move[:, 0] - s * move[:, 1], turn], axis=1)
    context = context_of(place, heading, fps, leg_m)
    phase = _phase(times, velocity, context, model, style, leg_m, start_phase, rng)
    return Track(
        times_s=times, place=place, heading=heading, phase=phase, context=context, activity=activity_of(context, fps)
    )


def context_of(place: FloatArray, heading: FloatArray, fps: float, leg_m: float) -> FloatArray:
    """``(frames, 5)`` v, l, w, lead and lag of the reference person, from a path."""
    width = CONTEXT_SIGMA_S * fps
    step = np.gradient(place, axis=0) * fps
    # A trace of where the walker will go and has gone keeps the direction known while it stands.
    move = 0.98 * gaussian(step, width) + 0.02 * gaussian(step, 3.0 * width)
    turn = gaussian(np.gradient(heading) * fps, width)
    c, s = np.cos(heading), np.sin(heading)
    frames = np.arange(len(turn))
    later, before = (np.interp(frames + sign * CONTEXT_LEAD_S * fps, frames, turn) for sign in (1.0, -1.0))
    slower = float(np.sqrt(leg_m / LEG_M))
    return np.stack(
        [
            (s * move[:, 0] + c * move[:, 1]) / slower,
            (c * move[:, 0] - s * move[:, 1]) / slower,
            turn * slower,
            (later - turn) * slower,
            (turn - before) * slower,
        ],
        axis=1,
    )


def activity_of(context: FloatArray, fps: float) -> FloatArray:
    """``(frames,)`` how much of a gait there is, now or in a moment: 0 standing .. 1."""
    v, side, w = context[:, 0], context[:, 1], context[:, 2]
    size = np.sqrt((v / 0.45) ** 2 + (side / 0.3) ** 2 + (w / 0.7) ** 2)
    return smoothstep(raised(size, round(_ACTIVE_S * fps)))


def _eased(commands: Sequence[Command], times: FloatArray) -> FloatArray:
    """``(frames, 3)`` commanded velocities, each change a smooth ramp that ends at its time."""
    if not commands:
        raise OptionError("a performance needs at least one command")
    listed = np.array(commands, dtype=np.float64)
    if not np.isfinite(listed).all() or np.any(np.diff(listed[:, 0]) <= 0):
        raise OptionError("commands must be finite, and their times must increase")
    out = np.repeat(listed[:1, 1:4], len(times), axis=0)
    for before, after in pairwise(listed):
        ease = min(after[4], after[0] - before[0])
        share = smoothstep((times - (after[0] - ease)) / max(ease, 1e-9))
        out += share[:, None] * (after[1:4] - before[1:4])
    return out


def _integrated(rate: FloatArray, fps: float) -> FloatArray:
    return np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]))]) / fps


def _phase(
    times: FloatArray,
    velocity: FloatArray,
    context: FloatArray,
    model: GaitModel,
    style: Style,
    leg_m: float,
    start: float,
    rng: np.random.Generator,
) -> FloatArray:
    """Phase over time: rests while nothing is commanded, and ends every walk with both feet down side by side."""
    fps = 1.0 / (times[1] - times[0])
    pace = model.pace(context) * style.pace / np.sqrt(leg_m / LEG_M)
    pace *= 1.0 + 0.018 * style.variation * wander(times, 0.6, rng)
    moving = np.abs(velocity).max(axis=1) > 0.02
    phase = np.empty(len(times))
    at = start
    for first, stop in _stretches(moving):
        if moving[first]:
            grown = np.ones(stop - first)
            if first > 0:
                grown = smoothstep(np.arange(stop - first) / (_RAMP_S * fps))
            phase[first:stop] = at + np.cumsum(pace[first:stop] * grown) / fps
            at = phase[stop - 1]
        elif first == 0:
            at = _first_rest(at, velocity[stop:])
            phase[first:stop] = at
        else:
            phase[first:stop] = _run_out(at, pace[first:stop], fps)
            at = phase[stop - 1]
    return phase


def _first_rest(start: float, velocity: FloatArray) -> float:
    """Rest phase before a first step; steps aside and turns on the spot begin with the foot on their side."""
    rest = np.floor(2.0 * start) / 2.0 + REST_PHASE
    if not len(velocity):
        return float(rest)
    ahead, left, turn = velocity[np.argmax(np.abs(velocity).max(axis=1) > 0.15)]
    lean = left if abs(left) > abs(ahead) else turn if abs(ahead) < 0.1 else 0.0
    if lean == 0.0:
        return float(rest)
    # The right foot leaves first after an integer phase, the left one after a half.
    return float(np.floor(start) + (0.5 if lean > 0 else 0.0) + REST_PHASE)


def _run_out(start: float, pace: FloatArray, fps: float) -> FloatArray:
    """After the path has stopped: close up with the trailing foot, then rest."""
    # The foot that stands last must have its mid-stance after the stop, so that both feet end side by side.
    rest = np.ceil(2.0 * (start + 0.12)) / 2.0 + REST_PHASE
    out = np.empty(len(pace))
    at = start
    for n, rate in enumerate(pace):
        left = rest - at
        at += max(0.0, min(rate, left / 0.12)) / fps
        out[n] = at
    return out


def _stretches(flags: BoolArray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(flags.astype(np.int8))) + 1
    return list(zip([0, *edges.tolist()], [*edges.tolist(), len(flags)], strict=True))
