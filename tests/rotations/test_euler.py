from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from understudy import rotations as rot
from understudy.errors import OptionError

TWO_PI = 2 * np.pi


def is_proper(order: str) -> bool:
    return order[0] == order[2]


def locked_angles(order: str, offset: float = 0.0):
    """Triples in gimbal lock, or ``offset`` [rad] away from it."""
    middles = (0.0, np.pi, -np.pi) if is_proper(order) else (np.pi / 2, -np.pi / 2, 3 * np.pi / 2)
    outer = np.linspace(-3.0, 3.0, 7)
    grid = np.stack(np.meshgrid(outer, np.array(middles) + offset, outer, indexing="ij"), axis=-1)
    return grid.reshape(-1, 3)


def test_there_are_twelve_orders():
    assert len(set(rot.ORDERS)) == 12
    assert all(a != b != c for a, b, c in rot.ORDERS)


@pytest.mark.parametrize("order", rot.ORDERS)
def test_from_euler_matches_scipy(order, rng):
    angles = rng.uniform(-7, 7, size=(10, 20, 3))
    expected = Rotation.from_euler(order, angles.reshape(-1, 3)).as_matrix().reshape(10, 20, 3, 3)
    assert_allclose(rot.to_matrix(rot.from_euler(angles, order)), expected, atol=1e-14)


def test_order_reads_like_the_matrix_product():
    def about(axis, angle):
        return Rotation.from_rotvec(angle * np.eye(3)[axis]).as_matrix()

    expected = about(2, 0.3) @ about(1, -0.5) @ about(0, 1.1)
    assert_allclose(rot.to_matrix(rot.from_euler([0.3, -0.5, 1.1], "ZYX")), expected, atol=1e-15)


@pytest.mark.parametrize("order", rot.ORDERS)
def test_to_euler_matches_scipy_away_from_lock(order, rng):
    q = rot.normalize(rng.normal(size=(10, 30, 4)))
    theirs = Rotation.from_quat(q.reshape(-1, 4), scalar_first=True).as_euler(order).reshape(10, 30, 3)
    difference = rot.to_euler(q, order) - theirs
    assert_allclose(difference - TWO_PI * np.round(difference / TWO_PI), 0.0, atol=1e-11)


@pytest.mark.parametrize("order", rot.ORDERS)
@pytest.mark.parametrize("offset", [0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 1e-5])
def test_to_euler_reproduces_the_rotation_in_and_near_lock(order, offset):
    q = rot.from_euler(locked_angles(order, offset), order)
    angles = rot.to_euler(q, order)
    low, high = (0.0, np.pi) if is_proper(order) else (-np.pi / 2, np.pi / 2)
    assert np.all((angles[:, 1] >= low) & (angles[:, 1] <= high))
    assert np.all(np.abs(angles) <= np.pi + 1e-15)
    assert_allclose(rot.angle_between(rot.from_euler(angles, order), q), 0.0, atol=1e-11)
    if offset == 0.0:
        assert_allclose(angles[:, 2], 0.0, atol=1e-15)


@pytest.mark.parametrize("order", rot.ORDERS)
def test_to_euler_reproduces_every_batch(order, batch):
    back = rot.from_euler(rot.to_euler(batch, order), order)
    assert_allclose(rot.angle_between(back, batch), 0.0, atol=1e-11)


@pytest.mark.parametrize("order", ["zyx", "XXY", "XY", "XYZX", "", "ABC"])
def test_unknown_order_lists_the_allowed(order):
    for call in (rot.from_euler, rot.to_euler):
        with pytest.raises(OptionError, match="ZYX") as caught:
            call(np.zeros(4) if call is rot.to_euler else np.zeros(3), order)
        assert all(allowed in str(caught.value) for allowed in rot.ORDERS)
    with pytest.raises(OptionError):
        rot.unwrapped(np.zeros((2, 3)), order=order)


def smooth_curves(rng, frames=400, joints=6):
    """Angle curves that wander over several turns and through lock, but never fast."""
    t = np.linspace(0.0, 1.0, frames)[:, None, None]
    phase, rate = rng.uniform(0, TWO_PI, (2, joints, 3))
    return 5.0 * np.sin(rate * t + phase) + 3.0 * t * np.sin(phase)


@pytest.mark.parametrize("order", rot.ORDERS)
def test_unwrapped_recovers_smooth_curves(order, rng):
    truth = smooth_curves(rng)
    fastest = np.abs(np.diff(truth, axis=0)).sum(axis=-1).max()
    assert fastest < 0.5
    folded = rot.to_euler(rot.from_euler(truth, order), order)
    assert np.abs(np.diff(folded, axis=0)).max() > 2.0  # there is something to repair
    out = rot.unwrapped(folded, order=order)
    assert np.abs(np.diff(out, axis=0)).sum(axis=-1).max() < fastest + 1e-6
    assert_allclose(rot.angle_between(rot.from_euler(out, order), rot.from_euler(truth, order)), 0, atol=1e-8)


def test_unwrapped_along_another_axis_and_without_order(rng):
    folded = rot.to_euler(rot.from_euler(smooth_curves(rng), "ZXY"), "ZXY")
    time_first = rot.unwrapped(folded)
    assert np.abs(np.diff(time_first, axis=0)).max() < 0.5
    assert_array_equal(rot.unwrapped(np.swapaxes(folded, 0, 1), axis=1), np.swapaxes(time_first, 0, 1))
    assert_array_equal(rot.unwrapped(np.swapaxes(folded, 0, 1), axis=-2), np.swapaxes(time_first, 0, 1))


@pytest.mark.parametrize("order", rot.ORDERS)
def test_unwrapped_passes_exactly_through_lock(order):
    """A frame exactly in lock has a free split of its outer angles: it follows the frame before."""
    middle = np.linspace(-1.0, 1.0, 41) + (0.0 if is_proper(order) else np.pi / 2)
    truth = np.stack((np.full(41, 0.4), middle, np.full(41, -1.2)), axis=-1)
    q = rot.from_euler(truth, order)
    out = rot.unwrapped(rot.to_euler(q, order), order=order)
    assert np.abs(np.diff(out, axis=0)).max() < 0.051
    assert_allclose(rot.angle_between(rot.from_euler(out, order), q), 0.0, atol=1e-8)


@pytest.mark.parametrize("order", rot.ORDERS)
def test_unwrapped_keeps_rotations_when_starting_or_staying_in_lock(order, rng):
    locked = rot.from_euler(locked_angles(order)[:20], order)
    free = rot.normalize(rng.normal(size=(5, 4)))
    for q in (locked, np.concatenate((locked[:3], free, locked[3:6])), free[:1]):
        out = rot.unwrapped(rot.to_euler(q, order), order=order)
        assert_allclose(rot.angle_between(rot.from_euler(out, order), q), 0.0, atol=1e-8)


def test_unwrapped_of_nothing_and_of_a_wrong_axis():
    assert rot.unwrapped(np.zeros((0, 5, 3))).shape == (0, 5, 3)
    for axis in (1, -1, 2):
        with pytest.raises(OptionError, match="axis"):
            rot.unwrapped(np.zeros((2, 3)), axis=axis)
