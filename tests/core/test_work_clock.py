"""A deadline is about work: neither compiling nor a busy machine uses it up."""

from __future__ import annotations

import pytest

from understudy.compiling import spent
from understudy.core import work_clock
from understudy.core.planning import Status, Watch


class Time:
    """Stands for the ``time`` module; a busy machine is one where ``wall`` runs ahead of ``cpu``."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0

    def pass_(self, wall: float, cpu: float) -> None:
        self.wall += wall
        self.cpu += cpu

    def perf_counter(self) -> float:
        return self.wall

    def process_time(self) -> float:
        return self.cpu


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr(spent, "time", made)
    monkeypatch.setattr(work_clock, "time", made)
    return made


def test_compiling_does_not_count(time: Time) -> None:
    watch = Watch(deadline_s=10.0)
    with spent.counted():
        time.pass_(wall=60.0, cpu=30.0)
        # Also not before it is done, as another thread sees it.
        assert watch.interrupted() is None
    time.pass_(wall=4.0, cpu=4.0)
    assert watch.interrupted() is None
    assert watch.left_s() == pytest.approx(6.0)
    time.pass_(wall=7.0, cpu=7.0)
    assert watch.interrupted() is Status.TIMED_OUT


def test_a_busy_machine_does_not_count(time: Time) -> None:
    watch = Watch(deadline_s=10.0)
    time.pass_(wall=80.0, cpu=8.0)
    assert watch.interrupted() is None
    time.pass_(wall=20.0, cpu=2.0)
    assert watch.interrupted() is Status.TIMED_OUT


def test_threads_at_work_together_count_once(time: Time) -> None:
    watch = Watch(deadline_s=10.0)
    time.pass_(wall=6.0, cpu=12.0)
    assert watch.interrupted() is None
