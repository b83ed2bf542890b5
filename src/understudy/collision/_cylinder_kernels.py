"""A segment against an upright cylinder about the origin, radius ``radius`` and half height ``half``, flat ends.

See ``_segment_kernels`` for what is returned. Outside, the squared distance along the segment is convex: a bracketed
Newton search finds where its derivative vanishes. Inside, the way out leads through a flat end, the side, or past a
rim; for the rim the normal is at right angles to the segment, a family of one angle.
"""

from __future__ import annotations

import math

from understudy.collision._segment_kernels import PARALLEL, TOUCHING, Signed, clamp01
from understudy.compiling.kernel import njit

_RIM_SAMPLES = 24
_GOLDEN = 0.6180339887498949


@njit(cache=True, error_model="numpy")
def _beyond(x: float, y: float, z: float, radius: float, half: float) -> tuple[float, float, float]:
    """Vector from the nearest point of the cylinder to ``(x, y, z)``; zero inside."""
    rho = math.sqrt(x * x + z * z)
    ex, ey, ez = 0.0, 0.0, 0.0
    if rho > radius:
        share = 1.0 - radius / rho
        ex, ez = x * share, z * share
    if y > half:
        ey = y - half
    elif y < -half:
        ey = y + half
    return ex, ey, ez


@njit(cache=True, error_model="numpy")
def cylinder_nearest(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, radius: float, half: float
) -> tuple[float, float]:
    """Return the squared distance of the segment from the cylinder (0 when they meet) and where on the segment."""
    ux, uy, uz = bx - ax, by - ay, bz - az
    ex, ey, ez = _beyond(ax, ay, az, radius, half)
    if ex * ux + ey * uy + ez * uz >= 0.0:
        return ex * ex + ey * ey + ez * ez, 0.0
    ex, ey, ez = _beyond(bx, by, bz, radius, half)
    if ex * ux + ey * uy + ez * uz <= 0.0:
        return ex * ex + ey * ey + ez * ez, 1.0
    low, high, s = 0.0, 1.0, 0.5
    for _ in range(100):
        x, y, z = ax + s * ux, ay + s * uy, az + s * uz
        ex, ey, ez = _beyond(x, y, z, radius, half)
        g = ex * ux + ey * uy + ez * uz
        if g == 0.0 or high - low < 1e-16:
            break
        if g < 0.0:
            low = s
        else:
            high = s
        curve = uy * uy if ey != 0.0 else 0.0
        rho2 = x * x + z * z
        if rho2 > radius * radius:
            along = (x * ux + z * uz) ** 2 / rho2
            curve += along + (1.0 - radius / math.sqrt(rho2)) * (ux * ux + uz * uz - along)
        step = s - g / curve if curve > 0.0 else -1.0
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - s) < 1e-17:
            break
        s = step
    return ex * ex + ey * ey + ez * ez, s


@njit(cache=True, error_model="numpy")
def _rim_depth(angle: float, x: float, y: float, rise: float, radius: float, half: float) -> float:
    """Way out along the normal at ``angle`` in the plane across the segment, whose second axis rises by ``rise``."""
    sine, cosine = math.sin(angle), math.cos(angle)
    up = rise * sine
    return radius * math.sqrt(max(1.0 - up * up, 0.0)) + half * up - x * cosine - y * sine


@njit(cache=True, error_model="numpy")
def _rim_angle(x: float, y: float, rise: float, radius: float, half: float) -> float:
    """Angle in [0, pi/2] of the least way out past a rim."""
    step = 0.5 * math.pi / _RIM_SAMPLES
    best, at = math.inf, 0
    for k in range(_RIM_SAMPLES + 1):
        depth = _rim_depth(k * step, x, y, rise, radius, half)
        if depth < best:
            best, at = depth, k
    low, high = max(at - 1, 0) * step, min(at + 1, _RIM_SAMPLES) * step
    first, second = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    d1, d2 = _rim_depth(first, x, y, rise, radius, half), _rim_depth(second, x, y, rise, radius, half)
    while high - low > 1e-9:
        if d1 < d2:
            high, second, d2 = second, first, d1
            first = high - _GOLDEN * (high - low)
            d1 = _rim_depth(first, x, y, rise, radius, half)
        else:
            low, first, d1 = first, second, d2
            second = low + _GOLDEN * (high - low)
            d2 = _rim_depth(second, x, y, rise, radius, half)
    return 0.5 * (low + high)


