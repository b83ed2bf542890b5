"""The smoothest way between two stretches that are given: near a wanted way, and nowhere below a least height.

A way that is pieced together of stances, curves and clearances has corners. A limb does not: it has mass, and what it
does is made of slow oscillations. The way taken minimises the squared distance from the wanted one plus the squared
third differences, which removes frequencies above :data:`CUTOFF_HZ`. The frames before and after are part of these
differences, so place, velocity and acceleration go on without a jump at both ends.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy.typing import FloatArray

#: [Hz] legs do not move faster: an oscillation of this frequency is halved.
CUTOFF_HZ = 4.0
#: Frames before and after a way that it goes on from.
KNOWN = 3
_PASSES = 60
#: Step of the ascent towards the least heights; below two it converges.
_STEP = 1.8


def smooth_way(
    wanted: FloatArray, before: FloatArray, after: FloatArray, *, fps: float, cutoff_hz: float = CUTOFF_HZ
) -> FloatArray:
    """The smoothest path near a wanted one that continues the frames before and after it.

    Args:
        wanted: ``(n, ...)``.
        before: ``(KNOWN, ...)`` the frames before.
        after: ``(KNOWN, ...)`` the frames after.
        fps: Frames per second.
        cutoff_hz: Higher frequencies are removed.
    """
    inverse, known = _solver(len(wanted), fps, cutoff_hz)
    ends = np.concatenate([before, after])
    flat = wanted.reshape(len(wanted), -1) - known @ ends.reshape(len(ends), -1)
    return np.asarray((inverse @ flat).reshape(wanted.shape))


def smooth_way_above(
    wanted: FloatArray,
    least: FloatArray,
    before: FloatArray,
    after: FloatArray,
    *,
    fps: float,
    cutoff_hz: float = CUTOFF_HZ,
) -> FloatArray:
    """The smoothest way ``(n,)`` near a wanted one, above ``least`` ``(n,)`` to a part in fifty."""
    inverse, _ = _solver(len(wanted), fps, cutoff_hz)
    way = smooth_way(wanted, before, after, fps=fps, cutoff_hz=cutoff_hz)
    lift = np.zeros(len(wanted))
    for _ in range(_PASSES):
        # How hard each bound pushes: an ascent of the dual problem.
        more = np.maximum(lift + _STEP * (least - way), 0.0) - lift
        if np.abs(more).max(initial=0.0) < 1e-6:
            break
        lift = lift + more
        way = way + inverse @ more
    return way


@lru_cache(maxsize=256)
def _solver(count: int, fps: float, cutoff_hz: float) -> tuple[FloatArray, FloatArray]:
    """``(count, count)`` from what is wanted to the way, and ``(count, 2 KNOWN)`` the share of the known frames."""
    weight = (fps / (2.0 * np.pi * cutoff_hz)) ** 6
    differences = np.diff(np.eye(count + 2 * KNOWN), n=3, axis=0)
    own, known = differences[:, KNOWN:-KNOWN], np.delete(differences, np.s_[KNOWN:-KNOWN], axis=1)
    inverse = np.asarray(np.linalg.inv(np.eye(count) + weight * own.T @ own), dtype=np.float64)
    return inverse, weight * own.T @ known
