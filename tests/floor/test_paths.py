"""Shortest paths against the visibility graph of grown obstacles, and what is said when there is none."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import shapely
from benchmarks.suites.floor_oracle import bracket, least_clearance
from benchmarks.suites.floor_scenes import KINDS, box, disc, random_case
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.core import Status
from understudy.errors import OptionError, PlanningInputError, UnderstudyError
from understudy.floor import Floor, floor_from_polygons
from understudy.floor import _query_kernels as queries
from understudy.floor.paths import PathResult

ROOM = (0.0, 0.0, 6.0, 4.0)


def solved(result: PathResult):
    assert result.status is Status.SOLVED, result.reason
    assert result.path is not None
    return result.path


@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_the_visibility_graph(kind: str) -> None:
    found = 0
    for seed in range(2000, 2009):
        case = random_case(kind, seed, most=40)
        floor = floor_from_polygons(case.rings, bounds=case.bounds)
        answer, bounds = floor.path(case.start, case.goal, case.clearance_m), bracket(case)
        assert floor.connected(case.start, case.goal, case.clearance_m) == bool(answer), seed
        if answer.path is None:
            assert answer.status is Status.EXHAUSTED
            assert np.isinf(bounds.high_m), f"{kind} {seed}: missed a path of {bounds.high_m} m"
            continue
        found += 1
        assert bounds.low_m * (1.0 - 1e-6) <= answer.path.length_m, f"{kind} {seed}: invented or too short"
        assert answer.path.length_m <= bounds.high_m * (1.0 + 1e-6), f"{kind} {seed}: too long"
        reached = least_clearance(case, answer.path.sample(0.01))
        assert reached >= case.clearance_m * (1.0 - 2e-6) - 2e-7, f"{kind} {seed}: comes too close"
        np.testing.assert_allclose(answer.path.points[[0, -1]], [case.start, case.goal], atol=1e-12)
    assert found > 0


def test_the_oracle_knows_a_corner_by_heart() -> None:
    """Around one box corner: two tangents and an arc, by hand."""
    floor = floor_from_polygons([[(2.0, 0.0), (3.0, 0.0), (3.0, 2.0), (2.0, 2.0)]], bounds=ROOM)
    r = 0.5
    path = solved(floor.path((2.5 - 1.2, 1.0), (2.5 + 1.2, 1.0), r))
    # From (1.3, 1) the tangent to the disc about (2, 2): sqrt(0.7^2 + 1^2 - r^2) long, then an arc, the top, and back.
    reach = np.hypot(0.7, 1.0)
    tangent = np.sqrt(reach**2 - r**2)
    arc = r * (np.arctan2(1.0, 0.7) + np.arcsin(r / reach))
    assert path.length_m == pytest.approx(2.0 * tangent + 2.0 * arc + 1.0, abs=1e-4)
    assert int(path.pieces[:, 0].sum()) == 2


@pytest.mark.parametrize(("width", "open_"), [(1.0, True), (1.0 + 1e-5, True), (1.0 - 1e-4, False), (0.9, False)])
def test_a_gap_of_exactly_two_radii_is_open(width: float, open_: bool) -> None:
    walls = [box(3.0, 2.0 - 0.5 * width - 1.0, 0.2, 2.0), box(3.0, 2.0 + 0.5 * width + 1.0, 0.2, 2.0)]
    blocked = [box(3.0, -2.5, 0.2, 3.4), box(3.0, 5.0, 0.2, 2.4)]
    floor = floor_from_polygons([*walls, *blocked], bounds=(0.0, -3.0, 6.0, 6.0))
    result = floor.path((1.0, 1.0), (5.0, 3.0), 0.5)
    assert bool(result) is open_
    assert floor.connected((1.0, 1.0), (5.0, 3.0), 0.5) is open_
    assert open_ or "no way from start to goal" in result.reason


def test_zero_clearance_touches_corners() -> None:
    floor = floor_from_polygons([box(3.0, 1.0, 1.0, 2.0)], bounds=ROOM)
    path = solved(floor.path((1.0, 1.0), (5.0, 1.0), 0.0))
    exact = 2.0 * np.hypot(1.5, 1.0) + 1.0
    assert path.length_m == pytest.approx(exact, abs=1e-3)


def test_thin_walls_and_concave_outlines_and_rooms() -> None:
    room = [(0, 0), (6, 0), (6, 4), (4, 4), (4, 1.5), (2, 1.5), (2, 4), (0, 4)]
    floor = floor_from_polygons({"wall": [(3.0, 0.0), (3.0, 0.8)]}, bounds=room)
    assert not floor.path((1.0, 3.0), (5.0, 3.0), 0.4)
    path = solved(floor.path((1.0, 3.0), (5.0, 3.0), 0.3))
    wall, edge = shapely.LineString([(3.0, 0.0), (3.0, 0.8)]), shapely.LinearRing(room)
    points = shapely.points(path.sample(0.01))
    assert min(wall.distance(p) for p in points) >= 0.3 - 1e-6
    assert min(edge.distance(p) for p in points) >= 0.3 - 1e-6
    bay = [(1, 1), (5, 1), (5, 3), (4, 3), (4, 2), (2, 2), (2, 3), (1, 3)]
    inside = floor_from_polygons([bay], bounds=(-1.0, -1.0, 7.0, 5.0)).path((3.0, 2.5), (3.0, 0.0), 0.3)
    assert solved(inside).length_m > 5.0


def test_holes_of_an_outline_are_free_but_closed_off() -> None:
    from understudy.floor import Obstacle

    ring = Obstacle(name="ring", rings=(disc(3.0, 2.0, 1.5, 24), disc(3.0, 2.0, 1.2, 24)))
    floor = Floor((ring,), np.array([(0.0, 0.0), (6.0, 0.0), (6.0, 4.0), (0.0, 4.0)]))
    assert solved(floor.path((2.5, 2.0), (3.5, 2.0), 0.3)).length_m == pytest.approx(1.0)
    assert floor.path((3.0, 2.0), (0.3, 0.3), 0.2).status is Status.EXHAUSTED


def test_via_points_are_passed_in_order() -> None:
    floor = floor_from_polygons([box(3.0, 2.0, 1.0, 1.0)], bounds=ROOM)
    stops = [(1.0, 2.0), (3.0, 3.5), (5.0, 3.0), (3.0, 0.5)]
    path = solved(floor.path(stops[0], stops[-1], 0.3, via=stops[1:-1]))
    legs = [solved(floor.path(a, b, 0.3)).length_m for a, b in pairwise(stops)]
    assert path.length_m == pytest.approx(sum(legs))
    for leg, stop in zip(np.cumsum(legs), stops[1:], strict=True):
        np.testing.assert_allclose(path.position(leg), stop, atol=1e-9)
    failed = floor.path(stops[0], stops[-1], 0.3, via=[(3.0, 2.0)])
    assert failed.status is Status.INFEASIBLE_GOAL
    assert 'via 0 (3, 2) is inside "0"' in failed.reason


def test_positions_and_tangents_fit_together() -> None:
    case = random_case("boxes", 2003)
    path = solved(floor_from_polygons(case.rings, bounds=case.bounds).path(case.start, case.goal, 0.1))
    s = np.linspace(0.0, path.length_m, 4001)
    points, step = path.position(s), s[1]
    moved = np.diff(points, axis=0)
    assert np.linalg.norm(moved, axis=1).max() <= step + 1e-9
    assert np.linalg.norm(moved, axis=1).sum() == pytest.approx(path.length_m, rel=1e-4)
    middle = path.tangent(s[:-1] + 0.5 * step)
    np.testing.assert_allclose(np.linalg.norm(middle, axis=1), 1.0)
    # Differences across a joint between pieces may turn a little.
    np.testing.assert_allclose(middle, moved / step, atol=0.02)
    # The path has no kinks: the tangent turns at most by arc / radius.
    tangents = path.tangent(s)
    turn = np.arccos(np.clip((tangents[1:] * tangents[:-1]).sum(axis=1), -1.0, 1.0))
    assert turn.max() <= step / 0.1 * 1.01 + 1e-6
    even = path.sample(0.25)
    assert len(even) == int(np.ceil(path.length_m / 0.25)) + 1
    np.testing.assert_allclose(path.distance(points), 0.0, atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 0.6))
def test_nearest_free_point_is_free_and_nearest(seed: int, clearance: float) -> None:
    rng = np.random.default_rng(seed)
    rings = [box(*rng.uniform(0.5, 3.5, 2), *rng.uniform(0.2, 1.5, 2), rng.uniform(0.0, 3.0)) for _ in range(6)]
    floor = floor_from_polygons(rings, bounds=(0.0, 0.0, 4.0, 4.0))
    grid = np.stack(np.meshgrid(np.arange(0.01, 4.0, 0.02), np.arange(0.01, 4.0, 0.02)), axis=-1).reshape(-1, 2)
    blocked = shapely.unary_union([shapely.Polygon(ring) for ring in rings])
    far = shapely.distance(shapely.points(grid), blocked) >= clearance
    far &= np.minimum(grid.min(axis=1), 4.0 - grid.max(axis=1)) >= clearance
    point = shapely.Polygon(rings[0]).centroid
    start = np.array([point.x, point.y])
    result = floor.path(start, (0.0, 0.0), clearance)
    assert result.status is Status.INFEASIBLE_START
    assert result.obstacle != ""
    if result.nearest_free is None:
        assert not far.any()
        return
    free = np.array(result.nearest_free)
    assert shapely.Point(free).distance(blocked) >= clearance * (1.0 - 3e-6) - 1e-9
    if far.any():
        nearest = np.linalg.norm(grid[far] - start, axis=1).min()
        assert np.linalg.norm(free - start) <= nearest + 1e-6
    assert floor.free(free[None], clearance).all()


def test_what_is_at_fault_is_named() -> None:
    floor = floor_from_polygons({"table": box(3.0, 2.0, 1.0, 1.0)}, bounds=ROOM)
    inside = floor.path((3.1, 2.0), (5.0, 3.0), 0.25)
    assert (inside.status, inside.obstacle) == (Status.INFEASIBLE_START, "table")
    assert inside.nearest_free == pytest.approx((3.75, 2.0), abs=1e-5)
    near = floor.path((1.0, 1.0), (3.6, 2.0), 0.25)
    assert near.status is Status.INFEASIBLE_GOAL
    assert 'goal (3.6, 2) is 0.100 m from "table", less than the clearance of 0.25 m' in near.reason
    assert "nearest free point is (3.750, 2.000)" in near.reason
    edge = floor.path((0.1, 1.0), (5.0, 1.0), 0.25)
    assert edge.obstacle == "the edge of the floor"
    beyond = floor.path((-4.0, 1.0), (5.0, 1.0), 0.25)
    assert beyond.nearest_free == pytest.approx((0.25, 1.0), abs=1e-5)
    assert floor.path((1.0, 1.0), (5.0, 1.0), 50.0).nearest_free is None


def test_large_floors_stay_near_the_exact_length() -> None:
    rng = np.random.default_rng(0)
    rings = [box(*rng.uniform(0.0, 45.0, 2), *rng.uniform(0.3, 1.5, 2), rng.uniform(0.0, 3.0)) for _ in range(420)]
    floor = floor_from_polygons(rings, bounds=(-1.0, -1.0, 46.0, 46.0))
    assert floor.triangulation.corners.turns.sum() > queries.LARGE
    obstacles = shapely.STRtree([shapely.Polygon(ring) for ring in rings])
    points = rng.uniform(0.0, 45.0, (60, 2))
    free = points[floor.free(points, 0.3)]
    for start, goal in zip(free[0:16:2], free[1:16:2], strict=True):
        path = solved(floor.path(start, goal, 0.3))
        _, away = obstacles.query_nearest(shapely.points(path.sample(0.02)), return_distance=True, all_matches=False)
        assert away.min() >= 0.3 - 1e-6
        exact = exact_length(floor, start, goal, 0.3)
        assert exact - 1e-9 <= path.length_m <= 1.08 * exact


def exact_length(floor: Floor, start: np.ndarray, goal: np.ndarray, radius: float) -> float:
    from understudy.floor import _sight_kernels as sight
    from understudy.floor._tangent_kernels import shortest

    built = floor.triangulation
    ends = list(zip(floor.triangles_at(np.stack([start, goal])), (start, goal), strict=True))
    looks = [sight.look_from_point(built.mesh, t, p[0], p[1], built.corners.turns) for t, p in ends]
    looked = -1
    while looked < 0:
        everything = (built.mesh, built.corners, floor.grid, built.corners.turns)
        pieces, looked = shortest(*everything, *looks, start, goal, radius * (1.0 - 2e-6))
        if looked < 0:
            built.make_room()
    return float(pieces[:, 9].sum())


@pytest.mark.parametrize(
    ("start", "clearance", "error"),
    [
        ((0.0, np.nan), 0.2, PlanningInputError),
        ((1.0, 2.0, 3.0), 0.2, PlanningInputError),
        ("here", 0.2, PlanningInputError),
        ((1.0, 1.0), -0.1, OptionError),
        ((1.0, 1.0), np.inf, OptionError),
        ((1.0, 1.0), 1e300, OptionError),
        ((1e300, 1.0), 0.2, PlanningInputError),
        ((1.0, 1.0), "wide", OptionError),
    ],
)
def test_bad_questions_are_refused(start: object, clearance: object, error: type[UnderstudyError]) -> None:
    floor = floor_from_polygons([box(3.0, 2.0, 1.0, 1.0)], bounds=ROOM)
    with pytest.raises(error):
        floor.path(start, (5.0, 1.0), clearance)  # type: ignore[arg-type]


def test_start_at_the_goal() -> None:
    floor = floor_from_polygons([box(3.0, 2.0, 1.0, 1.0)], bounds=ROOM)
    path = solved(floor.path((1.0, 1.0), (1.0, 1.0), 0.2))
    assert path.length_m == 0.0
    np.testing.assert_allclose(path.sample(0.1), [[1.0, 1.0], [1.0, 1.0]])
    assert np.isfinite(path.tangent(0.0)).all()


@pytest.mark.parametrize("points", ["here", [[0.0, np.nan]], [[1.0, 2.0, 3.0]], [[1e300, 0.0]]])
def test_bad_points_are_refused(points: object) -> None:
    floor = floor_from_polygons([box(3.0, 2.0, 1.0, 1.0)], bounds=ROOM)
    path = solved(floor.path((1.0, 1.0), (5.0, 1.0), 0.2))
    for ask in (floor.free, floor.triangles_at, path.distance, floor.channel(path).holds):
        with pytest.raises(PlanningInputError):
            ask(points)  # type: ignore[operator]
