from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tools.performer_fit.recorded_body import recorded_body
from tools.performer_fit.recorded_path import walked_path

from understudy.core.editing import raised
from understudy.formats import load_motion
from understudy.performer import Style, performance
from understudy.performer.smoothing import gaussian


def test_phase_and_path_are_read_back_from_a_made_walk() -> None:
    made = performance("walk", speed_mps=1.2, duration_s=8.0, style=Style(variation=0.0))
    path = walked_path(recorded_body(made.motion))
    assert path is not None
    inside = path.valid
    difference = path.phase[inside] - made.phase[inside]
    difference -= np.round(np.median(difference))
    assert np.abs(difference).max() < 0.05
    speed = path.velocities(sigma_s=0.1)[inside]
    assert np.median(speed[:, 0]) == pytest.approx(1.2, rel=0.02)
    assert np.abs(speed[:, 2]).max() < 0.15


def test_a_curve_reads_as_a_turn_to_its_side() -> None:
    path = walked_path(recorded_body(performance("veer_right").motion))
    assert path is not None
    assert np.median(path.velocities(sigma_s=0.1)[path.valid][:, 2]) == pytest.approx(-0.3, abs=0.06)


def test_nobody_walks_in_idle() -> None:
    assert walked_path(recorded_body(performance("idle").motion)) is None


def test_recorded_footfalls_alternate(cmu_bvh: Callable[[str], Path]) -> None:
    path = walked_path(recorded_body(load_motion(cmu_bvh("16_16"))))
    assert path is not None
    np.testing.assert_allclose(np.diff(path.footfall_phases), 0.5)
    assert np.diff(path.footfalls_s).min() > 0.4
    assert np.diff(path.phase).min() > 0


def test_raised_is_never_below_and_gaussian_keeps_lines() -> None:
    rng = np.random.default_rng(0)
    values = np.maximum(rng.normal(size=200), 0)
    assert (raised(values, 9) >= values - 1e-12).all()
    line = np.linspace(-3, 5, 60)
    np.testing.assert_allclose(gaussian(line, 4.0), line, atol=1e-9)
