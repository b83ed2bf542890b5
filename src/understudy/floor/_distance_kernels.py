"""Compiled distance grid: filling it, mending it, and asking whether discs and steps are free."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.floor._segment_kernels import capsule_hit, disc_hit, nearest_on_segment
from understudy.floor._triangle_kernels import is_inside
from understudy.floor.tables import DistanceGrid, SegmentGrid
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def _cells(low: float, high: float, origin: float, width: float, begin: int, end: int) -> tuple[int, int]:
    """First and one past the last cell whose centre lies between two values, within ``begin`` and ``end``."""
    first = math.ceil((low - origin) / width - 0.5)
    last = math.floor((high - origin) / width - 0.5) + 1
    return max(first, begin), min(last, end)


@njit(cache=True)
def fill(segments: FloatArray, first: IntArray, boxes: FloatArray, grid: DistanceGrid, window: IntArray) -> None:
    """Distances in a window of cells ``(x begin, z begin, x end, z end)``, from all edges that reach into it."""
    ox, oz, width, limit = grid.frame[0], grid.frame[1], grid.frame[2], grid.frame[3]
    values = grid.values
    for iz in range(window[1], window[3]):
        for ix in range(window[0], window[2]):
            values[iz, ix] = limit
    for s in range(segments.shape[0]):
        ax, az, bx, bz = segments[s, 0], segments[s, 1], segments[s, 2], segments[s, 3]
        x0, x1 = _cells(min(ax, bx) - limit, max(ax, bx) + limit, ox, width, window[0], window[2])
        z0, z1 = _cells(min(az, bz) - limit, max(az, bz) + limit, oz, width, window[1], window[3])
        for iz in range(z0, z1):
            for ix in range(x0, x1):
                d2 = nearest_on_segment(ox + (ix + 0.5) * width, oz + (iz + 0.5) * width, ax, az, bx, bz)[0]
                if d2 < values[iz, ix] * values[iz, ix]:
                    values[iz, ix] = math.sqrt(d2)
    count = boxes.shape[0]
    for k in range(count):
        x0, x1 = _cells(boxes[k, 0], boxes[k, 2], ox, width, window[0], window[2])
        z0, z1 = _cells(boxes[k, 1], boxes[k, 3], oz, width, window[1], window[3])
        for iz in range(z0, z1):
            for ix in range(x0, x1):
                if is_inside(
                    segments, int(first[k]), int(first[k + 1]), ox + (ix + 0.5) * width, oz + (iz + 0.5) * width
                ):
                    values[iz, ix] = 0.0
    for iz in range(window[1], window[3]):
        for ix in range(window[0], window[2]):
            x, z = ox + (ix + 0.5) * width, oz + (iz + 0.5) * width
            if not is_inside(segments, int(first[count]), int(first[count + 1]), x, z):
                values[iz, ix] = 0.0


@njit(cache=True)
def disc_is_free(near: DistanceGrid, edges: SegmentGrid, x: float, z: float, radius: float) -> bool:
    """Whether a disc is free: the distance grid decides, the edges themselves where it cannot.

    Exact, except that discs smaller than a cell's half diagonal (3.5 cm) may count as that large next to an edge.
    """
    width, values = near.frame[2], near.values
    ix, iz = math.floor((x - near.frame[0]) / width), math.floor((z - near.frame[1]) / width)
    if ix < 0 or iz < 0 or ix >= values.shape[1] or iz >= values.shape[0]:
        return False
    value = values[iz, ix]
    # Most cells decide for all their points; 0.7072 is a cell's half diagonal.
    if value >= radius + 0.7072 * width:
        return True
    if value < radius - 0.7072 * width and value < near.frame[3]:
        return False
    dx, dz = x - near.frame[0] - (ix + 0.5) * width, z - near.frame[1] - (iz + 0.5) * width
    off = math.sqrt(dx * dx + dz * dz)
    if value - off >= radius and value > 0.0:
        return True
    if value + off < radius and value < near.frame[3]:
        return False
    # With no edge between them the point is inside or outside just as the centre of its cell is.
    return disc_hit(edges, x, z, max(radius, off)) < 0 and value > 0.0


@njit(cache=True)
def step_is_free(
    near: DistanceGrid, edges: SegmentGrid, ax: float, az: float, bx: float, bz: float, radius: float
) -> bool:
    """Whether a disc may roll straight from a to b."""
    if not disc_is_free(near, edges, ax, az, radius):
        return False
    return capsule_hit(edges, ax, az, bx, bz, radius) < 0
