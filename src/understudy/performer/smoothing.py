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


def raised(values: FloatArray, half_frames: int) -> FloatArray:
    """A smooth series that is nowhere below ``values``: running maximum, then a cosine window no wider than it."""
    if half_frames < 1:
        return np.array(values)
    padded = np.pad(values, half_frames, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half_frames + 1)
    highest = windows.max(axis=1)
    kernel = 0.5 + 0.5 * np.cos(np.pi * np.arange(-half_frames, half_frames + 1) / (half_frames + 1))
    return np.convolve(np.pad(highest, half_frames, mode="edge"), kernel / kernel.sum(), mode="valid")


def pchip(x: FloatArray, y: FloatArray, at: FloatArray) -> FloatArray:
    """Monotone cubic interpolation, constant slope outside."""
    from scipy.interpolate import PchipInterpolator

    return np.asarray(PchipInterpolator(x, y, extrapolate=True)(at))
