"""Triangles of the surface where a sampled distance field is zero (naive surface nets, Gibson 1998)."""

from __future__ import annotations

import itertools

import numpy as np

from understudy.typing import FloatArray, IntArray

_CORNERS = np.array(list(itertools.product((0, 1), repeat=3)))
_EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1])


def surface_nets(field: FloatArray) -> tuple[FloatArray, IntArray]:
    """Vertices in grid units and triangles, counter-clockwise seen from where the field is positive.

    Args:
        field: ``(nx, ny, nz)`` samples, negative inside; the outermost layer must be positive.

    Returns:
        ``(vertices, 3)`` and ``(triangles, 3)``; one vertex per grid cell that the surface crosses.
    """
    inside = field < 0.0
    cells = np.argwhere(_is_mixed(inside))
    values = field[tuple((cells[:, None] + _CORNERS).transpose(2, 0, 1))]
    start, end = values[:, _EDGES[:, 0]], values[:, _EDGES[:, 1]]
    crossed = (start < 0.0) != (end < 0.0)
    share = np.where(crossed, start / np.where(crossed, start - end, 1.0), 0.0)
    points = _CORNERS[_EDGES[:, 0]] + share[..., None] * (_CORNERS[_EDGES[:, 1]] - _CORNERS[_EDGES[:, 0]])
    vertices = cells + (points * crossed[..., None]).sum(axis=1) / crossed.sum(axis=1)[:, None]
    number = np.full(np.array(field.shape) - 1, -1, dtype=np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))
    return vertices, np.concatenate([_faces(inside, number, axis) for axis in range(3)])


def _is_mixed(inside: np.ndarray) -> np.ndarray:
    shape = np.array(inside.shape) - 1
    count = sum(inside[x : x + shape[0], y : y + shape[1], z : z + shape[2]].astype(np.int8) for x, y, z in _CORNERS)
    return np.asarray((count > 0) & (count < 8))


def _faces(inside: np.ndarray, number: IntArray, axis: int) -> IntArray:
    """Two triangles around every grid edge along ``axis`` that crosses the surface."""
    low = np.take(inside, range(inside.shape[axis] - 1), axis=axis)
    high = np.take(inside, range(1, inside.shape[axis]), axis=axis)
    at = np.argwhere(low != high)
    leaves = low[tuple(at.T)]
    u, v = np.eye(3, dtype=np.int64)[[(axis + 1) % 3, (axis + 2) % 3]]
    ring = [number[tuple((at - step).T)] for step in (u + v, v, 0 * u, u)]
    quads = np.stack(ring, axis=1)
    quads = np.where(leaves[:, None], quads, quads[:, ::-1])
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
