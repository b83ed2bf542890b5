"""Scene shapes made ready to be measured: signed distances of segments, farthest points, bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy.errors import SceneError
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.typing import FloatArray
from understudy.verify.distances import convex
from understudy.verify.distances.mesh import ClosedMesh, Hull
from understudy.verify.distances.surface import Surface


@dataclass(frozen=True, eq=False)
class Solid:
    """A shape in its own frame, with whatever searching it needs built once."""

    shape: Shape

    @cached_property
    def _built(self) -> Hull | ClosedMesh | Surface | None:
        if isinstance(self.shape, ConvexHull):
            return Hull(self.shape.points)
        if isinstance(self.shape, Mesh):
            corners = self.shape.vertices[self.shape.faces]
            return ClosedMesh(corners) if self.shape.closed else Surface(corners)
        return None

    def segments(self, start: FloatArray, end: FloatArray, *, cap_m: float | FloatArray = np.inf) -> FloatArray:
        """Signed distance ``(n,)`` [m] of segments ``(n, 3)`` to ``(n, 3)`` in the shape's frame.

        Negative inside: the depth of the deepest point. Distances above ``cap_m``, one for all or ``(n,)``, may read
        ``cap_m``.
        """
        shape = self.shape
        if isinstance(shape, Sphere):
            return convex.segment_sphere(start, end, shape.radius_m)
        if isinstance(shape, Box):
            return convex.segment_box(start, end, shape.size_m)
        if isinstance(shape, Capsule):
            return convex.segment_capsule(start, end, shape.radius_m, shape.length_m)
        if isinstance(shape, Cylinder):
            return convex.segment_cylinder(start, end, shape.radius_m, shape.height_m)
        if isinstance(shape, HalfSpace):
            return convex.segment_half_space(start, end)
        if self._built is None:
            raise SceneError(f"the judge knows no shape of kind {type(shape).__name__}")
        return self._built.segments(start, end, cap_m=cap_m)

    @cached_property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Lowest and highest corner ``(3,)`` [m] of the shape's own axis-aligned box; infinite for half-spaces."""
        shape = self.shape
        if isinstance(shape, HalfSpace):
            return np.full(3, -np.inf), np.array([np.inf, 0.0, np.inf])
        if isinstance(shape, ConvexHull | Mesh):
            points = shape.points if isinstance(shape, ConvexHull) else shape.vertices
            return points.min(axis=0), points.max(axis=0)
        if isinstance(shape, Sphere):
            half = np.full(3, shape.radius_m)
        elif isinstance(shape, Box):
            half = 0.5 * np.array(shape.size_m)
        elif isinstance(shape, Capsule):
            half = np.array([shape.radius_m, 0.5 * shape.length_m + shape.radius_m, shape.radius_m])
        else:
            half = np.array([shape.radius_m, 0.5 * shape.height_m, shape.radius_m])
        return -half, half

    @cached_property
    def corners(self) -> FloatArray:
        """``(8, 3)`` corners of the bounding box; their motion bounds that of every point of the shape."""
        low, high = self.bounds
        return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])

    @property
    def core(self) -> tuple[FloatArray, FloatArray, float] | None:
        """Axis and radius of a sphere or capsule: start ``(3,)``, end ``(3,)`` and radius [m]; else ``None``."""
        if isinstance(self.shape, Sphere):
            return np.zeros(3), np.zeros(3), self.shape.radius_m
        if isinstance(self.shape, Capsule):
            top = np.array([0.0, 0.5 * self.shape.length_m, 0.0])
            return -top, top, self.shape.radius_m
        return None

    def farthest(self, directions: FloatArray) -> FloatArray:
        """Farthest points ``(n, 3)`` in directions ``(n, 3)`` of the shape's frame; convex, bounded shapes only."""
        shape = self.shape
        if isinstance(shape, Box):
            return np.where(directions >= 0, 0.5, -0.5) * np.array(shape.size_m)
        if isinstance(shape, Cylinder):
            flat = np.hypot(directions[:, 0], directions[:, 2])
            scale = shape.radius_m / np.where(flat > 1e-12, flat, 1.0)
            height = np.where(directions[:, 1] >= 0, 0.5, -0.5) * shape.height_m
            return np.stack([directions[:, 0] * scale, height, directions[:, 2] * scale], axis=1)
        points = self.points
        return np.asarray(points[(directions @ points.T).argmax(axis=1)])

    @cached_property
    def points(self) -> FloatArray:
        """``(n, 3)`` the points whose hull the shape is; of a mesh, its vertices."""
        if isinstance(self._built, Hull):
            return self._built.vertices
        if isinstance(self.shape, Mesh):
            return self.shape.vertices
        return self.corners

    @cached_property
    def edges(self) -> FloatArray:
        """``(n, 2, 3)`` [m] straight edges; a cylinder's rims are polygons of 32 sides."""
        if isinstance(self.shape, Cylinder):
            turn = np.linspace(0.0, 2.0 * np.pi, 33)
            rim = self.shape.radius_m * np.stack([np.cos(turn), np.zeros(33), np.sin(turn)], axis=1)
            up = np.array([0.0, 0.5 * self.shape.height_m, 0.0])
            top, bottom, sides = rim + up, rim - up, np.stack([rim + up, rim - up], axis=1)
            return np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in (top, bottom)] + [sides])
        if isinstance(self.shape, Mesh):
            corners = self.shape.vertices[self.shape.faces]
        else:
            corners = Hull(self.points).surface.corners
        return np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])

    @property
    def surface(self) -> Surface | None:
        """The triangles of a mesh; ``None`` for other shapes."""
        built = self._built
        return built.surface if isinstance(built, ClosedMesh) else built if isinstance(built, Surface) else None

    @property
    def closed_mesh(self) -> ClosedMesh | None:
        """The solid of a closed mesh; ``None`` for other shapes."""
        return self._built if isinstance(self._built, ClosedMesh) else None
