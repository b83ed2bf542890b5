"""Capsules against triangle meshes: brute force over all triangles, inside and outside, open and closed."""

from __future__ import annotations

import numpy as np
import pytest

from collision.coal_oracle import placed_solid, random_matrix
from understudy.collision._mesh_kernels import inside_mesh
from understudy.collision._shape_kernels import solid_signed, solid_touches
from understudy.scene.shapes import Box, Mesh


def box_mesh(size=(1.0, 1.0, 1.0)) -> Mesh:
    corners = 0.5 * np.array(size) * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return Mesh(vertices=corners, faces=np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]))


def torus(rings=24, sides=12, major=0.5, minor=0.18) -> Mesh:
    u = np.linspace(0, 2 * np.pi, rings, endpoint=False)[:, None]
    v = np.linspace(0, 2 * np.pi, sides, endpoint=False)[None]
    reach = major + minor * np.cos(v)
    points = np.stack([reach * np.cos(u), minor * np.sin(v) + 0 * u, reach * np.sin(u)], axis=-1).reshape(-1, 3)
    faces = []
    for i in range(rings):
        for j in range(sides):
            a, b = i * sides + j, ((i + 1) % rings) * sides + j
            c, d = ((i + 1) % rings) * sides + (j + 1) % sides, i * sides + (j + 1) % sides
            faces += [(a, c, b), (a, d, c)]
    return Mesh(vertices=points, faces=np.array(faces))


def winding(mesh: Mesh, point: np.ndarray) -> float:
    """Solid angle over 4 pi (Van Oosterom and Strackee)."""
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces] - point, 1, 0)
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    top = np.einsum("ij,ij->i", a, np.cross(b, c))
    dot = lambda u, v: np.einsum("ij,ij->i", u, v)  # noqa: E731
    bottom = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
    return float(np.arctan2(top, bottom).sum() / (2 * np.pi))


def sampled_distance(mesh: Mesh, a: np.ndarray, b: np.ndarray, rng) -> float:
    """Upper bound of the distance of a segment from a mesh, by many points on both."""
    corners = mesh.vertices[mesh.faces]
    weights = rng.dirichlet(np.ones(3), size=60)
    points = np.einsum("wk,fkd->wfd", weights, corners).reshape(-1, 3)
    u = b - a
    s = np.clip((points - a) @ u / max(u @ u, 1e-30), 0, 1)
    return float(np.linalg.norm(points - a - s[:, None] * u, axis=1).min())


@pytest.mark.parametrize("mesh", [box_mesh(), torus()], ids=["box", "torus"])
def test_inside_is_the_winding_number(mesh) -> None:
    assert mesh.closed
    rng = np.random.default_rng(0)
    solids = placed_solid(mesh, np.zeros(3), np.eye(3))
    start, end = solids.meshes[0, 0], solids.meshes[0, 1]
    # Points straight below vertices and edges make the upward ray run through them.
    below = mesh.vertices[rng.integers(len(mesh.vertices), size=200)] * [1, 0, 1] + rng.uniform(-1, 1, (200, 1)) * [
        0,
        1,
        0,
    ]
    grid = 0.9 * np.round(rng.uniform(-0.7, 0.7, (200, 3)), 1)  # on diagonals of faces, off the faces themselves
    for point in np.vstack([rng.uniform(-0.7, 0.7, (600, 3)), below, grid]):
        turns = winding(mesh, point)
        if abs(turns - round(turns)) > 1e-6:
            continue  # on the surface
        assert inside_mesh(solids.boxes, solids.links, solids.triangles, start, end, *point) == (round(turns) != 0)


def test_a_box_of_triangles_is_a_box() -> None:
    rng = np.random.default_rng(1)
    matrix, position = random_matrix(rng), rng.normal(size=3)
    triangles = placed_solid(box_mesh((0.6, 0.4, 1.0)), position, matrix)
    box = placed_solid(Box(size_m=(0.6, 0.4, 1.0)), position, matrix)
    for _ in range(3000):
        a, b = position + rng.normal(scale=0.5, size=(2, 3))
        ours = solid_signed(triangles, triangles.rows, 0, *a, *b)
        exact = solid_signed(box, box.rows, 0, *a, *b)
        radius = rng.uniform(0.01, 0.2)
        if abs(exact[0] - radius) > 1e-9:
            hit = solid_touches(triangles, triangles.rows, 0, *a, *b, radius)
            assert hit == (exact[0] < radius)
        if exact[0] > 0:
            assert ours[0] == pytest.approx(exact[0], abs=1e-9)
            assert np.allclose(ours[2:], exact[2:], atol=1e-6)
        else:
            # Sampled depth: never deeper than the true way out.
            assert exact[0] - 1e-9 <= ours[0] <= 1e-9


def test_points_inside_have_their_exact_depth() -> None:
    rng = np.random.default_rng(2)
    triangles = placed_solid(box_mesh(), np.zeros(3), np.eye(3))
    for _ in range(300):
        p = rng.uniform(-0.49, 0.49, 3)
        d, _, *n = solid_signed(triangles, triangles.rows, 0, *p, *p)
        assert d == pytest.approx(np.abs(p).max() - 0.5, abs=1e-12)
        assert np.abs(p - d * np.array(n)).max() == pytest.approx(0.5, abs=1e-9)


def test_distance_is_below_every_sampled_distance() -> None:
    rng = np.random.default_rng(3)
    mesh = torus()
    solids = placed_solid(mesh, np.zeros(3), np.eye(3))
    for _ in range(150):
        a, b = rng.normal(scale=0.5, size=(2, 3))
        d = solid_signed(solids, solids.rows, 0, *a, *b)[0]
        sampled = sampled_distance(mesh, a, b, rng)
        assert d <= sampled + 1e-12
        if d > 0:
            assert sampled - d < 0.05


def test_swallowed_whole_reads_negative_only_when_closed() -> None:
    mesh = box_mesh()
    opened = Mesh(vertices=mesh.vertices, faces=mesh.faces[:-1])
    assert not opened.closed
    for shape, inside in ((mesh, True), (opened, False)):
        solids = placed_solid(shape, np.zeros(3), np.eye(3))
        a, b = np.array([-0.1, 0.0, 0.0]), np.array([0.1, 0.05, 0.0])
        assert solid_touches(solids, solids.rows, 0, *a, *b, 0.05) == inside
        assert (solid_signed(solids, solids.rows, 0, *a, *b)[0] < 0) == inside


def test_piercing_an_open_sheet_touches() -> None:
    sheet = Mesh(vertices=np.array([[-1.0, 0, -1], [1, 0, -1], [0, 0, 1]]), faces=np.array([[0, 1, 2]]))
    solids = placed_solid(sheet, np.zeros(3), np.eye(3))
    d = solid_signed(solids, solids.rows, 0, 0.0, -0.5, 0.0, 0.0, 0.6, 0.0)
    assert d[0] == 0.0
    assert d[3] == pytest.approx(1.0)  # more of it is above, so up is the way out
    assert solid_touches(solids, solids.rows, 0, 0.0, -0.5, 0.0, 0.0, 0.6, 0.0, 1e-6)
