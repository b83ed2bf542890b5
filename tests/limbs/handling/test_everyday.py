"""What users set up first: things on boards beside somebody who walks past, taken, touched, carried and pressed."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from handling_stages import kitchen, standing
from understudy import rotations as rot
from understudy.api.handling import grab
from understudy.api.limbs import reach
from understudy.api.performing import perform
from understudy.core import Motion
from understudy.limbs.handling import HandlingOptions
from understudy.performer import performance
from understudy.scene import Scene, Task
from understudy.scene.shapes import Box
from understudy.verify import verify

CALM = HandlingOptions(gaze=False)


@lru_cache
def walking() -> Motion:
    return performance("walk", duration_s=6.0, fps=30.0).motion


def beside_the_way() -> Scene:
    """A thin board 1 m high beside the way, with a box on it."""
    return (
        Scene()
        .with_object("board", Box(size_m=(0.3, 0.03, 0.6)), position=(-0.55, 0.985, 3.0))
        .with_object("box", Box(size_m=(0.08, 0.08, 0.08)), position=(-0.5, 1.041, 3.0))
    )


def test_a_box_on_a_board_is_taken_in_passing_as_soon_as_possible() -> None:
    result = grab(walking(), beside_the_way(), "box", hand="right", options=CALM)
    assert result.status, result.reason
    deed = result.trace.deed
    assert result.trace.error_m < 1e-3
    before = result.trace.scene.object_track("box", [deed.time_s - 0.05])[0][0]
    after = result.trace.scene.object_track("box", [deed.time_s + 0.5])[0][0]
    assert np.allclose(before, [-0.5, 1.041, 3.0]) and np.linalg.norm(after - before) > 0.05
    name = deed.character
    report = verify([(name, result.motion)], result.trace.scene, source={name: walking()}, allow=deed.play.allow)
    assert report.penetration.seconds_over_1mm == 0.0


@pytest.mark.parametrize("at", [2.6, 2.8, 3.0])
def test_a_point_beside_the_way_is_reached_at_any_moment_it_is_near(at: float) -> None:
    where = walking().root_positions[round(at * 30)] + np.array([-0.45, 0.15, 0.2])
    result = reach(walking(), beside_the_way(), hand="right", target=tuple(where), at=at)
    assert result.status, result.reason
    assert result.trace.error_m < 1e-3


def test_reaching_carrying_and_pressing_are_performed() -> None:
    scene = kitchen()
    for task in (
        Task(character="anna", do="reach", target=(0.3, 1.15, 0.4), hand="left", at_s=1.5),
        Task(character="anna", do="press", object="bell", hand="right", at_s=2.0),
        Task(character="anna", do="grab", object="cup", hand="right", at_s=4.0),
        Task(character="anna", do="carry", object="cup", target=(-0.3, 1.3, 0.4), at_s=6.0),
    ):
        scene = scene.with_task(task)
    result = perform(scene, options=CALM)
    assert result.status, result.reason
    assert [one.deed.kind for one in result.tasks] == ["reach", "press", "grab", "carry"]
    person = result.scene.character("anna")
    at, turn = person.joint("left_hand", [1.5])
    assert np.linalg.norm(at[0] + rot.rotate(turn[0], person.palm("left_hand")) - [0.3, 1.15, 0.4]) < 1e-3
    cup = result.scene.object_track("cup", [6.0])[0][0]
    assert np.linalg.norm(cup - [-0.3, 1.35, 0.4]) < 1e-3  # its base, 5 cm below its middle, is there
    # It is still in the hand afterwards.
    hand = person.joint("right_hand", [6.0, 7.5])[0]
    held = result.scene.object_track("cup", [6.0, 7.5])[0]
    assert abs(np.diff(np.linalg.norm(held - hand, axis=1))[0]) < 1e-6
    assert np.array_equal(result.motions["anna"].root_positions, standing().root_positions)
