"""The judge's distances against coal and against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.verify._kernels import gaps_of_rows
from understudy.verify.distances.convex import (
    lowest_along,
    segment_box,
    segment_cylinder,
)
from understudy.verify.distances.pairs import solid_distance
from understudy.verify.distances.solids import Solid
from understudy.verify.distances.surface import winding_number
from understudy.verify.forward import matrices
from verify.plain_segments import (
    box_depth,
    cylinder_depth,
    point_segment,
    point_triangle,
    segment_segment,
    segment_triangle,
)

rng = np.random.default_rng(7)


def octahedron(size: float = 0.4) -> tuple[np.ndarray, np.ndarray]:
    points = size * np.array([[1, 0, 0], [-1, 0, 0], [0, 1.3, 0], [0, -1, 0], [0, 0, 0.8], [0, 0, -1]], dtype=float)
    faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    return points, np.array(faces)


def torus(around: int = 24, across: int = 12, ring: float = 0.5, tube: float = 0.15) -> Mesh:
    u, v = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = 2 * np.pi * u / around, 2 * np.pi * v / across
    points = np.stack(
        [(ring + tube * np.cos(b)) * np.cos(a), tube * np.sin(b), (ring + tube * np.cos(b)) * np.sin(a)], -1
    )

    def index(i: np.ndarray, j: np.ndarray) -> np.ndarray:
        return (i % around) * across + j % across

    quads = [index(u, v), index(u, v + 1), index(u + 1, v + 1), index(u + 1, v)]
    p, q, r, s = (quad.ravel() for quad in quads)
    faces = np.concatenate([np.stack([p, q, r], 1), np.stack([p, r, s], 1)])
    return Mesh(vertices=points.reshape(-1, 3), faces=faces)


HULL_POINTS = np.random.default_rng(3).normal(size=(14, 3)) * 0.3
SHAPES: dict[str, Shape] = {
    "sphere": Sphere(radius_m=0.3),
    "box": Box(size_m=(0.8, 0.3, 0.5)),
    "capsule": Capsule(radius_m=0.15, length_m=0.6),
    "cylinder": Cylinder(radius_m=0.3, height_m=0.5),
    "hull": ConvexHull(points=HULL_POINTS),
    "mesh": Mesh(vertices=octahedron()[0], faces=octahedron()[1]),
}


def segments(count: int, reach: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
    start = rng.uniform(-reach, reach, (count, 3))
    end = start + rng.normal(size=(count, 3)) * rng.choice([0.0, 0.05, 0.4], size=(count, 1))
    return start, end


def coal_shape(coal: object, shape: Shape) -> tuple[object, np.ndarray]:
    """coal's twin and the turn that takes its axes to ours (its long axis is Z, ours is Y)."""
    turned = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    match shape:
        case Sphere():
            return coal.Sphere(shape.radius_m), np.eye(3)
        case Box():
            return coal.Box(*shape.size_m), np.eye(3)
        case Capsule():
            return coal.Capsule(shape.radius_m, shape.length_m), turned
        case Cylinder():
            return coal.Cylinder(shape.radius_m, shape.height_m), turned
        case ConvexHull():
            points = coal.StdVec_Vec3s()
            for point in shape.points:
                points.append(point)
            return coal.Convex.convexHull(points, True, ""), np.eye(3)
    raise TypeError(shape)


def axis_turn(direction: np.ndarray) -> np.ndarray:
    """A rotation whose Z is the direction."""
    z = direction / np.linalg.norm(direction)
    x = np.cross(z, [1.0, 0, 0] if abs(z[0]) < 0.9 else [0, 1.0, 0])
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


