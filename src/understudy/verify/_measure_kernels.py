"""The judge's compiled measures of single joints: how they jump and turn, and their limits."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def velocity_changes(points: FloatArray, fps: float, out: FloatArray) -> None:
    """Write ``(frames - 2, points)`` change of velocity of points ``(frames, points, 3)`` at each inner frame [m/s]."""
    for f in range(len(out)):
        for p in range(out.shape[1]):
            square = 0.0
            for i in range(3):
                a, b, c = points[f, p, i], points[f + 1, p, i], points[f + 2, p, i]
                square += ((c - b) - (b - a)) ** 2
            out[f, p] = math.sqrt(square) * fps


@njit(cache=True)
def widest(points: FloatArray) -> float:
    """Largest distance between two of the points ``(n, 2)``."""
    most = 0.0
    for a in range(len(points)):
        for b in range(a):
            most = max(most, (points[a, 0] - points[b, 0]) ** 2 + (points[a, 1] - points[b, 1]) ** 2)
    return math.sqrt(most)


@njit(cache=True)
def turning(rotations: FloatArray, joints: IntArray, fps: float, out: FloatArray) -> None:
    """Write ``(3 joints, frames - 1)`` mean turns [rad/s] between frames of some joints, in their parents' axes."""
    for k in range(len(joints)):
        for f in range(len(rotations) - 1):
            a, b = rotations[f, joints[k]], rotations[f + 1, joints[k]]
            w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
            x = a[0] * b[1] - b[0] * a[1] - (b[2] * a[3] - b[3] * a[2])
            y = a[0] * b[2] - b[0] * a[2] - (b[3] * a[1] - b[1] * a[3])
            z = a[0] * b[3] - b[0] * a[3] - (b[1] * a[2] - b[2] * a[1])
            length = math.sqrt(x * x + y * y + z * z)
            scale = 2.0
            if length > 1e-12:
                scale = 2.0 * math.atan2(length, abs(w)) / length
            scale *= -fps if w < 0.0 else fps
            out[3 * k, f], out[3 * k + 1, f], out[3 * k + 2, f] = scale * x, scale * y, scale * z


@njit(cache=True)
def largest(rows: FloatArray, kept: IntArray, out: FloatArray) -> None:
    """Write ``(n,)`` the length of the longest vector among some of the joints in ``rows (3 joints, n)``."""
    for f in range(rows.shape[1]):
        most = 0.0
        for k in kept:
            most = max(most, rows[3 * k, f] ** 2 + rows[3 * k + 1, f] ** 2 + rows[3 * k + 2, f] ** 2)
        out[f] = math.sqrt(most)


@njit(cache=True)
def _outside(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0.0)


@njit(cache=True)
def _by_axes(turn: FloatArray, low: FloatArray, high: FloatArray) -> float:
    """How far turns about X, then the new Y, then the new Z are outside their limits [rad]."""
    first = math.atan2(-turn[1, 2], turn[2, 2])
    second = math.asin(min(max(turn[0, 2], -1.0), 1.0))
    last = math.atan2(-turn[0, 1], turn[0, 0])
    most = max(_outside(first, low[0], high[0]), _outside(second, low[1], high[1]))
    return max(most, _outside(last, low[2], high[2]))


@njit(cache=True)
def _by_ellipse(turn: FloatArray, low: FloatArray, high: FloatArray) -> float:
    """How far a swing is outside its ellipse, along the ray from its centre, or the twist outside its limits [rad]."""
    px, py, pz = turn[0, 2], turn[1, 2], turn[2, 2]
    sine = math.hypot(px, py)
    angle = math.atan2(sine, pz)
    scale = angle / sine if sine > 1e-12 else 1.0
    swing_x, swing_y = -py * scale, px * scale
    fx, fy, fz = turn[0, 0], turn[1, 0], turn[2, 0]
    if angle < 1e-9:
        twist = math.atan2(fy, fx)
    else:
        # The swing turns about (x, y, 0) / angle; undoing it leaves the twist (Rodrigues).
        ax, ay = swing_x / angle, swing_y / angle
        along = ax * fx + ay * fy
        cosine, back = math.cos(angle), math.sin(angle)
        bx = along * ax + cosine * (fx - along * ax) - back * (ay * fz)
        by = along * ay + cosine * (fy - along * ay) - back * (-ax * fz)
        twist = math.atan2(by, bx)
    dx, dy = swing_x - 0.5 * (low[0] + high[0]), swing_y - 0.5 * (low[1] + high[1])
    rx, ry = max(0.5 * (high[0] - low[0]), 1e-9), max(0.5 * (high[1] - low[1]), 1e-9)
    share, outside = math.sqrt((dx / rx) ** 2 + (dy / ry) ** 2), 0.0
    if share > 1.0:
        length = math.sqrt(dx * dx + dy * dy)
        outside = length - length / share
    return max(outside, _outside(twist, low[2], high[2]))


@njit(cache=True)
def limit_excess(
    turns: FloatArray,
    frames: tuple[FloatArray, FloatArray],
    kinds: IntArray,
    limits: tuple[FloatArray, FloatArray],
    codes: tuple[int, int],
    out: FloatArray,
) -> None:
    """Write ``(frames, joints)`` how far joints are outside their limits [rad].

    Args:
        turns: ``(frames, joints, 3, 3)``.
        frames: ``(joints, 3, 3)`` matrices before and after a joint's own that take it into its limits' axes.
        kinds: ``(joints,)``.
        limits: ``(joints, 3)`` low and high [rad].
        codes: Kinds that stand for free joints and for turns about three axes; all others are ellipses.
        out: Written.
    """
    into, back = frames
    half, turn = np.empty((3, 3)), np.empty((3, 3))
    for j in range(len(kinds)):
        for f in range(len(turns)):
            out[f, j] = 0.0
            if kinds[j] == codes[0]:
                continue
            own = turns[f, j]
            for i in range(3):
                for m in range(3):
                    half[i, m] = into[j, i, 0] * own[0, m] + into[j, i, 1] * own[1, m] + into[j, i, 2] * own[2, m]
            for i in range(3):
                for m in range(3):
                    turn[i, m] = half[i, 0] * back[j, 0, m] + half[i, 1] * back[j, 1, m] + half[i, 2] * back[j, 2, m]
            low, high = limits[0][j], limits[1][j]
            out[f, j] = _by_axes(turn, low, high) if kinds[j] == codes[1] else _by_ellipse(turn, low, high)
