"""Level surfaces of shapes: where something can stand, as areas of the floor plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.scene.shapes import Capsule, Cylinder, Mesh, Shape, Sphere
from understudy.scene.tessellation import triangles_of
from understudy.typing import FloatArray

#: [m] a surface is level where it rises and falls by no more than this; a base stands on what is as near to it.
EVEN_M = 0.005
#: Least vertical part of the normal of a face that things stand on.
_UPWARD = 0.999
#: [m] what is nearer above a surface than this is part of it.
_SKIN_M = 0.001


@dataclass(frozen=True, eq=False, kw_only=True)
class Level:
    """A level surface.

    Attributes:
        height_m: Its highest point [m].
        area: Its outline, a polygon or several in (x, z) [m].
    """

    height_m: float
    area: Any

    def moved(self, position: FloatArray) -> Level:
        """The surface somewhere else, by ``(3,)`` [m]."""
        import shapely

        by = np.asarray(position, dtype=np.float64)
        area = shapely.transform(self.area, lambda at: at + by[[0, 2]])
        return Level(height_m=self.height_m + float(by[1]), area=area)


def levels_of(shape: Shape, rotation: FloatArray, *, headroom_m: float = 0.0) -> tuple[Level, ...]:
    """Level surfaces of a shape turned by ``(4,)``, seen from its origin; the highest first.

    Args:
        shape: Any bounded shape.
        rotation: How it is turned (wxyz).
        headroom_m: How much free height there must be above: under a board of the shape itself there is less [m].
    """
    w, x, y, z = (float(value) for value in rotation)
    return _levels(shape, (w, x, y, z), round(float(headroom_m), 6))


@lru_cache(maxsize=128)
def _levels(shape: Shape, rotation: tuple[float, ...], headroom_m: float) -> tuple[Level, ...]:
    import shapely

    axis = rot.rotate(np.array(rotation), np.array([0.0, 1.0, 0.0]))
    if isinstance(shape, Sphere | Capsule) or (isinstance(shape, Cylinder) and abs(axis[1]) < _UPWARD):
        # A round surface has no level part, however fine its facets.
        return ()
    vertices, faces = triangles_of(shape, around=48)
    corners = rot.rotate(np.array(rotation), vertices)[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    steepness = normals[:, 1] / np.maximum(np.linalg.norm(normals, axis=1), 1e-15)
    low, high = corners[:, :, 1].min(axis=1), corners[:, :, 1].max(axis=1)
    left = np.flatnonzero((steepness > _UPWARD) & (high - low <= EVEN_M))
    found = []
    while len(left):
        top = float(high[left].max())
        mine = left[low[left] >= top - EVEN_M]
        left = left[low[left] < top - EVEN_M]
        area = shapely.union_all(shapely.polygons(corners[mine][:, :, [0, 2]]))
        above = (high > top + _SKIN_M) & (low < top + headroom_m)
        slices = [_sliced(one, top + _SKIN_M, top + headroom_m) for one in corners[above]]
        walls = [shapely.MultiPoint(one[:, [0, 2]]).convex_hull.buffer(_SKIN_M) for one in slices if len(one)]
        area = area.difference(shapely.union_all(walls)) if walls else area
        if area.area > 0.0:
            found.append(Level(height_m=top, area=area))
    return tuple(found)


def _sliced(triangle: FloatArray, low_m: float, high_m: float) -> FloatArray:
    """The corners ``(n, 3)`` of the part of a triangle ``(3, 3)`` between two heights."""
    points = triangle
    for height, sign in ((low_m, 1.0), (high_m, -1.0)):
        over = sign * (points[:, 1] - height)
        kept = []
        for k in range(len(points)):
            after = (k + 1) % len(points)
            if over[k] >= 0.0:
                kept.append(points[k])
            if (over[k] < 0.0) != (over[after] < 0.0):
                kept.append(points[k] + over[k] / (over[k] - over[after]) * (points[after] - points[k]))
        points = np.array(kept).reshape(-1, 3)
    return points


@lru_cache(maxsize=128)
def centre_of_mass(shape: Shape) -> tuple[float, float, float]:
    """The middle of a bounded shape's volume, in its own frame [m]; of its surface where it encloses none."""
    vertices, faces = triangles_of(shape)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    weights = np.einsum("ij,ij->i", a, np.cross(b, c))
    middles = (a + b + c) / 4.0
    if isinstance(shape, Mesh) and not shape.closed:
        weights = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        middles = (a + b + c) / 3.0
    x, y, z = (float(value) for value in weights @ middles / weights.sum())
    return x, y, z
