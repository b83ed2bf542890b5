"""Ways past a door as a few numbers: where somebody is over time.

A row of numbers says where somebody takes the handle, to where the body goes while it holds, and through which two
points it leaves. Times count from taking hold.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray

#: Columns of a row: taking hold (x, z, heading), end of the hold (x, z, heading), in the doorway (x, z), beyond it
#: (x, z), direction there, seconds of standing (0 for somebody who walks on), length of the straight stretch before; 0
#: where ways before and after are found otherwise.
GX, GZ, GH, BX, BZ, BH, MX, MZ, EX, EZ, EH, STAND, RUN = range(13)
COLUMNS = 13
_PIECE = 12


class Manner(NamedTuple):
    """How somebody moves: walking speed, at the handle and while pushing [m/s], braking [m/s^2]."""

    walk_mps: float
    handle_mps: float
    push_mps: float
    brake_mps2: float


@njit(cache=True)
def _hermite(ax: float, az: float, ah: float, bx: float, bz: float, bh: float, out: FloatArray, first: int) -> None:
    """Points of a curve between two places with directions, its end left out."""
    far = math.hypot(bx - ax, bz - az)
    for k in range(_PIECE):
        u = k / _PIECE
        a, b = 2 * u**3 - 3 * u**2 + 1, u**3 - 2 * u**2 + u
        c, d = -2 * u**3 + 3 * u**2, u**3 - u**2
        out[first + k, 0] = a * ax + b * far * math.sin(ah) + c * bx + d * far * math.sin(bh)
        out[first + k, 1] = a * az + b * far * math.cos(ah) + c * bz + d * far * math.cos(bh)


@njit(cache=True)
def leaving(row: FloatArray) -> FloatArray:
    """Points ``(n, 2)`` from the end of the hold through the doorway [m]."""
    out = np.empty((2 * _PIECE + 1, 2))
    along = math.atan2(row[EX] - row[BX], row[EZ] - row[BZ])
    onward = math.atan2(row[MX] - row[BX], row[MZ] - row[BZ])
    begin = row[GH] if row[STAND] == 0.0 else onward
    # Between the way there and the way on.
    turn = math.atan2(math.sin(along - onward), math.cos(along - onward))
    middle = onward + 0.5 * turn + 0.25 * math.atan2(math.sin(row[EH] - along), math.cos(row[EH] - along))
    _hermite(row[BX], row[BZ], begin, row[MX], row[MZ], middle, out, 0)
    _hermite(row[MX], row[MZ], middle, row[EX], row[EZ], row[EH], out, _PIECE)
    out[2 * _PIECE, 0], out[2 * _PIECE, 1] = row[EX], row[EZ]
    return out


@njit(cache=True)
def _smooth(u: float) -> float:
    u = min(max(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


@njit(cache=True)
def _along(points: FloatArray, lengths: FloatArray, s: float) -> tuple[float, float, float]:
    """Place and direction at a distance along points; straight on beyond them."""
    n = points.shape[0]
    k = 0
    while k < n - 2 and lengths[k + 1] < s:
        k += 1
    far = max(lengths[k + 1] - lengths[k], 1e-9)
    u = (s - lengths[k]) / far
    dx, dz = points[k + 1, 0] - points[k, 0], points[k + 1, 1] - points[k, 1]
    return points[k, 0] + u * dx, points[k, 1] + u * dz, math.atan2(dx, dz)


@njit(cache=True)
def _turned(start: float, end: float, share: float) -> float:
    return start + share * math.atan2(math.sin(end - start), math.cos(end - start))


@njit(cache=True)
def walked(row: FloatArray, manner: Manner, first_s: float, dt_s: float, out: FloatArray) -> int:
    """Fill ``out (n, 3)``: x, z [m] and heading [rad] from a time on, every ``dt_s``; rows until the last point."""
    points = leaving(row)
    lengths = np.zeros(points.shape[0])
    for k in range(1, points.shape[0]):
        lengths[k] = lengths[k - 1] + math.hypot(points[k, 0] - points[k - 1, 0], points[k, 1] - points[k - 1, 1])
    stands = row[STAND] > 0.0
    # Backwards from the handle: how far there is still to go.
    left, at_s, step = 0.0, 0.0, 0.01
    n = out.shape[0]
    k = min(math.floor(-first_s / dt_s + 1e-6), n - 1)
    while k >= 0:
        goal_s = -(first_s + k * dt_s)
        while at_s < goal_s - 1e-9:
            if stands:
                speed = min(manner.walk_mps, manner.brake_mps2 * (at_s + 0.5 * step))
            else:
                speed = min(manner.walk_mps, manner.handle_mps + 0.55 * left)
            left += speed * step
            at_s += step
        out[k, 0] = row[GX] - left * math.sin(row[GH])
        out[k, 1] = row[GZ] - left * math.cos(row[GH])
        out[k, 2] = row[GH]
        k -= 1
    k = max(math.floor(-first_s / dt_s + 1e-6) + 1, 0)
    gone, at_s, end = 0.0, 0.0, n
    while k < n:
        goal_s = first_s + k * dt_s
        while at_s < goal_s - 1e-9:
            if stands:
                speed = min(manner.walk_mps, manner.brake_mps2 * max(at_s + 0.5 * step - row[STAND], 0.0))
            else:
                speed = manner.handle_mps + (manner.push_mps - manner.handle_mps) * _smooth(gone / 0.3)
                speed = min(manner.walk_mps, speed + 0.6 * max(gone - 0.5, 0.0))
            gone += speed * step
            at_s += step
        if end == n and gone > lengths[-1]:
            end = k
        x, z, direction = _along(points, lengths, gone)
        if stands and goal_s < row[STAND] + 1e-9:
            share = _smooth((goal_s - 0.1) / (0.68 * row[STAND]))
            out[k, 0] = row[GX] + share * (row[BX] - row[GX])
            out[k, 1] = row[GZ] + share * (row[BZ] - row[GZ])
            out[k, 2] = _turned(row[GH], row[BH], share)
        else:
            out[k, 0], out[k, 1] = x, z
            out[k, 2] = _turned(row[BH], direction, _smooth((goal_s - row[STAND]) / 0.9)) if stands else direction
        k += 1
    return end
