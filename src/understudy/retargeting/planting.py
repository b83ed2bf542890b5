"""Footprints that rest while a foot stands, and clear the floor while it swings.

Recorded feet drift by millimetres while they stand, and both of one person may rest at heights a centimetre apart. On
a smaller person a swing becomes a shuffle: people lift their feet over the same floor, whatever their size.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from understudy.core.editing import smoothstep
from understudy.inspection.intervals import Interval
from understudy.typing import FloatArray

#: [s] a foot that leaves the floor for less than this stands all the time.
_SHORTEST_SWING_S = 0.1
#: [s] how long a foot takes to come to rest, and to leave.
_SETTLES_S = 0.1
#: [m] how much higher a swinging foot is lifted.
_CLEARANCE_M = 0.015


def planted(places: FloatArray, stances: Sequence[Interval], *, scale: float, fps: float) -> FloatArray:
    """Scaled footprints ``(frames, 3)`` [m] that rest on the floor through every stance.

    Args:
        places: ``(frames, 3)`` [m] the source's; y is the height above standing.
        stances: When the foot stands, as ``(first, stop)`` frames.
        scale: Target length per source length.
        fps: Frames per second.
    """
    joined, settles = _joined(stances, round(_SHORTEST_SWING_S * fps)), max(1, round(_SETTLES_S * fps))
    moved = scale * _resting(places, joined, settles)
    moved[:, 1] += _CLEARANCE_M * swinging(len(places), stances, fps)
    return moved


def _joined(stances: Sequence[Interval], gap: int) -> list[Interval]:
    """Stances with no more than ``gap`` frames between them as one."""
    joined: list[Interval] = []
    for first, stop in stances:
        if joined and first - joined[-1][1] <= gap:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((first, stop))
    return joined


def _resting(places: FloatArray, stances: Sequence[Interval], settles: int) -> FloatArray:
    """Footprints that come to rest within ``settles`` frames of a stance, carried over smoothly to the next one."""
    if not stances:
        return places
    frames = np.arange(len(places))
    rests = [np.median(places[first:stop], axis=0) * np.array([1.0, 0.0, 1.0]) for first, stop in stances]
    carried, moved = np.zeros_like(places), places.copy()
    marks = [(at, rest - places[at]) for (a, b), rest in zip(stances, rests, strict=True) for at in (a, b - 1)]
    carried[:] = marks[0][1]
    for (left, before), (landed, after) in pairwise(marks):
        carried[left:] = before
        if landed > left:
            share = smoothstep((frames[left:] - left) / (landed - left))[:, None]
            carried[left:] = before + share * (after - before)
    moved = places + carried
    for (first, stop), rest in zip(stances, rests, strict=True):
        ramp = max(1, min(settles, (stop - first) // 2))
        inside = np.minimum(frames[first:stop] - first, stop - 1 - frames[first:stop])
        share = smoothstep(inside / ramp)[:, None]
        moved[first:stop] += share * (rest - moved[first:stop])
    return moved


def swinging(frames: int, stances: Sequence[Interval], fps: float) -> FloatArray:
    """``(frames,)`` 0 while a foot stands, 1 from soon after it has left to shortly before it lands."""
    joined, settles = _joined(stances, round(_SHORTEST_SWING_S * fps)), max(1, round(_SETTLES_S * fps))
    if not joined:
        return np.zeros(frames)
    every = np.arange(frames)
    away = np.min([np.maximum(first - every, every - stop + 1) for first, stop in joined], axis=0)
    return smoothstep(away / settles)
