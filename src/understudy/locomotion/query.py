"""What is asked: where a walk begins, where it ends, what it passes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy.errors import PlanningInputError
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A place on the floor, perhaps with a heading, perhaps within a clip.

    Attributes:
        position: (x, z) [m].
        heading_rad: Where the hips face; 0 is +Z, a quarter turn +X. ``None`` for any.
        clip: For a start in the middle of walking: the clip that is being played.
        frame: Frame of that clip which is at ``position``.
        still: For a start: whether the walk begins standing still.
    """

    position: tuple[float, float]
    heading_rad: float | None = None
    clip: int | None = None
    frame: int = 0
    still: bool = False

    def __post_init__(self) -> None:
        """Reject numbers that are not finite, and clips without a heading."""
        if not np.isfinite([*self.position, self.heading_rad or 0.0]).all():
            raise PlanningInputError(f"a place on the floor needs finite numbers; got {self}")
        if self.clip is not None and self.heading_rad is None:
            raise PlanningInputError("a start within a clip needs a heading")

    @property
    def point(self) -> FloatArray:
        """``(2,)`` (x, z) [m]."""
        return np.array(self.position)


def spot(given: Spot | Sequence[float] | npt.ArrayLike, what: str) -> Spot:
    """A place out of ``(x, z)`` [m] or ``(x, z, degrees)``.

    Raises:
        PlanningInputError: It is neither.
    """
    if isinstance(given, Spot):
        return given
    try:
        values = [float(value) for value in np.asarray(given, dtype=np.float64).ravel()]
    except (TypeError, ValueError):
        values = []
    if len(values) not in (2, 3) or not np.isfinite(values).all():
        raise PlanningInputError(f"{what} is {given!r}; it must be (x, z) [m] or (x, z, degrees), finite")
    return Spot(position=(values[0], values[1]), heading_rad=math.radians(values[2]) if len(values) == 3 else None)
