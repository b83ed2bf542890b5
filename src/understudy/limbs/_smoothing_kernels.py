"""Bells of changing width to average over, bumps that put values where they belong, and kinks."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=True, error_model="numpy")
def averaged(values: FloatArray, halves: FloatArray, out: FloatArray) -> None:
    """Write every row of ``values (n, columns)`` averaged over the rows around it; the first and last go on beyond.

    Weights are the fourth power of a cosine that is nought ``halves[n]`` rows away.
    """
    count, columns = values.shape
    for n in range(count):
        for d in range(columns):
            out[n, d] = values[n, d]
        total, half = 1.0, halves[n]
        k = 1
        while k < half:
            square = 0.5 + 0.5 * math.cos(math.pi * k / half)
            weight = square * square
            before, after = max(n - k, 0), min(n + k, count - 1)
            for d in range(columns):
                out[n, d] += weight * (values[before, d] + values[after, d])
            total += 2.0 * weight
            k += 1
        for d in range(columns):
            out[n, d] /= total


@njit(cache=True, error_model="numpy")
def _bump(time: float, top: float, sides: FloatArray) -> float:
    """A bump of C2 shape that is 1 at ``top`` and nought ``sides[0]`` before it and ``sides[1]`` after it."""
    away = (time - top) / (sides[0] if time < top else sides[1])
    rest = max(1.0 - away * away, 0.0)
    return rest * rest * rest


@njit(cache=True, error_model="numpy")
def add_bumps(times: FloatArray, at: FloatArray, goals: FloatArray, widest: float, out: FloatArray) -> None:
    """Add bumps to values ``out (n, columns)`` that meet goals ``(pins, columns)`` at times ``(pins,)``.

    They reach to the neighbouring pins or the ends, or as far as ``widest``.
    """
    count, columns, pins = times.shape[0], out.shape[1], at.shape[0]
    sides, missing = np.empty((pins, 2)), np.empty((pins, columns))
    for k in range(pins):
        start, stop = at[k - 1] if k > 0 else times[0], at[k + 1] if k + 1 < pins else times[count - 1]
        sides[k, 0], sides[k, 1] = max(min(at[k] - start, widest), 1e-9), max(min(stop - at[k], widest), 1e-9)
        cell = min(max(np.searchsorted(times, at[k], side="right") - 1, 0), count - 2)
        share = min(max((at[k] - times[cell]) / (times[cell + 1] - times[cell]), 0.0), 1.0)
        # Between two frames the bump's own top is not met: it is raised until the line between them is.
        low, high = _bump(times[cell], at[k], sides[k]), _bump(times[cell + 1], at[k], sides[k])
        top = low + share * (high - low)
        for d in range(columns):
            missing[k, d] = (goals[k, d] - out[cell, d] - share * (out[cell + 1, d] - out[cell, d])) / top
    for n in range(count):
        for k in range(pins):
            bump = _bump(times[n], at[k], sides[k])
            if bump > 0.0:
                for d in range(columns):
                    out[n, d] += bump * missing[k, d]


@njit(cache=True, error_model="numpy")
def second_differences(points: FloatArray, out: FloatArray) -> None:
    """How much the steps of points ``(n, points, 3)`` change at each moment but the ends: ``out (n - 2, points)``."""
    for n in range(out.shape[0]):
        for c in range(out.shape[1]):
            square = 0.0
            for i in range(3):
                one, two = points[n + 1, c, i] - points[n, c, i], points[n + 2, c, i] - points[n + 1, c, i]
                square += (two - one) * (two - one)
            out[n, c] = math.sqrt(square)
