"""Signed distances of segments from triangle meshes and convex hulls.

Outside, or for a mesh without inside, the distance to the nearest triangle. A segment that enters a closed mesh is as
deep as the deepest of its points, which a search over ever finer pieces finds (distances change by at most the way).
"""

from __future__ import annotations

import numpy as np

from understudy.typing import BoolArray, FloatArray
from understudy.verify.distances.convex import lowest_along
from understudy.verify.distances.surface import Surface

#: [m] how exactly the depth of a segment inside a mesh is found, or this share of it where that is more.
DEPTH_TOLERANCE_M = 1e-4
_DEPTH_SHARE = 0.01
#: Points of a segment to begin with.
_PIECES = 9
#: Free balls used to share one inside test among many points, before the rest is asked point by point.
_BALLS = 200


class ClosedMesh:
    """The solid a closed surface bounds."""

    def __init__(self, corners: FloatArray) -> None:
        self.surface = Surface(corners)

    def segments(self, start: FloatArray, end: FloatArray, *, cap_m: float | FloatArray = np.inf) -> FloatArray:
        """Signed distance ``(n,)`` [m] of segments; distances above ``cap_m`` may read ``cap_m``."""
        gaps = self.surface.segments(start, end, cap_m=cap_m)
        # A segment that touches no triangle lies wholly inside or wholly outside.
        entering = (gaps <= 0.0) | self._inside_alike(start, np.maximum(gaps, 0.0))
        deep = np.flatnonzero(entering)
        if len(deep):
            gaps[deep] = -self._depths(start[deep], end[deep], gaps[deep] <= 0.0)
        return gaps

    def _inside_alike(self, points: FloatArray, gaps: FloatArray) -> BoolArray:
        """Whether points are inside, asked once for all points that lie within the free ball of another one."""
        surface = self.surface
        within = np.all((points >= surface.low) & (points <= surface.high), axis=1)
        result = np.zeros(len(points), dtype=bool)
        left = np.flatnonzero(within & (gaps > 0.0))
        for _ in range(_BALLS):
            if len(left) == 0:
                return result
            centre = left[gaps[left].argmax()]
            alike = np.linalg.norm(points[left] - points[centre], axis=1) < gaps[centre]
            result[left[alike]] = bool(surface.inside(points[centre][None])[0])
            left = left[~alike]
        result[left] = surface.inside(points[left])
        return result

    def inside(self, points: FloatArray) -> BoolArray:
        """Whether points ``(n, 3)`` are inside."""
        return self.surface.inside(points)

    def _depths(self, start: FloatArray, end: FloatArray, crossing: BoolArray) -> FloatArray:
        """Largest depth ``(n,)`` [m] of the points of segments; those that do not cross the surface are all inside."""
        length = np.linalg.norm(end - start, axis=-1)
        best = np.full(len(start), -np.inf)
        owner, share = np.repeat(np.arange(len(start)), _PIECES), np.tile(np.linspace(0.0, 1.0, _PIECES), len(start))
        half = 0.5 / (_PIECES - 1)
        while len(owner):
            points = start[owner] + share[:, None] * (end - start)[owner]
            apart = self.surface.points(points)
            slack = np.maximum(DEPTH_TOLERANCE_M, _DEPTH_SHARE * np.maximum(best[owner], 0.0))
            # Only points farther from the surface than the best so far can matter, so only they are asked for.
            asked = np.flatnonzero(apart > best[owner])
            outside = asked[crossing[owner[asked]]]
            outside = outside[~self._inside_alike(points[outside], apart[outside])]
            apart[outside] *= -1.0
            np.maximum.at(best, owner[asked], apart[asked])
            # A piece can only hold something deeper than its middle by its own half length.
            keep = apart + half * length[owner] > best[owner] + slack
            owner, share = np.tile(owner[keep], 2), share[keep]
            half *= 0.5
            share = np.clip(np.concatenate([share - half, share + half]), 0.0, 1.0)
        return np.maximum(best, 0.0)


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
