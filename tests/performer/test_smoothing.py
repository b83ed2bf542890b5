"""Smooth curves through points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from understudy.performer.smoothing import pchip


@given(st.integers(0, 10_000), st.integers(2, 12), st.sampled_from([(), (3,)]))
@settings(max_examples=60)
def test_monotone_interpolation_is_scipys(seed: int, count: int, more: tuple[int, ...]) -> None:
    rng = np.random.default_rng(seed)
    x = np.cumsum(rng.uniform(0.05, 1.0, count))
    # Equal neighbours and reversals have rules of their own.
    y = np.round(rng.normal(size=(count, *more)), seed % 3)
    at = rng.uniform(x[0] - 0.5, x[-1] + 0.5, 30)
    np.testing.assert_allclose(pchip(x, y, at), PchipInterpolator(x, y, extrapolate=True)(at), atol=1e-9)


def test_monotone_points_give_a_monotone_curve() -> None:
    curve = pchip(np.array([0.0, 1.0, 1.2, 3.0]), np.array([0.0, 0.1, 2.0, 2.0]), np.linspace(0.0, 3.0, 400))
    assert np.diff(curve).min() >= -1e-12
    assert curve[-1] == pytest.approx(2.0)
