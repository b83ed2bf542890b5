"""Scalar numba twins of this room's functions, for the inner loops of other rooms.

Scalars in, tuples out: nothing is allocated. Each is tested against its NumPy twin. Inputs are not checked:
quaternions must be unit, and axes of the swing-twist pair orthonormal.
"""

import math

import numpy as np

from understudy.compiling.kernel import njit

# cos(swing / 2) below which the twist is rounding noise (as in swing_twist.py).
_SINGULAR_COSINE = 1e-12


@njit(cache=True, error_model="numpy")
def _sinc(x: float) -> float:
    """Return ``sin(x) / x``, by its series where the quotient would lose its meaning."""
    if abs(x) < 1e-4:
        return 1.0 - x * x / 6.0
    return math.sin(x) / x


@njit(cache=True, error_model="numpy")
def qmul(
    aw: float, ax: float, ay: float, az: float, bw: float, bx: float, by: float, bz: float
) -> tuple[float, float, float, float]:
    """Return the product ``a b`` as (w, x, y, z)."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@njit(cache=True, error_model="numpy")
def qrot(w: float, x: float, y: float, z: float, vx: float, vy: float, vz: float) -> tuple[float, float, float]:
    """Return vector ``v`` rotated by ``q``."""
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


@njit(cache=True, error_model="numpy")
def qconj_rot(w: float, x: float, y: float, z: float, vx: float, vy: float, vz: float) -> tuple[float, float, float]:
    """Return vector ``v`` rotated by the inverse of ``q``."""
    return qrot(w, -x, -y, -z, vx, vy, vz)


@njit(cache=True, error_model="numpy")
def qnormalize(w: float, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Return ``q`` scaled to unit length; zero becomes the identity."""
    length = math.sqrt(w * w + x * x + y * y + z * z)
    if length == 0.0:
        return 1.0, 0.0, 0.0, 0.0
    return w / length, x / length, y / length, z / length


@njit(cache=True, error_model="numpy")
def qslerp(
    aw: float,
    ax: float,
    ay: float,
    az: float,
    bw: float,
    bx: float,
    by: float,
    bz: float,
    t: float,
) -> tuple[float, float, float, float]:
    """Return the shorter-path interpolation from ``a`` (t = 0) to ``b`` (t = 1, sign nearest ``a``)."""
    if aw * bw + ax * bx + ay * by + az * bz < 0.0:
        bw, bx, by, bz = -bw, -bx, -by, -bz
    apart = (aw - bw) ** 2 + (ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2
    together = (aw + bw) ** 2 + (ax + bx) ** 2 + (ay + by) ** 2 + (az + bz) ** 2
    angle = 2.0 * math.atan2(math.sqrt(apart), math.sqrt(together))
    scale = _sinc(angle)
    u = (1.0 - t) * (_sinc((1.0 - t) * angle) / scale)
    v = t * (_sinc(t * angle) / scale)
    return u * aw + v * bw, u * ax + v * bx, u * ay + v * by, u * az + v * bz


@njit(cache=True, error_model="numpy")
def qexp(vx: float, vy: float, vz: float) -> tuple[float, float, float, float]:
    """Return the quaternion of rotation vector ``v`` [rad]."""
    half = 0.5 * math.sqrt(vx * vx + vy * vy + vz * vz)
    scale = 0.5 * _sinc(half)
    return math.cos(half), scale * vx, scale * vy, scale * vz


@njit(cache=True, error_model="numpy")
def qlog(w: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the shortest rotation vector [rad] of ``q``."""
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0
    if sine != 0.0:
        scale = 2.0 * math.atan2(sine, abs(w)) / sine
    if w < 0.0:
        scale = -scale
    return scale * x, scale * y, scale * z


@njit(cache=True, error_model="numpy")
def qswing_twist_coords(
    w: float,
    x: float,
    y: float,
    z: float,
    tx: float,
    ty: float,
    tz: float,
    sx: float,
    sy: float,
    sz: float,
) -> tuple[float, float, float]:
    """Return (swing1, swing2, twist) [rad] of ``q`` for orthonormal twist axis ``t`` and swing axis ``s``."""
    p = x * tx + y * ty + z * tz
    c = x * sx + y * sy + z * sz
    d = x * (ty * sz - tz * sy) + y * (tz * sx - tx * sz) + z * (tx * sy - ty * sx)
    cosine = math.sqrt(w * w + p * p)
    tw, tp = 1.0, 0.0
    if cosine >= _SINGULAR_COSINE:
        tw, tp = w / cosine, p / cosine
    s1 = tw * c - tp * d
    s2 = tw * d + tp * c
    sine = math.sqrt(s1 * s1 + s2 * s2)
    scale = 2.0
    if sine != 0.0:
        scale = 2.0 * math.atan2(sine, cosine) / sine
    if tw < 0.0:
        tp = -tp
    return scale * s1, scale * s2, 2.0 * math.atan2(tp, abs(tw))


@njit(cache=True, error_model="numpy")
def qto_matrix(w: float, x: float, y: float, z: float, out33: np.ndarray) -> None:
    """Write the rotation matrix of ``q`` into ``out33`` ``(3, 3)``."""
    out33[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out33[0, 1] = 2.0 * (x * y - w * z)
    out33[0, 2] = 2.0 * (x * z + w * y)
    out33[1, 0] = 2.0 * (x * y + w * z)
    out33[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out33[1, 2] = 2.0 * (y * z - w * x)
    out33[2, 0] = 2.0 * (x * z - w * y)
    out33[2, 1] = 2.0 * (y * z + w * x)
    out33[2, 2] = 1.0 - 2.0 * (x * x + y * y)
