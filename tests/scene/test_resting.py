"""Where things rest: on what carries them, wherever that lies and however it is turned; else nowhere."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest

from scene.test_levels import shelf
from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.scene import Scene
from understudy.scene.resting import NoRestError, Rest, rests
from understudy.scene.shapes import Box, Cylinder, Shape, Sphere
from understudy.typing import FloatArray

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
CUP, TRAY = Cylinder(radius_m=0.04, height_m=0.1), Box(size_m=(0.5, 0.03, 0.28))
FEELER = Sphere(radius_m=0.002)


def stage(top: Shape, yaw: float, thing: Shape) -> Scene:
    """Something to put on something that is turned, somewhere in the world."""
    turned = tuple(rot.from_yaw(yaw).tolist())
    return (
        Scene()
        .with_object("table", top, position=(1.3, 0.4, -0.7), rotation=turned)
        .with_object("thing", thing, position=(0.0, 0.5, 0.0))
    )


def found(scene: Scene, target: object = "table", *, near: FloatArray | None = None, many: int = 60) -> list[Rest]:
    """The first few rests."""
    where = np.array([0.9, 1.0, -0.4]) if near is None else near
    return list(islice(rests(scene, "thing", target, 0.0, where, None, UPRIGHT), many))


def below(scene: Scene, point: FloatArray) -> float:
    """How far the table is from a point [m]; measured by collision, which shares nothing with levels."""
    table = scene.object("table")
    at, turn = scene.object_track("table", [0.0])
    feeler = ShapePose(point, UPRIGHT)
    return float(shape_distance(FEELER, feeler, table.shape, ShapePose(at[0], turn[0])).distance_m) + 0.002


TOPS = [
    (Cylinder(radius_m=0.45, height_m=0.8), 0.0),
    (Box(size_m=(1.3, 0.8, 0.34)), 0.5),
    (Box(size_m=(1.3, 0.8, 0.34)), -1.1),
    (Cylinder(radius_m=0.3, height_m=0.1), 1.0),
    (shelf(), 0.7),
]


@pytest.mark.parametrize(("top", "yaw"), TOPS)
@pytest.mark.parametrize("thing", [CUP, TRAY])
def test_the_whole_base_is_on_the_surface_wherever_it_is_put(top: Shape, yaw: float, thing: Shape) -> None:
    scene = stage(top, yaw, thing)
    resting = found(scene)
    assert len(resting) > 8
    half = (0.04, 0.05, 0.04) if thing is CUP else (0.25, 0.015, 0.14)
    corners = [np.array([a * half[0], -half[1], b * half[2]]) for a in (-1, 1) for b in (-1, 1)]
    if thing is CUP:
        corners = [np.array([0.04 * math.sin(t), -0.05, 0.04 * math.cos(t)]) for t in np.arange(0.0, 6.3, 0.8)]
    for rest in resting:
        assert max(below(scene, rest.pose[0] + rot.rotate(rest.pose[1], corner)) for corner in corners) < 1.5e-3


def test_the_nearest_places_come_first() -> None:
    scene = stage(Cylinder(radius_m=0.45, height_m=0.8), 0.0, CUP)
    near = np.array([1.3, 0.8, -0.7]) + np.array([0.3, 0.0, 0.1])
    first = found(scene, near=near)[0]
    assert np.hypot(*(first.pose[0] - near)[[0, 2]]) < 0.01


def test_a_base_that_is_too_large_stands_where_its_weight_is_carried() -> None:
    resting = found(stage(Cylinder(radius_m=0.1, height_m=0.8), 0.0, TRAY))
    assert resting
    assert all(np.hypot(*(rest.pose[0] - np.array([1.3, 0.0, -0.7]))[[0, 2]]) < 0.1 for rest in resting)


@pytest.mark.parametrize(
    ("top", "thing", "said"),
    [
        (Sphere(radius_m=0.4), CUP, "no level surface"),
        (Box(size_m=(0.004, 0.8, 0.004)), Cylinder(radius_m=0.03, height_m=0.2), ""),
        (shelf(), Box(size_m=(0.9, 0.9, 0.9)), ""),
    ],
)
def test_what_cannot_stand_is_said_or_stands_by_its_weight(top: Shape, thing: Shape, said: str) -> None:
    scene = stage(top, 0.3, thing)
    if not said:
        assert all(below(scene, rest.pose[0] - np.array([0.0, _half(thing), 0.0])) < 2e-3 for rest in found(scene))
        return
    with pytest.raises(NoRestError, match=said):
        found(scene)


def _half(thing: Shape) -> float:
    return 0.5 * (thing.size_m[1] if isinstance(thing, Box) else thing.height_m)  # type: ignore[union-attr]


def test_at_a_point_something_must_be_below() -> None:
    scene = stage(Cylinder(radius_m=0.45, height_m=0.8), 0.0, CUP)
    assert found(scene, (1.3, 0.8, -0.4))
    assert found(scene, (0.0, 0.0, 0.0))
    # Within the box around the round top, but beside it; above it; at its rim with the weight beyond.
    for point in ((1.72, 0.8, -0.28), (1.3, 0.85, -0.7), (1.3, 0.8, -0.24)):
        with pytest.raises(NoRestError, match="nothing carries"):
            found(scene, point)


def test_what_leans_does_not_stand_by_itself() -> None:
    scene = stage(Box(size_m=(1.0, 0.8, 1.0)), 0.0, Box(size_m=(0.1, 0.6, 0.1)))
    leaning = rot.exp(np.array([0.4, 0.0, 0.0]))
    with pytest.raises(NoRestError, match="does not stand by itself"):
        next(rests(scene, "thing", "table", 0.0, np.zeros(3), None, leaning))
