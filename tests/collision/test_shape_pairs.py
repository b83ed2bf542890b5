"""Any two shapes at any poses, against coal; meshes against the solids they are made of."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from collision.coal_oracle import SHAPES, coal_shape
from collision.test_meshes import box_mesh
from understudy import rotations as rot
from understudy.collision.shape_pairs import ShapePose, shape_distance
from understudy.errors import OptionError
from understudy.scene.shapes import Box, HalfSpace

BOUNDED = ("sphere", "box", "capsule", "cylinder", "hull")


def random_pose(rng) -> ShapePose:
    return ShapePose(rng.normal(scale=0.6, size=3), rot.normalize(rng.normal(size=4)))


@pytest.mark.parametrize(("first", "second"), [*combinations_with_replacement(BOUNDED, 2), ("box", "half_space")])
def test_distances_agree_with_coal(first, second) -> None:
    coal = pytest.importorskip("coal")
    rng = np.random.default_rng(5)
    (one, one_axes), (two, two_axes) = coal_shape(SHAPES[first]), coal_shape(SHAPES[second])
    apart = 0
    for _ in range(400):
        a, b = random_pose(rng), random_pose(rng)
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        request.gjk_tolerance, request.gjk_max_iterations = 1e-9, 1000
        place = [
            coal.Transform3s(rot.to_matrix(p.rotation) @ axes, p.position) for p, axes in ((a, one_axes), (b, two_axes))
        ]
        theirs = coal.distance(one, place[0], two, place[1], request, result)
        ours = shape_distance(SHAPES[first], a, SHAPES[second], b)
        if theirs > 1e-6:
            apart += 1
            assert ours.distance_m == pytest.approx(theirs, abs=1e-6)
            assert np.linalg.norm(ours.on_first - ours.on_second) == pytest.approx(ours.distance_m, abs=1e-6)
        elif theirs < -1e-6:
            assert ours.distance_m <= 1e-9
    assert 0 < apart < 400


def test_a_mesh_is_the_solid_it_bounds() -> None:
    rng = np.random.default_rng(6)
    mesh, box = box_mesh((0.6, 0.4, 1.0)), Box(size_m=(0.6, 0.4, 1.0))
    for name in ("box", "cylinder", "hull", "capsule"):
        for _ in range(60):
            a, b = random_pose(rng), random_pose(rng)
            expected = max(shape_distance(box, a, SHAPES[name], b).distance_m, 0.0)
            assert max(shape_distance(mesh, a, SHAPES[name], b).distance_m, 0.0) == pytest.approx(expected, abs=1e-7)
            assert max(shape_distance(SHAPES[name], b, mesh, a).distance_m, 0.0) == pytest.approx(expected, abs=1e-7)


def test_meshes_against_each_other() -> None:
    rng = np.random.default_rng(7)
    sizes = ((0.6, 0.4, 1.0), (0.3, 0.9, 0.2))
    meshes, boxes = [box_mesh(size) for size in sizes], [Box(size_m=size) for size in sizes]
    for _ in range(100):
        a, b = random_pose(rng), random_pose(rng)
        expected = shape_distance(boxes[0], a, boxes[1], b).distance_m
        assert shape_distance(meshes[0], a, meshes[1], b).distance_m == pytest.approx(expected, abs=1e-7)
    small = box_mesh((0.1, 0.1, 0.1))
    assert shape_distance(small, ShapePose((0, 0, 0)), meshes[0], ShapePose((0, 0, 0))).distance_m == 0.0


def test_poses_that_make_no_sense_are_refused() -> None:
    with pytest.raises(OptionError, match="finite"):
        shape_distance(SHAPES["box"], ShapePose((np.nan, 0, 0)), SHAPES["box"], ShapePose((0, 0, 0)))
    with pytest.raises(OptionError, match="zero quaternion"):
        shape_distance(SHAPES["box"], ShapePose((0, 0, 0), (0, 0, 0, 0)), SHAPES["box"], ShapePose((0, 0, 0)))
    with pytest.raises(OptionError, match="half-spaces"):
        shape_distance(HalfSpace(), ShapePose((0, 0, 0)), HalfSpace(), ShapePose((0, 1, 0)))
