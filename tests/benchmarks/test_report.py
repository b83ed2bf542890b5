"""The report of all suites: nothing measured twice, nothing lost, a missing peer said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.case_ledger import Ledger
from benchmarks.paper_tables import TABLES
from benchmarks.peers import PEERS, peer_lines
from benchmarks.suites import SUITES

from benchmarks import report

ROWS = [
    {"case": "a | b", "method": "ours", "solved": 3, "median_s": 0.25, "paper_s": None},
    {"case": "a | b", "method": "peer", "solved": 2, "median_s": 4.0, "paper_s": None},
]


class Measuring:
    def __init__(self, broken: str = "") -> None:
        self.asked: list[str] = []
        self.broken = broken

    def __call__(self, name: str, store: Path | None = None) -> dict[str, Any]:
        self.asked.append(name)
        if name == self.broken:
            raise ModuleNotFoundError("no peer")
        machine = {"cpu": "abacus", "cores": 2, "system": "wood"}
        return {"suite": name, "quick": False, "machine": machine, "versions": {"python": "3"}, "rows": ROWS}


@pytest.fixture
def quiet() -> Any:
    return lambda _: None


def test_every_suite_is_measured_once_and_shown(tmp_path: Path, quiet: Any) -> None:
    measuring = Measuring()
    path = report.gather(tmp_path, measuring, quick=False, told=quiet)
    assert measuring.asked == list(SUITES)
    text = path.read_text("utf-8")
    assert all(f"## {name}\n" in text for name in SUITES)
    assert "| a / b | peer | 2 | 4 |" in text, "a bar in a name ends no cell, and empty columns are left out"
    assert "abacus" in text
    assert "### Table 3.1: building motion graphs" in text
    assert "| 693 frames | 208.1 / – |" in text, "a published number stands alone where we have none"
    assert (tmp_path / "limbs.png").stat().st_size > 1000
    again = Measuring()
    report.gather(tmp_path, again, quick=False, told=quiet)
    assert again.asked == []


def test_what_fails_is_said_and_tried_again(tmp_path: Path, quiet: Any) -> None:
    path = report.gather(tmp_path, Measuring("limbs"), quick=False, told=quiet)
    assert "Not measured: ModuleNotFoundError: no peer" in path.read_text("utf-8")
    again = Measuring()
    path = report.gather(tmp_path, again, quick=False, told=quiet)
    assert again.asked == ["limbs"]
    assert "Not measured" not in path.read_text("utf-8")


def test_quick_results_do_for_quick_reports_only(tmp_path: Path, quiet: Any) -> None:
    report.gather(tmp_path, Measuring(), quick=True, told=quiet)
    for name in SUITES:
        document = json.loads((tmp_path / f"{name}.json").read_text("utf-8"))
        (tmp_path / f"{name}.json").write_text(json.dumps({**document, "quick": True}))
    assert _asked(tmp_path, quick=True) == []
    assert _asked(tmp_path, quick=False) == list(SUITES)


def _asked(folder: Path, *, quick: bool) -> list[str]:
    measuring = Measuring()
    report.gather(folder, measuring, quick=quick, told=lambda _: None)
    return measuring.asked


def test_parts_of_a_suite_come_together(tmp_path: Path) -> None:
    for part in ("one", "two"):
        document = Measuring()("locomotion")
        (tmp_path / f"locomotion_{part}.json").write_text(json.dumps(document))
    text = report.write_report(tmp_path).read_text("utf-8")
    assert text.count("## locomotion\n") == 1
    assert text.count("| a / b | ours |") == 2


def planted(told: list[str], stop_after: int = 99) -> Any:
    """A tiny suite of three rows that keeps them, and can be stopped."""

    def measure(name: str, store: Path) -> dict[str, Any]:
        ledger, rows = Ledger(store), []
        for case in ("one", "two", "three"):

            def row(case: str = case) -> dict[str, Any]:
                if len(told) >= stop_after:
                    raise KeyboardInterrupt
                told.append(f"{name}: {case}")
                return {"case": case, "method": "ours", "median_s": 1.0}

            rows.append(ledger.measured(case, row))
        return {"suite": name, "quick": False, "rows": rows}

    return measure


def test_a_killed_run_goes_on_with_the_next_row(tmp_path: Path, quiet: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "SUITES", {"first": "a suite", "second": "another"})
    told: list[str] = []
    for stop_after in (1, 2, 4, 99):  # within the first suite, again, then within the second
        try:
            path = report.gather(tmp_path, planted(told, stop_after), quick=False, told=quiet)
        except KeyboardInterrupt:
            continue
    assert told == [f"{suite}: {case}" for suite in ("first", "second") for case in ("one", "two", "three")]
    text = path.read_text("utf-8")
    assert text.count("| three | ours |") == 2
    assert not any((tmp_path / report.ROWS).iterdir()), "rows of suites that are through are in their results"


def test_a_quick_look_never_replaces_a_whole_table(tmp_path: Path, quiet: Any) -> None:
    report.gather(tmp_path, Measuring(), quick=False, told=quiet)
    whole = (tmp_path / "limbs.json").read_text("utf-8")
    looks = Measuring()
    report.gather(tmp_path, looks, quick=True, again=True, told=quiet)
    assert looks.asked == []
    assert (tmp_path / "limbs.json").read_text("utf-8") == whole
    anew = Measuring()
    report.gather(tmp_path, anew, quick=False, again=True, told=quiet)
    assert anew.asked == list(SUITES)


def test_paper_tables_read_published_and_ours() -> None:
    assert {table.suite for table in TABLES} <= set(SUITES)
    built = {"case": "693 frames", "method": "feature", "cpu_s": 0.25, "nodes": 13, "edges": 32}
    naive = {"case": "693 frames", "method": "pair by pair (standard)", "median_s": 29.0}
    (first, *_) = next(table for table in TABLES if table.title.startswith("Table 3.1")).lines([built, naive])
    assert first == ("693 frames", *(f"{one} / –" for one in (208.1, 42, 16)), "1.5 / 0.25", "51 / 13", "80 / 32", "29")
    for table in TABLES:
        for line in table.lines([]):
            assert len(line) == len(table.head), f"{table.title}: as many cells as columns, also without rows"


def test_every_peer_is_listed_measured_or_not() -> None:
    rows = {
        "floor": [
            {"case": "20 boxes", "method": "ours", "median_s": 0.001},
            {"case": "20 boxes", "method": "visibility graph", "median_s": 0.5},
        ],
        "limbs": [
            {"case": "a", "method": "ours, speed limits", "median_ms": 3.0},
            {"case": "a", "method": "ours, no speed limits", "median_ms": 4.0},
            {"case": "a", "method": "OMPL RRTConnect, no speed limits", "median_ms": 5.0},
        ],
    }
    lines = list(peer_lines(rows))
    assert {line[0] for line in lines} == {peer for peer, _, _ in PEERS}
    assert ("visibility graph", "floor", "1", "20 boxes: visibility graph", "500 ms", "1 ms") in lines
    assert next(line for line in lines if line[:2] == ("OMPL", "limbs"))[4:] == ("5 ms", "4 ms"), "like beside like"
    assert ("pybvh", "kernels", "not measured", "", "", "") in lines
