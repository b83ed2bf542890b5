"""Capsule against every primitive: coal, finite differences, and what booleans, witnesses and depths promise."""

from __future__ import annotations

import numpy as np
import pytest

from collision.coal_oracle import SHAPES, coal_distance, coal_shape, placed_solid, random_capsule, random_matrix
from understudy.collision._shape_kernels import solid_signed, solid_touches
from understudy.scene.shapes import Cylinder

CASES = 2400


def ends(turn, centre, length):
    return centre - 0.5 * length * turn[:, 2], centre + 0.5 * length * turn[:, 2]


@pytest.fixture(params=sorted(SHAPES))
def case(request):
    rng = np.random.default_rng(7)
    matrix, position = random_matrix(rng), rng.normal(scale=0.3, size=3)
    shape = SHAPES[request.param]
    return shape, placed_solid(shape, position, matrix), matrix, position, rng


def test_distances_and_booleans_agree_with_coal(case) -> None:
    pytest.importorskip("coal")
    shape, solids, matrix, position, rng = case
    geometry, axes = coal_shape(shape)
    # coal's depth inside a cylinder is off by millimetres; another test compares it with many directions.
    curved = isinstance(shape, Cylinder)
    for k in range(CASES):
        radius, turn, centre, length = random_capsule(rng, matrix, position, k)
        a, b = ends(turn, centre, length)
        ours = solid_signed(solids, solids.rows, 0, *a, *b)[0] - radius
        theirs = coal_distance(geometry, matrix @ axes, position, radius, turn, centre, length)
        if not curved or ours > 1e-6 - radius:
            assert ours == pytest.approx(theirs, abs=1e-6)
        if abs(theirs) > 1e-5:
            assert solid_touches(solids, solids.rows, 0, *a, *b, radius) == (theirs < 0)


def test_boolean_is_the_sign_of_the_distance(case) -> None:
    _, solids, matrix, position, rng = case
    for k in range(CASES):
        radius, turn, centre, length = random_capsule(rng, matrix, position, k)
        a, b = ends(turn, centre, length)
        d = solid_signed(solids, solids.rows, 0, *a, *b)[0] - radius
        if abs(d) > 1e-9:
            assert solid_touches(solids, solids.rows, 0, *a, *b, radius) == (d < 0)


def test_witnesses_lie_apart_by_the_distance_and_moving_out_touches(case) -> None:
    _, solids, matrix, position, rng = case
    for k in range(CASES // 4):
        _, turn, centre, length = random_capsule(rng, matrix, position, k)
        a, b = ends(turn, centre, length)
        d, s, *n = solid_signed(solids, solids.rows, 0, *a, *b)
        n = np.array(n)
        assert 0.0 <= s <= 1.0
        assert np.linalg.norm(n) == pytest.approx(1.0)
        on_solid = a + s * (b - a) - d * n
        # The witness is on the solid's surface: a point there has distance zero.
        assert solid_signed(solids, solids.rows, 0, *on_solid, *on_solid)[0] == pytest.approx(0.0, abs=1e-7)
        # Moved by -d along the normal the segment just touches.
        assert solid_signed(solids, solids.rows, 0, *(a - d * n), *(b - d * n))[0] == pytest.approx(0.0, abs=1e-7)


def test_gradients_are_the_finite_differences(case) -> None:
    _, solids, matrix, position, rng = case
    step, tried = 1e-6, 0
    for _ in range(CASES // 4):
        _, turn, centre, length = random_capsule(rng, matrix, position, 1)
        x = np.concatenate(ends(turn, centre, length))

        def value(p: np.ndarray) -> float:
            return solid_signed(solids, solids.rows, 0, *p)[0]

        d, s, *n = solid_signed(solids, solids.rows, 0, *x)
        gradient = np.concatenate([(1 - s) * np.array(n), s * np.array(n)])
        forward = np.array([value(x + step * e) - d for e in np.eye(6)]) / step
        backward = np.array([d - value(x - step * e) for e in np.eye(6)]) / step
        # At a kink (another feature takes over) both sides differ; there is no gradient to compare with.
        if np.abs(forward - backward).max() > 1e-3:
            continue
        tried += 1
        assert np.allclose(0.5 * (forward + backward), gradient, atol=2e-5)
    assert tried > CASES // 8


def least_way_out(a: np.ndarray, b: np.ndarray, rng, radius: float = 0.3, half: float = 0.4) -> float:
    """Depth of a segment in an upright cylinder: the smallest support over directions, refined where it is least."""

    def depth(n: np.ndarray) -> np.ndarray:
        support = radius * np.hypot(n[:, 0], n[:, 2]) + half * np.abs(n[:, 1])
        return support - np.minimum(n @ a, n @ b)

    n = rng.normal(size=(20_000, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    best = n[np.argsort(depth(n))[:20]]
    for spread in 0.03 * 0.5 ** np.arange(24):
        near = np.vstack([best, (best[:, None] + rng.normal(scale=spread, size=(len(best), 30, 3))).reshape(-1, 3)])
        near /= np.linalg.norm(near, axis=1, keepdims=True)
        best = near[np.argsort(depth(near))[:20]]
    return float(depth(best).min())


def test_depth_in_a_cylinder_is_the_least_over_all_directions() -> None:
    rng = np.random.default_rng(2)
    solids = placed_solid(SHAPES["cylinder"], np.zeros(3), np.eye(3))
    for k in range(120):
        a, b = rng.uniform(-0.25, 0.25, size=(2, 3)) * (1.0, 1.6, 1.0) * (1.0 if k % 2 else 1.3)
        d = solid_signed(solids, solids.rows, 0, *a, *b)[0]
        if d < 0:
            # Any direction bounds the depth from above, and the search stops a little above the least.
            found = least_way_out(a, b, rng)
            assert -d <= found + 1e-9
            assert found <= -d + 1e-4
