"""The judge's own idea of where objects are is the scene's, whoever holds them."""

from __future__ import annotations

import numpy as np
import pytest

from people import person, wander
from understudy import rotations as rot
from understudy.scene import Attachment, Box, Scene, Static, Track, Transform
from understudy.verify.cast import things_of
from understudy.verify.forward import matrices
from understudy.verify.things import object_frames

BOX = Box(size_m=(0.2, 0.1, 0.3))
GRIP = Transform(position=(0.01, 0.05, -0.02), rotation=(0.5, 0.5, -0.5, 0.5))


def busy_scene(seed: int) -> Scene:
    """A cup that is taken, put on a tray that moves, taken by somebody who began later, and left."""
    anna, bob = (wander(person(), seed=seed + k) for k in range(2))
    turns = rot.normalize(np.random.default_rng(seed).normal(size=(3, 4)))
    tray = Track(
        times_s=[0.0, 1.0, 2.0], positions=[[0, 1, 0], [1, 1.2, 0.5], [0, 1, 1]], rotations=turns, loop=bool(seed % 2)
    )
    return (
        Scene()
        .with_object("cup", BOX, placement=Static(position=(0.3, 1.0, 0.4), rotation=(0.6, 0.8, 0, 0)))
        .with_object("tray", BOX, placement=tray)
        .with_object("lid", BOX, position=(1.0, 1.0, 1.0))
        .with_object("shelf", BOX, position=(2.0, 1.0, 1.0))
        .with_character("anna", motion=anna)
        .with_character("bob", motion=bob, start_s=0.4)
        .with_attachment(Attachment(object="cup", to="anna.right_hand", start_s=0.2, end_s=0.7, grip=GRIP))
        .with_attachment("cup", "tray", start_s=0.7, end_s=1.1)
        .with_attachment("cup", "bob.left_hand", start_s=1.1, end_s=1.6)
        .with_attachment(Attachment(object="lid", to="cup", start_s=0.5, end_s=1.4, release="resume"))
    )


@pytest.mark.parametrize("seed", range(3))
def test_objects_are_where_the_scene_has_them(seed: int) -> None:
    scene, times = busy_scene(seed), np.linspace(-0.5, 3.0, 97)
    for name in ("cup", "tray", "lid", "shelf"):
        positions, rotations = scene.object_track(name, times)
        at, turns = object_frames(scene, name, times)
        np.testing.assert_allclose(at, positions, atol=1e-12)
        np.testing.assert_allclose(turns, matrices(rotations), atol=1e-12)


def test_only_what_nobody_ever_moves_stands_still() -> None:
    things = {one.name: one for one in things_of(busy_scene(0))}
    assert {name for name, one in things.items() if one.still} == {"shelf", "floor"}
    times = np.array([0.0, 0.3, 0.3, 1.3])
    for thing in things.values():
        at, turns, where = thing.placed(times)
        positions, matrix = thing.frames(times)
        np.testing.assert_array_equal(at[where], positions)
        np.testing.assert_array_equal(turns[where], matrix)
        assert len(at) == (1 if thing.still else 3)
