"""Every suite can be imported and is listed: a suite nobody can run proves nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable
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


def test_cold_starts_are_measured_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.suites import cold

    tried: list[str] = []

    def piece(name: str) -> Callable[[Path], dict[str, cold.Seconds]]:
        def found(folder: Path) -> dict[str, cold.Seconds]:
            tried.append(name)
            return {name: {"bar_s": 1.0, "method": "", "wall_s": float(len(tried)), "cpu_s": 0.5}}

        return found

    monkeypatch.setattr(cold, "PIECES", {name: piece(name) for name in ("one", "two")})
    monkeypatch.setattr(cold, "BESIDE", {"idle": 0, "loaded": 0})
    store = tmp_path / "cold.jsonl"
    cold.measured(["two"], ["loaded"], store)
    cold.measured(["one"], ["idle", "loaded"], store)
    rows = {row["case"]: row for row in cold.rows_of(cold.measured(["one", "two"], ["idle", "loaded"], store))}
    assert tried == ["two", "one", "one", "two"]
    assert (rows["one"]["median_s"], rows["one"]["loaded_s"]) == (2.0, 3.0)
    assert (rows["two"]["median_s"], rows["two"]["loaded_s"]) == (4.0, 1.0)
