"""Seeded natural variation: smooth noise, so that no two steps are alike."""

from __future__ import annotations

import numpy as np

from understudy.performer.smoothing import pchip
from understudy.typing import FloatArray


def wander(at: FloatArray, spacing: float, rng: np.random.Generator) -> FloatArray:
    """Smooth noise of unit size along a rising series.

    Args:
        at: ``(n,)`` where it is read: times, or phases.
        spacing: Distance between independent values, in the unit of ``at``.
        rng: Random state.
    """
    knots = np.arange(np.floor(at.min() / spacing) - 1, np.ceil(at.max() / spacing) + 2) * spacing
    # Far values are held back: a person's steps differ a little, never wildly.
    values = 1.6 * np.tanh(rng.standard_normal(len(knots)) / 1.6)
    return pchip(knots, values, at)
