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
from understudy.typing import FloatArray, IntArray

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
    window: Window, touch: Touch, kept_m: float, style: Mapping[str, tuple[float, float]] | None = None
) -> WaysOut:
    """Free postures at moments of a touch.

    Args:
        window: Where the limb is planned.
        touch: What touches, and when.
        kept_m: Distance a free posture keeps [m].
        style: Parameter name -> (low, high) [rad] that ways have to lead through; postures elsewhere are no hints.
    """
    found = _any_way(window, touch, kept_m)
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
    found, _ = _free(window, offsets, middle, kept_m, _FARTHER)
    held = _held(window, touch, found, kept_m)
    return held if len(held) else np.hstack([found[:_HINTS], np.full((len(found[:_HINTS]), 1), middle)])


def _any_way(window: Window, touch: Touch, kept_m: float) -> WaysOut:
    """The same in any style."""
    size = len(window.space)
    near, far = window.stage.of_body(("postures", window.space.name), lambda: _postures(window.space))
    middle = 0.5 * (touch.start_s + touch.end_s)
    # What can be held from before until after is free at every moment: mostly nothing else has to be looked at.
    found, _ = _free(window, np.vstack([near, _off_clip(window, far, middle)]), middle, kept_m, _ENOUGH)
    held = _held(window, touch, found, kept_m)
    if len(held):
        return WaysOut(hints=held, blocked="")
    rows, last = [], np.empty((0, size))
    times = np.clip(_moments(touch), window.start_s, window.end_s)
    for number, inside in enumerate(times.tolist()):
        closely = number % _BETWEEN == 0
        # What was free a moment ago mostly still is; only a few moments are looked at for more than one posture.
        if not closely and len(last) and _is_free(window, last[0], inside, kept_m):
            continue
        offsets = np.vstack([near, _off_clip(window, far, inside)])
        found, blame = _free(window, offsets, inside, kept_m, _ENOUGH if closely else 1)
        if not len(found) and blame.sum() > _TELLING:
            worst = (*window.world.names, "the body itself")[int(blame.argmax())]
            reason = (
                f"none of {int(blame.sum())} postures of {window.space.name} is free at {inside:.2f} s, "
                f"most of them because of {worst}"
            )
            return WaysOut(hints=np.empty((0, size + 1)), blocked=reason)
        last = found if len(found) else last
        if closely:
            rows.append(np.hstack([found, np.full((len(found), 1), inside)]))
    # Nothing near the clip can be held: something farther away may.
    offsets = np.vstack([near[::3], _off_clip(window, far, middle)])[::-1]
    found, _ = _free(window, offsets, middle, kept_m, _FARTHER)
    held = _held(window, touch, found, kept_m)
    return WaysOut(hints=held if len(held) else np.concatenate([one[:_HINTS] for one in rows]), blocked="")


def _off_clip(window: Window, parameters: FloatArray, time_s: float) -> FloatArray:
    """Parameters as offsets from the clip at a time."""
    return parameters - window.parameters(np.array([time_s]))


def _free(
    window: Window, offsets: FloatArray, time_s: float, kept_m: float, enough: int
) -> tuple[FloatArray, IntArray]:
    """``(n, parameters)`` the first of some offsets that are free at a time, and how often what was in the way."""
    from understudy.limbs._nearest_kernels import free_postures

    blame, free = np.zeros(len(window.world) + 1, dtype=np.int64), np.zeros((enough, offsets.shape[1]))
    count = int(
        free_postures(window.setting, window.scratch, np.ascontiguousarray(offsets), time_s, kept_m, blame, free)
    )
    return free[:count], blame


def _is_free(window: Window, offset: FloatArray, time_s: float, kept_m: float) -> bool:
    """Whether one posture is within limits and free."""
    return window.nearest(offset, time_s, within_m=0.02)[0] >= kept_m and not window.limits_broken(offset, time_s)


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


def _held(window: Window, touch: Touch, offsets: FloatArray, kept_m: float) -> FloatArray:
    """``(n, parameters + 1)`` the nearest of some offsets that stay free from before a touch until after it."""
    times = np.clip(
        [touch.start_s - _HELD_S, 0.5 * (touch.start_s + touch.end_s), touch.end_s + _HELD_S],
        window.start_s,
        window.end_s,
    )
    rows: list[FloatArray] = []
    for offset in offsets[np.argsort(np.linalg.norm(offsets, axis=1), kind="stable")]:
        same = np.tile(offset, (3, 1))
        if window.first_touch(same, times, kept_m) is None:
            rows.append(np.hstack([same, times[:, None]]))
        if len(rows) == _HELD:
            break
    return np.concatenate([np.empty((0, len(window.space) + 1)), *rows])
