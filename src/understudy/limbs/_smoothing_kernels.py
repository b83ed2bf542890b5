"""Bells of changing width to average over."""

from __future__ import annotations

import math

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
