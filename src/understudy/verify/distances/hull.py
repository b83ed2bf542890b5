"""Signed distances of segments from convex hulls."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray
from understudy.verify.distances.convex import lowest_along
from understudy.verify.distances.surface import Surface


class Hull:
    """A convex polyhedron: its triangles tell distances outside, its planes tell depths inside."""

    def __init__(self, points: FloatArray) -> None:
        from scipy.spatial import ConvexHull

        hull = ConvexHull(points)
        self.vertices = np.asarray(points)[hull.vertices]
        self.normals = hull.equations[:, :3]
        self.offsets = hull.equations[:, 3]
        self.surface = Surface(np.asarray(points)[hull.simplices])

    def depth_field(self, points: FloatArray) -> FloatArray:
        """The farthest plane ``(n,)`` [m]: the signed distance wherever it is negative."""
        return np.asarray((points @ self.normals.T + self.offsets).max(axis=-1))

    def segments(self, start: FloatArray, end: FloatArray, *, cap_m: float | FloatArray = np.inf) -> FloatArray:
        """Signed distance ``(n,)`` [m] of segments."""
        deepest = lowest_along(self.depth_field, start, end)
        result = deepest.copy()
        outside = np.flatnonzero(deepest > 0.0)
        if len(outside):
            caps = np.broadcast_to(cap_m, len(start))[outside]
            result[outside] = self.surface.segments(start[outside], end[outside], cap_m=caps)
        return result
