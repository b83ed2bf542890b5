from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import pytest

from people import person, wander
from understudy.core.planning import Options, Result, Status, Watch, limited
from understudy.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class SomeOptions(Options):
    step_rad: float = limited(0.1, low=0.0, high=1.0, unit="rad")
    attempts: int = limited(10, low=1, high=100)


def test_options_check_ranges_and_names() -> None:
    assert SomeOptions(step_rad=0.5).step_rad == 0.5
    with pytest.raises(OptionError, match=r"step_rad is 2.0; allowed: 0..1 rad"):
        SomeOptions(step_rad=2.0)
    with pytest.raises(OptionError, match=r"allowed: 1\.\.100"):
        SomeOptions(attempts=0)
    with pytest.raises(OptionError, match="step_rad"):
        SomeOptions(step_rad=float("nan"))
    with pytest.raises(OptionError, match="step_rad"):
        SomeOptions(step_rad="wide")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match='did you mean "step_rad"'):
        SomeOptions.make({"step_rd": 0.1})
    with pytest.raises(OptionError, match="deadline"):
        SomeOptions(deadline_s=0.0)
    with pytest.raises(TypeError):
        SomeOptions(0.1)  # type: ignore[misc]


def test_whole_numbers_become_floats_where_floats_are_meant() -> None:
    options = SomeOptions(step_rad=1, attempts=3, deadline_s=5)
    assert [type(value) for value in (options.step_rad, options.attempts, options.deadline_s)] == [float, int, float]


def _work(seconds: float) -> None:
    """Keep the processor busy; sleeping is no work."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_deadline_and_cancel() -> None:
    assert Options().watch().interrupted() is None
    watch = Options(deadline_s=0.01).watch()
    _work(0.02)
    assert watch.interrupted() is Status.TIMED_OUT
    cancel = threading.Event()
    watch = Options(cancel=cancel, deadline_s=100.0).watch()
    assert watch.interrupted() is None
    cancel.set()
    assert watch.interrupted() is Status.CANCELLED


def test_watch_counts_stages_and_passes_progress_on() -> None:
    heard: list[tuple[float, str]] = []
    watch = Watch(progress=lambda share, stage: heard.append((share, stage)))
    watch.stage("search")
    _work(0.01)
    watch.report(0.5)
    watch.stage("smooth")
    watch.report(7.0)
    stats = watch.stats(iterations=3)
    assert heard == [(0.5, "search"), (1.0, "smooth")]
    assert set(stats.stage_seconds) == {"search", "smooth"}
    assert sum(stats.stage_seconds.values()) <= stats.seconds
    assert stats.stage_seconds["search"] > 0.0
    assert stats.counts["iterations"] == 3


def test_only_solved_is_true_and_needs_a_motion() -> None:
    assert Status.SOLVED
    assert not any(status for status in Status if status is not Status.SOLVED)
    with pytest.raises(OptionError):
        Result(status=Status.SOLVED)
    assert Result(status=Status.SOLVED, motion=wander(person(), frames=2)).motion is not None
    assert Result(status=Status.EXHAUSTED, reason="no way").motion is None
