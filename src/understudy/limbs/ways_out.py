"""Postures that are free while the clip's own is not: where a way round has to lead, or proof that there is none.

Those that can be held until the touch is over are handed to the search as samples, or else those that are free for a
moment. Where not one of hundreds is free at some moment, no search is begun.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy.limbs.search import sampling_intervals
from understudy.limbs.space import LimbSpace
from understudy.limbs.trace import Touch
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: Moments of a touch, postures of either kind looked at in each, and free ones that are enough.
_MOMENTS, _POSTURES, _ENOUGH = 9, 400, 80
#: [s] how long before and after a touch a posture should be held, postures held that are enough, and hints a moment.
_HELD_S, _HELD, _HINTS = 0.2, 4, 8
#: [rad] how far postures near the clip lie from it.
_SPREAD_RAD = 0.5
#: The golden ratio less one: its multiples fill an interval evenly however many there are.
_GOLDEN = 0.6180339887498949
#: Postures within limits from which on "none is free" means something.
_TELLING = _POSTURES // 4


@dataclass(frozen=True, eq=False, kw_only=True)
class WaysOut:
    """What was found.

    Attributes:
        hints: ``(n, parameters + 1)`` free offsets from the clip [rad] and their times [s].
        blocked: Why there can be no way: empty when there may be one.
    """

    hints: FloatArray
    blocked: str


def ways_out(
    window: Window,
    touch: Touch,
    kept_m: float,
    style: Mapping[str, tuple[float, float]] | None = None,
    *,
    room_m: float = 0.0,
) -> WaysOut:
    """Free postures at moments of a touch.

    Args:
        window: Where the limb is planned.
        touch: What touches, and when.
        kept_m: Distance a free posture keeps [m].
        style: Parameter name -> (low, high) [rad] that ways have to lead through; postures elsewhere are no hints.
        room_m: Distance that postures which can be held keep if any does [m]: that of the search they lead.
    """
    middle = 0.5 * (touch.start_s + touch.end_s)
    # What can be held from before until after is free at every moment: mostly nothing else has to be looked at.
    for room in dict.fromkeys((kept_m if style else max(room_m, kept_m), kept_m)):
        for offsets in _postures(window, middle, style or {}):
            held = _held(window, touch, _free(window, offsets, middle, room, _ENOUGH), room)
            if len(held):
                return WaysOut(hints=held, blocked="")
    hints = []
    for time_s in np.clip(np.linspace(touch.start_s, touch.end_s, _MOMENTS), window.start_s, window.end_s).tolist():
        offsets = np.vstack(_postures(window, time_s, style or {}))
        free = _free(window, offsets, time_s, kept_m, _HINTS)
        within = 0 if len(free) or style else _within_limits(window, offsets, time_s)
        if within > _TELLING:
            what = window.nearest(np.zeros(offsets.shape[1]), time_s)[1][1]
            said = f"none of {within} postures of {window.space.name} is free at {time_s:.2f} s; it is in {what}"
            return WaysOut(hints=np.empty((0, offsets.shape[1] + 1)), blocked=said)
        hints.append(np.column_stack([free, np.full(len(free), time_s)]))
    return WaysOut(hints=np.concatenate(hints), blocked="")


def _free(window: Window, offsets: FloatArray, time_s: float, kept_m: float, enough: int) -> FloatArray:
    """``(n, parameters)`` the first of some offsets that are free at a time."""
    from understudy.limbs._nearest_kernels import free_postures

    free = np.zeros((enough, offsets.shape[1]))
    count = free_postures(window.setting, window.scratch, np.ascontiguousarray(offsets), time_s, kept_m, free)
    return free[: int(count)]


def _within_limits(window: Window, offsets: FloatArray, time_s: float) -> int:
    """How many of some offsets leave no joint farther outside its limits than the clip."""
    space, local = window.space, window.stage.motion.pose_at(time_s - window.stage.start_s).rotations
    clip = space.coordinates(local)
    return int((space.excess(clip + offsets @ space.spread.T) <= space.excess(clip) + 1e-9).all(axis=1).sum())


def _held(window: Window, touch: Touch, free: FloatArray, kept_m: float) -> FloatArray:
    """``(n, parameters + 1)`` the first few of some offsets that stay free from before a touch till after it."""
    ends = np.clip([touch.start_s - _HELD_S, touch.end_s + _HELD_S], window.start_s, window.end_s)
    times, held = np.array([ends[0], 0.5 * (touch.start_s + touch.end_s), ends[1]]), [np.empty((0, free.shape[1] + 1))]
    for offset in free[np.argsort(np.linalg.norm(free, axis=1), kind="stable")]:
        rows = np.column_stack([np.tile(offset, (len(times), 1)), times])
        if window.reached(rows[::2], window.margin(kept_m)) == 1:
            held.append(rows)
        if len(held) > _HELD:
            break
    return np.concatenate(held)


def _postures(window: Window, time_s: float, style: Mapping[str, tuple[float, float]]) -> list[FloatArray]:
    """Offsets ``(n, parameters)`` from the clip at a time: near it, and anywhere; the nearest first."""
    near, far = window.stage.of_body(("postures", window.space.name), lambda: _drawn(window.space))
    clip = window.parameters(np.array([time_s]))
    found = [one[np.argsort(np.linalg.norm(one, axis=1), kind="stable")] for one in (near, far - clip)]
    if not style:
        return found
    offsets = np.vstack(found)
    for name, (low, high) in style.items():
        # Whatever else a posture does: this much of it is the style's.
        k = window.space.index(name)
        offsets[:, k] = low + (np.arange(len(offsets)) + 0.5) * _GOLDEN % 1.0 * (high - low) - clip[0, k]
    return [offsets]


def _drawn(space: LimbSpace) -> tuple[FloatArray, FloatArray]:
    """Offsets ``(n, parameters)`` near the clip, and parameters ``(n, parameters)`` anywhere."""
    random, size = np.random.default_rng(0), len(space)
    near = random.normal(0.0, _SPREAD_RAD, size=(_POSTURES, size)) * random.uniform(0.2, 1.0, size=(_POSTURES, 1))
    intervals = sampling_intervals(space, {})
    return near, random.uniform(intervals[2], intervals[3], size=(_POSTURES, size))
