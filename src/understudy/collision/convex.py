"""Shapes as points, discs and balls, the form in which any two of them can be compared."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.errors import SceneError
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, Mesh, Shape, Sphere
from understudy.typing import FloatArray

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


class Convex(NamedTuple):
    """A convex solid: the hull of points, grown by a disc and then by a ball.

    Attributes:
        points: ``(n, 3)`` [m].
        disc: ``(4,)`` radius [m] and unit axis.
        ball: Radius [m].
    """

    points: FloatArray
    disc: FloatArray
    ball: float

    def placed(self, position: FloatArray, rotation: FloatArray) -> Convex:
        """The same solid at a pose, or ``n`` points of many solids alike."""
        axis = rot.rotate(rotation, self.disc[1:])
        points = position + rot.rotate(rotation, self.points)
        return Convex(np.ascontiguousarray(points), np.concatenate([self.disc[:1], axis]), self.ball)


def convex_of(shape: Shape) -> Convex:
    """A shape other than a mesh or half-space as a convex solid."""
    none = np.array([0.0, 0.0, 1.0, 0.0])
    match shape:
        case Sphere():
            return Convex(np.zeros((1, 3)), none, shape.radius_m)
        case Capsule():
            return Convex(0.5 * shape.length_m * np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]), none, shape.radius_m)
        case Box():
            return Convex(_CORNERS * np.array(shape.size_m), none, 0.0)
        case Cylinder():
            disc = np.array([shape.radius_m, 0.0, 1.0, 0.0])
            return Convex(0.5 * shape.height_m * np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]), disc, 0.0)
        case ConvexHull():
            return Convex(np.array(shape.points), none, 0.0)
    raise SceneError(f"a {type(shape).__name__} is not a bounded convex solid")


def triangles_of(mesh: Mesh, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """``(n, 9)`` corners of a mesh's triangles at a pose [m]."""
    vertices = position + rot.rotate(rotation, mesh.vertices)
    return np.ascontiguousarray(vertices[mesh.faces].reshape(-1, 9))
