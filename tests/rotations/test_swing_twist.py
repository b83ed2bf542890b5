from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from understudy import rotations as rot
from understudy.errors import OptionError
from understudy.rotations import _kernels as kernels

direction = arrays(np.float64, 3, elements=st.floats(-1, 1)).filter(lambda v: np.linalg.norm(v) > 1e-2)


def random_frames(rng, count):
    """Orthonormal (twist, swing) pairs."""
    m = rot.to_matrix(rot.normalize(rng.normal(size=(count, 4))))
    return m[:, :, 0], m[:, :, 1]


def test_swing_times_twist_is_the_rotation(batch, rng):
    axis, _ = random_frames(rng, len(batch))
    swing, twist = rot.swing_twist(batch, axis)
    assert_allclose(rot.multiply(swing, twist), batch, atol=1e-14)
    assert_allclose(np.einsum("ij,ij->i", swing[:, 1:], axis), 0.0, atol=1e-14)
    assert_allclose(np.cross(twist[:, 1:], axis), 0.0, atol=1e-14)
    assert np.all(swing[:, 0] >= -1e-15)


@pytest.mark.parametrize("axis", [*np.eye(3)])
def test_swing_is_the_shortest_arc_of_the_axis(axis, rng):
    q = rot.normalize(rng.normal(size=(50, 4)))
    swing, twist = rot.swing_twist(q, axis)
    assert_allclose(swing, rot.shortest_arc(axis, rot.rotate(q, axis)), atol=1e-13)
    assert_allclose(rot.rotate(twist, axis), np.tile(axis, (50, 1)), atol=1e-14)


def test_split_at_the_singularity_still_multiplies_back():
    q = rot.from_axis_angle([1.0, 0.0, 0.0], np.pi)
    swing, twist = rot.swing_twist([0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    assert_array_equal(twist, rot.identity())
    assert_array_equal(swing, [0.0, 1.0, 0.0, 0.0])
    coords = rot.swing_twist_coordinates(q, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    assert_allclose(coords, [np.pi, 0.0, 0.0], atol=1e-15)


def test_coordinates_agree_with_the_split(batch, rng):
    along, first = random_frames(rng, len(batch))
    second = np.cross(along, first)
    coords = rot.swing_twist_coordinates(batch, along, first)
    swing, twist = rot.swing_twist(batch, along)
    expected = coords[:, :1] * first + coords[:, 1:2] * second
    assert_allclose(rot.angle_between(rot.exp(expected), swing), 0.0, atol=1e-13)
    assert_allclose(rot.angle_between(rot.exp(coords[:, 2:] * along), twist), 0.0, atol=1e-13)
    assert np.all(np.hypot(coords[:, 0], coords[:, 1]) <= np.pi + 1e-15)
    assert np.all(np.abs(coords[:, 2]) <= np.pi)


def test_rotation_survives_the_round_trip(batch, rng):
    along, first = random_frames(rng, len(batch))
    coords = rot.swing_twist_coordinates(batch, along, first)
    back = rot.from_swing_twist_coordinates(coords, along, first)
    assert_allclose(rot.angle_between(back, batch), 0.0, atol=1e-13)
    # The sign of q does not matter, but a twist of exactly pi may come with either sign.
    change = rot.swing_twist_coordinates(-batch, along, first) - coords
    assert_allclose(change[:, :2], 0.0, atol=1e-15)
    assert_allclose(np.sin(change[:, 2] / 2), 0.0, atol=1e-15)


@given(direction, direction, st.floats(0, 3.13), st.floats(-np.pi, np.pi), st.floats(-3.14, 3.14))
@settings(max_examples=100)
def test_coordinates_survive_the_round_trip(twist_axis, swing_axis, swing, towards, twist):
    if np.linalg.norm(np.cross(twist_axis, swing_axis)) < 1e-3:
        return
    coords = np.array([swing * np.cos(towards), swing * np.sin(towards), twist])
    q = rot.from_swing_twist_coordinates(coords, twist_axis, swing_axis)
    assert_allclose(rot.swing_twist_coordinates(q, twist_axis, swing_axis), coords, atol=1e-12)


@pytest.mark.parametrize("short_of_pi", [1e-3, 1e-6, 1e-9])
def test_twist_is_kept_close_to_the_singularity(short_of_pi):
    swing = np.pi - short_of_pi
    coords = np.array([0.6 * swing, -0.8 * swing, 2.0])
    frame = [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]
    q = rot.from_swing_twist_coordinates(coords, *frame)
    tolerance = 1e-14 / short_of_pi  # rounding of q, magnified as near a pole
    assert_allclose(rot.swing_twist_coordinates(q, *frame), coords, atol=tolerance)
    assert_allclose(kernels.qswing_twist_coords(*q, *frame[0], *frame[1]), coords, atol=tolerance)
    split = rot.swing_twist(q, frame[0])[1]
    assert_allclose(rot.angle_between(split, rot.from_axis_angle(frame[0], 2.0)), 0.0, atol=tolerance)


@pytest.mark.parametrize("size", [1e-300, 1e-12, 1e-8])
def test_tiny_coordinates_keep_relative_precision(size):
    coords = size * np.array([1.0, -2.0, 3.0])
    q = rot.from_swing_twist_coordinates(coords, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    out = rot.swing_twist_coordinates(q, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    assert_allclose(out, coords, rtol=2 * size + 1e-14)


def test_signs_of_the_coordinates():
    """About +Y with swing axis +X: swing1 turns about X, swing2 about Y x X = -Z, twist about Y."""
    along, first = [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]
    for axis, expected in (([1, 0, 0], [0.3, 0, 0]), ([0, 0, -1], [0, 0.3, 0]), ([0, 1, 0], [0, 0, 0.3])):
        q = rot.from_axis_angle(axis, 0.3)
        assert_allclose(rot.swing_twist_coordinates(q, along, first), expected, atol=1e-15)


def test_shapes_broadcast():
    q = rot.identity((7, 3))
    along, first = np.eye(3), np.roll(np.eye(3), 1, axis=0)
    coords = rot.swing_twist_coordinates(q, along, first)
    assert coords.shape == (7, 3, 3)
    assert rot.from_swing_twist_coordinates(coords, along, first).shape == (7, 3, 4)
    assert rot.swing_twist(rot.identity(), along)[0].shape == (3, 4)
    assert rot.swing_twist_coordinates(rot.identity(), along, first).shape == (3, 3)


def test_zero_and_parallel_axes_are_refused():
    with pytest.raises(OptionError, match="twist axis is zero"):
        rot.swing_twist(rot.identity(), [0.0, 0.0, 0.0])
    with pytest.raises(OptionError, match="parallel"):
        rot.swing_twist_coordinates(rot.identity(), [0.0, 1.0, 0.0], [0.0, -2.0, 0.0])
    with pytest.raises(OptionError, match="swing axis is zero"):
        rot.from_swing_twist_coordinates([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0])
