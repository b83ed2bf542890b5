from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation, Slerp

from understudy import rotations as rot
from understudy.errors import OptionError

quaternion = arrays(np.float64, 4, elements=st.floats(-1, 1)).filter(lambda q: np.linalg.norm(q) > 1e-3)


def scipy_of(q):
    return Rotation.from_quat(q, scalar_first=True)


def test_product_and_rotation_match_scipy(batch, rng):
    other = rng.permutation(batch)
    vectors = rng.normal(size=(len(batch), 3))
    product = scipy_of(batch) * scipy_of(other)
    assert_allclose(scipy_of(rot.multiply(batch, other)).as_matrix(), product.as_matrix(), atol=1e-14)
    assert_allclose(rot.rotate(batch, vectors), scipy_of(batch).apply(vectors), atol=1e-14)


def test_leading_axes_broadcast(rng):
    a = rot.normalize(rng.normal(size=(5, 1, 4)))
    b = rot.normalize(rng.normal(size=(3, 4)))
    assert rot.multiply(a, b).shape == (5, 3, 4)
    assert_array_equal(rot.multiply(a, b)[2, 1], rot.multiply(a[2, 0], b[1]))
    assert rot.rotate(a, np.ones((3, 3))).shape == (5, 3, 3)
    assert rot.slerp(a, b, np.linspace(0, 1, 7)[:, None, None]).shape == (7, 5, 3, 4)
    assert rot.angle_between(a, b).shape == (5, 3)


@given(quaternion, quaternion, quaternion)
@settings(max_examples=50)
def test_algebra(a, b, c):
    a, b, c = rot.normalize(a), rot.normalize(b), rot.normalize(c)
    assert_allclose(rot.multiply(rot.multiply(a, b), c), rot.multiply(a, rot.multiply(b, c)), rtol=0, atol=1e-14)
    assert_allclose(rot.multiply(a, rot.conjugate(a)), rot.identity(), atol=1e-15)
    assert_allclose(rot.multiply(a, rot.relative(a, b)), b, atol=1e-15)
    assert_allclose(rot.rotate(rot.conjugate(a), rot.rotate(a, [1.0, 2.0, 3.0])), [1, 2, 3], atol=1e-14)


def test_normalize_gives_unit_and_zero_becomes_identity():
    out = rot.normalize([[0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 4.0, 0.0]])
    assert_allclose(out, [[1, 0, 0, 0], [0.6, 0, 0.8, 0]], rtol=1e-15)


def test_identity_shapes():
    assert rot.identity().shape == (4,)
    assert rot.identity(3).shape == (3, 4)
    assert_array_equal(rot.identity((2, 3)), np.tile([1.0, 0, 0, 0], (2, 3, 1)))


def test_angle_between_matches_scipy(batch, rng):
    other = rng.permutation(batch)
    expected = (scipy_of(batch).inv() * scipy_of(other)).magnitude()
    assert_allclose(rot.angle_between(batch, other), expected, atol=1e-14)
    assert_array_equal(rot.angle_between(batch, -batch), np.zeros(len(batch)))


@pytest.mark.parametrize("angle", [1e-12, 1e-9, 1e-4, 1.0, np.pi - 1e-9, np.pi])
def test_angle_between_keeps_small_and_wide_angles(angle):
    axis = np.array([2.0, -1.0, 2.0]) / 3
    q = rot.from_axis_angle(axis, angle)
    assert_allclose(rot.angle_between(rot.identity(), q), angle, rtol=1e-14)


def test_slerp_matches_scipy(rng):
    a, b = rot.normalize(rng.normal(size=(2, 50, 4)))
    for i in range(50):
        expected = Slerp([0, 1], scipy_of(np.stack((a[i], b[i]))))(np.linspace(0, 1, 9))
        mine = rot.slerp(a[i], b[i], np.linspace(0, 1, 9))
        assert_allclose((scipy_of(mine) * expected.inv()).magnitude(), 0, atol=1e-14)


def test_slerp_is_exact_at_its_ends(batch, rng):
    other = rng.permutation(batch)
    assert_array_equal(rot.slerp(batch, other, 0.0), batch)
    assert_array_equal(rot.slerp(batch, other, 1.0), rot.aligned(other, batch))


