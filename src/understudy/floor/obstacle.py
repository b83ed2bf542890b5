"""An obstacle on a floor: a name and closed outlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from understudy.core.planar import PlanarTransform
from understudy.errors import SceneError
from understudy.floor.segments import ring_segments
from understudy.typing import FloatArray

#: [m] no coordinate may be farther out; rounding stays far below the planner's tolerances.
LARGEST_M = 1e5


@dataclass(frozen=True, eq=False, kw_only=True)
class Obstacle:
    """An area nobody may enter.

    Attributes:
        name: What messages call it.
        rings: Closed outlines ``(n, 2)`` of floor points (x, z) [m], not repeating the first point. What lies inside an
            odd number of them is blocked, so a ring within a ring is a hole. Two points are a thin wall.
    """

    name: str
    rings: tuple[FloatArray, ...]

    def __post_init__(self) -> None:
        """Check and freeze the outlines."""
        if not self.rings:
            raise SceneError(f'obstacle "{self.name}": has no outline')
        object.__setattr__(self, "rings", tuple(ring_of(ring, f'obstacle "{self.name}"') for ring in self.rings))
        if len(self.segments) == 0:
            raise SceneError(f'obstacle "{self.name}": all its points are the same')

    @cached_property
    def segments(self) -> FloatArray:
        """Its edges ``(m, 4)``."""
        return ring_segments(self.rings)

    def moved(self, transform: PlanarTransform) -> Obstacle:
        """The obstacle turned and moved."""
        return Obstacle(name=self.name, rings=tuple(transform.floor_points(ring) for ring in self.rings))


def ring_of(points: npt.ArrayLike, what: str, *, fewest: int = 2) -> FloatArray:
    """A closed outline ``(n, 2)``.

    Raises:
        SceneError: It is not a list of enough finite points.
    """
    try:
        ring = np.array(points, dtype=np.float64)
    except (TypeError, ValueError):
        raise SceneError(f"{what}: outline is not a list of points (x, z)") from None
    if ring.ndim != 2 or ring.shape[1] != 2 or len(ring) < fewest:
        raise SceneError(f"{what}: outline has shape {ring.shape}; it must be (n, 2) with n >= {fewest}")
    if not (np.isfinite(ring).all() and np.abs(ring).max() <= LARGEST_M):
        raise SceneError(f"{what}: outline holds points that are not finite or beyond {LARGEST_M:g} m")
    ring.flags.writeable = False
    return ring


def bounds_ring(bounds: npt.ArrayLike | None, obstacles: Sequence[Obstacle], *, margin_m: float = 5.0) -> FloatArray:
    """The floor's own outline.

    Args:
        bounds: ``(x_min, z_min, x_max, z_max)``, or an outline ``(n, 2)`` of any simple shape; ``None`` for a rectangle
            that leaves ``margin_m`` around all obstacles.
        obstacles: The obstacles on the floor.
        margin_m: Used without bounds [m].
    """
    if bounds is None:
        points = np.concatenate([np.zeros((1, 2)), *(ring for one in obstacles for ring in one.rings)])
        if obstacles:
            points = points[1:]
        low, high = points.min(axis=0) - margin_m, points.max(axis=0) + margin_m
        return _rectangle(low[0], low[1], high[0], high[1])
    try:
        array = np.array(bounds, dtype=np.float64)
    except (TypeError, ValueError):
        raise SceneError("bounds must be (x_min, z_min, x_max, z_max) or an outline of points (x, z)") from None
    if array.shape == (4,):
        if not (np.isfinite(array).all() and array[0] < array[2] and array[1] < array[3]):
            raise SceneError(f"bounds are {array.tolist()}; allowed: x_min < x_max and z_min < z_max, finite")
        return ring_of(_rectangle(*array), "bounds", fewest=3)
    ring = ring_of(array, "bounds", fewest=3)
    x, z = ring[:, 0], ring[:, 1]
    if abs(float(np.sum(x * np.roll(z, -1) - z * np.roll(x, -1)))) < 1e-9:
        raise SceneError("bounds enclose no area")
    return ring


def _rectangle(x0: float, z0: float, x1: float, z1: float) -> FloatArray:
    return np.array([[x0, z0], [x1, z0], [x1, z1], [x0, z1]])
