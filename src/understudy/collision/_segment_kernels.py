"""A segment against a point, a segment and a half-space.

Every signed kernel of this room returns ``(d, s, nx, ny, nz)`` for a segment ``a -> b`` and an obstacle:
``d`` signed distance of the segment [m] (negative: how far it has to move to be free), ``s`` in [0, 1] where on the
segment that is, ``n`` unit vector from the obstacle to the segment. Witness on the segment: ``a + s (b - a)``; on the
obstacle: that less ``d n``. The gradient of ``d`` is ``(1 - s) n`` for ``a`` and ``s n`` for ``b``.
A capsule's distance is ``d - radius``.
"""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray

#: [m] segments closer than this count as touching: their direction would be rounding noise.
TOUCHING = 1e-10

#: [m] difference of height of a segment's ends below which it counts as parallel to a face.
PARALLEL = 1e-9

Signed = tuple[float, float, float, float, float]


@njit(cache=True, error_model="numpy")
def clamp01(x: float) -> float:
    """Return ``x`` limited to [0, 1]."""
    return min(max(x, 0.0), 1.0)


@njit(cache=True, error_model="numpy")
def any_normal(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a unit vector at right angles to ``(x, y, z)``; up when that is zero."""
    if x * x + y * y + z * z == 0.0:
        return 0.0, 1.0, 0.0
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        px, py, pz = 0.0, z, -y
    elif abs(y) <= abs(z):
        px, py, pz = -z, 0.0, x
    else:
        px, py, pz = y, -x, 0.0
    length = math.sqrt(px * px + py * py + pz * pz)
    return px / length, py / length, pz / length


@njit(cache=True, error_model="numpy")
def segments_nearest(
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    cx: float,
    cy: float,
    cz: float,
    dx: float,
    dy: float,
    dz: float,
) -> tuple[float, float, float]:
    """Return the squared distance of ``a -> b`` and ``c -> d`` and where on each it is."""
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = dx - cx, dy - cy, dz - cz
    wx, wy, wz = ax - cx, ay - cy, az - cz
    uu = ux * ux + uy * uy + uz * uz
    vv = vx * vx + vy * vy + vz * vz
    uv = ux * vx + uy * vy + uz * vz
    uw = ux * wx + uy * wy + uz * wz
    vw = vx * wx + vy * wy + vz * wz
    s, t = 0.0, 0.0
    if uu > 0.0 and vv > 0.0:
        across = uu * vv - uv * uv
        if across > 1e-14 * uu * vv:
            s = clamp01((uv * vw - vv * uw) / across)
        t = (uv * s + vw) / vv
        if t < 0.0 or t > 1.0:
            t = clamp01(t)
            s = clamp01((uv * t - uw) / uu)
    elif uu > 0.0:
        s = clamp01(-uw / uu)
    elif vv > 0.0:
        t = clamp01(vw / vv)
    ex, ey, ez = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
    return ex * ex + ey * ey + ez * ez, s, t


@njit(cache=True, error_model="numpy")
def axes_nearest(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> tuple[float, float, float]:
    """:func:`segments_nearest` of ends that are arrays ``(3,)``."""
    return segments_nearest(a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], d[0], d[1], d[2])


@njit(cache=True, error_model="numpy")
def pair_nearest(segments: FloatArray, i: int, j: int) -> tuple[float, float, float]:
    """:func:`segments_nearest` of two rows of segments, both ends each."""
    return segments_nearest(
        segments[i, 0], segments[i, 1], segments[i, 2], segments[i, 3], segments[i, 4], segments[i, 5],
        segments[j, 0], segments[j, 1], segments[j, 2], segments[j, 3], segments[j, 4], segments[j, 5],
    )  # fmt: skip


@njit(cache=True, error_model="numpy")
def segments_signed(
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    cx: float,
    cy: float,
    cz: float,
    dx: float,
    dy: float,
    dz: float,
) -> Signed:
    """Signed distance of ``a -> b`` from the segment ``c -> d``; crossing segments are 0 apart."""
    d2, s, t = segments_nearest(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz)
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = dx - cx, dy - cy, dz - cz
    d = math.sqrt(d2)
    if d > TOUCHING:
        nx = (ax + s * ux - cx - t * vx) / d
        ny = (ay + s * uy - cy - t * vy) / d
        nz = (az + s * uz - cz - t * vz) / d
        return d, s, nx, ny, nz
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length > 1e-12:
        return d, s, nx / length, ny / length, nz / length
    if ux * ux + uy * uy + uz * uz == 0.0:
        ux, uy, uz = vx, vy, vz
    nx, ny, nz = any_normal(ux, uy, uz)
    return d, s, nx, ny, nz


@njit(cache=True, error_model="numpy")
def half_space_signed(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Signed:
    """Signed distance from everything below y = 0."""
    if ay < by:
        return ay, 0.0, 0.0, 1.0, 0.0
    if by < ay:
        return by, 1.0, 0.0, 1.0, 0.0
    return ay, 0.5, 0.0, 1.0, 0.0
