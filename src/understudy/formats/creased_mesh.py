"""Normals for props: smooth over gentle bends, sharp over edges."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray, IntArray

_CREASE_COS = np.cos(np.radians(40.0))

#: Corner pairs compared at most; denser meshes are drawn flat.
_MOST_PAIRS = 20_000_000


def creased(vertices: FloatArray, faces: IntArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Give every triangle corner its own vertex and normal; corners that agree are joined again.

    Args:
        vertices: ``(vertices, 3)``.
        faces: ``(triangles, 3)``; triangles without area are dropped.

    Returns:
        Vertices, unit normals and triangles; empty when no triangle has area.
    """
    corners = vertices[faces]
    crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(crosses, axis=1)
    kept = areas > 1e-14
    faces, crosses, areas = faces[kept], crosses[kept], areas[kept]
    flat = crosses / areas[:, None]
    normals = _corner_normals(faces.ravel(), np.repeat(flat, 3, axis=0), np.repeat(areas, 3))
    rows = np.column_stack([vertices[faces.ravel()], np.round(normals, 5)])
    _, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return vertices[faces.ravel()][first], normals[first], place.reshape(-1, 3).astype(np.int64)


def _corner_normals(owners: IntArray, flat: FloatArray, areas: FloatArray) -> FloatArray:
    """Area-weighted mean, per corner, of the triangles at its vertex that bend away little."""
    order = np.argsort(owners, kind="stable")
    sizes = np.bincount(owners)
    sizes = sizes[sizes > 0]
    if int((sizes**2).sum()) > _MOST_PAIRS or len(owners) == 0:
        return flat
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    degree = np.repeat(sizes, sizes)
    left = np.repeat(np.arange(len(owners)), degree)
    step = np.arange(len(left)) - np.repeat(np.cumsum(degree) - degree, degree)
    right = starts[left] + step
    a, b = order[left], order[right]
    near = np.einsum("ij,ij->i", flat[a], flat[b]) > _CREASE_COS
    sums = np.zeros_like(flat)
    np.add.at(sums, a[near], areas[b[near], None] * flat[b[near]])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(lengths > 1e-14, sums / np.maximum(lengths, 1e-300), flat)
