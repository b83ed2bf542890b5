"""Every suite can be imported and is listed: a suite nobody can run proves nothing."""

from __future__ import annotations

import importlib
from pathlib import Path

import benchmarks.suites as suites
import pytest

MODULES = sorted(path.stem for path in Path(suites.__file__).parent.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", MODULES)
def test_every_suite_can_be_imported(name: str) -> None:
    importlib.import_module(f"benchmarks.suites.{name}")


@pytest.mark.parametrize("name", sorted(suites.SUITES))
def test_every_listed_suite_can_be_asked(name: str) -> None:
    assert callable(importlib.import_module(f"benchmarks.suites.{name}").bench)


def test_planted_faults_go_on_where_a_run_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.suites import planted_faults

    tried: list[tuple[str, int, tuple[str, ...]]] = []

    def found(task: tuple[str, int, tuple[str, ...]]) -> dict[str, bool | None]:
        tried.append(task)
        return {kind: None if kind == "trembles" else task[1] != 7 for kind in task[2]}

    monkeypatch.setattr(planted_faults, "_tried", found)
    kinds, store = ("trembles", "leans and would topple"), tmp_path / "faults.jsonl"
    (row,) = planted_faults.measured(["walk"], kinds, 4, store)
    assert (row["total"], row["missed"]) == (4, [])
    # Another slice of the numbers, its store behind the first one's; a line was cut off when the run ended.
    (row,) = planted_faults.measured(["walk"], kinds, 8, store, first=5)
    assert (row["total"], row["missed"]) == (8, [7])
    with store.open("a") as file:
        file.write('{"engine": "wa')
    before = len(tried)
    assert planted_faults.measured(["walk"], [kinds[1]], 8, store) == [row]
    assert len(tried) == before