@pytest.mark.parametrize("name", ["sphere", "box", "capsule", "cylinder", "hull"])
def test_capsules_against_coal(name: str) -> None:
    coal = pytest.importorskip("coal")
    shape = SHAPES[name]
    twin, turn = coal_shape(coal, shape)
    start, end = segments(2000, reach=0.7)
    radius = 0.05
    ours = Solid(shape).segments(start, end) - radius
    for k in range(len(start)):
        length = float(np.linalg.norm(end[k] - start[k]))
        pose = coal.Transform3s(axis_turn(end[k] - start[k]) if length > 0 else np.eye(3), 0.5 * (start[k] + end[k]))
        capsule = coal.Capsule(radius, length) if length > 0 else coal.Sphere(radius)
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        theirs = coal.distance(capsule, pose, twin, coal.Transform3s(turn, np.zeros(3)), request, result)
        if ours[k] > -radius + 1e-4:  # deeper, coal asks for the way out, the judge for the deepest point
            assert ours[k] == pytest.approx(theirs, abs=2e-6), (k, start[k], end[k])
        else:
            assert theirs < -radius + 2e-4
    assert (ours < 0).sum() > 50
    assert (ours > 0).sum() > 50


@pytest.mark.parametrize("name", ["sphere", "box", "capsule", "cylinder", "hull", "mesh"])
def test_segments_are_as_deep_as_their_deepest_point(name: str) -> None:
    solid = Solid(SHAPES[name])
    start, end = segments(120, reach=0.6)
    ours = solid.segments(start, end)
    share = np.linspace(0, 1, 401)
    for k in range(len(start)):
        points = start[k] + share[:, None] * (end[k] - start[k])
        values = solid.segments(points, points)
        step = np.linalg.norm(end[k] - start[k]) / 400
        assert ours[k] <= values.min() + 1.1e-4
        assert ours[k] >= values.min() - step / 2 - 1.1e-4


