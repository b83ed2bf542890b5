"""Compiled queries against obstacle edges: capsules, discs, arcs, the nearest edge."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor.tables import SegmentGrid
from understudy.typing import FloatArray, IntArray

#: [m] two points closer than this are one point.
SAME_M = 1e-9


@njit(cache=True)
def nearest_on_segment(px: float, pz: float, ax: float, az: float, bx: float, bz: float) -> tuple[float, float, float]:
    """Squared distance from a point to a segment, and the nearest point on it."""
    dx, dz = bx - ax, bz - az
    length2 = dx * dx + dz * dz
    t = 0.0
    if length2 > 0.0:
        t = min(max(((px - ax) * dx + (pz - az) * dz) / length2, 0.0), 1.0)
    qx, qz = ax + t * dx, az + t * dz
    return (px - qx) ** 2 + (pz - qz) ** 2, qx, qz


@njit(cache=True)
def segments_distance2(ax: float, az: float, bx: float, bz: float, cx: float, cz: float, dx: float, dz: float) -> float:
    """Squared distance between the segments ab and cd."""
    ux, uz, vx, vz = bx - ax, bz - az, dx - cx, dz - cz
    c_side = ux * (cz - az) - uz * (cx - ax)
    d_side = ux * (dz - az) - uz * (dx - ax)
    a_side = vx * (az - cz) - vz * (ax - cx)
    b_side = vx * (bz - cz) - vz * (bx - cx)
    if c_side * d_side < 0.0 and a_side * b_side < 0.0:
        return 0.0
    best = min(nearest_on_segment(ax, az, cx, cz, dx, dz)[0], nearest_on_segment(bx, bz, cx, cz, dx, dz)[0])
    best = min(best, nearest_on_segment(cx, cz, ax, az, bx, bz)[0])
    return min(best, nearest_on_segment(dx, dz, ax, az, bx, bz)[0])


@njit(cache=True)
def row_span(ax: float, az: float, bx: float, bz: float, low: float, high: float, pad: float) -> tuple[float, float]:
    """Range of x that a segment grown by ``pad`` may take between two heights z; empty when reversed."""
    dz = bz - az
    t0, t1 = 0.0, 1.0
    if abs(dz) > 1e-12:
        t0, t1 = (low - pad - az) / dz, (high + pad - az) / dz
        if t0 > t1:
            t0, t1 = t1, t0
        t0, t1 = max(t0, 0.0), min(t1, 1.0)
        if t0 > t1:
            return 1.0, 0.0
    x0, x1 = ax + t0 * (bx - ax), ax + t1 * (bx - ax)
    return min(x0, x1) - pad, max(x0, x1) + pad


@njit(cache=True)
def cell_of(value: float, origin: float, width: float, count: int) -> int:
    """Index of the cell a coordinate falls into, the outermost one for coordinates beyond."""
    return min(max(math.floor((value - origin) / width), 0), count - 1)


@njit(cache=True)
def fill_cells(segments: FloatArray, frame: FloatArray, shape: IntArray) -> tuple[IntArray, IntArray]:
    """The ``first`` and ``items`` of a :class:`SegmentGrid`."""
    nx, nz = shape[0], shape[1]
    first = np.zeros(nx * nz + 1, dtype=np.int64)
    items = np.empty(0, dtype=np.int64)
    for filling in range(2):
        if filling:
            for cell in range(1, nx * nz + 1):
                first[cell] += first[cell - 1]
            items = np.empty(first[-1], dtype=np.int64)
        for s in range(segments.shape[0]):
            ax, az, bx, bz = segments[s, 0], segments[s, 1], segments[s, 2], segments[s, 3]
            low = cell_of(min(az, bz) - SAME_M, frame[1], frame[2], nz)
            high = cell_of(max(az, bz) + SAME_M, frame[1], frame[2], nz)
            for iz in range(low, high + 1):
                z0 = frame[1] + iz * frame[2]
                x0, x1 = row_span(ax, az, bx, bz, z0, z0 + frame[2], SAME_M)
                if x0 > x1:
                    continue
                for ix in range(cell_of(x0, frame[0], frame[2], nx), cell_of(x1, frame[0], frame[2], nx) + 1):
                    cell = iz * nx + ix
                    if filling:
                        # Counts are taken back while filling, which leaves each cell's beginning behind.
                        first[cell] -= 1
                        items[first[cell]] = s
                    else:
                        first[cell] += 1
    return first, items


@njit(cache=True)
def capsule_hit(grid: SegmentGrid, ax: float, az: float, bx: float, bz: float, radius: float) -> int:
    """Index of an edge closer than ``radius`` to the segment ab, or -1."""
    nx, nz = grid.shape[0], grid.shape[1]
    ox, oz, width = grid.frame[0], grid.frame[1], grid.frame[2]
    r2 = radius * radius
    xlow, xhigh = min(ax, bx) - radius, max(ax, bx) + radius
    zlow, zhigh = min(az, bz) - radius, max(az, bz) + radius
    for iz in range(cell_of(zlow, oz, width, nz), cell_of(zhigh, oz, width, nz) + 1):
        z0 = oz + iz * width
        x0, x1 = row_span(ax, az, bx, bz, z0, z0 + width, radius)
        if x0 > x1:
            continue
        for ix in range(cell_of(x0, ox, width, nx), cell_of(x1, ox, width, nx) + 1):
            cell = iz * nx + ix
            for k in range(grid.first[cell], grid.first[cell + 1]):
                s = grid.items[k]
                cx, cz, dx, dz = grid.segments[s, 0], grid.segments[s, 1], grid.segments[s, 2], grid.segments[s, 3]
                if max(cx, dx) < xlow or min(cx, dx) > xhigh or max(cz, dz) < zlow or min(cz, dz) > zhigh:
                    continue
                if segments_distance2(ax, az, bx, bz, cx, cz, dx, dz) < r2:
                    return s
    return -1


@njit(cache=True)
def disc_hit(grid: SegmentGrid, x: float, z: float, radius: float) -> int:
    """Index of an edge closer than ``radius`` to a point, or -1."""
    nx, nz = grid.shape[0], grid.shape[1]
    ox, oz, width = grid.frame[0], grid.frame[1], grid.frame[2]
    x0, x1 = cell_of(x - radius, ox, width, nx), cell_of(x + radius, ox, width, nx)
    for iz in range(cell_of(z - radius, oz, width, nz), cell_of(z + radius, oz, width, nz) + 1):
        for cell in range(iz * nx + x0, iz * nx + x1 + 1):
            for k in range(grid.first[cell], grid.first[cell + 1]):
                s = grid.items[k]
                ax, az, bx, bz = grid.segments[s, 0], grid.segments[s, 1], grid.segments[s, 2], grid.segments[s, 3]
                if nearest_on_segment(x, z, ax, az, bx, bz)[0] < radius * radius:
                    return s
    return -1


@njit(cache=True)
def arc_is_free(
    grid: SegmentGrid,
    vx: float,
    vz: float,
    radius: float,
    side: float,
    inx: float,
    inz: float,
    outx: float,
    outz: float,
) -> bool:
    """Whether the disc that rolls about a corner stays clear of every other edge.

    The ends of the arc must be free already. An edge whose nearest point q to the corner v is closer than two radii
    takes one interval off the circle, and the direction to q lies in it; so the arc is blocked just when it passes
    that direction.

    Args:
        grid: Obstacle edges.
        vx: The corner, x.
        vz: The corner, z.
        radius: Of disc and arc [m].
        side: +1 when the path turns left about the corner (in the plane of x to the right, z up), -1 right.
        inx: Unit direction of travel on arrival, x; the contact lies at ``side * (dz, -dx)`` from the corner.
        inz: On arrival, z.
        outx: On departure, x.
        outz: On departure, z.
    """
    nx, nz = grid.shape[0], grid.shape[1]
    ox, oz, width = grid.frame[0], grid.frame[1], grid.frame[2]
    reach = 2.0 * radius - 2e-7
    ax, az = side * inz, -side * inx
    bx, bz = side * outz, -side * outx
    half_turn = ax * bx + az * bz < -1.0 + 1e-9
    for iz in range(cell_of(vz - reach, oz, width, nz), cell_of(vz + reach, oz, width, nz) + 1):
        for ix in range(cell_of(vx - reach, ox, width, nx), cell_of(vx + reach, ox, width, nx) + 1):
            cell = iz * nx + ix
            for k in range(grid.first[cell], grid.first[cell + 1]):
                s = grid.items[k]
                d2, qx, qz = nearest_on_segment(
                    vx, vz, grid.segments[s, 0], grid.segments[s, 1], grid.segments[s, 2], grid.segments[s, 3]
                )
                if d2 >= reach * reach or d2 < SAME_M * SAME_M:
                    continue
                ux, uz = qx - vx, qz - vz
                after = side * (ax * uz - az * ux)
                before = side * (ux * bz - uz * bx)
                if after > 0.0 and (half_turn or before > 0.0):
                    return False
    return True


@njit(cache=True)
def nearest_edge(grid: SegmentGrid, px: float, pz: float) -> tuple[int, float]:
    """The nearest edge's index and its distance [m]."""
    nx, nz = grid.shape[0], grid.shape[1]
    ox, oz, width = grid.frame[0], grid.frame[1], grid.frame[2]
    cx, cz = cell_of(px, ox, width, nx), cell_of(pz, oz, width, nz)
    best, best2 = -1, np.inf
    for ring in range(max(nx, nz) + 1):
        for iz in range(max(cz - ring, 0), min(cz + ring, nz - 1) + 1):
            whole = abs(iz - cz) == ring
            step = 1 if whole or ring == 0 else 2 * ring
            for ix in range(cx - ring, cx + ring + 1, step):
                if ix < 0 or ix >= nx:
                    continue
                cell = iz * nx + ix
                for k in range(grid.first[cell], grid.first[cell + 1]):
                    s = grid.items[k]
                    d2 = nearest_on_segment(
                        px, pz, grid.segments[s, 0], grid.segments[s, 1], grid.segments[s, 2], grid.segments[s, 3]
                    )[0]
                    if d2 < best2:
                        best, best2 = s, d2
        # Everything within ``ring`` cells of the point's own cell has been seen.
        if best2 <= (ring * width) ** 2:
            break
    return best, math.sqrt(best2)