def test_slerp_moves_at_constant_speed_and_stays_unit(batch, rng):
    other = rng.permutation(batch)
    t = rng.uniform(size=len(batch))
    mid = rot.slerp(batch, other, t)
    whole = rot.angle_between(batch, other)
    assert_allclose(np.linalg.norm(mid, axis=1), 1.0, atol=1e-14)
    assert_allclose(rot.angle_between(batch, mid), t * whole, atol=1e-13)
    assert_allclose(rot.angle_between(mid, other), (1 - t) * whole, atol=1e-13)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-16, 1e-12, 1e-8])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_slerp_of_nearly_equal_and_antipodal(angle, sign):
    a = rot.from_axis_angle([1.0, 2.0, 3.0], 0.7)
    b = sign * rot.multiply(a, rot.from_axis_angle([0.0, 1.0, 0.0], angle))
    mid = rot.slerp(a, b, 0.25)
    assert_allclose(rot.angle_between(a, mid), angle / 4, atol=1e-15)
    assert_allclose(np.linalg.norm(mid), 1.0, atol=1e-15)


def test_continuous_undoes_random_sign_flips(rng):
    steps = rot.exp(0.2 * rng.normal(size=(60, 5, 3)))
    q = np.empty((60, 5, 4))
    q[0] = steps[0]
    for i in range(1, 60):
        q[i] = rot.multiply(q[i - 1], steps[i])
    flips = rng.choice([-1.0, 1.0], size=(60, 5, 1))
    flips[0] = 1.0
    assert_array_equal(rot.continuous(q * flips), q)
    assert_array_equal(rot.continuous(np.swapaxes(q * flips, 0, 1), axis=1), np.swapaxes(q, 0, 1))
    assert_array_equal(rot.continuous(np.swapaxes(q * flips, 0, 1), axis=-2), np.swapaxes(q, 0, 1))
    assert rot.continuous(np.zeros((0, 5, 4))).shape == (0, 5, 4)


def test_aligned_is_the_nearer_sign(batch, rng):
    other = rng.permutation(batch)
    out = rot.aligned(batch, other)
    near = np.linalg.norm(out - other, axis=1)
    assert np.all(near <= np.linalg.norm(out + other, axis=1) + 1e-15)
    assert np.all(np.all(out == batch, axis=1) | np.all(out == -batch, axis=1))


def test_mean_matches_scipy_with_and_without_weights(rng):
    q = rot.normalize(rng.normal(size=(12, 6, 4)) * 0.4 + [1, 0, 0.5, 0])
    weights = rng.uniform(size=12)
    plain, weighted = rot.mean(q), rot.mean(q, weights)
    moved = rot.mean(np.swapaxes(q, 0, 1), weights, axis=1)
    full = rot.mean(q, np.tile(weights[:, None], (1, 6)))
    for j in range(6):
        assert (scipy_of(plain[j]) * scipy_of(q[:, j]).mean().inv()).magnitude() < 1e-13
        assert (scipy_of(weighted[j]) * scipy_of(q[:, j]).mean(weights).inv()).magnitude() < 1e-13
    assert_allclose(moved, weighted, atol=1e-14)
    assert_allclose(full, weighted, atol=1e-14)


def test_mean_does_not_see_signs(rng):
    q = rot.normalize(rng.normal(size=(9, 4)) * 0.3 + [1, 0, 0, 0])
    flips = rng.choice([-1.0, 1.0], size=(9, 1))
    assert rot.angle_between(rot.mean(q * flips), rot.mean(q)) < 1e-13
    assert_allclose(rot.mean(np.stack((q[0], -q[0]))), q[0], atol=1e-14)


@pytest.mark.parametrize(
    "call",
    [
        lambda: rot.multiply([1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        lambda: rot.rotate([1.0, 0.0, 0.0, 0.0], [1.0, 0.0]),
        lambda: rot.normalize(1.0),
        lambda: rot.continuous(np.ones((3, 4)), axis=1),
        lambda: rot.continuous(np.ones(4)),
        lambda: rot.continuous(np.ones((3, 4)), axis=-1),
        lambda: rot.mean(np.ones((0, 4))),
        lambda: rot.mean(rot.identity(3), [1.0, -1.0, 1.0]),
        lambda: rot.mean(rot.identity(3), [0.0, 0.0, 0.0]),
        lambda: rot.mean(rot.identity(3), [1.0, 1.0]),
    ],
)
def test_bad_input_is_an_option_error(call):
    with pytest.raises(OptionError):
        call()
