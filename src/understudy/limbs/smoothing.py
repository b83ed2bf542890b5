"""Smoothing what a search found: the offset from the clip, with a kernel as wide as still certifies ([Limbs]).

Smoothing the offset rather than the pose keeps every detail of the clip. Outside the window the offset is zero and
stays zero bit for bit: paths begin and end half a kernel inside it, so position, velocity and acceleration are
continuous at the seams. Where the limb has to be somewhere exactly, a bump of C2 shape puts it back there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.typing import BoolArray, FloatArray

#: Share that is left of a width where it is narrowed, and how much a width may grow a second [s/s].
_SHARE, _GROWTH = 0.6, 1.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Pin:
    """An offset that has to be met exactly.

    Attributes:
        time_s: When [s].
        offset: ``(parameters,)`` [rad].
    """

    time_s: float
    offset: FloatArray


def on_frames(path: FloatArray, times_s: FloatArray) -> FloatArray:
    """Offsets ``(frames, parameters)`` of a path ``(n, parameters + 1)`` at times; its ends hold beyond it."""
    return np.stack([np.interp(times_s, path[:, -1], column) for column in path[:, :-1].T], axis=1)


def smoothed(offsets: FloatArray, times_s: FloatArray, widths_s: FloatArray) -> FloatArray:
    """Offsets ``(frames, parameters)`` averaged over bells of full widths ``(frames,)`` [s]; ends hold beyond."""
    from understudy.limbs._smoothing_kernels import averaged

    step = float(times_s[1] - times_s[0])
    out = np.empty_like(offsets)
    averaged(np.ascontiguousarray(offsets), 0.5 * widths_s / step, out)
    return out


def narrowed(widths_s: FloatArray, times_s: FloatArray, touched: BoolArray) -> FloatArray:
    """Widths ``(frames,)`` of bells narrowed where ``touched``, and growing evenly and without a kink from there on."""
    goal = np.where(touched, _SHARE * widths_s, widths_s)
    slope = _GROWTH * float(times_s[1] - times_s[0])
    for order in (slice(None), slice(None, None, -1)):
        row = goal[order]
        steps = slope * np.arange(len(row))
        goal[order] = np.minimum.accumulate(row - steps) + steps
    return smoothed(goal[:, None], times_s, goal)[:, 0]


def pinned(offsets: FloatArray, times_s: FloatArray, pins: Sequence[Pin], widest_s: float = np.inf) -> FloatArray:
    """Offsets with bumps that meet every pin, reaching to the neighbouring pins or the ends, or ``widest_s`` [s]."""
    made = np.array(offsets)
    at = np.array([times_s[0], *(pin.time_s for pin in pins), times_s[-1]])
    for k, pin in enumerate(pins, start=1):
        sides = np.maximum(np.minimum([at[k] - at[k - 1], at[k + 1] - at[k]], widest_s), 1e-9)
        away = (times_s - at[k]) / np.where(times_s < at[k], *sides)
        bump = np.maximum(1.0 - away**2, 0.0) ** 3
        # Between two frames the bump's own top is not met: it is raised until the line between them is.
        missing = pin.offset - on_frames(np.column_stack([offsets, times_s]), at[[k]])[0]
        made += bump[:, None] * missing / np.interp(at[k], times_s, bump)
    return made
