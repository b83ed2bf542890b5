"""Curves on axes: what is drawn where, and round numbers beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from benchmarks.line_plot import line_plot, ticks
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from understudy.pictures.palette import RIGHT_HEX, srgb


def _inked(path: Path) -> np.ndarray:
    picture = np.asarray(Image.open(path).convert("RGB"), dtype=float)
    return np.argwhere(np.abs(picture[70:360, 75:880] - srgb(RIGHT_HEX)).sum(axis=2) < 30)


def test_a_rising_line_rises_and_fills_the_axes(tmp_path: Path) -> None:
    x = np.linspace(0.0, 5.0, 50)
    path = line_plot({"rise": (x, 3.0 * x)}, tmp_path / "rise.png", title="t", across="x", up="y")
    rows, columns = _inked(path).T
    assert columns.max() - columns.min() > 700 and rows.max() - rows.min() > 250
    assert np.corrcoef(rows, columns)[0, 1] < -0.99


def test_gaps_are_not_bridged(tmp_path: Path) -> None:
    x, y = np.linspace(0.0, 1.0, 101), np.linspace(0.0, 0.1, 101)
    y[40:60] = np.nan
    path = line_plot({"gap": (x, y)}, tmp_path / "gap.png", title="t", across="x", up="y")
    columns = np.unique(_inked(path)[:, 1])
    assert np.diff(columns).max() > 100


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_are_round_and_within(low: float, size: float) -> None:
    found = ticks(low, low + size)
    slack = 1e-6 * (abs(low) + size)
    assert 2 <= len(found) <= 8
    assert all(low - slack <= tick <= low + size + slack for tick in found)
