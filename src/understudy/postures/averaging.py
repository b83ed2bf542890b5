"""Moving averages whose windows differ from frame to frame and shrink towards the ends."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray


def averaged(values: FloatArray, width: FloatArray) -> FloatArray:
    """Averages of ``values (frames, ...)`` with the kernel ``(1 - u^2)^2`` of half ``width (frames,)`` [frames].

    Windows must fit between the ends. A frame enters a widening window with weight zero, so averages change smoothly
    with the width.
    """
    out = values.copy()
    for n in np.flatnonzero(width > 1.0):
        reach = int(width[n])
        weights = (1.0 - (np.arange(-reach, reach + 1) / width[n]) ** 2) ** 2
        out[n] = weights @ values[n - reach : n + reach + 1] / weights.sum()
    return out


def envelope(values: FloatArray, width: float) -> FloatArray:
    """A smooth curve ``(frames,)`` that is nowhere below ``values`` and equal to them at both ends.

    The highest over windows of half ``width`` [frames], averaged over half of that: every average is of values that
    were highest over windows that hold its own frame.
    """
    frames = np.arange(len(values))
    reach = np.minimum(round(width), np.minimum(frames, len(values) - 1 - frames))
    highest = np.array([values[n - r : n + r + 1].max() for n, r in zip(frames, reach, strict=True)])
    return averaged(highest, 0.5 * reach)
