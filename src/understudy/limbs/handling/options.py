"""How to search for whole sequences of tasks."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.core.planning import limited
from understudy.limbs.options import LimbOptions


@dataclass(frozen=True, kw_only=True)
class HandlingOptions(LimbOptions):
    """Options of grabbing, placing and touching, one at a time or in sequence.

    Attributes:
        backtracks: How often an earlier task may be done in another way because a later one fails.
        orders: How many orders of planning are tried.
        gaze: Whether head and neck follow what is handled.
        ways: How many ways of doing one task at one moment are kept ready for back-tracking.
    """

    backtracks: int = limited(16, low=0, high=10_000)
    orders: int = limited(3, low=1, high=100)
    gaze: bool = True
    ways: int = limited(2, low=1, high=100)
