from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from understudy import rotations as rot

direction = arrays(np.float64, 3, elements=st.floats(-1, 1)).filter(lambda v: np.linalg.norm(v) > 1e-3)


@given(direction, st.floats(-10, 10))
@settings(max_examples=50)
def test_axis_angle_matches_scipy(axis, angle):
    expected = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()
    assert_allclose(rot.to_matrix(rot.from_axis_angle(axis, angle)), expected, atol=1e-13)


def test_axis_angle_broadcasts_and_zero_axis_is_identity():
    assert rot.from_axis_angle([0.0, 1.0, 0.0], np.zeros((2, 3))).shape == (2, 3, 4)
    assert_array_equal(rot.from_axis_angle([0.0, 0.0, 0.0], 1.3), rot.identity())


def _check_arc(a, b):
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    q = rot.shortest_arc(a, b)
    assert_allclose(np.linalg.norm(q), 1, atol=1e-14)
    assert q[0] >= 0.0
    assert_allclose(rot.rotate(q, a), b, atol=1e-14)
    # The smallest rotation that does so turns by exactly the angle between the directions.
    angle = 2 * np.arctan2(np.linalg.norm(a - b), np.linalg.norm(a + b))
    assert_allclose(rot.angle_between(q, rot.identity()), angle, atol=1e-14)


@given(direction, direction)
@settings(max_examples=100)
def test_shortest_arc(a, b):
    _check_arc(a, b)


@given(direction, direction, st.sampled_from([0.0, 1e-16, 1e-15, 1e-13, 1e-12, 1e-11, 1e-8, 1e-4]))
@settings(max_examples=100)
def test_shortest_arc_between_nearly_opposite_and_nearly_equal(a, aside, size):
    a = a / np.linalg.norm(a)
    _check_arc(a, -a + size * aside)
    _check_arc(a, a + size * aside)


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3)])
def test_shortest_arc_of_opposite_axes(axis):
    _check_arc(axis, -axis)


def test_shortest_arc_takes_any_length_broadcasts_and_ignores_zero():
    long = rot.shortest_arc([[10.0, 0.0, 0.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]], [0.0, 5.0, 0.0])
    assert_allclose(rot.rotate(long[0], [1.0, 0.0, 0.0]), [0, 1, 0], atol=1e-15)
    assert_allclose(rot.rotate(long[1], [0.0, 0.0, 1.0]), [0, 1, 0], atol=1e-15)
    assert_array_equal(long[2], rot.identity())


def test_yaw_faces_where_the_conventions_say():
    assert_allclose(rot.rotate(rot.from_yaw(0.0), [0, 0, 1]), [0, 0, 1], atol=1e-15)
    assert_allclose(rot.rotate(rot.from_yaw(np.pi / 2), [0, 0, 1]), [1, 0, 0], atol=1e-15)


@given(st.floats(-3.1415, 3.1415), st.floats(0, 3.0), st.floats(-np.pi, np.pi), st.sampled_from([-1.0, 1.0]))
@settings(max_examples=50)
def test_yaw_is_the_twist_about_the_vertical(heading, tilt, side, sign):
    lean = rot.from_axis_angle([np.cos(side), 0.0, np.sin(side)], tilt)
    q = sign * rot.multiply(lean, rot.from_yaw(heading))
    assert_allclose(rot.yaw(q), heading, atol=1e-12)


def test_yaw_is_defined_for_degenerate_rotations(degenerate):
    out = rot.yaw(degenerate)
    assert np.all(np.abs(out) <= np.pi)
    assert rot.yaw([0.0, 1.0, 0.0, 0.0]) == 0.0
    assert rot.yaw([-0.0, 1.0, 0.0, 0.0]) == 0.0
    assert abs(rot.yaw([0.0, 0.0, 1.0, 0.0])) == np.pi
