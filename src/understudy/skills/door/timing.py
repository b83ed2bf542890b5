"""A way past a door made a matter of time: path, heading and opening frame by frame, and when the hand holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.core.editing import smoothstep
from understudy.locomotion.footsteps.pathing import wrapped
from understudy.performer.smoothing import gaussian, pchip
from understudy.skills.door.layout import Door
from understudy.skills.door.passing import BEFORE_S, STEP_S, WALK_MPS, Passage, manner
from understudy.typing import FloatArray

#: [s] smoothing of the way and of the opening.
_WAY_S, _OPENING_S = 0.14, 0.07
#: [s] over which somebody who faces elsewhere at first turns along the way.
_TURNS_S = 1.0
#: [m] by which a polyline's corners are rounded.
_ROUNDED_M = 0.25


@dataclass(frozen=True, eq=False, kw_only=True)
class Timeline:
    """A way past a door over time.

    Attributes:
        fps: Frames per second.
        place: ``(frames, 2)`` path of the pelvis (x, z) [m].
        heading: ``(frames,)`` [rad], continuous.
        opening: ``(frames,)`` [rad].
        grab_s: When the hand takes hold [s].
        release_s: When it lets go [s].
        hand: Which.
        halt_s: When the walk has stopped, where it does [s].
        go_s: When it goes on [s].
    """

    fps: float
    place: FloatArray
    heading: FloatArray
    opening: FloatArray
    grab_s: float
    release_s: float
    hand: str
    halt_s: float | None = None
    go_s: float | None = None

    @property
    def times_s(self) -> FloatArray:
        """``(frames,)``."""
        return np.arange(len(self.place)) / self.fps


def timeline(door: Door, way: Passage, *, fps: float, start_heading: float | None, margin_s: float) -> Timeline:
    """Time a passage; the path goes straight on for ``margin_s`` beyond both ends."""
    times, points, heading = _keys(way)
    first, last = int(np.ceil(times[0] * fps)), int(np.floor(times[-1] * fps))
    margin = round(margin_s * fps)
    at = np.arange(first - margin, last + 1 + margin) / fps
    place = np.stack([_continued(at, times, points[:, n]) for n in range(2)], axis=1)
    turn = np.interp(at, times, heading)
    place, turn = gaussian(place, _WAY_S * fps), gaussian(turn, _WAY_S * fps)
    if start_heading is not None:
        missing = wrapped(start_heading - float(turn[margin]))
        turn = turn + missing * (1.0 - smoothstep((at - at[margin]) / _TURNS_S))
    grab = -at[0]
    stands = way.stands_s > 0.0
    return Timeline(
        fps=fps,
        place=place,
        heading=turn,
        opening=_opening(door, way, at),
        grab_s=grab,
        release_s=grab + way.release_s,
        hand=way.hand,
        halt_s=grab if stands else None,
        go_s=grab + way.stands_s if stands else None,
    )


def cropped(when: Timeline, first: int, stop: int) -> Timeline:
    """Frames ``first`` to ``stop`` (excluded) of a timeline."""
    less = first / when.fps
    return Timeline(
        fps=when.fps,
        place=when.place[first:stop],
        heading=when.heading[first:stop],
        opening=when.opening[first:stop],
        grab_s=when.grab_s - less,
        release_s=when.release_s - less,
        hand=when.hand,
        halt_s=None if when.halt_s is None else when.halt_s - less,
        go_s=None if when.go_s is None else when.go_s - less,
    )


def _keys(way: Passage) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Times [s] from taking hold, places ``(n, 2)`` and headings of the whole way from start to goal."""
    from understudy.skills.door._path_kernels import EX, EZ, RUN, walked

    if way.keys is not None:
        return way.keys[:, 0], way.keys[:, 1:3], way.keys[:, 3]
    step = 1.0 / 60.0
    near = np.empty((480, 3))
    walked(way.row, manner(), -2.0, step, near)
    at = -2.0 + step * np.arange(len(near))
    left = np.hypot(*(near[:, :2] - way.row[:2]).T)
    begin = int(np.flatnonzero((at < 0) & (left >= way.row[RUN]))[-1])
    beyond = np.hypot(*(near[:, :2] - way.row[[EX, EZ]]).T)
    stop = int(np.argmin(np.where(at > 0, beyond, np.inf))) + 1
    near, at = near[begin:stop], at[begin:stop]
    before, after = _rounded(way.before, near[0, :2]), _rounded(way.after[::-1], near[-1, :2])[::-1]
    times = np.concatenate(
        [at[0] - _lengths(before[::-1])[::-1][:-1] / WALK_MPS, at, at[-1] + _lengths(after)[1:] / WALK_MPS]
    )
    points = np.concatenate([before[:-1], near[:, :2], after[1:]])
    heading = np.unwrap(np.concatenate([_along(before)[:-1], near[:, 2], _along(after)[1:]]))
    return times, points, heading


def _opening(door: Door, way: Passage, at: FloatArray) -> FloatArray:
    """The leaf's angle over time: still until it is held."""
    fps = 1.0 / (at[1] - at[0])
    grid = -BEFORE_S + STEP_S * np.arange(len(way.profile))
    inside = np.asarray(np.clip(at, grid[0], grid[-1]), dtype=np.float64)
    smooth = gaussian(pchip(np.asarray(grid, dtype=np.float64), way.profile, inside), _OPENING_S * fps)
    # Nothing moves before the hand holds, and it begins gently.
    gate = smoothstep(at / 0.22)
    swing = np.where(at <= 0.0, 0.0, gate * smooth)
    return np.asarray(np.clip(swing, 0.0, door.most_rad))


def _rounded(points: FloatArray, end: FloatArray) -> FloatArray:
    """A polyline with its corners rounded that ends in a point, its start kept, a point every 5 cm or so."""
    points = np.concatenate([points[:-1], end[None]]) if len(points) > 1 else np.stack([points[0], end])
    lengths = _lengths(points)
    if lengths[-1] < 0.1:
        return np.stack([points[0], end])
    at = np.linspace(0.0, lengths[-1], max(3, int(lengths[-1] / 0.05)))
    fine = np.stack([np.interp(at, lengths, points[:, n]) for n in range(2)], axis=1)
    return gaussian(fine, min(_ROUNDED_M, 0.25 * lengths[-1]) / (at[1] - at[0]))


def _lengths(points: FloatArray) -> FloatArray:
    """``(n,)`` way along points from the first [m]."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def _along(points: FloatArray) -> FloatArray:
    step = np.gradient(points, axis=0)
    return np.arctan2(step[:, 0], step[:, 1])


def _continued(at: FloatArray, times: FloatArray, values: FloatArray) -> FloatArray:
    """Interpolated, and straight on beyond both ends."""
    out = np.interp(at, times, values)
    first = np.interp(times[0] + 0.3, times, values) - values[0]
    last = values[-1] - np.interp(times[-1] - 0.3, times, values)
    out += np.minimum(at - times[0], 0.0) * first / 0.3 + np.maximum(at - times[-1], 0.0) * last / 0.3
    return np.asarray(out)
