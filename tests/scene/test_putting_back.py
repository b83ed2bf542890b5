"""Putting something back is placing it where it stood before it was taken."""

from __future__ import annotations

import pytest

from understudy.errors import UnderstudyError
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.putting_back import with_places
from understudy.scene.shapes import Box

THERE = (0.4, 1.1, 0.5)


def room() -> Scene:
    scene = Scene().with_object("cup", Box(size_m=(0.08, 0.1, 0.08)), position=(0.1, 0.95, 0.6))
    return scene.with_character(Character(name="anna", start=(0.0, 0.0)))


def test_it_goes_where_it_stood_in_the_beginning_or_was_put_last() -> None:
    scene = room().with_task(Task(character="anna", do="grab", object="cup"))
    scene = scene.with_task(Task(character="anna", do="put_back", object="cup", name="back", hand="left"))
    scene = scene.with_task(Task(character="anna", do="displace", object="cup", target=THERE))
    scene = scene.with_task(Task(character="anna", do="grab", object="cup"))
    scene = scene.with_task(Task(character="anna", do="put_back", object="cup"))
    tasks = with_places(scene).tasks
    assert [task.do for task in tasks] == ["grab", "place", "displace", "grab", "place"]
    assert tasks[1].target == pytest.approx((0.1, 0.9, 0.6)) and (tasks[1].name, tasks[1].hand) == ("back", "left")
    assert tasks[4].target == THERE


def test_nothing_else_is_changed() -> None:
    scene = room().with_task(Task(character="anna", do="grab", object="cup"))
    assert with_places(scene) is scene


def test_it_needs_something_and_no_place() -> None:
    with pytest.raises(UnderstudyError, match="object"):
        room().with_task(Task(character="anna", do="put_back"))
    with pytest.raises(UnderstudyError, match="target"):
        room().with_task(Task(character="anna", do="put_back", object="cup", target=THERE))
