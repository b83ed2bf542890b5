"""Capsules cover what they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from limb_stages import tetrahedron
from understudy.collision.covers import cover
from understudy.errors import SceneError
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Shape, Sphere
from understudy.verify.distances.solids import Solid
from verify.plain_segments import segment_segment

SHAPES = [
    Sphere(radius_m=0.1),
    Capsule(radius_m=0.03, length_m=0.5),
    Box(size_m=(0.2, 0.2, 0.2)),
    Box(size_m=(0.02, 0.4, 0.3)),
    Cylinder(radius_m=0.02, height_m=1.0),
    Cylinder(radius_m=0.4, height_m=0.06),
    ConvexHull(points=np.random.default_rng(0).normal(size=(20, 3)) * 0.1),
    tetrahedron(),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_every_point_of_a_shape_is_in_a_capsule(shape: Shape) -> None:
    found = cover(shape)
    assert len(found.radii) <= 12
    rng = np.random.default_rng(1)
    low, high = Solid(shape).bounds
    points = rng.uniform(low, high, size=(5_000, 3))
    inside = points[Solid(shape).segments(points, points) <= 0.0]
    assert len(inside) > 50
    apart = [
        segment_segment(inside, inside, *(np.broadcast_to(end, inside.shape) for end in ends)) - radius
        for *ends, radius in zip(found.starts, found.ends, found.radii, strict=True)
    ]
    assert np.min(apart, axis=0).max() <= 1e-9


@pytest.mark.parametrize("shape", SHAPES[:6], ids=lambda shape: type(shape).__name__)
def test_a_cover_is_not_much_larger_than_its_shape(shape: Shape) -> None:
    found = cover(shape)
    rng = np.random.default_rng(2)
    turn = rng.normal(size=(3000, 3))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    for start, end, radius in zip(found.starts, found.ends, found.radii, strict=True):
        surface = np.concatenate([start + radius * turn, end + radius * turn])
        assert Solid(shape).segments(surface, surface).max() < 0.09


def test_a_half_space_cannot_be_carried() -> None:
    with pytest.raises(SceneError, match="no bounds"):
        cover(HalfSpace())
