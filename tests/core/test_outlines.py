"""Convex outlines against SciPy's, and lengths of spectra."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.fft import next_fast_len
from scipy.spatial import ConvexHull

from understudy.core.fast_lengths import fast_length
from understudy.core.outlines import convex_outline


@pytest.mark.parametrize("seed", range(20))
def test_outline_has_the_same_corners_as_scipys_hull(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(3, 60), 2))
    hull = points[ConvexHull(points).vertices]
    found = convex_outline(points)
    assert {tuple(corner) for corner in found} == {tuple(corner) for corner in hull}
    area = np.cross(np.insert(found, 2, 0.0, axis=1), np.insert(np.roll(found, -1, axis=0), 2, 0.0, axis=1))[:, 2].sum()
    assert area > 0.0  # anticlockwise


def test_points_on_edges_and_twice_are_no_corners() -> None:
    turn = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    middles = 0.5 * (square + np.roll(square, 1, axis=0))
    found = convex_outline(np.concatenate([square, middles, square]) @ turn.T)
    assert len(found) == 4


def test_points_on_a_line_have_no_outline() -> None:
    along = np.linspace(0.0, 3.0, 7)
    assert len(convex_outline(np.stack([along, 0.3 * along], axis=1))) < 3
    assert len(convex_outline(np.empty((0, 2)))) == 0


def test_fast_lengths_are_scipys() -> None:
    assert [fast_length(n) for n in range(1, 700)] == [next_fast_len(n, real=True) for n in range(1, 700)]
