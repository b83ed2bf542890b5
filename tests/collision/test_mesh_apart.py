"""How far a segment certainly is from a mesh: never more than it is, and little less."""

from __future__ import annotations

import numpy as np

from understudy.collision._mesh_kernels import mesh_apart, mesh_nearest
from understudy.collision.tables import NODE_START
from understudy.collision.world import Obstacle, World
from understudy.scene.shapes import Mesh

NEED, LOOSE = 0.05, 0.2


def ball(radius: float, around: int = 24) -> Mesh:
    """A closed ball of triangles."""
    from scipy.spatial import ConvexHull

    rng = np.random.default_rng(0)
    points = rng.normal(size=(around * around, 3))
    points *= radius / np.linalg.norm(points, axis=1)[:, None]
    return Mesh(vertices=points, faces=ConvexHull(points).simplices.astype(np.int64))


def test_room_is_never_overstated_and_hardly_understated() -> None:
    solids = World([Obstacle(name="ball", shape=ball(0.2))]).solids
    first, rng, seen = int(solids.meshes[0][NODE_START]), np.random.default_rng(1), [0, 0, 0]
    for _ in range(400):
        start, end = rng.normal(0.0, 0.35, (2, 3))
        within = float(rng.uniform(0.02, 0.5))
        squared, *_ = mesh_nearest(
            solids.boxes, solids.links, solids.triangles, first, *start.tolist(), *end.tolist(), np.inf
        )
        exact = float(np.sqrt(squared))
        found = mesh_apart(
            solids.boxes, solids.links, solids.triangles, first, *start.tolist(), *end.tolist(), within, NEED, LOOSE
        )
        if exact >= within:
            seen[0] += 1
            assert found <= within + 1e-12
            assert found >= within - LOOSE * max(within - NEED, 0.0) - 1e-12
        elif exact > NEED:
            seen[1] += 1
            assert exact - LOOSE * (exact - NEED) - 1e-9 <= found <= exact + 1e-12
        else:
            seen[2] += 1
            assert abs(found - exact) < 1e-9
    assert min(seen) > 20


def test_nearest_triangles_agree_with_brute_force() -> None:
    mesh = ball(0.2, 12)
    solids = World([Obstacle(name="ball", shape=mesh)]).solids
    first, rng = int(solids.meshes[0][NODE_START]), np.random.default_rng(2)
    for _ in range(60):
        start, end = rng.normal(0.0, 0.35, (2, 3))
        squared, *_ = mesh_nearest(
            solids.boxes, solids.links, solids.triangles, first, *start.tolist(), *end.tolist(), np.inf
        )
        shares = np.linspace(0.0, 1.0, 200)[:, None]
        points = start + shares * (end - start)
        corners = mesh.vertices[mesh.faces].mean(axis=1)
        around = np.linalg.norm(points[:, None] - corners[None], axis=2).min()
        assert np.sqrt(squared) <= around + 1e-9
        assert np.sqrt(squared) >= around - 0.08
