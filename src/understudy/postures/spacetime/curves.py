"""A change over time as a cubic spline through knots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """Where the knots are.

    Attributes:
        count: Frames of the motion.
        frames: ``(knots,)`` frame of every knot, evenly spaced up to rounding.
        still: Knots that do not move.
        step_s: Time between knots [s].
    """

    count: int
    frames: IntArray
    still: frozenset[int]
    step_s: float

    @classmethod
    def over(cls, count: int, fps: float, knots_hz: float, still: Sequence[int], *, cycles: int = 1) -> Curve:
        """Knots over a motion of ``count`` frames; those nearest to the frames ``still`` do not move.

        A motion of several cycles has a knot where each begins.
        """
        own = (count - 1) // cycles
        knots = cycles * min(max(round(own / fps * knots_hz), 3), own) + 1
        frames = np.round(np.linspace(0, count - 1, knots)).astype(np.int64)
        held = frozenset(int(np.abs(frames - frame).argmin()) for frame in still)
        return cls(count=count, frames=frames, still=held, step_s=(count - 1) / fps / max(knots - 1, 1))

    def between(self, change: FloatArray) -> FloatArray:
        """``(frames, size)`` the change of every frame; it begins and ends at rest."""
        from scipy.interpolate import CubicSpline

        return np.asarray(CubicSpline(self.frames, change, bc_type="clamped")(np.arange(self.count)))
