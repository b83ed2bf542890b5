"""``understudy bench``: finding suites, running one, writing its document."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from typer.testing import CliRunner

from understudy.cli import bench
from understudy.cli.app import app


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite of two tables, so that no real one has to run."""
    suites = bench.suites_of_checkout()
    module = ModuleType("benchmarks.suites.planted")

    def rows(motion: Path | None, *, quick: bool) -> list[dict[str, object]]:
        first = {"case": "one", "method": "ours", "median_s": np.float64(0.5), "p95_s": math.inf}
        return [first, {"case": "two", "method": "quick" if quick else "whole", "total": np.int64(3)}]

    module.bench = rows  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "benchmarks.suites.planted", module)
    monkeypatch.setitem(suites.SUITES, "planted", "a table")


def test_every_listed_suite_exists_and_can_be_run() -> None:
    suites = bench.suites_of_checkout()
    for name in suites.SUITES:
        text = (Path(suites.__file__).parent / f"{name}.py").read_text(encoding="utf-8")
        assert "def bench(motion: Path | None, *, quick: bool" in text


def test_list() -> None:
    result = CliRunner().invoke(app, ["bench", "--json"])
    assert result.exit_code == 0
    assert set(json.loads(result.stdout)["suites"]) == set(bench.suites_of_checkout().SUITES)


@pytest.mark.usefixtures("planted")
def test_document_on_stdout_and_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    result = CliRunner().invoke(app, ["bench", "planted", "--quick", "--json", "--quiet", "-o", str(path)])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document == json.loads(path.read_text(encoding="utf-8"))
    assert document["rows"][0] == {"case": "one", "method": "ours", "median_s": 0.5, "p95_s": None}
    assert document["rows"][1] == {"case": "two", "method": "quick", "total": 3}
    assert {"suite", "machine", "versions"} <= set(document)


@pytest.mark.usefixtures("planted")
def test_tables_for_people() -> None:
    result = CliRunner().invoke(app, ["bench", "planted", "--quiet"])
    assert result.exit_code == 0
    shown = bench.tables(bench.finite(bench.suites_of_checkout().document("planted", None, quick=False)))
    assert "whole" in shown and "0.5" in shown and "inf" not in shown


def test_quick_and_full_contradict_each_other() -> None:
    wrong = CliRunner().invoke(app, ["bench", "floor", "--quick", "--full"])
    assert wrong.exit_code == 2 and "exclude" in wrong.stderr


def test_unknown_suite_and_folder() -> None:
    wrong = CliRunner().invoke(app, ["bench", "locomotoin"])
    assert wrong.exit_code == 2 and "locomotion" in wrong.stderr
    nowhere = CliRunner().invoke(app, ["bench", "floor", "--motion", "/nowhere/at/all"])
    assert nowhere.exit_code == 2 and "no such folder" in nowhere.stderr
