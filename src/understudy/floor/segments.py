"""Outlines of obstacles as points, edges and a grid of edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.floor._noding_kernels import distinct_ends
from understudy.floor._segment_kernels import fill_cells
from understudy.floor.tables import SegmentGrid
from understudy.typing import FloatArray, IntArray

#: [1/m] lattice points to a metre.
_STEPS_PER_M = 2.0**24


@dataclass(frozen=True, eq=False)
class Outline:
    """All edges of a floor, obstacle by obstacle; its own edge comes last.

    Attributes:
        segments: ``(m, 4)`` ends (x, z, x, z) [m].
        owners: ``(m,)`` obstacle index, -1 for the floor's edge.
        first: ``(obstacles + 2,)`` where each obstacle's segments begin.
        boxes: ``(obstacles, 4)`` smallest x, z and largest x, z of each obstacle.
        points: ``(n, 2)`` distinct ends.
        edges: ``(k, 2)`` distinct pairs of points.
    """

    segments: FloatArray
    owners: IntArray
    first: IntArray
    boxes: FloatArray
    points: FloatArray
    edges: IntArray


def ring_segments(rings: Sequence[FloatArray]) -> FloatArray:
    """The edges ``(m, 4)`` of closed rings of points ``(n, 2)``, rounded; edges of no length are left out."""
    parts = []
    for ring in rings:
        here = rounded(ring)
        parts.append(np.concatenate([here, np.concatenate([here[1:], here[:1]])], axis=1))
    edges = np.concatenate(parts)
    return edges[(edges[:, :2] != edges[:, 2:]).any(axis=1)]


def outline_of(obstacles: Sequence[FloatArray], edge: FloatArray) -> Outline:
    """Outline of obstacles and of the floor's edge, each given as segments ``(m, 4)``."""
    parts = [*obstacles, edge]
    counts = np.array([len(part) for part in parts])
    segments = np.ascontiguousarray(np.concatenate(parts))
    first = np.concatenate([[0], np.cumsum(counts)])
    owners = np.repeat(np.arange(len(parts)), counts)
    owners[first[-2] :] = -1
    # A ring visits every one of its points as the beginning of an edge.
    starts = first[:-2]
    boxes = np.empty((len(obstacles), 4))
    if len(obstacles):
        boxes[:, 2:] = np.maximum.reduceat(segments[: first[-2], :2], starts)
        boxes[:, :2] = np.minimum.reduceat(segments[: first[-2], :2], starts)
    points, edges = distinct(segments)
    return Outline(segments, owners, first, boxes, points, edges)


def grid_of(outline: Outline) -> SegmentGrid:
    """The outline's edges sorted into cells, about one edge to a cell."""
    low = outline.points.min(axis=0)
    size = outline.points.max(axis=0) - low
    width = float(np.clip(np.sqrt(size[0] * size[1] / max(len(outline.segments), 1)), 0.25, 4.0))
    # Huge floors get wider cells rather than more than about a million of them.
    width = max(width, float(np.sqrt(size[0] * size[1] / 1e6)))
    shape = np.maximum(np.ceil(size / width), 1).astype(np.int64)
    frame = np.array([low[0], low[1], width])
    first, items = fill_cells(outline.segments, frame, shape)
    return SegmentGrid(outline.segments, outline.owners, frame, shape, first, items)


def rounded(points: FloatArray) -> FloatArray:
    """Coordinates on a lattice of 6e-8 m, so that points meant to coincide do."""
    return np.asarray(np.round(points * _STEPS_PER_M) / _STEPS_PER_M)


def distinct(segments: FloatArray) -> tuple[FloatArray, IntArray]:
    """Distinct ends ``(n, 2)`` of segments ``(m, 4)`` and distinct edges ``(k, 2)`` between different ends."""
    # Adding zero makes -0.0 and 0.0 the same bits.
    return distinct_ends(np.ascontiguousarray(segments) + 0.0)
