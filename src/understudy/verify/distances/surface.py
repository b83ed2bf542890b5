"""Triangles with a finder: which of them can be nearest to a segment?

Triangles are sorted by size into octaves, each with its own tree of centres, so that a few large ones (a floor) do
not make every search for small ones (a chair leg) wide.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from understudy.typing import BoolArray, FloatArray, IntArray

#: Pairs of segment and triangle worked on at a time; bounds memory, not results.
_CHUNK = 200_000
#: Directions in which rays are cast, none of them along an axis or a diagonal.
_RAYS = tuple(np.array(way) for way in ((0.312, 0.871, 0.379), (-0.543, 0.271, 0.795), (0.687, -0.415, 0.596)))


class Surface:
    """Exact distances from a set of triangles ``(faces, 3, 3)`` [m]."""

    def __init__(self, corners: FloatArray) -> None:
        self.corners = corners
        self.low = corners.min(axis=(0, 1))
        self.high = corners.max(axis=(0, 1))
        self._centres = corners.mean(axis=1)
        self._reach = np.linalg.norm(corners - self._centres[:, None], axis=-1).max(axis=1)

    @cached_property
    def _octaves(self) -> list[tuple[float, IntArray, object]]:
        from scipy.spatial import cKDTree

        level = np.floor(np.log2(np.maximum(self._reach, 1e-9))).astype(np.int64)
        groups = [np.flatnonzero(level == value) for value in np.unique(level)]
        return [(float(self._reach[group].max()), group, cKDTree(self._centres[group])) for group in groups]

    @cached_property
    def _tree(self) -> tuple[FloatArray, IntArray, IntArray]:
        from understudy.verify.distances._surface_kernels import box_tree

        return box_tree(np.ascontiguousarray(self.corners))

    def segments(self, start: FloatArray, end: FloatArray, *, cap_m: float | FloatArray = np.inf) -> FloatArray:
        """Distance ``(n,)`` [m] of segments from the nearest triangle; distances above ``cap_m`` may read ``cap_m``."""
        from understudy.verify.distances._surface_kernels import nearest_triangles

        both, caps = np.stack([start, end], axis=1), np.array(np.broadcast_to(cap_m, len(start)), dtype=np.float64)
        return np.asarray(nearest_triangles(*self._tree, np.ascontiguousarray(self.corners), both, caps))

    def points(self, points: FloatArray) -> FloatArray:
        """Distance ``(n,)`` [m] of points from the nearest triangle."""
        return self.segments(points, points)

    def candidates(self, centres: FloatArray, reach: FloatArray) -> list[tuple[IntArray, IntArray]]:
        """Pairs (query, face) whose bounding balls touch, in chunks."""
        chunks: list[tuple[IntArray, IntArray]] = []
        for widest, group, tree in self._octaves:
            found = tree.query_ball_point(centres, reach + widest + 1e-12)  # type: ignore[attr-defined]
            sizes = np.fromiter((len(faces) for faces in found), dtype=np.int64, count=len(found))
            if sizes.sum() == 0:
                continue
            owner = np.repeat(np.arange(len(found)), sizes)
            faces = group[np.concatenate([np.asarray(faces, dtype=np.int64) for faces in found if len(faces)])]
            for first in range(0, len(owner), _CHUNK):
                chunks.append((owner[first : first + _CHUNK], faces[first : first + _CHUNK]))
        return chunks

    def inside(self, points: FloatArray) -> BoolArray:
        """Whether points ``(n, 3)`` are inside a closed surface: how often a ray from them crosses it.

        Where every ray grazes an edge, the generalised winding number decides.
        """
        from understudy.verify.distances._surface_kernels import crossings

        within = np.all((points >= self.low) & (points <= self.high), axis=1)
        result = np.zeros(len(points), dtype=bool)
        corners = np.ascontiguousarray(self.corners)
        for k in np.flatnonzero(within).tolist():
            point = np.ascontiguousarray(points[k], dtype=np.float64)
            found = (crossings(*self._tree, corners, point, way) for way in _RAYS)
            count = next((number for number in found if number >= 0), None)
            if count is None:
                result[k] = abs(winding_number(point[None], corners)[0]) > 0.5
            else:
                result[k] = count % 2 == 1
        return result


def winding_number(points: FloatArray, corners: FloatArray) -> FloatArray:
    """How often a surface wraps each point ``(n,)``: the sum of its triangles' solid angles over 4 pi.

    Van Oosterom and Strackee (1983): ``tan(angle / 2) = a . (b x c) / (|a||b||c| + (a . b)|c| + ...)``.
    """
    to = corners[None] - points[:, None, None]
    a, b, c = to[..., 0, :], to[..., 1, :], to[..., 2, :]
    la, lb, lc = (np.linalg.norm(side, axis=-1) for side in (a, b, c))
    triple = np.einsum("...i,...i->...", a, np.cross(b, c))
    ab, bc, ca = (np.einsum("...i,...i->...", u, v) for u, v in ((a, b), (b, c), (c, a)))
    below = la * lb * lc + ab * lc + bc * la + ca * lb
    return np.asarray((2.0 * np.arctan2(triple, below)).sum(axis=1) / (4.0 * np.pi))
