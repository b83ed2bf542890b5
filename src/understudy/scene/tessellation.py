"""Shapes as triangle meshes, for pictures and animation files."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.typing import FloatArray, IntArray

Triangles: TypeAlias = tuple[FloatArray, IntArray]

#: [m] width and thickness of the slab that stands for a half-space.
SLAB_WIDTH_M, SLAB_HEIGHT_M = 20.0, 0.05


def triangles_of(shape: Shape, *, around: int = 24) -> Triangles:
    """Vertices ``(n, 3)`` [m] and faces ``(m, 3)``, counter-clockwise from outside.

    Round shapes are inscribed: every vertex lies on the surface.

    Args:
        shape: Any shape; a half-space becomes a large thin slab.
        around: Corners of a circle.
    """
    match shape:
        case Sphere():
            return _revolved(*_capsule_profile(shape.radius_m, 0.0, around), around)
        case Capsule():
            return _revolved(*_capsule_profile(shape.radius_m, shape.length_m, around), around)
        case Cylinder():
            half = 0.5 * shape.height_m
            # The rims twice would give sharp edges; flat shading in our viewers makes one enough.
            return _revolved(np.array([shape.radius_m] * 2), np.array([-half, half]), (-half, half), around)
        case Box():
            return _box(np.array(shape.size_m), np.zeros(3))
        case HalfSpace():
            size = np.array([SLAB_WIDTH_M, SLAB_HEIGHT_M, SLAB_WIDTH_M])
            return _box(size, np.array([0.0, -0.5 * SLAB_HEIGHT_M, 0.0]))
        case ConvexHull():
            return _hull(shape.points)
        case Mesh():
            return shape.vertices, shape.faces


def _box(size: FloatArray, centre: FloatArray) -> Triangles:
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [triangle for a, b, c, d in sides for triangle in ((a, b, c), (a, c, d))]
    return corners * size + centre, np.array(faces, dtype=np.int64)


def _capsule_profile(radius: float, length: float, around: int) -> tuple[FloatArray, FloatArray, tuple[float, float]]:
    """Radii and heights of the rings from bottom to top, and the heights of the poles."""
    quarter = max(around // 4, 2)
    rise = np.linspace(-0.5 * np.pi, 0.0, quarter + 1)[1:]
    low = np.stack([radius * np.cos(rise), radius * np.sin(rise) - 0.5 * length], axis=1)
    high = low[::-1] * np.array([1.0, -1.0])
    rings = np.concatenate([low, high if length > 0 else high[1:]])
    return rings[:, 0], rings[:, 1], (-0.5 * length - radius, 0.5 * length + radius)


def _revolved(radii: FloatArray, heights: FloatArray, poles: tuple[float, float], around: int) -> Triangles:
    """Rings about Y joined by bands and closed at two poles."""
    turns = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    rings = np.empty((len(radii), around, 3))
    rings[..., 0] = radii[:, None] * np.sin(turns)
    rings[..., 1] = heights[:, None]
    rings[..., 2] = radii[:, None] * np.cos(turns)
    vertices = np.concatenate([rings.reshape(-1, 3), [[0.0, poles[0], 0.0], [0.0, poles[1], 0.0]]])
    here = np.arange(around)
    after = (here + 1) % around
    bottom, top = len(vertices) - 2, len(vertices) - 1
    last = (len(radii) - 1) * around
    faces = [np.stack([np.full(around, bottom), after, here], axis=1)]
    for ring in range(len(radii) - 1):
        low, high = ring * around, (ring + 1) * around
        faces.append(np.stack([low + here, low + after, high + after], axis=1))
        faces.append(np.stack([low + here, high + after, high + here], axis=1))
    faces.append(np.stack([np.full(around, top), last + here, last + after], axis=1))
    return vertices, np.concatenate(faces)


def _hull(points: FloatArray) -> Triangles:
    from scipy.spatial import ConvexHull as Quickhull

    hull = Quickhull(points)
    faces = np.array(hull.simplices, dtype=np.int64)
    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, ::-1]
    used, compact = np.unique(faces, return_inverse=True)
    return points[used], compact.reshape(-1, 3).astype(np.int64)
