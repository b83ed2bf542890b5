"""Solid shapes, each in its own frame [m]; where they are in the world is the business of the object that has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from understudy.errors import SceneError
from understudy.scene.transforms import vector
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class Sphere:
    """A ball about the origin."""

    radius_m: float

    def __post_init__(self) -> None:
        """Reject sizes that are not positive."""
        _positive("sphere", radius_m=self.radius_m)


@dataclass(frozen=True, kw_only=True)
class Box:
    """A box about the origin, edges along the axes; ``size_m`` are its full edge lengths."""

    size_m: tuple[float, float, float]

    def __post_init__(self) -> None:
        """Reject sizes that are not positive."""
        x, y, z = vector(self.size_m, "box: size")
        _positive("box", size_x=x, size_y=y, size_z=z)
        object.__setattr__(self, "size_m", (x, y, z))


@dataclass(frozen=True, kw_only=True)
class Capsule:
    """All points within ``radius_m`` of a segment of ``length_m`` along Y, centred at the origin."""

    radius_m: float
    length_m: float

    def __post_init__(self) -> None:
        """Reject sizes that are not positive; a zero length is a sphere and allowed."""
        _positive("capsule", radius_m=self.radius_m)
        if not (np.isfinite(self.length_m) and self.length_m >= 0):
            raise SceneError(f"capsule: length_m is {self.length_m}; it must be zero or more")


@dataclass(frozen=True, kw_only=True)
class Cylinder:
    """An upright cylinder of full height ``height_m`` along Y, centred at the origin, with flat ends."""

    radius_m: float
    height_m: float

    def __post_init__(self) -> None:
        """Reject sizes that are not positive."""
        _positive("cylinder", radius_m=self.radius_m, height_m=self.height_m)


@dataclass(frozen=True, kw_only=True)
class HalfSpace:
    """Everything below the plane y = 0."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ConvexHull:
    """The convex hull of points ``(n, 3)``; they must span a volume."""

    points: FloatArray

    def __post_init__(self) -> None:
        """Reject points that span no volume."""
        points = _points("convex hull", self.points)
        centred = points - points.mean(axis=0)
        if len(points) < 4 or np.linalg.svd(centred, compute_uv=False)[-1] < 1e-9 * max(np.ptp(points), 1e-9):
            raise SceneError("convex hull: the points lie in a plane; a hull needs a volume")
        object.__setattr__(self, "points", points)

    def __eq__(self, other: object) -> bool:
        """Whether the points are the same, in the same order."""
        return isinstance(other, ConvexHull) and np.array_equal(self.points, other.points)

    def __hash__(self) -> int:
        """Cheap: equal hulls have equally many points."""
        return hash(("hull", self.points.shape))


@dataclass(frozen=True, eq=False, kw_only=True)
class Mesh:
    """A triangle mesh; solid when closed, otherwise a surface without inside.

    Attributes:
        vertices: ``(n, 3)`` [m].
        faces: ``(m, 3)`` vertex indices, counter-clockwise from outside.
        file: Where it was read from, for messages and for saving the scene; empty for a mesh made in memory.
        scale: The factor by which the file's coordinates were multiplied; ``vertices`` have it already.
    """

    vertices: FloatArray
    faces: IntArray
    file: str = ""
    scale: float = 1.0

    def __post_init__(self) -> None:
        """Reject empty meshes and faces that use missing vertices."""
        what = f'mesh "{self.file}"' if self.file else "mesh"
        vertices = _points(what, self.vertices)
        faces = np.array(self.faces, dtype=np.int64, order="C")
        if faces.ndim != 2 or faces.shape[1] != 3 or len(faces) == 0:
            raise SceneError(f"{what}: has no triangles")
        if faces.min() < 0 or faces.max() >= len(vertices):
            raise SceneError(f"{what}: a triangle uses a vertex that does not exist")
        faces.flags.writeable = False
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "faces", faces)

    def __eq__(self, other: object) -> bool:
        """Whether vertices and triangles are the same, in the same order."""
        return (
            isinstance(other, Mesh)
            and np.array_equal(self.vertices, other.vertices)
            and np.array_equal(self.faces, other.faces)
        )

    def __hash__(self) -> int:
        """Cheap: equal meshes have equally many vertices and triangles."""
        return hash(("mesh", self.vertices.shape, self.faces.shape))

    @property
    def closed(self) -> bool:
        """Whether every edge belongs to exactly two triangles that run along it in opposite directions."""
        edges = np.concatenate([self.faces[:, [0, 1]], self.faces[:, [1, 2]], self.faces[:, [2, 0]]])
        key = edges[:, 0] * len(self.vertices) + edges[:, 1]
        back = edges[:, 1] * len(self.vertices) + edges[:, 0]
        return len(np.unique(key)) == len(key) and bool(np.isin(back, key).all())


Shape: TypeAlias = Sphere | Box | Capsule | Cylinder | HalfSpace | ConvexHull | Mesh


def _positive(what: str, **sizes: float) -> None:
    for name, value in sizes.items():
        if not (np.isfinite(value) and value > 0):
            raise SceneError(f"{what}: {name} is {value}; it must be a positive number of metres")


def _points(what: str, points: FloatArray) -> FloatArray:
    array = np.array(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0:
        raise SceneError(f"{what}: points must be (n, 3); got {array.shape}")
    if not np.isfinite(array).all():
        raise SceneError(f"{what}: holds points that are not finite")
    array.flags.writeable = False
    return array
