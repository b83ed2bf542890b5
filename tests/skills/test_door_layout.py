"""A door seen from above: sides, handles, directions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from understudy.errors import PlanningInputError
from understudy.scene import Box, Scene
from understudy.skills.door.layout import door_of
from understudy.skills.door.room import door_room

NEAR, FAR = np.array([0.1, -2.0]), np.array([0.1, 2.0])


@pytest.mark.parametrize(("pushed", "side"), list(product([True, False], ["left", "right"])))
def test_pushed_from_one_side_is_pulled_from_the_other(pushed: bool, side: str) -> None:
    scene = door_room(pushed=pushed, hinge_side=side)  # type: ignore[arg-type]
    assert door_of(scene, "door", NEAR).pushed is pushed
    assert door_of(scene, "door", FAR).pushed is not pushed


@pytest.mark.parametrize(("pushed", "side"), list(product([True, False], ["left", "right"])))
def test_leaf_and_grip_turn_as_the_scene_turns_them(pushed: bool, side: str) -> None:
    scene = door_room(pushed=pushed, hinge_side=side, handle_m=1.07)  # type: ignore[arg-type]
    door = door_of(scene, "door", NEAR)
    openings = np.linspace(0.0, 1.5, 7)
    hinge = door.keyed(np.arange(7.0), openings)
    for time, grip in enumerate(door.grips(openings)):
        position, rotation = hinge.poses(np.array([float(time)]))
        from understudy import rotations as rot

        there = position[0] + rot.rotate(rotation[0], np.array(door.handle.at))
        assert grip == pytest.approx(there, abs=1e-9)
    assert door.grips(openings)[:, 1] == pytest.approx(np.full(7, 1.07))


def test_the_handle_on_the_own_side_is_taken() -> None:
    scene = door_room()
    assert door_of(scene, "door", NEAR).handle.name == "near"
    assert door_of(scene, "door", FAR).handle.name == "far"


def test_levers_belong_to_the_door() -> None:
    door = door_of(door_room(), "door", NEAR)
    assert set(door.parts) == {"door", "door_lever_near", "door_lever_far"}


def test_what_is_no_door_is_refused() -> None:
    scene = Scene().with_object("crate", Box(size_m=(1.0, 1.0, 1.0)))
    with pytest.raises(PlanningInputError, match="does not swing"):
        door_of(scene, "crate", NEAR)
