"""Obstacles that come, move and go: the changed floor is the floor built anew."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.suites.floor_scenes import box, random_case

from understudy.core import PlanarTransform
from understudy.errors import SceneError
from understudy.floor import Floor, Obstacle, floor_from_polygons


def test_changes_equal_a_fresh_floor() -> None:
    case = random_case("boxes", 5, most=30)
    rng = np.random.default_rng(1)
    floor = floor_from_polygons(case.rings, bounds=case.bounds)
    for step in range(12):
        if step % 3 == 0:
            _ = floor.distances
        kind = rng.integers(3)
        name = str(rng.choice([one.name for one in floor.obstacles]))
        if kind == 0:
            move = PlanarTransform(x_m=rng.normal(), z_m=rng.normal(), yaw_rad=rng.normal())
            floor = floor.moved(name, move)
        elif kind == 1:
            floor = floor.without(name)
        else:
            at = rng.uniform(case.bounds[:2], case.bounds[2:])
            floor = floor.with_obstacle(Obstacle(name=f"new {step}", rings=(box(*at, 0.8, 0.5, rng.normal()),)))
        fresh = Floor(floor.obstacles, floor.bounds)
        same_grid = floor.distances.grid.frame[:2] == pytest.approx(fresh.distances.grid.frame[:2])
        if same_grid and floor.distances.grid.values.shape == fresh.distances.grid.values.shape:
            np.testing.assert_allclose(floor.distances.grid.values, fresh.distances.grid.values, atol=1e-12)
        mine, theirs = (one.path(case.start, case.goal, 0.15) for one in (floor, fresh))
        assert mine.status is theirs.status
        if mine.path is not None and theirs.path is not None:
            np.testing.assert_array_equal(mine.path.pieces, theirs.path.pieces)


def test_a_door_that_closes() -> None:
    walls = {"left": box(1.0, 2.0, 2.0, 0.2), "right": box(5.0, 2.0, 2.0, 0.2)}
    floor = floor_from_polygons(walls, bounds=(0.0, 0.0, 6.0, 4.0))
    assert floor.path((3.0, 1.0), (3.0, 3.0), 0.4)
    shut = floor.with_obstacle(Obstacle(name="door", rings=(box(3.0, 2.0, 1.9, 0.1),)))
    assert not shut.path((3.0, 1.0), (3.0, 3.0), 0.4)
    ajar = shut.moved("door", PlanarTransform(x_m=1.5))
    assert ajar.path((3.0, 1.0), (3.0, 3.0), 0.4)
    assert shut.without("door").path((3.0, 1.0), (3.0, 3.0), 0.4)


def test_old_floors_are_let_go() -> None:
    import gc
    import weakref

    floor = floor_from_polygons([box(1.0, 1.0, 1.0, 1.0)], bounds=(0.0, 0.0, 4.0, 4.0)).build()
    _ = floor.distances
    old = weakref.ref(floor)
    floor = floor.moved("0", PlanarTransform(x_m=0.1))
    gc.collect()
    assert old() is None


def test_names_are_checked() -> None:
    floor = floor_from_polygons({"table": box(1.0, 1.0, 1.0, 1.0)})
    with pytest.raises(SceneError, match='no obstacle "tabel"; did you mean "table"'):
        floor.without("tabel")
    with pytest.raises(SceneError, match='two obstacles are called "table"'):
        floor.with_obstacle(Obstacle(name="table", rings=(box(3.0, 3.0, 1.0, 1.0),)))


def test_an_empty_floor() -> None:
    floor = floor_from_polygons({}, bounds=(0.0, 0.0, 3.0, 3.0))
    path = floor.path((1.0, 1.0), (2.0, 2.0), 0.5).path
    assert path is not None
    assert path.length_m == pytest.approx(np.sqrt(2.0))
    assert floor_from_polygons({}).path((1.0, 1.0), (2.0, 2.0), 0.5)


@pytest.mark.parametrize("seed", range(40))
def test_touching_crossing_and_all_but_equal_outlines_can_be_built(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rings: list[np.ndarray] = []
    for _ in range(int(rng.integers(5, 40))):
        x, z, width, depth = np.round(rng.uniform(0.1, 5.0, 4), 1)
        ring = box(x, z, min(width, 2.0), min(depth, 2.0), rng.choice([0.0, 0.25 * np.pi, 1e-9, 1e-7, 1e-5]))
        if rings and rng.random() < 0.4:
            ring = rings[rng.integers(len(rings))] + rng.normal(size=2) * rng.choice([0.0, 1e-12, 1e-8, 1e-7, 1e-6])
        rings.append(ring)
    import shapely

    floor = floor_from_polygons(rings, bounds=(-2.0, -2.0, 8.0, 8.0))
    mesh = floor.triangulation.mesh
    corners = mesh.points[mesh.corners[mesh.free]]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()
    blocked = shapely.unary_union([shapely.Polygon(ring) for ring in rings])
    assert area == pytest.approx(shapely.box(-2, -2, 8, 8).difference(blocked).area, abs=1e-4)
