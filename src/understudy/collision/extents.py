"""Axis-aligned boxes around placed shapes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy.collision.tables import PLACE, TURN
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, Mesh, Shape, Sphere
from understudy.typing import FloatArray


def world_box(shape: Shape, row: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Low and high corner [m] of the tightest axis-aligned box around a shape at the pose in its row.

    Half-spaces have none and give infinities.
    """
    place, turn = row[PLACE : PLACE + 3], row[TURN : TURN + 9].reshape(3, 3)
    match shape:
        case Sphere():
            half = np.full(3, shape.radius_m)
        case Box():
            half = np.abs(turn) @ (0.5 * np.array(shape.size_m))
        case Capsule():
            half = shape.radius_m + 0.5 * shape.length_m * np.abs(turn[:, 1])
        case Cylinder():
            # A disc of radius r across the unit axis u reaches r sqrt(1 - u_i^2) along axis i.
            level = np.sqrt(np.maximum(1.0 - turn[:, 1] ** 2, 0.0))
            half = shape.radius_m * level + 0.5 * shape.height_m * np.abs(turn[:, 1])
        case ConvexHull() | Mesh():
            low, high = _turned(shape, turn.tobytes())
            return low + place, high + place
        case _:
            half = np.full(3, np.inf)
    return place - half, place + half


@lru_cache(maxsize=128)
def _turned(shape: ConvexHull | Mesh, turn: bytes) -> tuple[FloatArray, FloatArray]:
    """Low and high corner [m] of a shape of many points, turned by a matrix; remembered."""
    points = shape.points if isinstance(shape, ConvexHull) else shape.vertices
    turned = points @ np.frombuffer(turn).reshape(3, 3).T
    return turned.min(axis=0), turned.max(axis=0)
