"""Channels hold their path; potential fields know the way and its length."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from benchmarks.suites.floor_scenes import box, random_case

from understudy.core import Status
from understudy.errors import OptionError
from understudy.floor import Floor, FloorPath, floor_from_polygons, potential_field
from understudy.floor._path_kernels import path_distances


@pytest.fixture(scope="module")
def walked() -> tuple[Floor, FloorPath]:
    case = random_case("boxes", 2004, fewest=30, most=50)
    floor = floor_from_polygons(case.rings, bounds=case.bounds)
    path = floor.path(case.start, case.goal, 0.15).path
    assert path is not None
    assert path.pieces[:, 0].sum() >= 2
    return floor, path


def test_a_channel_is_a_chain_of_free_triangles_around_its_path(walked: tuple[Floor, FloorPath]) -> None:
    floor, path = walked
    channel, mesh = floor.channel(path), floor.triangulation.mesh
    for a, b in zip(channel.triangles[:-1], channel.triangles[1:], strict=True):
        assert b in mesh.neighbours[a]
    assert mesh.free[channel.triangles].all()
    strip = shapely.unary_union([shapely.Polygon(one).buffer(1e-7) for one in channel.outlines])
    assert strip.buffer(1e-6).covers(shapely.LineString(path.sample(0.02)))


def test_distance_to_a_path_matches_a_fine_polyline(walked: tuple[Floor, FloorPath]) -> None:
    floor, path = walked
    line = shapely.LineString(path.sample(0.001))
    rng = np.random.default_rng(0)
    points = rng.uniform(floor.bounds.min(axis=0), floor.bounds.max(axis=0), (500, 2))
    exact = shapely.distance(shapely.points(points), line)
    np.testing.assert_allclose(path_distances(path.pieces, points), exact, atol=1e-5)
    channel = floor.channel(path)
    for reach in (0.05, 0.15, 0.45, 2.0):
        for point, away in zip(points, exact, strict=True):
            if abs(away - reach) > 1e-5:
                assert channel.holds(point[None], reach_m=reach) == (away < reach)
    assert channel.holds(path.sample(0.1))


def test_points_a_channel_holds_are_clear(walked: tuple[Floor, FloorPath]) -> None:
    floor, path = walked
    rng = np.random.default_rng(1)
    near = path.sample(0.05) + rng.normal(scale=0.1, size=(len(path.sample(0.05)), 2))
    channel = floor.channel(path)
    held = np.array([channel.holds(point[None]) for point in near])
    assert 0 < held.sum() < len(held)
    mesh = floor.triangulation.mesh
    assert mesh.free[floor.triangles_at(near[held])].all()


def test_a_field_is_about_as_long_as_the_shortest_path() -> None:
    compared = 0
    for seed in range(2010, 2022):
        case = random_case("boxes", seed, most=30)
        floor = floor_from_polygons(case.rings, bounds=case.bounds)
        exact = floor.path(case.start, case.goal, case.clearance_m).path
        field = potential_field(floor, case.goal, radius_m=case.clearance_m)
        length = float(field.distance(case.start))
        if exact is None or not np.isfinite(length):
            continue
        compared += 1
        # Cells are blocked by their centres, so a way may pass up to half a diagonal closer.
        assert 0.96 * exact.length_m - 0.1 <= length <= 1.1 * exact.length_m + 0.1
        way = field.path(case.start)
        np.testing.assert_allclose(way[[0, -1]], [case.start, case.goal])
        walked = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
        assert 0.96 * exact.length_m - 0.1 <= walked <= 1.1 * exact.length_m + 0.1
        blocked = shapely.unary_union([shapely.Polygon(ring) for ring in case.rings])
        # Between ends every cell passed has its centre at the radius, so lines stay within a cell's diagonal of it.
        assert shapely.LineString(way).distance(blocked) >= case.clearance_m - 0.0708
    assert compared >= 3


def test_values_rise_by_at_most_the_way_between_cells() -> None:
    floor = floor_from_polygons([box(2.0, 2.0, 1.0, 2.5)], bounds=(0.0, 0.0, 4.0, 4.0))
    field = potential_field(floor, (3.5, 2.0), radius_m=0.2)
    free = np.isfinite(field.values)
    assert (free == ~field.blocked).all()
    values = np.where(free, field.values, 0.0)
    step = np.abs(np.diff(values, axis=1))[free[:, 1:] & free[:, :-1]]
    assert step.max() <= field.cell_m * (1.0 + 1e-9)
    centre = field.low + (field.cells([3.5, 2.0])[::-1] + 0.5) * field.cell_m
    assert field.distance((3.5, 2.0)) == pytest.approx(0.0, abs=field.cell_m)
    sees = np.array([3.2, 1.0])
    assert field.distance(sees) == pytest.approx(np.linalg.norm(sees - centre), rel=0.03, abs=0.05)


def test_growth_closes_narrow_gaps() -> None:
    walls = [box(1.0, 2.0, 2.0, 0.2), box(4.0, 2.0, 2.8, 0.2)]
    floor = floor_from_polygons(walls, bounds=(0.0, 0.0, 5.4, 4.0))
    assert np.isfinite(potential_field(floor, (2.3, 3.0), radius_m=0.2).distance((2.3, 1.0)))
    shut = potential_field(floor, (2.3, 3.0), radius_m=0.4)
    assert np.isinf(shut.distance((2.3, 1.0)))
    assert len(shut.path((2.3, 1.0))) == 0
    assert np.isfinite(potential_field(floor, (2.3, 3.0), radius_m=0.0).distance((2.3, 1.0)))
    assert potential_field(floor, (1.0, 2.0), radius_m=0.2).status is Status.INFEASIBLE_GOAL
    wide = potential_field(floor, (2.3, 3.5), radius_m=0.25, cell_m=0.1)
    assert wide.cell_m == pytest.approx(0.1)
    with pytest.raises(OptionError, match="radius_m is -1"):
        potential_field(floor, (1.0, 1.0), radius_m=-1.0)
