"""Whoever waits for the compiler is told so, once, and not when kernels come from the cache."""

from __future__ import annotations

import pytest

from understudy.cli.compiling import WAIT, Bar, announced, bar_text
from understudy.compiling.kernel import njit


def test_one_remark_for_all_kernels() -> None:
    @njit(cache=False)
    def doubled(value: float) -> float:
        return 2.0 * value

    @njit(cache=False)
    def tripled(value: float) -> float:
        return 3.0 * value

    remarks: list[str] = []
    with announced(remarks.append):
        assert doubled(1.0) + tripled(1.0) == 5.0
    assert remarks == [WAIT]


def test_nothing_is_said_about_compiled_kernels_or_later() -> None:
    @njit(cache=False)
    def halved(value: float) -> float:
        return 0.5 * value

    halved(1.0)
    remarks: list[str] = []
    with announced(remarks.append):
        halved(1.0)
    assert remarks == []
    halved(1)
    assert remarks == []


def test_the_bar_tells_how_long_it_will_take() -> None:
    assert bar_text(3, 0, 4.2) == "3 kernels, 4 s"
    assert bar_text(50, 200, 10.0) == "[######..................] 50 of about 200 kernels, about 30 s left"
    assert bar_text(210, 200, 10.0) == f"[{'#' * 24}] 210 of about 210 kernels, 10 s"


def test_a_terminal_is_shown_the_kernel_under_way(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar(10, shown=True)
    bar.begun("grow_trees")
    bar.cleared()
    shown = capsys.readouterr().err
    assert "1 of about 10 kernels" in shown and shown.endswith("grow_trees\r\033[K")