@pytest.mark.parametrize("name", ["sphere", "box", "capsule", "cylinder", "hull", "mesh"])
def test_point_distances_against_sampled_surface(name: str) -> None:
    """A point's distance is that of the nearest of many points sampled on the surface, with the right sign."""
    solid = Solid(SHAPES[name])
    # Rays from inside find the surface by bisection of the sign alone; for star-shaped solids that is all of it.
    directions = rng.normal(size=(20000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    centre = solid.points.mean(axis=0) if name == "hull" else np.zeros(3)
    low, high = np.zeros(len(directions)), np.full(len(directions), 3.0)
    for _ in range(40):
        middle = 0.5 * (low + high)
        points = centre + middle[:, None] * directions
        inside = _inside(SHAPES[name], points)
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    surface = centre + low[:, None] * directions
    queries = rng.uniform(-0.8, 0.8, (200, 3))
    nearest = np.linalg.norm(queries[:, None] - surface[None], axis=-1).min(axis=1)
    ours = solid.segments(queries, queries)
    assert np.array_equal(ours < 0, _inside(SHAPES[name], queries))
    assert np.all(np.abs(ours) <= nearest + 1e-4)
    assert np.all(np.abs(ours) >= nearest - 0.02)


def _inside(shape: Shape, points: np.ndarray) -> np.ndarray:
    """Membership by definition, without any distance."""
    match shape:
        case Sphere():
            return (points**2).sum(axis=1) < shape.radius_m**2
        case Box():
            return np.all(np.abs(points) < 0.5 * np.array(shape.size_m), axis=1)
        case Capsule():
            above = np.maximum(np.abs(points[:, 1]) - 0.5 * shape.length_m, 0)
            return points[:, 0] ** 2 + above**2 + points[:, 2] ** 2 < shape.radius_m**2
        case Cylinder():
            return (np.hypot(points[:, 0], points[:, 2]) < shape.radius_m) & (
                np.abs(points[:, 1]) < 0.5 * shape.height_m
            )
    from scipy.spatial import Delaunay

    corners = shape.points if isinstance(shape, ConvexHull) else shape.vertices
    return Delaunay(corners).find_simplex(points) >= 0


def test_half_space_is_the_lower_end() -> None:
    start, end = segments(100)
    assert np.array_equal(Solid(HalfSpace()).segments(start, end), np.minimum(start[:, 1], end[:, 1]))


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_segment_pairs_against_dense_sampling(seed: int) -> None:
    local = np.random.default_rng(seed)
    a, b, c, d = local.normal(size=(4, 3))
    match seed % 5:
        case 0:
            d = c + (b - a) * 0.7  # parallel
        case 1:
            b = a  # a point
        case 2:
            c, d = 0.5 * (a + b), 0.5 * (a + b) + np.cross(b - a, c)  # touching
        case _:
            pass
    ours = float(segment_segment(a, b, c, d))
    share = np.linspace(0, 1, 300)
    first, second = a + share[:, None] * (b - a), c + share[:, None] * (d - c)
    sampled = float(np.linalg.norm(first[:, None] - second[None], axis=-1).min())
    slack = (np.linalg.norm(b - a) + np.linalg.norm(d - c)) / 500
    assert sampled - slack <= ours <= sampled + 1e-12
    swapped = float(segment_segment(d, c, b, a))
    assert ours == pytest.approx(swapped, abs=1e-12)
    assert ours == pytest.approx(float(point_segment(a, c, d)) if np.array_equal(a, b) else ours, abs=1e-12)


def test_triangles_against_dense_sampling() -> None:
    corners = rng.normal(size=(200, 3, 3))
    corners[:20, 2] = 0.5 * (corners[:20, 0] + corners[:20, 1])  # slivers without area
    start, end = segments(200, reach=1.0)
    ours, at_point = segment_triangle(start, end, corners), point_triangle(start, corners)
    u, v = np.meshgrid(np.linspace(0, 1, 60), np.linspace(0, 1, 60))
    keep = (u + v) <= 1.0 + 1e-12
    weights = np.stack([1 - u[keep] - v[keep], u[keep], v[keep]], axis=1)
    for k in range(len(corners)):
        cloud = weights @ corners[k]
        size = np.ptp(corners[k], axis=0).max() * 0.05
        points = start[k] + np.linspace(0, 1, 60)[:, None] * (end[k] - start[k])
        sampled = np.linalg.norm(points[:, None] - cloud[None], axis=-1).min()
        assert sampled - size - 0.02 <= ours[k] <= sampled + 1e-9
        near = np.linalg.norm(start[k] - cloud, axis=-1).min()
        assert near - size <= at_point[k] <= near + 1e-9


def test_capsules_against_meshes_with_coal() -> None:
    coal = pytest.importorskip("coal")
    mesh = torus()
    solid = Solid(mesh)
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    model.addVertices(np.asarray(mesh.vertices))
    model.addTriangles(np.asarray(mesh.faces))
    model.endModel()
    start, end = segments(300)
    ours = solid.segments(start, end) - 0.03
    outside = 0
    for k in range(len(start)):
        length = float(np.linalg.norm(end[k] - start[k]))
        pose = coal.Transform3s(axis_turn(end[k] - start[k]) if length > 0 else np.eye(3), 0.5 * (start[k] + end[k]))
        shape = coal.Capsule(0.03, length) if length > 0 else coal.Sphere(0.03)
        theirs = coal.distance(
            model, coal.Transform3s.Identity(), shape, pose, coal.DistanceRequest(), coal.DistanceResult()
        )
        if theirs > 1e-6:
            # coal's mesh is a surface; swallowed capsules are far from it and yet inside for the judge.
            if ours[k] > 0:
                outside += 1
                assert ours[k] == pytest.approx(theirs, abs=2e-6)
            else:
                assert solid.closed_mesh is not None
                assert solid.closed_mesh.inside(start[k][None])[0]
        else:
            assert ours[k] <= 1e-6
    assert outside > 100


def test_swallowed_by_a_closed_mesh_and_in_the_hole_of_a_ring() -> None:
    solid = Solid(torus(around=96, across=48))
    start, end = np.array([[0.5, 0.0, -0.01], [0.0, -0.1, 0.0]]), np.array([[0.5, 0.0, 0.01], [0.0, 0.1, 0.0]])
    inside, hole = solid.segments(start, end)
    assert inside == pytest.approx(-0.15, abs=1e-3)
    assert hole == pytest.approx(0.35, abs=2e-3)


def test_winding_number_counts_wraps() -> None:
    points, faces = octahedron()
    corners = points[faces]
    asked = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.05, 0.1, -0.1]])
    assert np.allclose(winding_number(asked, corners), [1, 0, 1], atol=1e-12)
    assert np.allclose(winding_number(asked, corners[:, ::-1]), [-1, 0, -1], atol=1e-12)


