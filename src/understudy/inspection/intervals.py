"""Runs of frames: a yes-or-no track over time as half-open intervals."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from understudy.typing import BoolArray

#: Half-open frame range ``(first, stop)``.
Interval = tuple[int, int]


def runs(track: npt.ArrayLike) -> tuple[Interval, ...]:
    """The runs of true frames, in order, as ``(first, stop)``."""
    padded = np.concatenate([[False], np.asarray(track, dtype=bool), [False]])
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return tuple((int(first), int(stop)) for first, stop in edges.reshape(-1, 2))


def track_of(intervals: Iterable[Interval], frames: int) -> BoolArray:
    """``(frames,)`` true inside the intervals; the inverse of :func:`runs`."""
    track = np.zeros(frames, dtype=bool)
    for first, stop in intervals:
        track[first:stop] = True
    return track


def held(enter: BoolArray, stay: BoolArray, *, at_least: int) -> BoolArray:
    """A track with hysteresis: runs of ``stay`` that hold at least ``at_least`` successive frames of ``enter``.

    Args:
        enter: ``(frames,)`` frames that pass the strict test.
        stay: ``(frames,)`` frames that pass the loose one.
        at_least: How many frames in a row must pass the strict test.
    """
    stay = stay | enter
    sure = [first for first, stop in runs(enter) if stop - first >= at_least]
    return track_of((run for run in runs(stay) if any(run[0] <= first < run[1] for first in sure)), len(enter))
