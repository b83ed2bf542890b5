"""Meshes of an FBX file as triangles, with their skin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.formats.fbx.placing import geometric
from understudy.formats.fbx.records import MalformedError, Record
from understudy.formats.fbx.scene import FbxObject, FbxScene
from understudy.typing import FloatArray, IntArray

#: Joints that one vertex follows at most, as in glTF.
_MOST_JOINTS = 4


@dataclass(frozen=True, eq=False)
class Cluster:
    """A joint's part of a skin.

    Attributes:
        joint: Key of the model that is the joint.
        vertices: ``(n,)``.
        weights: ``(n,)``.
        mesh_to_world: ``(4, 4)`` of the mesh's model when bound.
        joint_to_world: ``(4, 4)`` of the joint when bound.
    """

    joint: Any
    vertices: IntArray
    weights: FloatArray
    mesh_to_world: FloatArray
    joint_to_world: FloatArray


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles with what lies at their corners, each distinct corner once.

    Attributes:
        points: ``(corners, 3)``.
        normals: ``(corners, 3)`` or ``None``.
        places: ``(corners, 2)`` in a texture, or ``None``.
        vertices: ``(corners,)`` the geometry's vertex at each corner.
        faces: ``(triangles, 3)``.
        materials: ``(triangles,)``.
    """

    points: FloatArray
    normals: FloatArray | None
    places: FloatArray | None
    vertices: IntArray
    faces: IntArray
    materials: IntArray


def geometry_of(scene: FbxScene, model: FbxObject) -> FbxObject | None:
    """What holds a model's mesh; ``None`` when it has none."""
    listed = [model, *scene.sources(model.key, "Geometry")]
    return next((one for one in listed if one.record.child("PolygonVertexIndex").values), None)


def clusters_of(scene: FbxScene, model: FbxObject, geometry: FbxObject) -> list[Cluster]:
    """A mesh's skin; empty when it has none."""
    found = []
    for skin in scene.sources(geometry.key, "Deformer"):
        for one in scene.sources(skin.key, "Deformer") if skin.type == "Skin" else ():
            joint = next(iter(scene.sources(one.key, "Model")), None)
            if joint is None or not one.record.child("TransformLink").values:
                continue
            link, inner = _matrix(one.record.child("TransformLink")), _matrix(one.record.child("Transform"))
            vertices, weights = one.record.child("Indexes").integers(), one.record.child("Weights").reals()
            count = min(len(vertices), len(weights))
            found.append(Cluster(joint.key, vertices[:count], weights[:count], link @ inner, link))
    return found


def _matrix(record: Record) -> FloatArray:
    values = record.reals()
    if len(values) != 16:
        raise MalformedError(f'"{record.name}" of a skin must hold 16 numbers, not {len(values)}')
    matrix: FloatArray = values.reshape(4, 4).T
    if abs(np.linalg.det(matrix[:3, :3])) < 1e-30:
        raise MalformedError(f'"{record.name}" of a skin flattens space')
    return matrix


