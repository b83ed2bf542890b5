"""Paths in time: minimum jerk from rest to rest, through places on the way, and thrown things.

A minimum-jerk path through places at given times is the quintic spline with four continuous derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from understudy.typing import FloatArray

#: [m/s^2]
GRAVITY = np.array([0.0, -9.81, 0.0])


def min_jerk(times_s: FloatArray, start_s: float, end_s: float) -> FloatArray:
    """``(n,)`` 0 before ``start_s``, 1 after ``end_s``, the minimum-jerk rise between."""
    u = np.clip((times_s - start_s) / (end_s - start_s), 0.0, 1.0)
    return np.asarray(u**3 * (10.0 - 15.0 * u + 6.0 * u * u))


def there_and_back(times_s: FloatArray, start_s: float, there_s: float, leave_s: float, end_s: float) -> FloatArray:
    """``(n,)`` 0, up to 1 between ``there_s`` and ``leave_s``, and 0 again."""
    return min_jerk(times_s, start_s, there_s) - min_jerk(times_s, leave_s, end_s)


def flow(
    times_s: FloatArray,
    key_times_s: Sequence[float],
    values: npt.ArrayLike,
    *,
    start: npt.ArrayLike | None = None,
    end: npt.ArrayLike | None = None,
) -> FloatArray:
    """``(n, ...)`` minimum-jerk path through values at their times; held outside.

    Args:
        times_s: ``(n,)`` where it is read [s].
        key_times_s: Rising times [s].
        values: ``(keys, ...)``.
        start: Velocity at the first key; at rest by default.
        end: Velocity at the last key.
    """
    from scipy.interpolate import make_interp_spline

    points = np.asarray(values, dtype=np.float64)
    still = np.zeros(points.shape[1:])
    begin = still if start is None else np.asarray(start, dtype=np.float64)
    finish = still if end is None else np.asarray(end, dtype=np.float64)
    spline = make_interp_spline(key_times_s, points, k=5, bc_type=([(1, begin), (2, still)], [(1, finish), (2, still)]))
    return np.asarray(spline(np.clip(times_s, key_times_s[0], key_times_s[-1])))


def chained(times_s: FloatArray, keys: Sequence[tuple[float, FloatArray, FloatArray | None]]) -> FloatArray:
    """``(n, d)`` path through keys (time [s], place, velocity); ``None`` leaves the velocity to the smoothest path.

    Pieces between keys with a velocity join with equal place and velocity and no acceleration.
    """
    out = np.empty((len(times_s), len(keys[0][1])))
    marks = [n for n, key in enumerate(keys) if key[2] is not None]
    for first, last in pairwise(marks):
        piece = keys[first : last + 1]
        inside = (times_s >= piece[0][0]) if first else np.ones(len(times_s), dtype=bool)
        path = flow(
            times_s[inside], [key[0] for key in piece], [key[1] for key in piece], start=piece[0][2], end=piece[-1][2]
        )
        out[inside] = path
    return out


def through(
    times_s: FloatArray, key_times_s: Sequence[float], values: npt.ArrayLike, rates: dict[int, FloatArray] | None = None
) -> FloatArray:
    """``(n, d)`` path through values that does not swing beyond them, for uneven and quick keys; held outside.

    Quintic between keys, no acceleration at them, velocities as in monotone cubic interpolation.

    Args:
        times_s: ``(n,)`` where it is read [s].
        key_times_s: Rising times [s].
        values: ``(keys, d)``.
        rates: Velocities at some keys instead.
    """
    from scipy.interpolate import BPoly, PchipInterpolator

    points = np.asarray(values, dtype=np.float64)
    speeds = PchipInterpolator(key_times_s, points, axis=0).derivative()(key_times_s)
    speeds[0] = speeds[-1] = 0.0
    for key, rate in (rates or {}).items():
        speeds[key] = rate
    knots = [np.stack([point, speed, np.zeros_like(point)]) for point, speed in zip(points, speeds, strict=True)]
    curve = BPoly.from_derivatives(key_times_s, knots)
    return np.asarray(curve(np.clip(times_s, key_times_s[0], key_times_s[-1])))


def thrown(start: FloatArray, end: FloatArray, flight_s: float) -> tuple[FloatArray, FloatArray]:
    """Velocities [m/s] with which a thing leaves ``start`` and arrives at ``end`` after a free flight."""
    leaving = (end - start) / flight_s - 0.5 * flight_s * GRAVITY
    return leaving, leaving + flight_s * GRAVITY


def on_frame(time_s: float, fps: float) -> float:
    """The nearest time that is a frame [s]."""
    return round(time_s * fps) / fps
