"""A segment inside a convex hull: whether it meets it, and the least way out.

``planes[i] = (n, offset)`` with ``n . x <= offset`` inside. ``edges[i]`` = start (3), direction (3), and the normals of
the two faces that meet there (3, 3). See ``_segment_kernels`` for what signed kernels return.
"""

from __future__ import annotations

import math

from understudy.collision._segment_kernels import PARALLEL, Signed, clamp01
from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=True, error_model="numpy")
def hull_span(
    planes: FloatArray, start: int, end: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float
) -> tuple[float, float]:
    """First and last point of the segment inside all planes ``start .. end - 1``; the first is larger if none is."""
    low, high = 0.0, 1.0
    for i in range(start, end):
        da = planes[i, 0] * ax + planes[i, 1] * ay + planes[i, 2] * az - planes[i, 3]
        db = planes[i, 0] * bx + planes[i, 1] * by + planes[i, 2] * bz - planes[i, 3]
        if da > 0.0 and db > 0.0:
            return 1.0, 0.0
        if da > 0.0:
            low = max(low, da / (da - db))
        elif db > 0.0:
            high = min(high, da / (da - db))
        if low > high:
            return 1.0, 0.0
    return low, high


@njit(cache=True, error_model="numpy")
def hull_meets(
    planes: FloatArray, start: int, end: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float
) -> bool:
    """Whether the segment has a point inside all planes ``start .. end - 1``."""
    low, high = hull_span(planes, start, end, ax, ay, az, bx, by, bz)
    return low <= high


@njit(cache=True, error_model="numpy")
def hull_inside(
    planes: FloatArray,
    start: int,
    end: int,
    edges: FloatArray,
    edge_start: int,
    edge_end: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
) -> Signed:
    """Least way out of a segment that meets the hull, over its faces and over its outline seen along the segment."""
    best, s, nx, ny, nz = math.inf, 0.0, 0.0, 1.0, 0.0
    for i in range(start, end):
        at_a = planes[i, 0] * ax + planes[i, 1] * ay + planes[i, 2] * az
        at_b = planes[i, 0] * bx + planes[i, 1] * by + planes[i, 2] * bz
        depth = planes[i, 3] - min(at_a, at_b)
        if depth < best:
            best, nx, ny, nz = depth, planes[i, 0], planes[i, 1], planes[i, 2]
            s = 0.0 if at_a < at_b else 1.0
            if abs(at_a - at_b) < PARALLEL:
                low, high = hull_span(planes, start, end, ax, ay, az, bx, by, bz)
                s = clamp01(0.5 * (low + high))
    ux, uy, uz = bx - ax, by - ay, bz - az
    uu = ux * ux + uy * uy + uz * uz
    for i in range(edge_start, edge_end):
        first = edges[i, 6] * ux + edges[i, 7] * uy + edges[i, 8] * uz
        second = edges[i, 9] * ux + edges[i, 10] * uy + edges[i, 11] * uz
        if first * second >= 0.0:
            continue
        ex, ey, ez = edges[i, 3], edges[i, 4], edges[i, 5]
        mx, my, mz = uy * ez - uz * ey, uz * ex - ux * ez, ux * ey - uy * ex
        length = math.sqrt(mx * mx + my * my + mz * mz)
        if length < 1e-12:
            continue
        towards = (
            mx * (edges[i, 6] + edges[i, 9]) + my * (edges[i, 7] + edges[i, 10]) + mz * (edges[i, 8] + edges[i, 11])
        )
        if towards < 0.0:
            length = -length
        mx, my, mz = mx / length, my / length, mz / length
        wx, wy, wz = edges[i, 0] - ax, edges[i, 1] - ay, edges[i, 2] - az
        depth = mx * wx + my * wy + mz * wz
        if depth < best:
            best, nx, ny, nz = depth, mx, my, mz
            # Moved out by depth, the segment meets the edge's line: where on the segment that is.
            ee, ue = ex * ex + ey * ey + ez * ez, ux * ex + uy * ey + uz * ez
            we = (wx - depth * mx) * ex + (wy - depth * my) * ey + (wz - depth * mz) * ez
            wu = (wx - depth * mx) * ux + (wy - depth * my) * uy + (wz - depth * mz) * uz
            across = uu * ee - ue * ue
            s = clamp01((wu * ee - we * ue) / across) if across > 0.0 else 0.5
    return -best, s, nx, ny, nz
