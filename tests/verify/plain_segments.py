"""Plain twins of the judge's distances: points, segments and triangles, as the least of their candidates.

Every function takes flat batches and writes out all places where the minimum can lie (ends against the other figure,
and the inner critical point where there is one), so that no case analysis can go wrong at parallel or zero lengths.
"""

from __future__ import annotations

import numpy as np

from understudy.typing import BoolArray, FloatArray

_TINY = 1e-300


def dot(a: FloatArray, b: FloatArray) -> FloatArray:
    """Scalar products over the last axis."""
    return np.asarray(np.einsum("...i,...i->...", a, b))


def point_segment(point: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    """Distance ``(...)`` [m] of points from segments; zero-length segments are points."""
    along = end - start
    share = np.clip(dot(point - start, along) / np.maximum(dot(along, along), _TINY), 0.0, 1.0)
    return np.asarray(np.linalg.norm(point - start - share[..., None] * along, axis=-1))


def segment_segment(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Distance ``(...)`` [m] between segments ``ab`` and ``cd``."""
    ends = np.minimum(
        np.minimum(point_segment(a, c, d), point_segment(b, c, d)),
        np.minimum(point_segment(c, a, b), point_segment(d, a, b)),
    )
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    spread = uu * vv - uv * uv
    crossing = spread > 1e-14 * uu * vv
    safe = np.where(crossing, spread, 1.0)
    s, t = (uv * vw - vv * uw) / safe, (uu * vw - uv * uw) / safe
    inner = crossing & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    gap = np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=-1)
    return np.where(inner, np.minimum(gap, ends), ends)


def point_triangle(point: FloatArray, corners: FloatArray) -> FloatArray:
    """Distance ``(...)`` [m] of points ``(..., 3)`` from triangles ``(..., 3, 3)``."""
    a, b, c = corners[..., 0, :], corners[..., 1, :], corners[..., 2, :]
    edges = np.minimum(np.minimum(point_segment(point, a, b), point_segment(point, b, c)), point_segment(point, c, a))
    inside, height = _over_triangle(point, corners)
    return np.where(inside, np.minimum(np.abs(height), edges), edges)


def segment_triangle(start: FloatArray, end: FloatArray, corners: FloatArray) -> FloatArray:
    """Distance ``(...)`` [m] of segments from triangles ``(..., 3, 3)``; zero where they cross."""
    a, b, c = corners[..., 0, :], corners[..., 1, :], corners[..., 2, :]
    gap = np.minimum(
        np.minimum(segment_segment(start, end, a, b), segment_segment(start, end, b, c)),
        segment_segment(start, end, c, a),
    )
    over_start, height_start = _over_triangle(start, corners)
    over_end, height_end = _over_triangle(end, corners)
    gap = np.where(over_start, np.minimum(gap, np.abs(height_start)), gap)
    gap = np.where(over_end, np.minimum(gap, np.abs(height_end)), gap)
    span = height_start - height_end
    opposite = (height_start * height_end <= 0.0) & (np.abs(span) > 0.0)
    share = np.where(opposite, height_start / np.where(opposite, span, 1.0), 0.0)
    crossed, _ = _over_triangle(start + share[..., None] * (end - start), corners)
    return np.where(opposite & crossed, 0.0, gap)


def _over_triangle(point: FloatArray, corners: FloatArray) -> tuple[BoolArray, FloatArray]:
    """Whether a point lies straight above or below a triangle, and its height over the plane [m]."""
    a, b, c = corners[..., 0, :], corners[..., 1, :], corners[..., 2, :]
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=-1)
    flat = area > 1e-14 * np.maximum(dot(b - a, b - a), dot(c - a, c - a)) + _TINY
    unit = normal / np.where(flat, area, 1.0)[..., None]
    inside = (
        (dot(np.cross(b - a, point - a), unit) >= 0)
        & (dot(np.cross(c - b, point - b), unit) >= 0)
        & (dot(np.cross(a - c, point - c), unit) >= 0)
    )
    return flat & inside, dot(point - a, unit)


def box_depth(points: FloatArray, half_m: FloatArray) -> FloatArray:
    """Signed distance ``(n,)`` [m] of points from a box about the origin with half sizes ``(3,)``."""
    beyond = np.abs(points) - half_m
    outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=-1)
    return np.asarray(outside + np.minimum(beyond.max(axis=-1), 0.0))


def cylinder_depth(points: FloatArray, radius_m: float, height_m: float) -> FloatArray:
    """Signed distance ``(n,)`` [m] of points from a flat-ended cylinder along Y about the origin."""
    around = np.hypot(points[:, 0], points[:, 2]) - radius_m
    above = np.abs(points[:, 1]) - 0.5 * height_m
    outside = np.hypot(np.maximum(around, 0.0), np.maximum(above, 0.0))
    return np.asarray(outside + np.minimum(np.maximum(around, above), 0.0))
