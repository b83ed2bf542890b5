"""Doors with crates before them: the winding way to the handle."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.performer.person import Person
from understudy.scene import Box, Scene
from understudy.skills.door.layout import door_of
from understudy.skills.door.narrow import Narrow
from understudy.skills.door.options import DoorOptions
from understudy.skills.door.passing import STEP_RAD, Search
from understudy.skills.door.planning import Wish, _question
from understudy.skills.door.room import door_room
from understudy.skills.door.winding import smoothed, timed

START, GOAL = np.array([0.16, -3.1]), np.array([0.07, 2.15])


@pytest.fixture(scope="module")
def skeleton():  # type: ignore[no-untyped-def]
    return Person().skeleton()


def searched(scene: Scene, skeleton) -> Search:  # type: ignore[no-untyped-def]
    wish = Wish(scene=scene, door="door", skeleton=skeleton, start=START, goal=GOAL)
    return Search(_question(door_of(scene, "door", START), scene, wish, DoorOptions()))


def crated(height_m: float = 0.6) -> Scene:
    """A crate where one would walk up straight."""
    scene = door_room(width_m=0.91, handle_m=1.12, hinge_side="right")
    return scene.with_object("crate", Box(size_m=(0.32, height_m, 0.38)), position=(0.04, 0.5 * height_m, -1.03))


def test_a_crate_before_the_handle_is_walked_around(skeleton) -> None:  # type: ignore[no-untyped-def]
    from understudy.skills.door._geometry_kernels import floor_clearance

    search = searched(crated(), skeleton)
    assert not search.ways()
    narrow = Narrow(search)
    found = (narrow.passage(row, hand) for _, row, hand in narrow.ways()[:40])
    way = next((one for one in found if one is not None), None)
    assert way is not None and way.keys is not None
    times, places, headings = way.keys[:, 0], way.keys[:, 1:3], way.keys[:, 3]
    assert np.diff(times).min() > 0.0
    assert places[0] == pytest.approx(START) and places[-1] == pytest.approx(GOAL)
    # Nobody hurries, jumps, or brushes against anything.
    pace = np.hypot(*np.diff(places, axis=0).T) / np.diff(times)
    assert pace.max() < 1.3
    assert np.abs(np.diff(headings) / np.diff(times)).max() < 2.5
    room = [floor_clearance(search.ground, search.walker, *place, h) for place, h in zip(places, headings, strict=True)]
    assert min(room) > 0.0


def test_trunks_pass_above_what_legs_do_not(skeleton) -> None:  # type: ignore[no-untyped-def]
    from understudy.skills.door._geometry_kernels import floor_clearance

    low, high = (searched(crated(tall), skeleton) for tall in (0.6, 1.2))
    # Beside the crate: shoulders are wider than legs.
    beside = (0.04 - 0.16 - 0.25, -1.03, 0.0)
    assert floor_clearance(low.ground, low.walker, *beside) > floor_clearance(high.ground, high.walker, *beside) + 0.03


def test_a_leaf_does_not_swing_through_what_stands_behind(skeleton) -> None:  # type: ignore[no-untyped-def]
    free = searched(door_room(width_m=0.9), skeleton)
    scene = door_room(width_m=0.9).with_object("chest", Box(size_m=(0.4, 0.6, 0.3)), position=(0.0, 0.3, 1.0))
    search = searched(scene, skeleton)
    assert search.openings < free.openings
    door = search.question.door
    edge = door.turned(door.pivot + door.width_m * door.latch_side, (search.openings - 1) * STEP_RAD)
    away = np.maximum(np.abs(edge - np.array([0.0, 1.0])) - np.array([0.2, 0.15]), 0.0)
    assert np.hypot(*away) > 0.0


def test_turns_on_the_spot_take_time_and_ends_stay() -> None:
    poses = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.5], [1.0, 1.0, 1.5]])
    smooth = smoothed(poses, 28)
    assert smooth[[0, -1]] == pytest.approx(poses[[0, -1]])
    times = timed(smooth, last_mps=0.2)
    assert times[-1] > 2.0 / 1.15 + 0.3
    assert np.hypot(*np.diff(smooth[:, :2], axis=0)[-1]) / np.diff(times)[-1] < 0.25
