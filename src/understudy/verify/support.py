"""Support: at every moment something carries the body, or it falls.

While no part of a body touches anything that could carry it, its centre of mass flies a parabola: nothing but its
weight acts on it. A time without support is therefore compared with the nearest exact parabola. People who run and
jump stay within :data:`ARC_M` of it, however long they fly; a body that floats leaves it, the farther the longer it
floats. Gaps between two contacts so short that nobody sees them need no rule of their own: nothing leaves a parabola
in a few hundredths of a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from understudy.typing import BoolArray, FloatArray
from understudy.verify.ballistics import GRAVITY
from understudy.verify.feet import PLANTED_TIME_S, runs
from understudy.verify.touching import Touches

#: [m] how far the centre of mass of people in free flight is from an exact parabola at most. 21 recorded flights of
#: 0.05 s to 0.65 s (runs, jumps, kicks, a jeté, a lay-up) stay within 23 mm (``tools/support_bars.py``); a body that
#: floats is off by 33 mm after 0.2 s and by 74 mm after 0.3 s.
ARC_M = 0.025


@dataclass(frozen=True, kw_only=True)
class Support:
    """What carries a body, and for how long nothing does.

    Attributes:
        unsupported_s: Longest time in which nothing carries the body and it does not fall either [s].
        time_s: When that begins; 0 if it never happens.
        fall_error_mps2: How far the mean acceleration is from free fall in that time [m/s^2]: 9.81 for a body that
            floats. Without such a time, that of the flight farthest from its parabola; 0 without flights.
        arc_error_m: Largest distance of the centre of mass from a parabola while nothing carries it [m].
        flight_s: Longest time without support, whether it falls or not [s].
        supports: ``(from, to, parts)`` [s]: which parts carry; no parts where nothing does.
    """

    unsupported_s: float
    time_s: float
    fall_error_mps2: float
    arc_error_m: float
    flight_s: float
    supports: tuple[tuple[float, float, tuple[str, ...]], ...]


@dataclass(frozen=True, kw_only=True)
class Flight:
    """A time in which nothing carries a body.

    Attributes:
        start_s: When it begins [s].
        lasts_s: How long it lasts [s].
        arc_error_m: Largest distance of the centre of mass from the nearest parabola [m].
        fall_error_mps2: How far its mean acceleration is from free fall [m/s^2].
    """

    start_s: float
    lasts_s: float
    arc_error_m: float
    fall_error_mps2: float


def support(touches: Touches) -> Support:
    """Measure what carries a humanoid, by where it touches what may."""
    every = flights(touches)
    floating = max((one for one in every if one.arc_error_m > ARC_M), key=lambda one: one.lasts_s, default=None)
    worst = max(every, key=lambda one: one.arc_error_m, default=None)
    said = floating or worst
    return Support(
        unsupported_s=floating.lasts_s if floating else 0.0,
        time_s=floating.start_s if floating else 0.0,
        fall_error_mps2=said.fall_error_mps2 if said else 0.0,
        arc_error_m=worst.arc_error_m if worst else 0.0,
        flight_s=max((one.lasts_s for one in every), default=0.0),
        supports=_spans(touches),
    )


def flights(touches: Touches) -> tuple[Flight, ...]:
    """Every time in which nothing carries a humanoid."""
    fps, start = touches.fps, touches.performer.start_s
    found = []
    for first, stop in runs(~_carried(touches)):
        arc_error, fall_error = _off_free_fall(touches.centre_of_mass[first:stop], fps)
        found.append(
            Flight(
                start_s=start + first / fps,
                lasts_s=(stop - first - 1) / fps,
                arc_error_m=arc_error,
                fall_error_mps2=fall_error,
            )
        )
    return tuple(found)


def _carried(touches: Touches) -> BoolArray:
    """``(frames,)`` whether something carries the body; what touches for less than a stance lasts carries nothing."""
    carried = touches.carried.copy()
    for first, stop in runs(carried):
        if first > 0 and stop < len(carried) and (stop - first) / touches.fps < PLANTED_TIME_S:
            carried[first:stop] = False
    return carried


def _off_free_fall(centres: FloatArray, fps: float) -> tuple[float, float]:
    """How far points ``(n, 3)`` are from the nearest exact parabola [m], and their acceleration from gravity's.

    The parabola's place and velocity are fitted, its acceleration is gravity's.
    """
    count = len(centres)
    if count < 3:
        return 0.0, 0.0
    times_s = (np.arange(count) - 0.5 * (count - 1)) / fps
    left = centres - 0.5 * np.array(GRAVITY) * times_s[:, None] ** 2
    # Straight lines, then bows, each at right angles to what came before.
    line = left - left.mean(axis=0)
    line = line - times_s[:, None] * (times_s @ line / (times_s @ times_s))
    bow = times_s**2 - (times_s**2).mean()
    bent = 2.0 * (bow @ line) / (bow @ bow)
    return float(np.linalg.norm(line, axis=1).max()), float(np.linalg.norm(bent))


def _spans(touches: Touches) -> tuple[tuple[float, float, tuple[str, ...]], ...]:
    """Times ``(from, to, parts)`` in which the same parts touch; what changes for less than a stance lasts is left."""
    parts = np.unique(touches.capsules)
    steady = np.zeros((len(touches.positions), len(parts)), dtype=np.bool_)
    for k, part in enumerate(parts.tolist()):
        touching = np.asarray(touches.touching[:, touches.capsules == part].any(axis=1))
        steady[:, k] = _steady(touching, touches.fps)
    changes = np.flatnonzero((steady[1:] != steady[:-1]).any(axis=1)) + 1
    borders = [0, *changes.tolist(), len(steady)]
    fps, start = touches.fps, touches.performer.start_s
    return tuple(
        (
            start + first / fps,
            start + min(stop, len(steady) - 1) / fps,
            tuple(touches.performer.part_name(int(part)) for part in parts[steady[first]]),
        )
        for first, stop in pairwise(borders)
    )


def _steady(flags: BoolArray, fps: float) -> BoolArray:
    """Flags without changes that last less than a stance: gaps first, then touches."""
    out = flags.copy()
    for value in (False, True):
        for first, stop in runs(out == value):
            if first > 0 and stop < len(out) and (stop - first) / fps < PLANTED_TIME_S:
                out[first:stop] = not value
    return out
