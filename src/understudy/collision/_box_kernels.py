"""A segment against a box about the origin, half edges ``(hx, hy, hz)``; see ``_segment_kernels`` for what is returned.

Outside: the squared distance along the segment is convex and its derivative piecewise linear with a kink where the
segment crosses a face's plane, so its root is found exactly. Inside: the least way out over the faces' normals and the
cross products of the segment with the edges (separating axes).
"""

from __future__ import annotations

import math

from understudy.collision._segment_kernels import PARALLEL, TOUCHING, Signed, clamp01
from understudy.compiling.kernel import njit


@njit(cache=True, error_model="numpy")
def _beyond(p: float, h: float) -> float:
    """Signed distance of ``p`` beyond [-h, h]; 0 inside."""
    if p > h:
        return p - h
    if p < -h:
        return p + h
    return 0.0


@njit(cache=True, error_model="numpy")
def _slope(
    s: float,
    ax: float,
    ay: float,
    az: float,
    ux: float,
    uy: float,
    uz: float,
    hx: float,
    hy: float,
    hz: float,
) -> float:
    """Half the derivative of the squared distance at ``a + s u``."""
    return ux * _beyond(ax + s * ux, hx) + uy * _beyond(ay + s * uy, hy) + uz * _beyond(az + s * uz, hz)


@njit(cache=True, error_model="numpy")
def box_nearest(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, hx: float, hy: float, hz: float
) -> tuple[float, float]:
    """Return the squared distance of the segment from the box (0 when they meet) and where on the segment."""
    ux, uy, uz = bx - ax, by - ay, bz - az
    s = 0.0
    low = ux * _beyond(ax, hx) + uy * _beyond(ay, hy) + uz * _beyond(az, hz)
    if low < 0.0:
        high = ux * _beyond(bx, hx) + uy * _beyond(by, hy) + uz * _beyond(bz, hz)
        if high <= 0.0:
            s = 1.0
        else:
            s_low, s_high = 0.0, 1.0
            for k in range(6):
                if k < 2:
                    a, u, h = ax, ux, hx
                elif k < 4:
                    a, u, h = ay, uy, hy
                else:
                    a, u, h = az, uz, hz
                if u == 0.0:
                    continue
                kink = (h - a) / u if k % 2 == 0 else (-h - a) / u
                if s_low < kink < s_high:
                    g = _slope(kink, ax, ay, az, ux, uy, uz, hx, hy, hz)
                    if g < 0.0:
                        s_low, low = kink, g
                    else:
                        s_high, high = kink, g
            s = s_low + (s_high - s_low) * (-low) / (high - low)
    ex, ey, ez = _beyond(ax + s * ux, hx), _beyond(ay + s * uy, hy), _beyond(az + s * uz, hz)
    return ex * ex + ey * ey + ez * ez, s


@njit(cache=True, error_model="numpy")
def _edge_way_out(
    ai: float,
    aj: float,
    ui: float,
    uj: float,
    hi: float,
    hj: float,
    best: float,
) -> tuple[float, float, float, float]:
    """Way out past a box edge along the third axis, in the plane of axes i and j: (depth, s, ni, nj)."""
    length = math.sqrt(ui * ui + uj * uj)
    if length < 1e-12:
        return best, 0.0, 0.0, 0.0
    ni, nj = -uj / length, ui / length
    offset = ni * ai + nj * aj
    if offset < 0.0:
        ni, nj, offset = -ni, -nj, -offset
    depth = hi * abs(ni) + hj * abs(nj) - offset
    if depth >= best:
        return best, 0.0, 0.0, 0.0
    # The segment moved out by depth touches the edge: solve a + s u + depth n = edge along the larger part of u.
    if abs(ui) > abs(uj):
        s = (math.copysign(hi, ni) - depth * ni - ai) / ui
    else:
        s = (math.copysign(hj, nj) - depth * nj - aj) / uj
    return depth, clamp01(s), ni, nj


@njit(cache=True, error_model="numpy")
def _middle_inside(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, hx: float, hy: float, hz: float
) -> float:
    """Where the part of the segment inside the box has its middle."""
    low, high = 0.0, 1.0
    for a, b, h in ((ax, bx, hx), (ay, by, hy), (az, bz, hz)):
        u = b - a
        if abs(u) > PARALLEL:
            first, second = (-h - a) / u, (h - a) / u
            low, high = max(low, min(first, second)), min(high, max(first, second))
    return clamp01(0.5 * (low + high))


@njit(cache=True, error_model="numpy")
def _box_inside(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, hx: float, hy: float, hz: float
) -> Signed:
    """Least way out of a segment that meets the box."""
    best, s, nx, ny, nz = math.inf, 0.0, 0.0, 1.0, 0.0
    for axis in range(3):
        if axis == 0:
            a, b, h = ax, bx, hx
        elif axis == 1:
            a, b, h = ay, by, hy
        else:
            a, b, h = az, bz, hz
        for side in (1.0, -1.0):
            depth = h - min(side * a, side * b)
            if depth < best:
                best = depth
                s = 0.0 if side * a < side * b else 1.0
                if abs(a - b) < PARALLEL:
                    # Every point is as deep: one that is over the face is meant.
                    s = _middle_inside(ax, ay, az, bx, by, bz, hx, hy, hz)
                nx = side if axis == 0 else 0.0
                ny = side if axis == 1 else 0.0
                nz = side if axis == 2 else 0.0
    ux, uy, uz = bx - ax, by - ay, bz - az
    depth, at, n1, n2 = _edge_way_out(ay, az, uy, uz, hy, hz, best)
    if depth < best:
        best, s, nx, ny, nz = depth, at, 0.0, n1, n2
    depth, at, n1, n2 = _edge_way_out(ax, az, ux, uz, hx, hz, best)
    if depth < best:
        best, s, nx, ny, nz = depth, at, n1, 0.0, n2
    depth, at, n1, n2 = _edge_way_out(ax, ay, ux, uy, hx, hy, best)
    if depth < best:
        best, s, nx, ny, nz = depth, at, n1, n2, 0.0
    return -best, s, nx, ny, nz


@njit(cache=True, error_model="numpy")
def box_signed(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, hx: float, hy: float, hz: float
) -> Signed:
    """Signed distance of the segment from the box."""
    d2, s = box_nearest(ax, ay, az, bx, by, bz, hx, hy, hz)
    d = math.sqrt(d2)
    if d <= TOUCHING:
        return _box_inside(ax, ay, az, bx, by, bz, hx, hy, hz)
    ex = _beyond(ax + s * (bx - ax), hx)
    ey = _beyond(ay + s * (by - ay), hy)
    ez = _beyond(az + s * (bz - az), hz)
    return d, s, ex / d, ey / d, ez / d
