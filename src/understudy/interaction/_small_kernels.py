"""Vectors and 3 x 3 matrices in place: the arithmetic of the room's other kernels."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=True, error_model="numpy")
def cross(a: FloatArray, b: FloatArray, out: FloatArray) -> None:
    """``out = a x b``; ``out`` must be neither."""
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@njit(cache=True, error_model="numpy")
def matvec(m: FloatArray, v: FloatArray, out: FloatArray) -> None:
    """``out = m v``; ``out`` must not be ``v``."""
    for i in range(3):
        out[i] = m[i, 0] * v[0] + m[i, 1] * v[1] + m[i, 2] * v[2]


@njit(cache=True, error_model="numpy")
def matmul(a: FloatArray, b: FloatArray, out: FloatArray) -> None:
    """``out = a b``; ``out`` must be neither."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


@njit(cache=True, error_model="numpy")
def cross_columns(v: FloatArray, m: FloatArray, out: FloatArray) -> None:
    """``out = [v]x m``: ``v`` crossed with every column; ``out`` must not be ``m``."""
    for j in range(3):
        out[0, j] = v[1] * m[2, j] - v[2] * m[1, j]
        out[1, j] = v[2] * m[0, j] - v[0] * m[2, j]
        out[2, j] = v[0] * m[1, j] - v[1] * m[0, j]


@njit(cache=True, error_model="numpy")
def _series(s: float) -> tuple[float, float, float, float, float]:
    """Coefficients of the right Jacobian for ``s = |theta|^2`` and the rotation matrix.

    Returns ``a = (1 - cos)/s``, ``b = (1 - sin/x)/s``, their derivatives by ``s``, and ``sin/x``.
    """
    if s < 2.5e-3:
        a = 0.5 - s / 24.0 + s * s / 720.0
        b = 1.0 / 6.0 - s / 120.0 + s * s / 5040.0
        da = -1.0 / 24.0 + s / 360.0 - s * s / 13440.0
        db = -1.0 / 120.0 + s / 2520.0 - s * s / 120960.0
        c = 1.0 - s / 6.0 + s * s / 120.0 - s * s * s / 5040.0
        return a, b, da, db, c
    x = math.sqrt(s)
    sine, cosine = math.sin(x), math.cos(x)
    a = (1.0 - cosine) / s
    c = sine / x
    b = (1.0 - c) / s
    dc = (cosine - c) / (2.0 * s)
    da = (0.5 * c - a) / s
    db = (-dc - b) / s
    return a, b, da, db, c


@njit(cache=True, error_model="numpy")
def displacement(
    theta: FloatArray,
    rate: FloatArray,
    turn: FloatArray,
    jacobian: FloatArray,
    jacobian_rate: FloatArray,
) -> None:
    """Rotation matrix ``Exp(theta)``, right Jacobian ``J`` and its time derivative for ``theta' = rate``.

    ``J = 1 - a [theta] + b [theta]^2`` with ``a = (1 - cos)/s``, ``b = (1 - sin/x)/s``, ``s = x^2 = |theta|^2``;
    ``Exp = 1 + (sin/x) [theta] + a [theta]^2``; the body's angular velocity is ``J rate``.
    """
    s = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]
    ds = 2.0 * (theta[0] * rate[0] + theta[1] * rate[1] + theta[2] * rate[2])
    a, b, da, db, c = _series(s)
    for i in range(3):
        for j in range(3):
            square = theta[i] * theta[j]
            dsquare = theta[i] * rate[j] + rate[i] * theta[j]
            if i == j:
                square -= s
                dsquare -= ds
                turn[i, j] = 1.0 + a * square
                jacobian[i, j] = 1.0 + b * square
            else:
                turn[i, j] = a * square
                jacobian[i, j] = b * square
            jacobian_rate[i, j] = db * ds * square + b * dsquare
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        # [theta][j, i] = theta_k, [theta][i, j] = -theta_k
        turn[j, i] += c * theta[k]
        turn[i, j] -= c * theta[k]
        jacobian[j, i] -= a * theta[k]
        jacobian[i, j] += a * theta[k]
        skew = da * ds * theta[k] + a * rate[k]
        jacobian_rate[j, i] -= skew
        jacobian_rate[i, j] += skew


@njit(cache=True, error_model="numpy")
def bspline(x: float, spans: int, value: FloatArray, rate: FloatArray, second: FloatArray) -> int:
    """Uniform cubic B-spline at ``x`` (in knots): four weights with first and second derivative by ``x``.

    Returns the first of the four control points.
    """
    first = min(max(math.floor(x), 0), spans - 1)
    f = x - first
    g = 1.0 - f
    value[0], value[1] = g * g * g / 6.0, (3.0 * f * f * f - 6.0 * f * f + 4.0) / 6.0
    value[2], value[3] = (3.0 * g * g * g - 6.0 * g * g + 4.0) / 6.0, f * f * f / 6.0
    rate[0], rate[1] = -0.5 * g * g, 1.5 * f * f - 2.0 * f
    rate[2], rate[3] = -1.5 * g * g + 2.0 * g, 0.5 * f * f
    second[0], second[1], second[2], second[3] = g, 3.0 * f - 2.0, 3.0 * g - 2.0, f
    return first


@njit(cache=True, error_model="numpy")
def quaternion_rates(
    s: FloatArray, ds: FloatArray, dds: FloatArray, turn: FloatArray, omega: FloatArray, alpha: FloatArray
) -> None:
    """Rotation matrix of ``s / |s|`` and its body angular velocity and acceleration.

    ``omega = 2 Im(s* s') / |s|^2`` whatever the length of ``s`` does; ``s'* s'`` is real and drops out of ``alpha``.
    """
    n = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3]
    dn = 2.0 * (s[0] * ds[0] + s[1] * ds[1] + s[2] * ds[2] + s[3] * ds[3])
    for r in range(2):
        d, out = (ds, omega) if r == 0 else (dds, alpha)
        out[0] = 2.0 * (s[0] * d[1] - s[1] * d[0] - s[2] * d[3] + s[3] * d[2]) / n
        out[1] = 2.0 * (s[0] * d[2] + s[1] * d[3] - s[2] * d[0] - s[3] * d[1]) / n
        out[2] = 2.0 * (s[0] * d[3] - s[1] * d[2] + s[2] * d[1] - s[3] * d[0]) / n
    for i in range(3):
        alpha[i] -= omega[i] * dn / n
    k = 2.0 / n
    w, x, y, z = s[0], s[1], s[2], s[3]
    turn[0, 0], turn[0, 1], turn[0, 2] = 1.0 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)
    turn[1, 0], turn[1, 1], turn[1, 2] = k * (x * y + w * z), 1.0 - k * (x * x + z * z), k * (y * z - w * x)
    turn[2, 0], turn[2, 1], turn[2, 2] = k * (x * z - w * y), k * (y * z + w * x), 1.0 - k * (x * x + y * y)


@njit(cache=True, error_model="numpy")
def quaternion_of(theta: FloatArray, out: FloatArray) -> None:
    """Unit quaternion of a rotation vector."""
    s = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]
    half = 0.5 * math.sqrt(s)
    sinc = 0.5 * (1.0 - s / 24.0) if s < 1e-8 else math.sin(half) / (2.0 * half)
    out[0] = math.cos(half)
    for i in range(3):
        out[1 + i] = sinc * theta[i]


@njit(cache=True, error_model="numpy")
def identity(out: FloatArray) -> None:
    """Fill a 3 x 3 identity."""
    for i in range(3):
        for j in range(3):
            out[i, j] = 1.0 if i == j else 0.0
