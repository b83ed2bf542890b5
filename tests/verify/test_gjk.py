"""Compiled distances of convex solids against their plain twin."""

from __future__ import annotations

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.scene.shapes import Box, ConvexHull, Cylinder, Shape
from understudy.typing import FloatArray
from understudy.verify.distances._gjk_kernels import TRIANGLES, Convex, convex_gaps
from understudy.verify.distances.pairs import _convex, _placed
from understudy.verify.distances.solids import Solid
from understudy.verify.forward import matrices
from verify.plain_gjk import convex_distance

SHAPES: dict[str, Shape] = {
    "box": Box(size_m=(0.3, 0.4, 0.02)),
    "cylinder": Cylinder(radius_m=0.1, height_m=0.5),
    "hull": ConvexHull(points=np.random.default_rng(1).normal(scale=0.1, size=(20, 3))),
}


def places(seed: int, spread_m: float = 0.3) -> tuple[FloatArray, FloatArray]:
    """Sixty poses, some of them square to the axes."""
    rng = np.random.default_rng(seed)
    turns = matrices(rot.normalize(rng.normal(size=(60, 4))))
    turns[::5] = np.eye(3)
    return rng.normal(scale=spread_m, size=(60, 3)), turns


@pytest.mark.parametrize("one", SHAPES)
@pytest.mark.parametrize("two", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_convex_solids_are_as_far_apart_as_their_plain_twin_says(one: str, two: str, seed: int) -> None:
    first, second, (offset, turn) = Solid(SHAPES[one]), Solid(SHAPES[two]), places(seed)
    plain = convex_distance(_placed(first, offset, turn), second.farthest, len(offset))
    found = convex_gaps(_convex(first), _convex(second), offset, turn)
    np.testing.assert_allclose(found, plain, atol=1e-9)
    assert (plain == 0.0).any() and (plain > 0.0).any()


@pytest.mark.parametrize("one", SHAPES)
def test_triangles_belong_to_pairs(one: str) -> None:
    first, (offset, turn) = Solid(SHAPES[one]), places(9)
    corners = np.random.default_rng(2).normal(scale=0.2, size=(60, 3, 3))

    def support(directions: FloatArray) -> FloatArray:
        pick = np.einsum("nki,ni->nk", corners, directions).argmax(axis=1)
        return corners[np.arange(len(corners)), pick]

    plain = convex_distance(_placed(first, offset, turn), support, len(offset))
    found = convex_gaps(_convex(first), Convex(TRIANGLES, np.zeros(3), corners.reshape(-1, 3)), offset, turn)
    np.testing.assert_allclose(found, plain, atol=1e-9)
