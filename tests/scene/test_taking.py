"""Who holds what: an object handled several times is everywhere it was put, each at its time."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from understudy.scene import Scene, Sphere
from understudy.scene.placements import Track
from understudy.scene.taking import holder_at, put_down, taken
from understudy.typing import FloatArray

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
GRIP = (np.zeros(3), UPRIGHT)


def put_at(scene: Scene, place: tuple[float, float, float], time_s: float) -> Scene:
    return put_down(scene, "ball", (np.array([time_s]), np.array([place]), UPRIGHT[None]))


def place_at(scene: Scene, time_s: float) -> FloatArray:
    return scene.object_track("ball", [time_s])[0][0]


@pytest.fixture(scope="module")
def scene() -> Scene:
    idle = next(clip for clip in us.builtin_clips("idle") if clip.duration_s > 4.0)
    return Scene().with_character("anna", motion=idle).with_object("ball", Sphere(radius_m=0.05), position=(1.0, 1, 1))


def test_where_it_rested_between_two_holds_is_kept(scene: Scene) -> None:
    rests = [(1.0, 1.0, 1.0), (0.3, 0.9, 0.4), (-0.3, 0.8, 0.5), (0.0, 1.1, 0.6)]
    for k, rest in enumerate(rests[1:]):
        scene = taken(scene, "ball", "anna.right_hand", 1.0 + 2 * k, GRIP)
        scene = put_at(scene, rest, 2.0 + 2 * k)
    hand, _ = scene.character("anna").joint("right_hand", [1.5, 3.5, 5.5])
    for k, rest in enumerate(rests):
        np.testing.assert_allclose(place_at(scene, 0.5 + 2 * k), rest, atol=1e-9)
        np.testing.assert_allclose(place_at(scene, max(0.999 + 2 * k - 0.1, 0.5)), rest, atol=1e-9)
    for k, at in enumerate(hand):
        np.testing.assert_allclose(place_at(scene, 1.5 + 2 * k), at, atol=1e-9)
        assert holder_at(scene, "ball", 1.5 + 2 * k) is not None
        assert holder_at(scene, "ball", 2.5 + 2 * k) is None


def test_a_track_of_its_own_is_followed_until_it_is_taken(scene: Scene) -> None:
    track = Track(times_s=np.array([0.0, 1.0]), positions=np.array([[0.0, 1.0, 0.5], [0.4, 1.0, 0.5]]))
    moved = taken(scene.placed("ball", track), "ball", "anna.left_hand", 0.5, GRIP)
    moved = put_at(
        taken(put_at(moved, (0.5, 1.0, 0.0), 2.0), "ball", "anna.left_hand", 3.0, GRIP), (0.0, 0.5, 0.0), 4.0
    )
    np.testing.assert_allclose(place_at(moved, 0.25), [0.1, 1.0, 0.5], atol=1e-9)
    np.testing.assert_allclose(place_at(moved, 2.5), [0.5, 1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(place_at(moved, 9.0), [0.0, 0.5, 0.0], atol=1e-9)