def test_open_mesh_has_no_inside() -> None:
    points, faces = octahedron()
    solid = Solid(Mesh(vertices=points, faces=faces[:-1]))
    assert solid.segments(np.zeros((1, 3)), np.zeros((1, 3)))[0] > 0.1


def random_turns(count: int) -> np.ndarray:
    q = rng.normal(size=(count, 4))
    return matrices(q / np.linalg.norm(q, axis=1, keepdims=True))


CONVEX = ["sphere", "box", "capsule", "cylinder", "hull"]


@pytest.mark.parametrize("first", CONVEX)
@pytest.mark.parametrize("second", CONVEX)
def test_convex_pairs_against_coal(first: str, second: str) -> None:
    coal = pytest.importorskip("coal")
    count = 120
    offset, turn = rng.uniform(-0.9, 0.9, (count, 3)), random_turns(count)
    ours = solid_distance(Solid(SHAPES[first]), Solid(SHAPES[second]), offset, turn)
    (one, axes_one), (two, axes_two) = coal_shape(coal, SHAPES[first]), coal_shape(coal, SHAPES[second])
    for k in range(count):
        pose = coal.Transform3s(turn[k] @ axes_one, offset[k])
        still = coal.Transform3s(axes_two, np.zeros(3))
        theirs = coal.distance(one, pose, two, still, coal.DistanceRequest(), coal.DistanceResult())
        if theirs > 1e-5:
            assert ours[k] == pytest.approx(theirs, abs=1e-5)
        elif theirs < -1e-5:
            assert ours[k] < 1e-7
            if first not in ("sphere", "capsule") and second not in ("sphere", "capsule"):
                assert ours[k] == pytest.approx(theirs, abs=2e-5)


def test_box_against_mesh_outside_crossing_and_swallowed() -> None:
    room = Solid(Mesh(vertices=2.0 * octahedron()[0], faces=octahedron()[1]))
    box = Solid(Box(size_m=(0.1, 0.1, 0.1)))
    offset = np.array([[1.1, 0, 0], [0.8, 0, 0], [0.0, 0.0, 0.0]])
    turn = np.tile(np.eye(3), (3, 1, 1))
    far, crossing, swallowed = solid_distance(box, room, offset, turn)
    assert far == pytest.approx(1.1 - 0.05 - 0.8, abs=1e-6)
    assert crossing < -0.01
    assert swallowed < -0.3
    assert np.allclose(solid_distance(room, box, -offset, turn), [far, crossing, swallowed], atol=1e-9)


def test_shapes_against_the_floor() -> None:
    floor = Solid(HalfSpace())
    offset, turn = np.array([[0.0, 1.0, 0.0]]), np.eye(3)[None]
    for name, below in (("sphere", 0.3), ("box", 0.15), ("capsule", 0.45), ("cylinder", 0.25)):
        assert solid_distance(Solid(SHAPES[name]), floor, offset, turn)[0] == pytest.approx(1.0 - below, abs=1e-9)
        assert solid_distance(floor, Solid(SHAPES[name]), -offset, turn)[0] == pytest.approx(1.0 - below, abs=1e-9)


@pytest.mark.parametrize("seed", [0, 1])
def test_compiled_depths_along_segments_equal_the_plain_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start, end = rng.normal(0.0, 0.4, (2, 200, 3))
    end[:5] = start[:5]
    size, radius, height = (0.3, 0.5, 0.2), 0.25, 0.6
    plain = lowest_along(lambda points: box_depth(points, 0.5 * np.array(size)), start, end)
    np.testing.assert_allclose(segment_box(start, end, size), plain, atol=1e-9)
    plain = lowest_along(lambda points: cylinder_depth(points, radius, height), start, end)
    np.testing.assert_allclose(segment_cylinder(start, end, radius, height), plain, atol=1e-9)


def test_compiled_gaps_of_rows_equal_the_plain_ones() -> None:
    first, second = np.random.default_rng(2).normal(size=(2, 300, 2, 3))
    second[:10] = first[:10] + 0.1
    plain = segment_segment(first[:, 0], first[:, 1], second[:, 0], second[:, 1])
    np.testing.assert_allclose(gaps_of_rows(first, second), plain, atol=1e-12)
