"""Whoever waits for the compiler is told so, once, and not when kernels come from the cache."""

from __future__ import annotations

import pytest

from understudy.api.warming import JOBS, KERNELS
from understudy.cli.compiling import WAIT, Apart, Bar, announced, bar_text
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


def test_every_job_says_how_many_kernels_it_has() -> None:
    assert set(KERNELS) == set(JOBS)


def test_a_job_that_fails_in_its_own_process_is_told_apart() -> None:
    apart = Apart(["no such job"], quiet=True)
    ((count, code),) = apart.wait().values()
    assert count == 0 and code != 0


#: In place of real jobs: kernels' names, and an end that depends on the job's name.
_FAKE = """
import os, sys
for line in sys.stdin:
    if line.strip() == "dies":
        os._exit(3)
    print("kernel", os.getpid(), flush=True)
    print("=1" if line.strip() == "fails" else "=0", flush=True)
"""


def test_jobs_share_processes_and_one_that_dies_takes_no_other_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("understudy.cli.compiling._JOBS", _FAKE)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    done = Apart(["one", "dies", "fails", "two"], quiet=True).wait()
    assert done == {"one": (1, 0), "dies": (0, 3), "fails": (1, 1), "two": (1, 0)}


def test_closing_stops_what_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("understudy.cli.compiling._JOBS", "import time; time.sleep(600)")
    apart = Apart(["one", "two", "three"], quiet=True)
    apart.close()
    assert all(code for _, code in apart.wait().values())