@njit(cache=True, error_model="numpy")
def _side_way_out(ax: float, az: float, bx: float, bz: float, radius: float) -> tuple[float, float, float, float]:
    """Way out through the side: (depth, s, nx, nz)."""
    ux, uz = bx - ax, bz - az
    uu = ux * ux + uz * uz
    s = clamp01(-(ax * ux + az * uz) / uu) if uu > 0.0 else 0.5
    x, z = ax + s * ux, az + s * uz
    rho = math.sqrt(x * x + z * z)
    if rho > 1e-12:
        return radius - rho, s, x / rho, z / rho
    if uu > 0.0:
        length = math.sqrt(uu)
        return radius - rho, s, -uz / length, ux / length
    return radius - rho, s, 1.0, 0.0


@njit(cache=True, error_model="numpy")
def _middle_inside(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, radius: float, half: float
) -> float:
    """Where the part of the segment inside the cylinder has its middle."""
    ux, uy, uz = bx - ax, by - ay, bz - az
    low, high = 0.0, 1.0
    if abs(uy) > PARALLEL:
        first, second = (-half - ay) / uy, (half - ay) / uy
        low, high = max(low, min(first, second)), min(high, max(first, second))
    flat, along = ux * ux + uz * uz, ax * ux + az * uz
    if flat > PARALLEL * PARALLEL:
        root = math.sqrt(max(along * along - flat * (ax * ax + az * az - radius * radius), 0.0))
        low, high = max(low, (-along - root) / flat), min(high, (-along + root) / flat)
    return clamp01(0.5 * (low + high))


@njit(cache=True, error_model="numpy")
def _cylinder_inside(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, radius: float, half: float
) -> Signed:
    """Least way out of a segment that meets the cylinder."""
    best, s, nx, nz = _side_way_out(ax, az, bx, bz, radius)
    ny = 0.0
    if abs(bx - ax) < PARALLEL and abs(bz - az) < PARALLEL:
        # Upright: every point is as deep, one beside the side is meant.
        s = _middle_inside(ax, ay, az, bx, by, bz, radius, half)
    for side in (1.0, -1.0):
        depth = half - min(side * ay, side * by)
        if depth < best:
            best, nx, ny, nz = depth, 0.0, side, 0.0
            s = 0.0 if side * ay < side * by else 1.0
            if abs(ay - by) < PARALLEL:
                s = _middle_inside(ax, ay, az, bx, by, bz, radius, half)
    ux, uy, uz = bx - ax, by - ay, bz - az
    length = math.sqrt(ux * ux + uy * uy + uz * uz)
    flat = math.sqrt(ux * ux + uz * uz)
    if flat <= 1e-9 * length or length == 0.0:
        return -best, s, nx, ny, nz
    # Axes across the segment: e level, f rising.
    ex, ez = -uz / flat, ux / flat
    rise = flat / length
    fx, fy, fz = -ux * uy / (flat * length), rise, -uz * uy / (flat * length)
    x, y = ax * ex + az * ez, ax * fx + ay * fy + az * fz
    angle = _rim_angle(abs(x), abs(y), rise, radius, half)
    depth = _rim_depth(angle, abs(x), abs(y), rise, radius, half)
    if depth < best:
        cosine, sine = math.copysign(math.cos(angle), x), math.copysign(math.sin(angle), y)
        nx, ny, nz = cosine * ex + sine * fx, sine * fy, cosine * ez + sine * fz
        level = math.sqrt(nx * nx + nz * nz)
        scale = radius / level if level > 1e-12 else 0.0
        qx, qy, qz = scale * nx, math.copysign(half, ny), scale * nz
        along = (qx - depth * nx - ax) * ux + (qy - depth * ny - ay) * uy + (qz - depth * nz - az) * uz
        best, s = depth, clamp01(along / (length * length))
    return -best, s, nx, ny, nz


@njit(cache=True, error_model="numpy")
def cylinder_signed(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, radius: float, half: float
) -> Signed:
    """Signed distance of the segment from the cylinder."""
    d2, s = cylinder_nearest(ax, ay, az, bx, by, bz, radius, half)
    d = math.sqrt(d2)
    if d <= TOUCHING:
        return _cylinder_inside(ax, ay, az, bx, by, bz, radius, half)
    ex, ey, ez = _beyond(ax + s * (bx - ax), ay + s * (by - ay), az + s * (bz - az), radius, half)
    return d, s, ex / d, ey / d, ez / d
