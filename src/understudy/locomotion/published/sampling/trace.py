"""What a person would like to see of a sampled motion."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from understudy.locomotion.trace import WalkTrace
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class SampleTrace(WalkTrace):
    """How a motion was sampled. ``nodes`` number the stretches here.

    Attributes:
        method: ``"tight"``, ``"sample"`` or ``"decoupled"``.
        corners: ``(n, 2)`` the straightened way of the potential field the search went by (x, z) [m].
        expected_m: Its length [m].
        stretches: ``(n, 2)`` first and last footage frame of every stretch.
        transition_cost_m: Distances of all jumps, summed [m].
        curve: ``(n, 4)`` anytime curve of a Monte-Carlo search: seconds, evaluations, least cost, cost of the best
            solution so far (infinite before the first).
        visited: ``(n, 2)`` where the search put jumps down (x, z) [m].
    """

    method: str = "tight"
    corners: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))
    expected_m: float = 0.0
    stretches: IntArray = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    transition_cost_m: float = 0.0
    curve: FloatArray = field(default_factory=lambda: np.zeros((0, 4)))
    visited: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))
