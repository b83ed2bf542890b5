"""Shapes as rows of the solids' table, meshes and hulls with their triangle trees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from understudy.collision.tables import (
    BOUND,
    BOX,
    CAPSULE,
    COLUMNS,
    CYLINDER,
    HALF_SPACE,
    HULL,
    MESH,
    MIDDLE,
    SIZE,
    SPHERE,
    SolidArrays,
)
from understudy.errors import SceneError
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.typing import FloatArray, IntArray

#: Triangles in a leaf of a mesh's tree; measured best of 1, 2, 4 and 8 on 30,000 triangles.
_LEAF = 2


class _Tree(NamedTuple):
    """A mesh or hull ready to be stored: see ``SolidArrays``."""

    boxes: FloatArray
    links: IntArray
    triangles: FloatArray
    planes: FloatArray
    edges: FloatArray
    closed: bool


def solid_arrays(shapes: Sequence[Shape], categories: IntArray) -> SolidArrays:
    """All shapes at the origin; poses are written into ``rows`` later.

    Args:
        shapes: The solids.
        categories: ``(solids,)`` ``SCENE`` or ``OTHERS``.
    """
    rows = np.zeros((len(shapes), COLUMNS))
    kinds = np.full((len(shapes), 3), -1, dtype=np.int64)
    kinds[:, 2] = categories
    trees: list[_Tree] = []
    known: dict[int, int] = {}
    for i, shape in enumerate(shapes):
        kinds[i, 0], rows[i, SIZE : SIZE + 3], rows[i, BOUND], rows[i, MIDDLE : MIDDLE + 3] = _row(shape)
        if isinstance(shape, ConvexHull | Mesh):
            # The same mesh placed often is stored once.
            if id(shape) not in known:
                known[id(shape)] = len(trees)
                trees.append(_hull_tree(shape) if isinstance(shape, ConvexHull) else _mesh_tree(shape))
            kinds[i, 1] = known[id(shape)]
    return _stored(rows, kinds, trees)


def _row(shape: Shape) -> tuple[int, tuple[float, float, float], float, FloatArray]:
    """Kind, sizes, radius and centre of the bounding sphere."""
    origin = np.zeros(3)
    match shape:
        case Sphere():
            return SPHERE, (shape.radius_m, 0.0, 0.0), shape.radius_m, origin
        case Capsule():
            half = 0.5 * shape.length_m
            return CAPSULE, (shape.radius_m, half, 0.0), shape.radius_m + half, origin
        case Box():
            x, y, z = (0.5 * float(size) for size in shape.size_m)
            return BOX, (x, y, z), float(np.sqrt(x * x + y * y + z * z)), origin
        case Cylinder():
            half = 0.5 * shape.height_m
            return CYLINDER, (shape.radius_m, half, 0.0), float(np.hypot(shape.radius_m, half)), origin
        case HalfSpace():
            return HALF_SPACE, (0.0, 0.0, 0.0), np.inf, origin
        case ConvexHull() | Mesh():
            bound, middle = _ball(shape)
            return (HULL if isinstance(shape, ConvexHull) else MESH), (0.0, 0.0, 0.0), bound, middle
    raise SceneError(f"cannot collide with a {type(shape).__name__}; shapes are those of scene.shapes")


@lru_cache(maxsize=128)
def _ball(shape: ConvexHull | Mesh) -> tuple[float, FloatArray]:
    """Radius and middle of a ball around a shape's points."""
    points = shape.points if isinstance(shape, ConvexHull) else shape.vertices[np.unique(shape.faces)]
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return float(np.linalg.norm(points - middle, axis=1).max()), middle


def _triangle_tree(triangles: FloatArray) -> tuple[FloatArray, IntArray, FloatArray]:
    from understudy.collision._tree_kernels import build_tree

    order, boxes, links = build_tree(
        np.ascontiguousarray(triangles.min(axis=1)), np.ascontiguousarray(triangles.max(axis=1)), _LEAF
    )
    return boxes, links, np.ascontiguousarray(triangles[order].reshape(-1, 9))


@lru_cache(maxsize=32)
def _mesh_tree(mesh: Mesh) -> _Tree:
    """The tree of a mesh, built once for all that are equal."""
    boxes, links, triangles = _triangle_tree(mesh.vertices[mesh.faces])
    return _Tree(boxes, links, triangles, np.empty((0, 4)), np.empty((0, 12)), mesh.closed)


@lru_cache(maxsize=128)
def _hull_tree(shape: ConvexHull) -> _Tree:
    from scipy.spatial import ConvexHull as Qhull
    from scipy.spatial import QhullError

    try:
        hull = Qhull(shape.points)
    except QhullError as error:
        raise SceneError(f"convex hull: the points span no volume ({str(error).splitlines()[0]})") from None
    boxes, links, triangles = _triangle_tree(shape.points[hull.simplices])
    # Triangles of one flat face share their plane: keep it once.
    _, first = np.unique(np.round(hull.equations, 9), axis=0, return_index=True)
    planes = hull.equations[first] * np.array([1.0, 1.0, 1.0, -1.0])
    return _Tree(boxes, links, triangles, planes, _hull_edges(shape.points, hull.simplices, hull.equations), True)


def _hull_edges(points: FloatArray, simplices: IntArray, equations: FloatArray) -> FloatArray:
    """Edges between faces that are not in one plane: start, direction, both normals."""
    sides: dict[tuple[int, int], list[int]] = {}
    for face, corners in enumerate(simplices):
        for k in range(3):
            ends = sorted((int(corners[k]), int(corners[(k + 1) % 3])))
            sides.setdefault((ends[0], ends[1]), []).append(face)
    edges = []
    for (start, end), faces in sides.items():
        normals = equations[faces, :3]
        if len(faces) == 2 and normals[0] @ normals[1] < 1.0 - 1e-12:
            edges.append(np.concatenate([points[start], points[end] - points[start], normals[0], normals[1]]))
    return np.array(edges).reshape(-1, 12)


def _stored(rows: FloatArray, kinds: IntArray, trees: Sequence[_Tree]) -> SolidArrays:
    meshes = np.zeros((len(trees), 7), dtype=np.int64)
    nodes = triangles = planes = edges = 0
    links = []
    for i, tree in enumerate(trees):
        moved = tree.links.copy()
        moved[:, 0] += nodes
        moved[:, 1] += triangles
        links.append(moved)
        meshes[i] = (
            nodes,
            nodes + len(tree.boxes),
            planes,
            planes + len(tree.planes),
            edges,
            edges + len(tree.edges),
            int(tree.closed),
        )
        nodes, triangles = nodes + len(tree.boxes), triangles + len(tree.triangles)
        planes, edges = planes + len(tree.planes), edges + len(tree.edges)
    return SolidArrays(
        rows=rows,
        kinds=kinds,
        meshes=meshes,
        boxes=_joined([tree.boxes for tree in trees], 6),
        links=np.concatenate([np.empty((0, 3), dtype=np.int64), *links]),
        triangles=_joined([tree.triangles for tree in trees], 9),
        planes=_joined([tree.planes for tree in trees], 4),
        edges=_joined([tree.edges for tree in trees], 12),
    )


def _joined(parts: Sequence[FloatArray], width: int) -> FloatArray:
    if len(parts) == 1 and len(parts[0]):
        return np.ascontiguousarray(parts[0])  # a mesh by itself, which may be large, is not copied
    return np.ascontiguousarray(np.concatenate([np.empty((0, width)), *parts]))
