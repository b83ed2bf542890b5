"""Ways without corners: they go on from what was before, and stay above what is asked."""

from __future__ import annotations

import numpy as np

from understudy.performer.smooth_way import KNOWN, smooth_way, smooth_way_above

FPS = 60.0


def test_place_and_velocity_go_on_at_both_ends_and_corners_are_gone() -> None:
    wanted = np.concatenate([np.zeros(10), np.ones(12), np.zeros(10)])
    still = np.zeros(KNOWN)
    whole = np.concatenate([still, smooth_way(wanted, still, still, fps=FPS), still])
    assert np.abs(np.diff(whole, n=2)).max() < 0.1 * np.abs(np.diff(wanted, n=2)).max()
    assert abs(whole[KNOWN]) < 0.02


def test_a_way_stays_above_what_is_asked_without_a_corner() -> None:
    least = np.where(np.abs(np.arange(30) - 15) < 5, 0.04, -1.0)
    still = np.zeros(KNOWN)
    way = smooth_way_above(np.zeros(30), least, still, still, fps=FPS)
    assert (way - least).min() > -1e-3
    assert np.abs(np.diff(np.concatenate([still, way, still]), n=2)).max() < 0.006
