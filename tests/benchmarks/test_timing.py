from __future__ import annotations

import itertools

import pytest

from benchmarks import timing


def test_the_warming_call_is_reported_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"now": 0.0}
    monkeypatch.setattr(timing, "perf_counter", lambda: clock["now"])
    # Compile takes 5 s, then the batches of two calls take 2, 4 and 9 s.
    durations = itertools.chain([5.0], [1.0, 1.0], [2.0, 2.0], [4.5, 4.5])
    calls = []

    def work() -> None:
        calls.append(1)
        clock["now"] += next(durations)

    result = timing.measure(work, repeat=3, number=2)

    assert len(calls) == 1 + 3 * 2
    assert result["first_call_s"] == 5.0
    assert result["median_us"] == pytest.approx(2.0e6)
    assert result["max_us"] == pytest.approx(4.5e6)
    assert result["median_us"] < result["p95_us"] < result["max_us"]


@pytest.mark.parametrize(("repeat", "number"), [(0, 1), (1, 0)])
def test_nothing_to_time_is_refused(repeat: int, number: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        timing.measure(lambda: None, repeat=repeat, number=number)
