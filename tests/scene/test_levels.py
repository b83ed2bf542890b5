"""Level surfaces: only what is level, exactly as it lies, with room above."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from understudy import rotations as rot
from understudy.scene.levels import centre_of_mass, levels_of
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, Mesh, Shape, Sphere
from understudy.scene.tessellation import triangles_of


def shelf() -> Mesh:
    """Three boards of 1 by 0.3 m at 0.02, 0.42 and 0.82 m, between two sides, as one mesh."""
    boards = [((1.0, 0.02, 0.3), (0.0, height, 0.0)) for height in (0.01, 0.41, 0.81)]
    sides = [((0.02, 0.82, 0.3), (x, 0.41, 0.0)) for x in (-0.49, 0.49)]
    vertices, faces, count = [], [], 0
    for size, at in (*boards, *sides):
        corners, triangles = triangles_of(Box(size_m=size))
        vertices.append(corners + np.array(at))
        faces.append(triangles + count)
        count += len(corners)
    return Mesh(vertices=np.concatenate(vertices), faces=np.concatenate(faces))


@pytest.mark.parametrize("yaw", [0.0, 0.4, 2.0])
def test_a_turned_board_has_the_area_it_covers_and_not_that_of_the_box_around_it(yaw: float) -> None:
    (top,) = levels_of(Box(size_m=(1.2, 0.8, 0.4)), rot.from_yaw(yaw))
    assert top.height_m == pytest.approx(0.4)
    assert top.area.area == pytest.approx(0.48)
    corner = rot.rotate(rot.from_yaw(yaw), np.array([0.59, 0.0, 0.19]))
    assert top.area.contains(shapely.Point(corner[0], corner[2]))


def test_a_round_top_is_round() -> None:
    (top,) = levels_of(Cylinder(radius_m=0.5, height_m=0.7), rot.identity(()))
    assert top.area.area == pytest.approx(math.pi * 0.25, rel=0.01)
    assert not top.area.contains(shapely.Point(0.45, 0.45))


@pytest.mark.parametrize(
    ("shape", "turn"),
    [
        (Sphere(radius_m=0.4), (0.0, 0.0, 0.0)),
        (Capsule(radius_m=0.2, length_m=1.0), (0.0, 0.0, 0.0)),
        (Cylinder(radius_m=0.2, height_m=1.0), (0.0, 0.0, math.pi / 2)),
        (Box(size_m=(1.0, 0.1, 1.0)), (0.05, 0.0, 0.0)),
        (ConvexHull(points=np.array([[0, 1, 0], [1, 0, 0], [-1, 0, 1], [-1, 0, -1]])), (0.0, 0.0, 0.0)),
    ],
)
def test_nothing_stands_on_what_is_round_or_tilted(shape: Shape, turn: tuple[float, float, float]) -> None:
    assert levels_of(shape, rot.exp(np.array(turn))) == ()


def test_every_board_of_a_shelf_is_a_level_where_there_is_room_above() -> None:
    low = levels_of(shelf(), rot.identity(()), headroom_m=0.2)
    assert [level.height_m for level in low] == pytest.approx([0.82, 0.42, 0.02])
    # What is taller than a compartment stands on top only.
    high = levels_of(shelf(), rot.identity(()), headroom_m=0.5)
    whole = [level for level in high if level.area.area > 0.01]
    assert [level.height_m for level in whole] == pytest.approx([0.82])
    # Nothing stands within the sides.
    assert not any(level.area.contains(shapely.Point(0.49, 0.0)) and level.area.area > 0.3 for level in low[1:])


def test_the_centre_of_mass_is_the_middle_of_the_volume() -> None:
    assert centre_of_mass(Box(size_m=(1.0, 2.0, 3.0))) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)
    # An L of two cubes beside and one on top of the left one.
    cubes = [triangles_of(Box(size_m=(1.0, 1.0, 1.0))) for _ in range(3)]
    places = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    vertices = np.concatenate([corners + at for (corners, _), at in zip(cubes, places, strict=True)])
    faces = np.concatenate([triangles + 8 * k for k, (_, triangles) in enumerate(cubes)])
    assert centre_of_mass(Mesh(vertices=vertices, faces=faces)) == pytest.approx(tuple(places.mean(axis=0)))
