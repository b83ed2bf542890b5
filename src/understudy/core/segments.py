"""Distances between line segments: the axes of capsules."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray


def segments_apart(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Distances ``(...)`` [m] between the segments ``ab`` and ``cd``, each end ``(..., 3)``."""
    s, t = nearest_shares(a, b, c, d)
    return np.asarray(np.linalg.norm(a - c + s[..., None] * (b - a) - t[..., None] * (d - c), axis=-1))


def nearest_shares(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where the segments ``ab`` and ``cd`` are nearest to each other: shares ``(...)`` of the way from a and from c."""
    u, v, w = b - a, d - c, a - c
    uu, vv = np.maximum(_dot(u, u), 1e-18), np.maximum(_dot(v, v), 1e-18)
    uv, uw, vw = _dot(u, v), _dot(u, w), _dot(v, w)
    scale = uu * vv - uv * uv
    s = np.where(scale > 1e-12 * uu * vv, np.clip((uv * vw - vv * uw) / np.maximum(scale, 1e-30), 0.0, 1.0), 0.5)
    t = np.clip((uv * s + vw) / vv, 0.0, 1.0)
    return np.clip((uv * t - uw) / uu, 0.0, 1.0), t


def segment_distance(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> float:
    """Distance between the two segments ``ab`` and ``cd`` [m]."""
    return float(segments_apart(a, b, c, d))


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...i,...i->...", a, b))
