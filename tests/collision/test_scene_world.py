"""Scenes as worlds: objects where the scene has them at every time, others as capsules, rules as allowed pairs."""

from __future__ import annotations

import numpy as np
import pytest

from people import person, wander
from understudy import rotations as rot
from understudy.collision import Checker, CollisionBody, World
from understudy.collision.tables import PLACE, TURN
from understudy.errors import OptionError, SceneError
from understudy.scene import Box, Hinge, Scene, Sphere, Static, Track


@pytest.fixture
def scene() -> Scene:
    ball = Track(times_s=np.array([0.0, 1.0, 2.0]), positions=np.array([[0.0, 1, 3], [1, 1, 3], [1, 2, 3.0]]))
    door = Hinge(
        axis_at=(2.0, 0.0, 0.0),
        range_rad=(0.0, 2.0),
        closed_position=(2.5, 1.0, 0.0),
        times_s=(0.0, 2.0),
        angles_rad=(0.0, 1.5),
    )
    return (
        Scene()
        .with_object("table", Box(size_m=(1.0, 0.7, 0.6)), placement=Static(position=(-2.0, 0.35, 0.0)))
        .with_object("ball", Sphere(radius_m=0.1), placement=ball)
        .with_object("door", Box(size_m=(1.0, 2.0, 0.05)), placement=door)
        .with_object("cup", Sphere(radius_m=0.04), placement=Static(position=(0.5, 1.0, 0.2)))
        .with_character("anna", motion=wander(person(), seed=1))
        .with_character("ben", motion=wander(person(), seed=2))
        .with_attachment("cup", "ben.right_hand", start_s=0.7, end_s=1.2)
    )


def test_everything_is_where_the_scene_says(scene) -> None:
    world = World.from_scene(scene, character="anna")
    for t in (0.0, 0.31, 0.699, 0.95, 1.3, 1.77):
        rows, state = world.at(t), scene.at(t)
        for name in state.names:
            position, rotation = state.pose(name)
            row = rows[world.index(name)]
            assert np.allclose(row[PLACE : PLACE + 3], position, atol=3e-5), (name, t)
            assert np.allclose(row[TURN : TURN + 9].reshape(3, 3), rot.to_matrix(rotation), atol=2e-4), (name, t)
        body = scene.character("ben").fitted_body
        starts, ends = body.capsule_segments(*state.joints["ben"])
        for c, name in enumerate(body.capsule_names):
            row = rows[world.index(f"ben.{name}")]
            assert np.allclose(row[PLACE : PLACE + 3], 0.5 * (starts[c] + ends[c]), atol=3e-5)
            along = row[TURN : TURN + 9].reshape(3, 3)[:, 1]
            length = np.linalg.norm(ends[c] - starts[c])
            assert np.allclose(length * along, ends[c] - starts[c], atol=1e-4)
    assert not any(name.startswith("anna.") for name in world.names)
    assert "floor" in world.names


def test_others_count_as_others(scene) -> None:
    world = World.from_scene(scene, character="anna")
    anna, ben = scene.character("anna"), scene.character("ben")
    checker = Checker(CollisionBody(anna.fitted_body), world)
    # Anna in Ben's place is inside Ben.
    pose = ben.world_motion.rotations[10], ben.world_motion.root_positions[10]
    found = checker.distances(*pose, t=10 / ben.world_motion.fps)
    assert found.others.distance_m < 0
    assert found.others.other.startswith("ben.")


def test_what_is_not_there_is_refused(scene) -> None:
    with pytest.raises(SceneError, match="anna"):
        World.from_scene(scene, character="ana")
    with pytest.raises(SceneError, match="cup"):
        World.from_scene(scene, without=["cub"])
    assert "cup" not in World.from_scene(scene, without=["cup"]).names
    with pytest.raises(OptionError, match="end must not"):
        World.from_scene(scene, start_s=2.0, end_s=1.0)
