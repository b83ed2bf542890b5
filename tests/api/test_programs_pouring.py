"""Pouring in a program: the bottle is taken, tipped over the cup, and put back where it stood."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.api.performing import perform
from understudy.limbs.handling import HandlingOptions
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.objects import Handle
from understudy.scene.placements import Static
from understudy.scene.shapes import Box, Cylinder

STOOD = (-0.3, 1.0605, 0.85)


def counter() -> Scene:
    scene = Scene().with_object("counter", Box(size_m=(1.8, 0.92, 0.6)), position=(0.0, 0.46, 1.0))
    body = Handle(name="body", at=(0.0, -0.03, 0.0), approach=(0.0, 0.0, -1.0))
    bottle = Cylinder(radius_m=0.035, height_m=0.28)
    scene = scene.with_object("bottle", bottle, placement=Static(position=STOOD), handles=(body,))
    scene = scene.with_object("cup", Cylinder(radius_m=0.04, height_m=0.11), position=(0.1, 0.9755, 0.86))
    return scene.with_character(Character(name="anna", start=(0.0, -0.2), heading_rad=0.0))


def test_a_bottle_is_poured_from_and_put_back() -> None:
    scene = counter().with_task(Task(character="anna", do="grab", object="bottle"))
    scene = scene.with_task(Task(character="anna", do="pour", object="bottle", target="cup"))
    scene = scene.with_task(Task(character="anna", do="put_back", object="bottle"))
    result = perform(scene, options=HandlingOptions(gaze=False))
    assert result.status, result.reason
    times = np.linspace(0.0, result.scene.duration_s, 400)
    at, turn = result.scene.object_track("bottle", times)
    up = rot.rotate(turn, np.array([0.0, 1.0, 0.0]))[:, 1]
    assert up.min() < 0.5 and up[-1] > 0.9999
    mouth = at[up.argmin()] + rot.rotate(turn[up.argmin()], np.array([0.0, 0.14, 0.0]))
    assert np.hypot(mouth[0] - 0.1, mouth[2] - 0.86) < 0.05
    assert np.linalg.norm(at[-1] - STOOD) < 0.01
    # Nobody holds it any more.
    assert np.array_equal(at[times > result.tasks[-1].deed.time_s + 0.05].round(9).min(axis=0), at[-1].round(9))