def surface_of(model: FbxObject, geometry: FbxObject, place: FloatArray) -> Surface | None:
    """A model's mesh as triangles; ``None`` when no face is left.

    Args:
        model: For the transform of its geometry.
        geometry: From :func:`geometry_of`.
        place: ``(4, 4)`` from the model to where the mesh is wanted.
    """
    record = geometry.record
    points = record.child("Vertices").reals(3)
    listed = record.child("PolygonVertexIndex").integers()
    last = listed < 0
    corners = np.where(last, ~listed, listed)
    ends = np.flatnonzero(last)
    if len(points) == 0 or len(ends) == 0:
        return None
    corners = corners[: ends[-1] + 1]
    if corners.max() >= len(points):
        raise MalformedError(f'mesh "{model.name[:40]}" has faces at vertices that are not there')
    faces = _triangles(np.append(0, ends[:-1] + 1), ends + 1)
    normals = _layer(record, "LayerElementNormal", "Normals", 3, corners, ends)
    places = _layer(record, "LayerElementUV", "UV", 2, corners, ends)
    kinds = _layer(record, "LayerElementMaterial", "Materials", 1, corners, ends)
    parts = [corners[:, None].astype(np.float64)] + [one for one in (normals, places) if one is not None]
    table, corner = np.unique(np.hstack(parts), axis=0, return_inverse=True)
    vertices = table[:, 0].astype(np.int64)
    matrix = place @ geometric(model)
    if np.linalg.det(matrix[:3, :3]) < 0:
        faces = faces[:, ::-1]
    kept_normals = None
    if normals is not None:
        kept_normals = table[:, 1:4] @ np.linalg.pinv(matrix[:3, :3])
        kept_normals = kept_normals / np.maximum(np.linalg.norm(kept_normals, axis=1, keepdims=True), 1e-12)
        kept_normals[~kept_normals.any(axis=1), 1] = 1.0
    return Surface(
        points=points[vertices] @ matrix[:3, :3].T + matrix[:3, 3],
        normals=kept_normals,
        places=None if places is None else table[:, -2:] * [1.0, -1.0] + [0.0, 1.0],
        vertices=vertices,
        faces=corner.reshape(-1)[faces],
        materials=np.zeros(len(faces), dtype=np.int64) if kinds is None else kinds[faces[:, 0], 0].astype(np.int64),
    )


def _triangles(starts: IntArray, ends: IntArray) -> IntArray:
    """Corners ``(triangles, 3)`` of polygons cut into fans."""
    counts = np.maximum(ends - starts - 2, 0)
    step = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    first = np.repeat(starts, counts)
    return np.stack([first, first + step + 1, first + step + 2], axis=1)


def _layer(record: Record, name: str, data: str, width: int, corners: IntArray, ends: IntArray) -> FloatArray | None:
    """The first layer of a kind, one row a corner ``(corners, width)``; ``None`` when it is missing or does not fit."""
    layer = record.child(name)
    values = layer.child(data).reals(width).reshape(-1, width)
    mapping = layer.child("MappingInformationType").text()
    polygons = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=-1))
    at = {"ByPolygonVertex": np.arange(len(corners)), "ByPolygon": polygons, "AllSame": 0 * corners}.get(mapping)
    if mapping in ("ByVertice", "ByVertex"):
        at = corners
    if at is None or len(values) == 0:
        return None
    if layer.child("ReferenceInformationType").text() != "Direct" and name != "LayerElementMaterial":
        index = layer.child(f"{data}Index").integers()
        if len(index):
            if at.max() >= len(index):
                return None
            at = index[at]
    return values[at] if at.min() >= 0 and at.max() < len(values) else None


def followed(clusters: list[Cluster], count: int) -> tuple[IntArray, FloatArray]:
    """For every vertex the numbers of the clusters it follows most ``(count, 4)``, and how much ``(count, 4)``."""
    vertices = np.concatenate([one.vertices for one in clusters])
    weights = np.concatenate([one.weights for one in clusters])
    numbers = np.repeat(np.arange(len(clusters)), [len(one.vertices) for one in clusters])
    good = (vertices >= 0) & (vertices < count) & (weights > 0)
    vertices, weights, numbers = vertices[good], weights[good], numbers[good]
    order = np.lexsort((-weights, vertices))
    vertices, weights, numbers = vertices[order], weights[order], numbers[order]
    first = np.searchsorted(vertices, vertices)
    rank = np.arange(len(vertices)) - first
    kept = rank < _MOST_JOINTS
    joints, shares = np.zeros((count, _MOST_JOINTS), dtype=np.int64), np.zeros((count, _MOST_JOINTS))
    joints[vertices[kept], rank[kept]] = numbers[kept]
    shares[vertices[kept], rank[kept]] = weights[kept]
    shares[shares.sum(axis=1) == 0.0, 0] = 1.0
    return joints, shares / shares.sum(axis=1, keepdims=True)
