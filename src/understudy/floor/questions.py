"""What may be asked of a floor: points and clearances, checked."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError, PlanningInputError
from understudy.floor.obstacle import LARGEST_M
from understudy.typing import FloatArray

#: Of the clearance asked for, this much is not insisted on: gaps of exactly ``2 r`` are open.
SLACK = 2e-6
#: [m] smaller clearances are planned as the first; larger ones than the second make no sense.
SMALLEST_M, WIDEST_M = 1e-4, 1e4


def floor_point(values: npt.ArrayLike, what: str) -> FloatArray:
    """A point (x, z).

    Raises:
        PlanningInputError: It is not two numbers within 100 km.
    """
    try:
        point = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise PlanningInputError(f"{what} is {values!r}; it must be a floor point (x, z) [m]") from None
    if point.shape != (2,) or not (abs(point[0]) <= LARGEST_M and abs(point[1]) <= LARGEST_M):
        raise PlanningInputError(
            f"{what} is {point.tolist()}; it must be a floor point (x, z), each within {LARGEST_M:g} m"
        )
    return point


def floor_points(values: npt.ArrayLike) -> FloatArray:
    """Points ``(n, 2)``, flat and contiguous.

    Raises:
        PlanningInputError: They are not pairs of numbers within 100 km.
    """
    try:
        points = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise PlanningInputError("points must be pairs (x, z) [m]") from None
    if points.shape[-1:] != (2,):
        raise PlanningInputError(f"points have shape {points.shape}; it must be (..., 2) for (x, z) [m]")
    if not (np.abs(points) <= LARGEST_M).all():
        raise PlanningInputError(f"points hold numbers that are not finite or beyond {LARGEST_M:g} m")
    return points.reshape(-1, 2)


def planned_radius(clearance_m: float) -> float:
    """The radius planned with [m].

    Raises:
        OptionError: The clearance is negative or too large.
    """
    try:
        clearance = float(clearance_m)
    except (TypeError, ValueError):
        clearance = np.nan
    if not 0.0 <= clearance <= WIDEST_M:
        raise OptionError(f"clearance_m is {clearance_m!r}; allowed: 0..{WIDEST_M:g} m")
    return max(clearance, SMALLEST_M) * (1.0 - SLACK)
