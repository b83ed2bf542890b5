"""Signed distances of segments from triangle meshes.

Outside, or for a mesh without inside, the distance to the nearest triangle. A segment that enters a closed mesh is as
deep as the deepest of its points, which a search over ever finer pieces finds (distances change by at most the way).
"""

from __future__ import annotations

import numpy as np

from understudy.typing import BoolArray, FloatArray
from understudy.verify.distances.surface import Surface

#: [m] how exactly the depth of a segment inside a mesh is found.
DEPTH_TOLERANCE_M = 1e-4
#: Free balls used to share one inside test among many points, before the rest is asked point by point.
_BALLS = 200


class ClosedMesh:
    """The solid a closed surface bounds."""

    def __init__(self, corners: FloatArray) -> None:
        self.surface = Surface(corners)

    def segments(self, start: FloatArray, end: FloatArray, *, cap_m: float = np.inf) -> FloatArray:
        """Signed distance ``(n,)`` [m] of segments; distances above ``cap_m`` may read ``cap_m``."""
        gaps = self.surface.segments(start, end, cap_m=cap_m)
        # A segment that touches no triangle lies wholly inside or wholly outside.
        entering = (gaps <= 0.0) | self._inside_alike(start, np.maximum(gaps, 0.0))
        for index in np.flatnonzero(entering):
            gaps[index] = -self._depth(start[index], end[index])
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

    def _depth(self, start: FloatArray, end: FloatArray) -> float:
        """Largest depth of a segment's points [m]."""
        length = float(np.linalg.norm(end - start))
        share = np.linspace(0.0, 1.0, 9)
        half = 0.5 * length / (len(share) - 1)
        best = -np.inf
        while True:
            points = start + share[:, None] * (end - start)
            depth = self.surface.points(points) * np.where(self.inside(points), 1.0, -1.0)
            best = max(best, float(depth.max()))
            if half < 0.5 * DEPTH_TOLERANCE_M:
                return max(best, 0.0)
            # A piece can only hold something deeper than its middle by its own half length.
            share = share[depth + half > best + 0.5 * DEPTH_TOLERANCE_M]
            if len(share) == 0:
                return max(best, 0.0)
            half *= 0.5
            quarter = half / length
            share = np.clip(np.concatenate([share - quarter, share + quarter]), 0.0, 1.0)
