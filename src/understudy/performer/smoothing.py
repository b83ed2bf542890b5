"""Smoothing and interpolation of series over time."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray


def gaussian(values: FloatArray, sigma_frames: float) -> FloatArray:
    """Smooth along the first axis; ends are continued point-symmetrically so that slopes survive there."""
    if sigma_frames < 1e-3 or len(values) < 3:
        return np.array(values)
    half = min(int(np.ceil(3.5 * sigma_frames)), len(values) - 1)
    kernel = np.exp(-0.5 * (np.arange(-half, half + 1) / sigma_frames) ** 2)
    return smoothed(values, kernel / kernel.sum())


def smoothed(values: FloatArray, kernel: FloatArray) -> FloatArray:
    """Convolve along the first axis with an odd kernel that sums to one, ends continued point-symmetrically."""
    half = len(kernel) // 2
    series = np.asarray(values, dtype=np.float64)
    flat = series.reshape(len(series), -1)
    before = 2.0 * flat[0] - flat[half:0:-1]
    after = 2.0 * flat[-1] - flat[-2 : -half - 2 : -1]
    padded = np.concatenate([before, flat, after])
    out = np.stack([np.convolve(column, kernel, mode="valid") for column in padded.T], axis=1)
    return out.reshape(series.shape)


def pchip(x: FloatArray, y: FloatArray, at: FloatArray) -> FloatArray:
    """Monotone cubic interpolation (Fritsch and Butland's slopes) of ``y (n, ...)``; the end pieces go on outside."""
    x, at = np.asarray(x, dtype=np.float64), np.asarray(at, dtype=np.float64)
    y = np.asarray(y, dtype=np.float64)
    flat = y.reshape(len(x), -1)
    h = np.diff(x)[:, None]
    rise = np.diff(flat, axis=0) / h
    slope = _slopes(h, rise) if len(x) > 2 else np.repeat(rise, 2, axis=0)
    k = np.clip(np.searchsorted(x, at.ravel(), side="right") - 1, 0, len(x) - 2)
    u = (at.ravel() - x[k])[:, None]
    curve = (3.0 * rise[k] - 2.0 * slope[k] - slope[k + 1]) / h[k]
    bend = (slope[k] + slope[k + 1] - 2.0 * rise[k]) / h[k] ** 2
    out = flat[k] + u * (slope[k] + u * (curve + u * bend))
    return np.asarray(out.reshape(at.shape + y.shape[1:]))


def _slopes(h: FloatArray, rise: FloatArray) -> FloatArray:
    """Slopes ``(n, k)`` at points that are ``h (n - 1, 1)`` apart, from the pieces' own ``(n - 1, k)``."""
    out = np.zeros((len(h) + 1, rise.shape[1]))
    first, second = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (first + second) / (first / rise[:-1] + second / rise[1:])
    out[1:-1] = np.where(rise[:-1] * rise[1:] > 0.0, mean, 0.0)
    for end, near, far, a, b in ((0, 0, 1, h[0], h[1]), (-1, -1, -2, h[-1], h[-2])):
        edge = ((2.0 * a + b) * rise[near] - a * rise[far]) / (a + b)
        edge = np.where(np.sign(edge) != np.sign(rise[near]), 0.0, edge)
        steep = (np.sign(rise[near]) != np.sign(rise[far])) & (np.abs(edge) > 3.0 * np.abs(rise[near]))
        out[end] = np.where(steep, 3.0 * rise[near], edge)
    return out
