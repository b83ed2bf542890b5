"""The lattice search: geometry against brute force, and what it decides."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.floor import build_floor
from understudy.performer.person import Person
from understudy.scene import Box, Scene
from understudy.skills.door.lattice import Crossing, Problem, crossing
from understudy.skills.door.layout import door_of
from understudy.skills.door.reach import reach_table
from understudy.skills.door.room import door_room
from understudy.skills.door.walking import outside_m

START, GOAL = np.array([0.2, -2.4]), np.array([0.0, 2.2])


@pytest.fixture(scope="module")
def skeleton():  # type: ignore[no-untyped-def]
    return Person().skeleton()


def found(scene: Scene, skeleton) -> Crossing | str:  # type: ignore[no-untyped-def]
    door = door_of(scene, "door", START)
    floor = build_floor(scene, ignore=door.parts, head_height_m=1.8, step_height_m=0.02, bounds=[-4, -5, 4, 5])
    problem = Problem(door=door, floor=floor, skeleton=skeleton, start=START, start_heading_rad=None, goal=GOAL)
    return crossing(problem)


def test_distance_from_a_rectangle_is_that_of_its_nearest_point() -> None:
    from understudy.skills.door._geometry_kernels import box_distance

    corners = np.array([[0.3, 0.1], [1.1, 0.5], [0.9, 0.9], [0.1, 0.5]])
    edge = np.concatenate(
        [a + np.linspace(0, 1, 2001)[:, None] * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    for point in np.random.default_rng(0).uniform(-1, 2, (60, 2)):
        far = np.linalg.norm(edge - point, axis=1).min()
        assert abs(box_distance(corners, *point)) == pytest.approx(far, abs=2e-3)
        assert outside_m(corners, point[None])[0] == pytest.approx(box_distance(corners, *point), abs=1e-12)


def test_reach_is_symmetric_and_bounded(skeleton) -> None:  # type: ignore[no-untyped-def]
    costs = reach_table(skeleton, 1.0).costs
    assert np.isfinite(costs).any()
    # Nobody reaches a handle a metre away, or behind the back.
    assert not np.isfinite(costs[:, -4:]).any()
    mirrored = costs[0][:, ::-1][:, :, (-np.arange(costs.shape[3])) % costs.shape[3]]
    assert np.array_equal(costs[1], mirrored)


def test_a_pushed_door_is_walked_through_holding_it(skeleton) -> None:  # type: ignore[no-untyped-def]
    way = found(door_room(hinge_side="left"), skeleton)
    assert isinstance(way, Crossing)
    held = np.isin(way.modes, (1, 2))
    assert way.opening[held].max() >= np.radians(25)
    assert np.hypot(*(way.place[held][-1] - way.place[held][0])) > 0.2
    # The hinge is on the left: the hand on the latch's side takes it.
    assert way.hand == "right"


def test_a_pulled_door_is_stepped_back_from(skeleton) -> None:  # type: ignore[no-untyped-def]
    way = found(door_room(pushed=False), skeleton)
    assert isinstance(way, Crossing)
    held = np.isin(way.modes, (1, 2))
    assert way.place[held][-1, 1] < way.place[held][0, 1]


def test_a_handle_too_high_is_named(skeleton) -> None:  # type: ignore[no-untyped-def]
    way = found(door_room(handle_m=1.99), skeleton)
    assert isinstance(way, str)
    assert "out of reach" in way


def test_a_blocked_doorway_is_named(skeleton) -> None:  # type: ignore[no-untyped-def]
    scene = door_room().with_object("cupboard", Box(size_m=(3.0, 2.0, 0.5)), position=(0.0, 1.0, 0.6))
    way = found(scene, skeleton)
    assert isinstance(way, str)
    assert "no room" in way
