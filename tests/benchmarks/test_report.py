"""The report of all suites: nothing measured twice, nothing lost, a missing peer said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.published import PUBLISHED
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

    def __call__(self, name: str) -> dict[str, Any]:
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
    assert PUBLISHED["limbs"][0][1] in text
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


def test_published_numbers_belong_to_suites() -> None:
    assert set(PUBLISHED) <= set(SUITES)
