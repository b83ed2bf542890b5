"""Capsules that together contain a shape, so that whatever a limb carries can be planned with compiled kernels.

Spheres and capsules are themselves. Anything else is cut into columns along its longest side, and every column gets a
capsule around it: what is free for the capsules is free for the shape, at the price of a rim around it (about 2 cm
for a 20 cm cube). Meshes count as filled columns: a hollow canopy would read "free" with a
post inside.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from understudy.errors import SceneError
from understudy.scene.shapes import Capsule, Cylinder, HalfSpace, Shape, Sphere
from understudy.scene.tessellation import triangles_of
from understudy.typing import FloatArray

#: Columns of one shape, at most: each costs every check a little.
_COLUMNS = 12
#: Radius of a capsule over its column's half diagonal: more makes its ends rounder and its sides fatter.
_FATTER = 1.1
#: A shape's surface is sampled at this share of its second longest side.
_SAMPLED = 1.0 / 60.0
_AROUND = 24


class Cover(NamedTuple):
    """Capsules in a shape's own frame.

    Attributes:
        starts: ``(capsules, 3)`` [m].
        ends: ``(capsules, 3)`` [m].
        radii: ``(capsules,)`` [m].
    """

    starts: FloatArray
    ends: FloatArray
    radii: FloatArray


@lru_cache(maxsize=128)
def cover(shape: Shape) -> Cover:
    """Capsules that contain a shape.

    Raises:
        SceneError: The shape has no bounds.
    """
    if isinstance(shape, HalfSpace):
        raise SceneError("a half-space cannot be carried; it has no bounds")
    if isinstance(shape, Sphere | Capsule):
        half = 0.5 * shape.length_m if isinstance(shape, Capsule) else 0.0
        along = np.array([[0.0, half, 0.0]])
        return Cover(-along, along, np.array([shape.radius_m]))
    if isinstance(shape, Cylinder) and shape.height_m > 4.0 * shape.radius_m:
        radius = _FATTER * shape.radius_m
        along = np.array([[0.0, 0.5 * shape.height_m - np.sqrt(radius**2 - shape.radius_m**2), 0.0]])
        return Cover(-along, along, np.array([radius]))
    return _columns(_points(shape))


def _columns(points: tuple[FloatArray, float]) -> Cover:
    """Capsules around columns of a cloud of surface points, known to within a spacing of each other."""
    cloud, spacing = points
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    axis = int(np.argmax(high - low))
    across = [k for k in range(3) if k != axis]
    size = np.maximum((high - low)[across], 1e-6)
    counts = _counts(size)
    cell = size / counts
    starts, ends, radii = [], [], []
    for i in range(int(counts[0])):
        for k in range(int(counts[1])):
            corner = low[across] + np.array([i, k]) * cell
            inside = np.all(
                (cloud[:, across] >= corner - spacing) & (cloud[:, across] <= corner + cell + spacing), axis=1
            )
            if not inside.any():
                continue
            half_diagonal = 0.5 * float(np.hypot(*cell))
            radius = _FATTER * half_diagonal
            span = cloud[inside, axis]
            first, last = max(span.min() - spacing, low[axis]), min(span.max() + spacing, high[axis])
            inset = min(np.sqrt(radius**2 - half_diagonal**2), 0.5 * (last - first))
            ends_of = np.zeros((2, 3))
            ends_of[:, across] = corner + 0.5 * cell
            ends_of[:, axis] = first + inset, last - inset
            starts.append(ends_of[0])
            ends.append(ends_of[1])
            radii.append(radius)
    return Cover(np.array(starts), np.array(ends), np.array(radii))


def _counts(size: FloatArray) -> FloatArray:
    """Columns along two sides ``(2,)`` [m] that make the thinnest capsules."""
    choices = [(i, k) for i in range(1, _COLUMNS + 1) for k in range(1, _COLUMNS // i + 1)]
    return np.array(min(choices, key=lambda one: float(np.hypot(*(size / one)))), dtype=np.float64)


def _points(shape: Shape) -> tuple[FloatArray, float]:
    """Points on a shape's surface and how far apart neighbours are at most [m]."""
    vertices, faces = triangles_of(shape, around=_AROUND)
    if isinstance(shape, Cylinder):
        # The inscribed polygon is moved out until it contains the circle.
        vertices = vertices * np.array([1.0 / np.cos(np.pi / _AROUND), 1.0, 1.0 / np.cos(np.pi / _AROUND)])
    size = np.sort(np.ptp(vertices, axis=0))
    spacing = max(_SAMPLED * float(size[1]), 1e-4)
    corners = vertices[faces]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    clouds = [vertices]
    for steps in np.unique(np.ceil(longest / spacing).astype(int)):
        some = corners[np.ceil(longest / spacing).astype(int) == steps]
        count = min(int(steps), 200)
        i, k = np.meshgrid(np.arange(count + 1), np.arange(count + 1))
        kept = i + k <= count
        a, b = i[kept] / count, k[kept] / count
        weights = np.stack([1.0 - a - b, a, b], axis=1)
        clouds.append(np.einsum("wc,fcx->fwx", weights, some).reshape(-1, 3))
    return np.concatenate(clouds), spacing
