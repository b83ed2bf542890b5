"""Postures that are free while the clip's own is not: where a way round has to lead, or proof that there is none.

At moments of a touch postures near the clip's are looked at first, then any within the limits. Those that can be held
until the touch is over are handed to the search as samples, or else those that are free for a moment; where not one of
hundreds is free, no search is begun.
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
_MOMENTS, _POSTURES, _ENOUGH = 5, 400, 24
#: Moments are this many times as dense where one free posture is enough.
_BETWEEN = 4
#: [s] how long before and after a touch a posture should be held, postures held that are enough, and hints a moment.
_HELD_S, _HELD, _HINTS = 0.2, 4, 8
#: Free postures farther from the clip that are tried where none near it can be held.
_FARTHER = 80
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
    found = _any_way(window, touch, kept_m, max(room_m, kept_m))
    if not style or found.blocked:
        return found
    return WaysOut(hints=_in_style(window, touch, kept_m, style), blocked="")


def _in_style(window: Window, touch: Touch, kept_m: float, style: Mapping[str, tuple[float, float]]) -> FloatArray:
    """Hints ``(n, parameters + 1)`` within a style: what can be held, else what is free for a moment."""
    near, far = window.stage.of_body(("postures", window.space.name), lambda: _postures(window.space))
    middle = 0.5 * (touch.start_s + touch.end_s)
    clip = window.parameters(np.array([middle]))[0]
    offsets = np.vstack([near, far - clip])
    for name, (low, high) in style.items():
        # Whatever else a posture does: this much of it is the style's.
        k = window.space.index(name)
        share = (np.arange(len(offsets)) + 0.5) * _GOLDEN % 1.0
        offsets[:, k] = low + share * (high - low) - clip[k]
    found = _free(window, offsets, middle, kept_m, _FARTHER)
    _, held = _held(window, touch, _nearest_first(found), kept_m, _FARTHER)
    return held if len(held) else np.hstack([found[:_HINTS], np.full((len(found[:_HINTS]), 1), middle)])


def _any_way(window: Window, touch: Touch, kept_m: float, room_m: float) -> WaysOut:
    """Free postures in any style."""
    near, far = window.stage.of_body(("postures", window.space.name), lambda: _postures(window.space))
    farther = _nearest_first(_off_clip(window, far, 0.5 * (touch.start_s + touch.end_s)))
    # What can be held from before until after is free at every moment: mostly nothing else has to be looked at.
    for room in dict.fromkeys((room_m, kept_m)):
        for offsets, enough in ((near, _ENOUGH), (farther, _FARTHER)):
            _, held = _held(window, touch, offsets, room, enough)
            if len(held):
                return WaysOut(hints=held, blocked="")
    return _at_moments(window, touch, kept_m, near, far)


def _at_moments(window: Window, touch: Touch, kept_m: float, near: FloatArray, far: FloatArray) -> WaysOut:
    """Postures that are free for a moment of a touch, or a moment at which none is."""
    rows, last, size = [], np.empty((0, len(window.space))), len(window.space)
    times = np.clip(_moments(touch), window.start_s, window.end_s)
    for number, inside in enumerate(times.tolist()):
        closely = number % _BETWEEN == 0
        # What was free a moment ago mostly still is; only a few moments are looked at for more than one posture.
        if not closely and len(last) and _is_free(window, last[0], inside, kept_m):
            continue
        offsets = np.vstack([near, _off_clip(window, far, inside)])
        found = _free(window, offsets, inside, kept_m, _ENOUGH if closely else 1)
        reason = "" if len(found) else _none_said(window, offsets, inside)
        if reason:
            return WaysOut(hints=np.empty((0, size + 1)), blocked=reason)
        last = found if len(found) else last
        if closely:
            rows.append(np.hstack([found[:_HINTS], np.full((len(found[:_HINTS]), 1), inside)]))
    return WaysOut(hints=np.concatenate(rows), blocked="")


def _off_clip(window: Window, parameters: FloatArray, time_s: float) -> FloatArray:
    """Parameters as offsets from the clip at a time."""
    return parameters - window.parameters(np.array([time_s]))


def _free(window: Window, offsets: FloatArray, time_s: float, kept_m: float, enough: int) -> FloatArray:
    """``(n, parameters)`` the first of some offsets that are free at a time."""
    from understudy.limbs._posture_kernels import free_postures

    free = np.zeros((enough, offsets.shape[1]))
    count = free_postures(window.setting, window.scratch, np.ascontiguousarray(offsets), time_s, kept_m, free)
    return free[: int(count)]


def _none_said(window: Window, offsets: FloatArray, time_s: float) -> str:
    """What is mostly in the way of offsets of which none is free at a time; empty where too few are within limits."""
    from understudy.limbs._nearest_kernels import postures_blamed

    blame = np.zeros(len(window.world) + 1, dtype=np.int64)
    postures_blamed(window.setting, window.scratch, np.ascontiguousarray(offsets), time_s, blame)
    if blame.sum() <= _TELLING:
        return ""
    return (
        f"none of {int(blame.sum())} postures of {window.space.name} is free at {time_s:.2f} s, "
        f"most of them because of {(*window.world.names, 'the body itself')[int(blame.argmax())]}"
    )


def _is_free(window: Window, offset: FloatArray, time_s: float, kept_m: float) -> bool:
    """Whether one posture is within limits and free."""
    return len(_free(window, offset[None], time_s, kept_m, 1)) > 0


def _postures(space: LimbSpace) -> tuple[FloatArray, FloatArray]:
    """Offsets ``(n, parameters)`` near the clip, the nearest first, and parameters ``(n, parameters)`` anywhere."""
    random, size = np.random.default_rng(0), len(space)
    near = random.normal(0.0, _SPREAD_RAD, size=(_POSTURES, size)) * random.uniform(0.2, 1.0, size=(_POSTURES, 1))
    intervals = sampling_intervals(space, {})
    far = random.uniform(intervals[2], intervals[3], size=(_POSTURES, size))
    return near[np.argsort(np.linalg.norm(near, axis=1), kind="stable")], far


def _moments(touch: Touch) -> FloatArray:
    """Moments of a touch [s], the first and every so many on being those that are looked at most closely."""
    return np.linspace(touch.start_s, touch.end_s, _BETWEEN * (_MOMENTS - 1) + 1)


def _nearest_first(offsets: FloatArray) -> FloatArray:
    """Offsets ``(n, parameters)`` in the order of how far they lead from the clip."""
    return np.asarray(offsets[np.argsort(np.linalg.norm(offsets, axis=1), kind="stable")])


def _held(
    window: Window, touch: Touch, offsets: FloatArray, kept_m: float, enough: int
) -> tuple[FloatArray, FloatArray]:
    """The first of some offsets that are free in the middle of a touch, and those that stay so from before till after.

    ``(n, parameters)`` and ``(n, parameters + 1)``; looks until ``enough`` are free or a few can be held.
    """
    from understudy.limbs._posture_kernels import held_postures

    times = np.array([touch.start_s - _HELD_S, 0.5 * (touch.start_s + touch.end_s), touch.end_s + _HELD_S])
    times = np.clip(times, window.start_s, window.end_s)
    free, held = np.empty((enough, offsets.shape[1])), np.empty((_HELD, offsets.shape[1]))
    frees, helds = held_postures(window.setting, window.scratch, window.margin(kept_m), offsets, times, free, held)
    rows = np.hstack([np.repeat(held[:helds], len(times), axis=0), np.tile(times, helds)[:, None]])
    return free[:frees], rows
