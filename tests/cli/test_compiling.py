"""Whoever waits for the compiler is told so, once, and not when kernels come from the cache."""

from __future__ import annotations

from understudy.cli.compiling import WAIT, announced
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
