"""Shapes as meshes: closed, facing outwards, on the surface, of nearly the right volume."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.scene import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Sphere
from understudy.scene.tessellation import triangles_of


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def points() -> np.ndarray:
    return np.random.default_rng(1).normal(size=(40, 3))


SHAPES = {
    "sphere": (Sphere(radius_m=0.3), 4 / 3 * np.pi * 0.3**3, 0.03),
    "capsule": (Capsule(radius_m=0.2, length_m=0.5), np.pi * 0.04 * 0.5 + 4 / 3 * np.pi * 0.008, 0.03),
    "no length": (Capsule(radius_m=0.2, length_m=0.0), 4 / 3 * np.pi * 0.008, 0.03),
    "cylinder": (Cylinder(radius_m=0.2, height_m=0.7), np.pi * 0.04 * 0.7, 0.02),
    "box": (Box(size_m=(1.0, 2.0, 3.0)), 6.0, 1e-12),
}


@pytest.mark.parametrize("name", SHAPES)
def test_solids_are_closed_outward_and_of_the_right_size(name: str) -> None:
    shape, expected, share = SHAPES[name]
    vertices, faces = triangles_of(shape, around=48)
    assert Mesh(vertices=vertices, faces=faces).closed
    assert volume(vertices, faces) == pytest.approx(expected, rel=share)
    assert volume(vertices, faces) <= expected * (1 + 1e-9)


def test_round_shapes_have_their_vertices_on_the_surface() -> None:
    vertices, _ = triangles_of(Capsule(radius_m=0.2, length_m=0.5))
    nearest = np.clip(vertices[:, 1], -0.25, 0.25)
    spine = np.stack([np.zeros(len(vertices)), nearest, np.zeros(len(vertices))], axis=1)
    np.testing.assert_allclose(np.linalg.norm(vertices - spine, axis=1), 0.2, atol=1e-12)
    assert np.ptp(vertices[:, 1]) == pytest.approx(0.9)


def test_a_hull_is_closed_and_holds_all_its_points() -> None:
    vertices, faces = triangles_of(ConvexHull(points=points()))
    assert Mesh(vertices=vertices, faces=faces).closed
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    heights = np.einsum("fk,pfk->pf", normals, points()[:, None] - a)
    assert heights.max() < 1e-9


def test_a_half_space_is_a_slab_below_its_plane() -> None:
    vertices, faces = triangles_of(HalfSpace())
    assert vertices[:, 1].max() == 0.0
    assert vertices[:, 1].min() < 0.0
    assert volume(vertices, faces) > 0


def test_a_mesh_is_itself() -> None:
    mesh = Mesh(vertices=np.eye(3), faces=np.array([[0, 1, 2]]))
    vertices, faces = triangles_of(mesh)
    assert vertices is mesh.vertices
    assert faces is mesh.faces
