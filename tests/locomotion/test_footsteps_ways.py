"""Ways over the floor: roomy where that is cheap, narrow where nothing else leads there, elsewhere once refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from understudy.floor import Floor, build_floor
from understudy.locomotion.footsteps.ways import TURNING_M, Ways, fitting_m, turning_place
from understudy.scene import Scene
from understudy.scene.shapes import Box

BOUNDS = [-3.0, -3.0, 3.0, 3.0]


def floor_with(*boxes: tuple[float, float, float, float]) -> Floor:
    """A floor with boxes of some width and depth around some places."""
    scene = Scene()
    for k, (wide, deep, x, z) in enumerate(boxes):
        scene = scene.with_object(f"box{k}", Box(size_m=(wide, 1.0, deep)), position=(x, 0.5, z))
    return build_floor(scene, bounds=BOUNDS)


def ways(floor: Floor, start: tuple[float, float], goal: tuple[float, float], **more: float) -> Ways:
    return Ways(floor=floor, stops=[np.array(start), np.array(goal)], preferred_m=0.4, least_m=0.26, **more)


def length_m(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


@pytest.mark.parametrize("degrees", range(0, 90, 15))
def test_on_an_open_floor_the_way_is_straight(degrees: int) -> None:
    ahead = 2.0 * np.array([math.sin(math.radians(degrees)), math.cos(math.radians(degrees))])
    way = next(iter(ways(floor_with(), tuple(-ahead), tuple(ahead))))
    assert length_m(way.points) < 4.0 * 1.01
    np.testing.assert_allclose(way.points[[0, -1]], [-ahead, ahead], atol=1e-9)


def test_a_way_is_roomy_where_that_is_cheap_and_narrow_where_nothing_else_leads_there() -> None:
    # A gap of 0.6 m straight ahead and one of 1.2 m a little beside; then the narrow one alone.
    wall = ((1.7, 0.1, -2.15, 0.0), (0.5, 0.1, -0.45, 0.0), (0.6, 0.1, 1.3, 0.0))
    narrow = next(iter(ways(floor_with((2.6, 0.1, -1.7, 0.0), (2.8, 0.1, 1.6, 0.0)), (0.0, -1.5), (0.0, 1.5))))
    assert 0.26 < narrow.room_m < 0.31
    roomy = next(iter(ways(floor_with(*wall, (1.4, 0.1, 2.3, 0.0)), (-0.8, -1.5), (-0.8, 1.5))))
    assert roomy.room_m > narrow.room_m


def test_a_narrow_gap_is_passed_in_its_middle() -> None:
    way = next(iter(ways(floor_with((2.6, 0.1, -1.7, 0.0), (2.6, 0.1, 1.6, 0.0)), (-1.5, -1.5), (1.5, 1.5))))
    crossing = way.points[np.argmin(np.abs(way.points[:, 1]))]
    assert abs(crossing[0] + 0.05) < 0.03


def test_a_place_that_was_refused_is_avoided_where_another_way_leads_round_it() -> None:
    found = ways(floor_with((1.0, 1.0, 0.0, 0.0)), (-0.1, -1.8), (0.0, 1.8))
    turns = iter(found)
    first = next(turns)
    beside = first.points[np.argmin(np.abs(first.points[:, 1]))]
    found.avoid(beside)
    second = next(turns)
    other = second.points[np.argmin(np.abs(second.points[:, 1]))]
    assert np.sign(other[0]) == -np.sign(beside[0])


def test_without_news_every_way_comes_once() -> None:
    few = list(ways(floor_with((1.0, 1.0, 0.0, 0.0)), (0.0, -1.8), (0.0, 1.8), heading_rad=1.2))
    assert 1 <= len(few) <= 2


def test_the_last_stretch_leads_straight_to_a_heading_where_there_is_room() -> None:
    way = next(iter(ways(floor_with(), (-1.5, -1.5), (0.0, 1.0), heading_rad=0.0)))
    last = way.points[-1] - way.points[-4]
    assert abs(math.atan2(last[0], last[1])) < 0.5


def test_who_faces_a_table_close_by_steps_away_from_it_before_turning() -> None:
    floor = floor_with((1.0, 1.0, 0.0, 1.0))
    start = np.array([0.0, 0.3])
    way = next(iter(ways(floor, (0.0, 0.3), (1.5, -1.0), heading_rad=0.0, facing_rad=0.0)))
    assert 0.05 < np.hypot(*(way.points[0] - start)) <= 0.4
    assert floor.free(way.points, 0.3).all()
    there = turning_place(floor, start)
    assert there is not None and floor.free(there[None], TURNING_M - 1e-6)[0]
    assert turning_place(floor, np.array([0.0, -1.0])) is None


def test_who_goes_to_a_place_beside_side_steps() -> None:
    floor = floor_with((4.0, 0.5, 0.0, 0.6))
    way = next(iter(ways(floor, (0.0, 0.05), (0.9, 0.05), heading_rad=0.0, facing_rad=0.0)))
    assert len(way.points) == 2


def test_the_room_that_fits_is_that_of_the_narrowest_passage() -> None:
    floor = floor_with((2.6, 0.1, -1.7, 0.0), (2.6, 0.1, 1.6, 0.0))
    stops = [np.array([0.0, -1.5]), np.array([0.0, 1.5])]
    assert fitting_m(floor, stops, 1.0) == pytest.approx(0.35, abs=1e-6)
    assert fitting_m(floor, stops, 0.2) == 0.2
