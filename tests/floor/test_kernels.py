"""Compiled kernels against shapely, brute force and sampling."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from benchmarks.suites.floor_scenes import KINDS, box, random_case

from understudy.floor import Floor, floor_from_polygons
from understudy.floor import _query_kernels as queries
from understudy.floor import _segment_kernels as segments
from understudy.floor._distance_kernels import disc_is_free, step_is_free
from understudy.floor._field_kernels import cells_are_clear
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.floor._sight_kernels import look_from_corner, look_from_point
from understudy.floor._triangle_kernels import widest_passage


@pytest.fixture(scope="module", params=["boxes", "overlaps", "maze"])
def made(request: pytest.FixtureRequest) -> tuple[Floor, shapely.Geometry, np.ndarray]:
    """A floor, the free region as shapely sees it, and its bounds."""
    case = random_case(request.param, 41, most=30)
    blocked = shapely.unary_union([shapely.Polygon(ring) for ring in case.rings])
    floor = floor_from_polygons(case.rings, bounds=case.bounds)
    return floor, shapely.box(*case.bounds).difference(blocked), np.array(case.bounds)


def inside(bounds: np.ndarray, count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(bounds[:2], bounds[2:], (count, 2))


def distances_to_edges(floor: Floor, points: np.ndarray) -> np.ndarray:
    return np.array([segments.nearest_edge(floor.grid, x, z)[1] for x, z in points])


def test_nearest_edge_and_capsules_match_shapely(made: tuple[Floor, shapely.Geometry, np.ndarray]) -> None:
    floor, _, bounds = made
    edges = shapely.MultiLineString([row.reshape(2, 2) for row in floor.grid.segments])
    points = inside(bounds, 300)
    np.testing.assert_allclose(
        distances_to_edges(floor, points), shapely.distance(shapely.points(points), edges), atol=1e-9
    )
    for a, b in zip(points[:150], points[150:], strict=True):
        away = shapely.LineString([a, b]).distance(edges)
        for radius in (0.1, 0.3, 0.9 * away, 1.1 * away + 1e-6):
            assert (segments.capsule_hit(floor.grid, *a, *b, radius) >= 0) == (away < radius)
            assert (segments.disc_hit(floor.grid, *a, radius) >= 0) == (shapely.Point(a).distance(edges) < radius)


def test_free_triangles_are_the_free_region(made: tuple[Floor, shapely.Geometry, np.ndarray]) -> None:
    floor, free, bounds = made
    mesh = floor.triangulation.mesh
    corners = mesh.points[mesh.corners]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    assert areas.min() > -1e-9
    assert areas[mesh.free].sum() == pytest.approx(free.area, abs=1e-4)
    # Neighbours know each other, and walls, by the same edge.
    for t in range(len(mesh.corners)):
        for i in range(3):
            n = mesh.neighbours[t, i]
            if n >= 0:
                j = list(mesh.corners[n]).index(mesh.corners[t, (i + 1) % 3])
                assert mesh.neighbours[n, j] == t
                assert mesh.corners[n, (j + 1) % 3] == mesh.corners[t, i]
                assert mesh.walls[n, j] == mesh.walls[t, i]
                assert mesh.walls[t, i] or mesh.free[t] == mesh.free[n]
    points = inside(bounds, 400, 1)
    found = floor.triangles_at(points)
    assert (shapely.contains_xy(free, points) == mesh.free[found]).all()
    for p, t in zip(points, found, strict=True):
        assert shapely.Polygon(mesh.points[mesh.corners[t]]).distance(shapely.Point(p)) < 1e-9


def test_sight_is_never_too_short(made: tuple[Floor, shapely.Geometry, np.ndarray]) -> None:
    """Lists may hold too much, which is tested later on, never too little; and hardly too much."""
    floor, free, bounds = made
    built = floor.triangulation
    mesh, corners = built.mesh, built.corners
    roomy, tight = free.buffer(1e-7, join_style="mitre"), free.buffer(1e-5, join_style="mitre")
    places = np.nonzero(corners.turns)[0]
    stack = np.empty((len(mesh.corners) + 8, 5))
    points = inside(bounds, 60, 2)
    points = points[mesh.free[floor.triangles_at(points)]][:12]
    views = [(p, look_from_point(mesh, t, *p, corners.turns)) for p, t in zip(points, floor.triangles_at(points))]  # noqa: B905
    for v in places[:: max(len(places) // 12, 1)]:
        while not look_from_corner(mesh, built.corners, v, stack):
            built.make_room()
        views.append((mesh.points[v], built.corners.seen[slice(*built.corners.spans[v])]))
    listed_lines = too_many = 0
    for point, seen in views:
        listed = set(seen.tolist())
        for w in places:
            line = shapely.LineString([point, mesh.points[w]])
            if line.length < 1e-6:
                continue
            if w in listed:
                listed_lines += 1
                too_many += not tight.covers(line)
                continue
            # A corner behind another one on the same line is reached through that one.
            between = [
                u
                for u in places
                if u != w
                and 1e-9 < shapely.Point(mesh.points[u]).distance(shapely.Point(point)) < line.length
                and line.distance(shapely.Point(mesh.points[u])) < 1e-7
            ]
            assert between or not roomy.covers(line)
    # Only walls that run into other obstacles are followed too far.
    assert too_many <= 0.05 * listed_lines


def test_widest_passage_matches_a_flood(made: tuple[Floor, shapely.Geometry, np.ndarray]) -> None:
    floor, _, _ = made
    mesh, forest = floor.triangulation.mesh, floor.triangulation.bottlenecks
    rng = np.random.default_rng(3)
    free = np.nonzero(mesh.free)[0]

    def flood(a: int, b: int, width: float) -> bool:
        seen, todo = {a}, [a]
        while todo:
            t = todo.pop()
            for i in range(3):
                n = int(mesh.neighbours[t, i])
                ends = mesh.points[mesh.corners[t, [i, (i + 1) % 3]]]
                if n >= 0 and not mesh.walls[t, i] and np.linalg.norm(ends[1] - ends[0]) >= width and n not in seen:
                    seen.add(n)
                    todo.append(n)
        return b in seen

    for a, b in rng.choice(free, (25, 2)):
        width = widest_passage(forest, a, b)
        if not np.isfinite(width):
            assert a == b
            continue
        assert width == 0.0 or flood(a, b, width * (1 - 1e-12))
        assert not flood(a, b, width * (1 + 1e-9) + 1e-12)


def test_arcs_match_sampling() -> None:
    rng = np.random.default_rng(5)
    blocked_seen = free_seen = 0
    for _ in range(1500):
        corner = box(3.0, 3.0, 1.0, 1.0)
        other = box(*rng.uniform(3.2, 5.0, 2), *rng.uniform(0.02, 0.2, 2), rng.uniform(0.0, 3.0))
        floor = floor_from_polygons([corner, other], bounds=(0.0, 0.0, 6.0, 6.0))
        radius = float(rng.uniform(0.1, 0.6))
        # About the corner (3.5, 3.5) from +X to +Z: contacts from angle a to b, travelling with the corner on the left.
        a, b = rng.uniform(0.0, 0.6), rng.uniform(0.9, 0.5 * np.pi)
        turns = np.linspace(a, b, 400)
        centres = np.array([3.5, 3.5]) + radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        away = distances_to_edges(floor, centres)
        if min(away[0], away[-1]) < radius - 1e-9:
            continue
        into, out = (-np.sin(a), np.cos(a)), (-np.sin(b), np.cos(b))
        free = segments.arc_is_free(floor.grid, 3.5, 3.5, radius, 1.0, *into, *out)
        if away.min() < radius - 1e-5:
            assert not free
            blocked_seen += 1
        elif away.min() > radius - 1e-9:
            assert free
            free_seen += 1
    assert blocked_seen > 5
    assert free_seen > 50


def test_distance_grid_decides_as_shapely_does(made: tuple[Floor, shapely.Geometry, np.ndarray]) -> None:
    floor, free, bounds = made
    blocked = shapely.box(*(bounds + np.array([-5.0, -5.0, 5.0, 5.0]))).difference(free)
    points = inside(bounds + np.array([-0.3, -0.3, 0.3, 0.3]), 3000, 6)
    away = shapely.distance(shapely.points(points), blocked)
    for radius in (0.05, 0.2, 0.45, 1.7):
        sure = np.abs(away - radius) > 1e-9
        answer = np.array([disc_is_free(floor.distances.grid, floor.grid, *point, radius) for point in points])
        np.testing.assert_array_equal(answer[sure], (away >= radius)[sure])
        np.testing.assert_array_equal(floor.free(points, radius)[sure], (away >= radius * (1 - 2e-6))[sure])
    for a, b in zip(points[:200], points[:200] + 0.2, strict=True):
        clear = shapely.LineString([a, b]).distance(blocked)
        if abs(clear - 0.2) > 1e-9:
            assert step_is_free(floor.distances.grid, floor.grid, *a, *b, 0.2) == (clear > 0.2)


def test_heap_sorts() -> None:
    rng = np.random.default_rng(7)
    values = rng.integers(0, 50, 400).astype(np.float64)
    keys, items, size = np.empty(400), np.empty(400, dtype=np.int64), 0
    for k, value in enumerate(values):
        size = heap_push(keys, items, size, value, k)
    out = []
    while size:
        key, item, size = heap_pop(keys, items, size)
        assert values[item] == key
        out.append((key, item))
    assert out == sorted(out)


def test_lines_of_cells_match_shapely() -> None:
    rng = np.random.default_rng(8)
    blocked = rng.random((20, 20)) < 0.1
    cells = [shapely.box(x, z, x + 1, z + 1) for z, x in np.argwhere(blocked)]
    region = shapely.unary_union(cells)
    for az, ax, bz, bx in rng.integers(0, 20, (400, 4)):
        line = shapely.LineString(
            [(ax + 0.5, az + 0.5), (bx + 0.5, bz + 0.5)]
            if (az, ax) != (bz, bx)
            else [(ax + 0.5, az + 0.5), (ax + 0.5 + 1e-9, az + 0.5)]
        )
        assert cells_are_clear(blocked, az, ax, bz, bx) == (not line.intersects(region))


def test_every_kind_of_floor_keeps_the_far_points_out() -> None:
    for kind in KINDS:
        case = random_case(kind, 3, most=20)
        mesh = floor_from_polygons(case.rings, bounds=case.bounds).triangulation.mesh
        assert not mesh.free[(mesh.corners < 3).any(axis=1)].any()
        far = queries.locate(mesh, floor_from_polygons(case.rings, bounds=case.bounds).grid, 1e7, 1e7)
        assert far == -1 or not mesh.free[far]
