"""Footprints that rest while a foot stands, and clear the floor while it swings.

Recorded feet drift by millimetres while they stand, and both of one person may rest at heights a centimetre apart. On
a smaller person a swing becomes a shuffle: people lift their feet over the same floor, whatever their size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from understudy.core.editing import smoothstep
from understudy.inspection.intervals import Interval, held, runs, track_of
from understudy.inspection.wrists import running_mean
from understudy.typing import FloatArray

#: [s] a foot that leaves the floor for less than this stands all the time.
_SHORTEST_SWING_S = 0.1
#: [m/s], [m] a foot that stood is on its way when it is faster or higher than this.
_LEAVES_MPS, _LEAVES_M = 0.3, 0.015
#: [m] a foot that gets farther from where it stands does not rest there.
_RESTS_M = 0.05
#: [s] how long a foot takes to come to rest, and to leave.
_SETTLES_S = 0.1
#: [m] how much higher a swinging foot is lifted, and [s] how soon: knees are bent when feet leave, and straight when
#: they land.
_CLEARANCE_M, _RISES_S, _SINKS_S = 0.02, 0.14, 0.15


@dataclass(frozen=True, kw_only=True)
class Stances:
    """When a foot stands, as ``(first, stop)`` frames.

    Attributes:
        sure: While it is planted for sure.
        wide: From when it is slow and low until it is clearly on its way, without short breaks.
        moving: ``(frames,)`` 0 while it does not move over the floor, 1 when it is clearly on its way.
        fps: Frames per second.
    """

    sure: tuple[Interval, ...]
    wide: tuple[Interval, ...]
    moving: FloatArray
    fps: float

    def swinging(self, frames: int) -> FloatArray:
        """``(frames,)`` 0 while the foot stands, 1 from soon after it begins to leave to shortly before it lands."""
        if not self.sure:
            return np.zeros(frames)
        every = np.arange(frames)
        shares = self.moving.copy()
        for first, stop in self.wide:
            left = max(last for begun, last in self.sure if begun < stop)
            rising = smoothstep((every - left + 1) / max(1, round(_RISES_S * self.fps)))
            sinking = smoothstep((first - every) / max(1, round(_SINKS_S * self.fps)))
            shares *= np.where(every < first, sinking, rising)
        return shares


def stances_of(places: FloatArray, sure: tuple[Interval, ...], fps: float) -> Stances:
    """When a foot stands.

    Args:
        places: ``(frames, 3)`` [m] its footprints; y is the height above standing.
        sure: When it is planted for sure, as ``(first, stop)`` frames.
        fps: Frames per second.
    """
    sure = tuple(run for run in sure if _rests(places[slice(*run)]))
    if len(places) < 2:
        return Stances(sure=sure, wide=sure, moving=np.zeros(len(places)), fps=fps)
    speeds = np.linalg.norm(np.gradient(places, 1.0 / fps, axis=0)[:, [0, 2]], axis=1)
    stays = track_of(sure, len(places))
    for run in sure:
        low = places[:, 1] - np.median(places[slice(*run), 1]) < _LEAVES_M
        stays |= held(track_of([run], len(places)), low & (speeds < _LEAVES_MPS), at_least=1)
    short = round(_SHORTEST_SWING_S * fps)
    breaks = [(a, b) for a, b in runs(~stays) if a > 0 and b < len(places) and b - a <= short]
    wide = runs(stays | track_of(breaks, len(places)))
    moving = np.clip(running_mean(smoothstep(speeds / (2.0 * _LEAVES_MPS)), 0.5 * _SINKS_S * fps), 0.0, 1.0)
    return Stances(sure=sure, wide=tuple(wide), moving=moving, fps=fps)


def _rests(places: FloatArray) -> bool:
    """Whether a foot stays where it is; one that shuffles or slides on its way does not rest."""
    own = places[:, [0, 2]]
    return bool(np.linalg.norm(own - np.median(own, axis=0), axis=1).max() < _RESTS_M)


def _median(places: FloatArray) -> FloatArray:
    """Where a foot rests; one that shuffles does so as it was recorded."""
    return np.asarray(np.median(places, axis=0)) if _rests(places) else places


def _zero(places: FloatArray) -> FloatArray:
    return np.zeros(places.shape[1])


def _farthest(places: FloatArray) -> FloatArray:
    return np.asarray(places[np.linalg.norm(places, axis=1).argmax()])


def planted(places: FloatArray, stances: Stances, *, floor_m: float, moved_m: FloatArray) -> FloatArray:
    """Footprints ``(frames, 3)`` [m] that rest on the floor through every stance.

    Args:
        places: ``(frames, 3)`` [m] where the source's would be.
        stances: When the foot stands.
        floor_m: Their height while the foot stands [m].
        moved_m: ``(frames, 2)`` how far they have to give way over the floor (x, z) [m]; a stance gives way as a whole.
    """
    aside = np.stack([moved_m[:, 0], np.zeros(len(places)), moved_m[:, 1]], axis=1)
    moved = places.copy()
    moved[:, [0, 2]] = _resting(places, stances.wide, stances.fps)[:, [0, 2]]
    moved += _resting(aside, stances.wide, stances.fps, _farthest)
    heights = (places - floor_m) * np.array([0.0, 1.0, 0.0])
    lowered = (heights - _resting(heights, stances.sure, stances.fps, _zero))[:, 1]
    swings = stances.swinging(len(places))
    # A foot that was recorded too high comes down to stand, and swings as high as it did.
    lowered = np.where(lowered > 0.0, (1.0 - swings) ** 2 * lowered, lowered)
    moved[:, 1] = places[:, 1] - lowered + _CLEARANCE_M * swings
    return moved


def _resting(
    places: FloatArray, stances: Sequence[Interval], fps: float, where: Callable[[FloatArray], FloatArray] = _median
) -> FloatArray:
    """Places ``(frames, 3)`` [m] that come to rest in every stance, where its places ``(n, 3)`` say."""
    rests = [np.broadcast_to(where(places[slice(*run)]), places[slice(*run)].shape) for run in stances]
    ends = [goal[at] - places[run[0] : run[1]][at] for run, goal in zip(stances, rests, strict=True) for at in (0, -1)]
    moved = places + _carried(len(places), stances, ends)
    for (first, stop), goal in zip(stances, rests, strict=True):
        settles = max(1, min(round(_SETTLES_S * fps), (stop - first) // 2))
        # A foot that stands at an end of the clip stood before it, or stands after it.
        landed = np.arange(stop - first) + (settles if first == 0 else 0)
        leaves = np.arange(stop - first)[::-1] + (settles if stop == len(places) else 0)
        share = smoothstep(np.minimum(landed, leaves) / settles)[:, None]
        moved[first:stop] += share * (goal - moved[first:stop])
    return moved


def _carried(frames: int, stances: Sequence[Interval], offsets: Sequence[FloatArray]) -> FloatArray:
    """``(frames, 3)`` offsets at the first and last frame of every stance, carried over smoothly to the next."""
    found = np.zeros((frames, 3))
    if not stances:
        return found
    marks = [at for first, stop in stances for at in (first, stop - 1)]
    found[:] = offsets[0]
    for (left, before), (landed, after) in pairwise(zip(marks, offsets, strict=True)):
        share = smoothstep((np.arange(left, frames) - left) / max(1, landed - left))[:, None]
        found[left:] = before + share * (after - before)
    return found
