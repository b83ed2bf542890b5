"""coal's answers for our shapes, and random segments that include the degenerate ones."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.collision.solids import solid_arrays
from understudy.collision.tables import PLACE, TURN, SolidArrays
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Shape, Sphere

# coal's capsules and cylinders lie along Z, ours along Y.
Z_TO_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def hull_points(seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).normal(scale=0.3, size=(16, 3))


SHAPES: dict[str, Shape] = {
    "sphere": Sphere(radius_m=0.3),
    "box": Box(size_m=(0.6, 0.4, 1.0)),
    "capsule": Capsule(radius_m=0.2, length_m=0.7),
    "cylinder": Cylinder(radius_m=0.3, height_m=0.8),
    "half_space": HalfSpace(),
    "hull": ConvexHull(points=hull_points()),
}


def placed_solid(shape: Shape, position: np.ndarray, matrix: np.ndarray) -> SolidArrays:
    solids = solid_arrays([shape], np.zeros(1, dtype=np.int64))
    solids.rows[0, PLACE : PLACE + 3] = position
    solids.rows[0, TURN : TURN + 9] = matrix.ravel()
    return solids


def coal_shape(shape: Shape):
    """Geometry of coal and the rotation from its axes to ours."""
    import coal

    if isinstance(shape, Sphere):
        return coal.Sphere(shape.radius_m), np.eye(3)
    if isinstance(shape, Box):
        return coal.Box(*shape.size_m), np.eye(3)
    if isinstance(shape, Capsule):
        return coal.Capsule(shape.radius_m, shape.length_m), Z_TO_Y
    if isinstance(shape, Cylinder):
        return coal.Cylinder(shape.radius_m, shape.height_m), Z_TO_Y
    if isinstance(shape, HalfSpace):
        return coal.Halfspace(np.array([0.0, 1.0, 0.0]), 0.0), np.eye(3)
    assert isinstance(shape, ConvexHull)
    return _coal_hull(shape.points), np.eye(3)


def _coal_hull(points: np.ndarray):
    import coal
    from scipy.spatial import ConvexHull as Qhull

    hull = Qhull(points)
    vertices, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for point in points:
        vertices.append(point)
    for corners, plane in zip(hull.simplices, hull.equations, strict=True):
        a, b, c = points[corners]
        order = corners if np.cross(b - a, c - a) @ plane[:3] > 0 else corners[::-1]
        faces.append(coal.Triangle(*(int(k) for k in order)))
    return coal.Convex(vertices, faces)


def coal_distance(geometry, matrix, position, radius: float, turn, centre, length: float) -> float:
    """Signed distance of a capsule from a placed geometry by coal."""
    import coal

    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-9, 1000
    capsule = coal.Capsule(radius, length) if length > 0 else coal.Sphere(radius)
    return coal.distance(
        capsule, coal.Transform3s(turn, centre), geometry, coal.Transform3s(matrix, position), request, result
    )


def random_matrix(rng: np.random.Generator) -> np.ndarray:
    return rot.to_matrix(rot.normalize(rng.normal(size=4)))


def random_capsule(rng: np.random.Generator, matrix: np.ndarray, position: np.ndarray, k: int):
    """Radius, rotation (axis is column 2), centre, length; every third one degenerate in some way."""
    radius, length = rng.uniform(0.02, 0.2), rng.uniform(0.05, 1.0)
    turn, centre = random_matrix(rng), position + rng.normal(scale=0.45, size=3)
    kind = k % 12
    if kind == 0:  # zero length
        length = 0.0
    elif kind == 3:  # parallel to an axis of the solid
        turn = matrix[:, rng.permutation(3)]
        turn[:, 0] *= np.sign(np.linalg.det(turn))
    elif kind == 6:  # contained
        radius, length, centre = 0.02, rng.uniform(0.0, 0.05), position + rng.normal(scale=0.02, size=3)
    elif kind == 9:  # through the centre, along an axis
        turn = matrix[:, rng.permutation(3)]
        turn[:, 0] *= np.sign(np.linalg.det(turn))
        centre = position.copy()
    return radius, turn, centre, length
