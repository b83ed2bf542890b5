"""The search for a way past a door: geometry against brute force, and what it decides."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.floor import build_floor
from understudy.performer.person import Person
from understudy.scene import Box, Scene
from understudy.skills.door.layout import door_of
from understudy.skills.door.passing import Passage, Question, Search
from understudy.skills.door.reach import held_m, reach_table
from understudy.skills.door.room import door_room
from understudy.skills.door.walking import outside_m

START, GOAL = np.array([0.2, -2.4]), np.array([0.0, 2.2])


@pytest.fixture(scope="module")
def skeleton():  # type: ignore[no-untyped-def]
    return Person().skeleton()


def found(scene: Scene, skeleton) -> Passage | str:  # type: ignore[no-untyped-def]
    door = door_of(scene, "door", START)
    floor = build_floor(scene, ignore=door.parts, head_height_m=1.8, step_height_m=0.02, bounds=[-4, -5, 4, 5])
    search = Search(Question(door=door, floor=floor, skeleton=skeleton, start=START, start_heading_rad=None, goal=GOAL))
    if search.problem:
        return search.problem
    ways = search.ways()
    return search.passage(*ways[0][1:]) if ways else search.why_not()


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


def test_fingers_never_reach_the_leaf(skeleton) -> None:  # type: ignore[no-untyped-def]
    from understudy.core.body_fit import fit_body
    from understudy.skills.door.reach import LEVER_OFF_M

    body = fit_body(skeleton)
    hand = body.capsule("left_hand")
    long = np.linalg.norm(body.capsule_ends[hand] - body.capsule_starts[hand])
    yaw, pitch = (one.ravel() for one in np.meshgrid(np.linspace(-1.3, 1.3, 9), np.linspace(-1.4, 0.9, 9)))
    tip = (long - held_m(skeleton, yaw, pitch)) * np.cos(yaw) * np.cos(pitch) + body.capsule_radii[hand]
    assert (tip < LEVER_OFF_M).all()


def test_a_pushed_door_is_walked_through_holding_it(skeleton) -> None:  # type: ignore[no-untyped-def]
    way = found(door_room(hinge_side="left"), skeleton)
    assert isinstance(way, Passage)
    assert way.stands_s == 0.0
    assert way.profile.max() >= np.radians(55)
    # The hinge is on the left: the hand on the latch's side takes it.
    assert way.hand == "right"


@pytest.mark.parametrize(("side", "hand"), [("left", "left"), ("right", "right")])
def test_a_pulled_door_is_stepped_back_from(skeleton, side, hand) -> None:  # type: ignore[no-untyped-def]
    from understudy.skills.door._path_kernels import BZ, GZ

    way = found(door_room(pushed=False, hinge_side=side), skeleton)
    assert isinstance(way, Passage)
    assert way.row[BZ] < way.row[GZ]
    assert way.hand == hand


def test_doors_swing_alike_on_both_sides(skeleton) -> None:  # type: ignore[no-untyped-def]
    from understudy.skills.door.family import rows_for

    doors = [door_of(door_room(hinge_side=side), "door", START) for side in ("left", "right")]
    one, two = (
        rows_for(door, sign * START, sign * GOAL) for door, sign in zip(doors, (1.0, np.array([-1, 1])), strict=True)
    )
    assert two[:, 0] == pytest.approx(-one[:, 0], abs=1e-9)
    assert two[:, 2] == pytest.approx(-one[:, 2], abs=1e-9)


def test_a_walker_begins_at_the_handle_and_ends_beyond_the_wall(skeleton) -> None:  # type: ignore[no-untyped-def]
    from understudy.skills.door._path_kernels import walked
    from understudy.skills.door.family import rows_for
    from understudy.skills.door.passing import manner

    for pushed in (True, False):
        door = door_of(door_room(pushed=pushed), "door", START)
        for row in rows_for(door, START, GOAL, narrow=True)[::97]:
            path = np.empty((500, 3))
            walked(row, manner(), -1.0, 0.01, path)
            assert path[100, :2] == pytest.approx(row[:2], abs=1e-9)
            assert (path[-1, :2] - door.middle) @ door.through > 0.0
            # Nobody jumps: faster than walking never.
            assert np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1).max() < 0.02


def test_the_leaf_opens_smoothly_and_only_while_it_is_held(skeleton) -> None:  # type: ignore[no-untyped-def]
    way = found(door_room(pushed=False, hinge_side="right"), skeleton)
    assert isinstance(way, Passage)
    assert way.profile[:13].max() == 0.0
    steps = np.diff(way.profile)
    assert steps.min() >= 0.0
    assert np.abs(np.diff(steps)).max() < np.radians(3.5)


def test_a_handle_too_high_is_named(skeleton) -> None:  # type: ignore[no-untyped-def]
    way = found(door_room(handle_m=1.99), skeleton)
    assert isinstance(way, str)
    assert "out of reach" in way


def test_a_blocked_doorway_is_named(skeleton) -> None:  # type: ignore[no-untyped-def]
    scene = door_room().with_object("cupboard", Box(size_m=(3.0, 2.0, 0.5)), position=(0.0, 1.0, 0.6))
    way = found(scene, skeleton)
    assert isinstance(way, str)
    assert "no room" in way or "no way" in way
