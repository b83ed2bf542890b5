"""Paths of hands and feet, and the polygon they are balanced over."""

import numpy as np
import pytest

from understudy.performer.actions.balance import support_margin
from understudy.performer.actions.paths import chained, flow, min_jerk, through


def test_paths_pass_their_keys_with_their_velocities():
    t = np.linspace(0.0, 2.0, 2001)
    keys = [(0.0, np.zeros(2), np.zeros(2)), (0.7, np.array([1.0, 2.0]), None), (1.2, np.array([0.0, 1.0]), np.ones(2))]
    keys.append((2.0, np.array([3.0, 0.0]), np.zeros(2)))
    curves = [chained(t, keys), through(t, [k[0] for k in keys], [k[1] for k in keys], {2: np.ones(2)})]
    for path in curves:
        for time, place, rate in keys:
            n = round(1000 * time)
            assert np.allclose(path[n], place, atol=1e-9)
            if rate is not None and 0 < n < 2000:
                assert np.allclose((path[n + 1] - path[n - 1]) / 0.002, rate, atol=1e-3)
    assert np.abs(np.diff(curves[0], n=2, axis=0)).max() < 1e-3
    assert np.allclose(flow(t, [0.0, 2.0], [0.0, 1.0]), min_jerk(t, 0.0, 2.0), atol=1e-9)


def test_support_margin_of_a_square():
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [1.0, 1.0]])
    assert support_margin(square, np.array([1.0, 0.5])) == pytest.approx(0.5)
    assert support_margin(square, np.array([3.0, 1.0])) == pytest.approx(-1.0)
