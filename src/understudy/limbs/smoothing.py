"""Smoothing what a search found: the offset from the clip, with the widest kernel that still certifies (methods.md M1).

Smoothing the offset rather than the pose keeps every detail of the clip. Outside the window the offset is zero and
stays zero bit for bit: paths begin and end half a kernel inside it, so position, velocity and acceleration are
continuous at the seams. Where the limb has to be somewhere exactly, a bump of C2 shape puts it back there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.typing import FloatArray

#: Widths that are tried, as shares of the widest.
WIDTHS = (1.0, 0.85, 0.72, 0.61, 0.52, 0.44, 0.37, 0.31, 0.26, 0.22)


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


def smoothed(offsets: FloatArray, times_s: FloatArray, width_s: float) -> FloatArray:
    """Offsets ``(frames, parameters)`` averaged over a bell of full width ``width_s`` [s]; ends hold beyond."""
    step = float(times_s[1] - times_s[0])
    half = int(np.floor(0.5 * width_s / step))
    if half < 1:
        return offsets
    bell = np.cos(0.5 * np.pi * np.arange(-half, half + 1) / (half + 1)) ** 4
    bell /= bell.sum()
    longer = np.concatenate([np.repeat(offsets[:1], half, axis=0), offsets, np.repeat(offsets[-1:], half, axis=0)])
    return np.stack([np.convolve(column, bell, mode="valid") for column in longer.T], axis=1)


def pinned(offsets: FloatArray, times_s: FloatArray, pins: Sequence[Pin], widest_s: float = np.inf) -> FloatArray:
    """Offsets with bumps that meet every pin, reaching to the neighbouring pins or the ends, or ``widest_s`` [s]."""
    result = offsets.copy()
    marks = [times_s[0], *(pin.time_s for pin in pins), times_s[-1]]
    for k, pin in enumerate(pins):
        before, after = min(pin.time_s - marks[k], widest_s), min(marks[k + 2] - pin.time_s, widest_s)
        side = np.where(times_s < pin.time_s, max(before, 1e-9), max(after, 1e-9))
        away = np.clip((times_s - pin.time_s) / side, -1.0, 1.0)
        bump = (1.0 - away**2) ** 3
        now = np.array([np.interp(pin.time_s, times_s, column) for column in offsets.T])
        # Between two frames the bump's own top is not met: it is raised until the line between them is.
        result += bump[:, None] * (pin.offset - now) / np.interp(pin.time_s, times_s, bump)
    return result


def widest(
    candidate: Callable[[float], FloatArray],
    fault: Callable[[FloatArray], tuple[str, str] | None],
    widest_s: float,
) -> tuple[tuple[float, FloatArray] | None, tuple[str, str]]:
    """The widest width without a fault, by bisection over :data:`WIDTHS`; or the narrowest one's fault."""
    best: tuple[float, FloatArray] | None = None
    why = ("", "")
    low, high = 0, len(WIDTHS)
    # The widest mostly does; where it does not, the narrowest says whether any will.
    probes = [0, len(WIDTHS) - 1]
    while low < high:
        probe = probes.pop(0) if probes else (low + high) // 2
        width = WIDTHS[probe] * widest_s
        offsets = candidate(width)
        found = fault(offsets)
        if found is None:
            best, high = (width, offsets), probe
        else:
            why, low = found, probe + 1
    return best, why
