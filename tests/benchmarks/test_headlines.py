"""The README's figures are those of the results, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.headlines import HEADLINES, headline_table, results, with_headlines

CHECKOUT = Path(__file__).resolve().parents[2]


def test_the_readme_quotes_the_results_and_nothing_else() -> None:
    page = (CHECKOUT / "README.md").read_text("utf-8")
    rows = results(CHECKOUT / "benchmarks" / "results")
    assert with_headlines(page, rows) == page, "python -m benchmarks.headlines benchmarks/results README.md"
    assert len(headline_table(rows)) == 2 + len(HEADLINES), "a job of the table has no row in the results"


def row_of(**values: Any) -> list[dict[str, Any]]:
    return [{"case": "door, pulled", "method": "verdict", "total": 4, "solved": 3, **values}]


def test_what_was_not_measured_is_left_out_and_what_was_is_told() -> None:
    assert headline_table({})[2:] == []
    (line,) = headline_table({"verdicts": row_of(median_s=0.0123)})[2:]
    assert line == "| through a pulled door | 12 ms, 3 of 4 |  |"
    (line,) = headline_table({"verdicts": row_of(median_s=9.0, cpu_s=2.0, verified=2)})[2:]
    assert "2.0 s, 2 of 4" in line, "processor time and verified motions count"


def test_a_peer_that_never_ends_is_said_with_its_limit() -> None:
    ours = {"case": "yoga", "method": "ours, d = 3", "total": 2, "solved": 2, "median_s": 3e-5}
    peer = {"case": "yoga", "method": "OMPL RRTConnect", "total": 2, "solved": 0, "median_s": 10.0, "limit_s": 10.0}
    (line,) = headline_table({"posture_peers": [ours, peer]})[2:]
    assert "30 µs, 2 of 2" in line
    assert "OMPL RRTConnect 0 of 2 within 10 s" in line
    (alone,) = headline_table({"posture_peers": [ours]})[2:]
    assert "not measured" in alone
