"""Footprints: what of a shape stands in the way of someone walking by.

Only the part between step height and head height counts: one steps over a rug and walks under a lintel. That part is
projected onto the floor. For convex shapes the result is convex; round ones become polygons *around* the circle, too
large by at most ``ROUND_M``. Deviation from the thesis, which takes the convex hull of every object: a mesh keeps its
true shadow with bays, holes and doorways, grown by ``MESH_M`` and thinned out, because the hull of a room is a block.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from understudy import rotations as rot
from understudy.core.outlines import convex_outline
from understudy.floor.mesh_shadow import mesh_shadow
from understudy.floor.obstacle import Obstacle
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.scene.tessellation import triangles_of
from understudy.typing import FloatArray, IntArray

#: [m] how far the polygon about a round footprint may stick out beyond it.
ROUND_M = 0.005


def footprint(
    name: str,
    shape: Shape,
    position: FloatArray,
    rotation: FloatArray,
    *,
    heights_m: tuple[float, float],
    bounds: FloatArray | None = None,
) -> Obstacle | None:
    """The footprint of a shape.

    Args:
        name: What messages call it.
        shape: Any shape of a scene.
        position: ``(3,)`` of its frame [m].
        rotation: ``(4,)`` of its frame.
        heights_m: Step height and head height: lower things are stepped over, higher ones walked under [m].
        bounds: Outline ``(n, 2)`` of the floor, which half-spaces are cut to; without it they have no footprint.

    Returns:
        ``None`` when nothing of it is in the way.
    """
    low_m, high_m = heights_m
    position, rotation = np.asarray(position, dtype=np.float64), np.asarray(rotation, dtype=np.float64)
    match shape:
        case Sphere():
            return _convex(name, _rounds(position[None], shape.radius_m, low_m, high_m))
        case Capsule():
            half = rot.rotate(rotation, np.array([0.0, 0.5 * shape.length_m, 0.0]))
            along = np.linspace(-1.0, 1.0, 65 if shape.length_m > 0 else 1)
            return _convex(name, _rounds(position + along[:, None] * half, shape.radius_m, low_m, high_m))
        case HalfSpace():
            normal = rot.rotate(rotation, np.array([0.0, 1.0, 0.0]))
            return None if bounds is None else _convex(name, _half_plane(position, normal, bounds, low_m, high_m))
        case Mesh():
            vertices = position + rot.rotate(rotation, shape.vertices)
            rings = mesh_shadow(vertices, shape.faces, closed=shape.closed, low_m=low_m, high_m=high_m)
            return Obstacle(name=name, rings=rings) if rings else None
        case Cylinder():
            corners = _corners_about(shape.radius_m)
            rim = shape.radius_m / math.cos(math.pi / corners) * _circle(corners)
            ends = [np.insert(rim, 1, side * 0.5 * shape.height_m, axis=1) for side in (-1.0, 1.0)]
            here = np.arange(corners)
            after = (here + 1) % corners
            edges = np.concatenate([[here, after], [here + corners, after + corners], [here, here + corners]], axis=1).T
            return _convex(name, _banded(np.concatenate(ends), edges, position, rotation, low_m, high_m))
        case Box() | ConvexHull():
            points, faces = triangles_of(shape)
            edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
            return _convex(name, _banded(points, edges, position, rotation, low_m, high_m))


def _banded(
    points: FloatArray, edges: IntArray, position: FloatArray, rotation: FloatArray, low: float, high: float
) -> FloatArray:
    """Floor points of a polyhedron's part between two heights: its corners there and where its edges cross them."""
    placed = position + rot.rotate(rotation, points)
    inside = placed[(placed[:, 1] > low) & (placed[:, 1] < high)]
    a, b = placed[edges[:, 0]], placed[edges[:, 1]]
    found = [inside]
    for height in (low, high):
        crosses = (a[:, 1] - height) * (b[:, 1] - height) < 0.0
        share = (height - a[crosses, 1]) / (b[crosses, 1] - a[crosses, 1])
        found.append(a[crosses] + share[:, None] * (b[crosses] - a[crosses]))
    # A flat top exactly at a limit is not in the way, so points on the limits need an edge that goes beyond.
    return np.concatenate(found)[:, [0, 2]]


def _rounds(centres: FloatArray, radius: float, low: float, high: float) -> FloatArray:
    """Points about the widest circles that balls show between two heights."""
    beyond = np.maximum(np.maximum(low - centres[:, 1], centres[:, 1] - high), 0.0)
    shown = centres[beyond < radius]
    radii = np.sqrt(radius**2 - beyond[beyond < radius] ** 2)
    if len(shown) == 0:
        return np.empty((0, 2))
    corners = _corners_about(radius)
    about = radii[:, None, None] / math.cos(math.pi / corners) * _circle(corners)
    return (shown[:, None, [0, 2]] + about).reshape(-1, 2)


def _corners_about(radius: float) -> int:
    """Corners a polygon about a circle needs to stick out by ``ROUND_M`` at most."""
    return max(8, math.ceil(math.pi / math.acos(1.0 / (1.0 + ROUND_M / radius))))


def _circle(corners: int) -> FloatArray:
    turns = 2.0 * math.pi * (np.arange(corners) + 0.5) / corners
    return np.stack([np.cos(turns), np.sin(turns)], axis=1)


def _half_plane(position: FloatArray, normal: FloatArray, bounds: FloatArray, low: float, high: float) -> FloatArray:
    """The part of the floor's box where a half-space is solid somewhere between two heights."""
    # Solid: normal . (p - position) <= 0, easiest at the height that the normal points away from.
    height = low if normal[1] > 0.0 else high
    offset = float(normal @ position - normal[1] * height)
    (x0, z0), (x1, z1) = bounds.min(axis=0) - 1.0, bounds.max(axis=0) + 1.0
    ring = np.array([[x0, z0], [x1, z0], [x1, z1], [x0, z1], [x0, z0]])
    sides = ring @ normal[[0, 2]] - offset
    kept = [ring[k] for k in range(4) if sides[k] < -1e-9]
    for (p, q), (s, t) in zip(pairwise(ring), pairwise(sides), strict=True):
        if s * t < 0.0:
            kept.append(p + s / (s - t) * (q - p))
    return np.array(kept).reshape(-1, 2)


def _convex(name: str, points: FloatArray) -> Obstacle | None:
    """An obstacle with the convex hull of points as its outline."""
    outline = convex_outline(points)
    # On a line there is nothing to see from above.
    return Obstacle(name=name, rings=(outline,)) if len(outline) >= 3 else None
