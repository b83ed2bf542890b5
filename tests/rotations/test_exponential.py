from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from understudy import rotations as rot
from understudy.errors import OptionError


@given(arrays(np.float64, 3, elements=st.floats(-20, 20)))
@settings(max_examples=100)
def test_exp_matches_scipy(vector):
    expected = Rotation.from_rotvec(vector).as_matrix()
    assert_allclose(rot.to_matrix(rot.exp(vector)), expected, atol=1e-13)


def test_log_matches_scipy(batch):
    mine = rot.log(batch)
    theirs = Rotation.from_quat(batch, scalar_first=True).as_rotvec()
    # At a half turn both signs of the axis are right; compare the rotations there.
    unique = np.linalg.norm(theirs, axis=1) < np.pi - 1e-6
    assert_allclose(mine[unique], theirs[unique], atol=1e-14)
    assert np.all(np.linalg.norm(mine, axis=1) <= np.pi + 1e-15)
    assert_allclose(rot.angle_between(rot.exp(mine), batch), 0.0, atol=1e-14)


@pytest.mark.parametrize("angle", [1e-300, 1e-100, 1e-12, 1e-9, 1e-4, 1.0, np.pi - 1e-9, np.pi - 1e-12])
def test_log_inverts_exp_to_full_relative_precision(angle):
    vector = angle * np.array([2.0, -1.0, 2.0]) / 3
    assert_allclose(rot.log(rot.exp(vector)), vector, rtol=1e-14)
    assert_allclose(rot.log(-rot.exp(vector)), vector, rtol=1e-14)


def test_log_at_the_ends():
    assert_array_equal(rot.log([1.0, 0.0, 0.0, 0.0]), np.zeros(3))
    assert_array_equal(rot.log([-1.0, 0.0, 0.0, 0.0]), np.zeros(3))
    assert_allclose(np.abs(rot.log([0.0, 0.0, -1.0, 0.0])), [0, np.pi, 0])


def test_constant_spin_has_constant_angular_velocity(rng):
    fps = 30.0
    omega = rng.normal(size=(4, 3))
    omega *= 0.9 * np.pi * fps / np.linalg.norm(omega, axis=1, keepdims=True)  # nearly half a turn per frame
    start = rot.normalize(rng.normal(size=(4, 4)))
    times = np.arange(12)[:, None, None] / fps
    q = rot.multiply(rot.exp(times * omega), start)
    signs = rng.choice([-1.0, 1.0], size=(12, 4, 1))
    assert_allclose(rot.angular_velocity(q * signs, fps), np.tile(omega, (12, 1, 1)), rtol=1e-9, atol=1e-9)


def test_angular_velocity_moves_points_of_the_body():
    """It is a second-order accurate omega in d(R p)/dt = omega x R p (parent frame)."""
    point = np.array([0.3, -0.2, 0.5])

    def orientation(t):
        return rot.multiply(rot.from_axis_angle([1, 0, 1], np.sin(2 * t)), rot.from_axis_angle([0, 1, 2], t + t * t))

    def error(fps):
        t = np.arange(0, 1, 1 / fps)
        omega = rot.angular_velocity(orientation(t), fps)
        h = 1e-5
        velocity = (rot.rotate(orientation(t + h), point) - rot.rotate(orientation(t - h), point)) / (2 * h)
        residual = np.cross(omega, rot.rotate(orientation(t), point)) - velocity
        return np.abs(residual[1:-1]).max()

    assert error(200) < 1e-3
    assert error(400) < error(200) / 3.5


def test_angular_velocity_of_one_frame_and_bad_rates():
    assert_array_equal(rot.angular_velocity(rot.identity((1, 3)), 30.0), np.zeros((1, 3, 3)))
    assert rot.angular_velocity(rot.identity((2, 3)), 30.0).shape == (2, 3, 3)
    for fps in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(OptionError, match="fps"):
            rot.angular_velocity(rot.identity((3,)), fps)
    with pytest.raises(OptionError, match="frames"):
        rot.angular_velocity(rot.identity(), 30.0)
