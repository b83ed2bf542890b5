"""The list of a batch's tasks: read back as written, older ones brought up to date, newer ones refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from understudy.batch import load_index, run_batch
from understudy.batch.index import INDEX_VERSION, index_of
from understudy.batch.ledger import Ledger
from understudy.errors import FormatError

CLIP = {"file": "a-1.bvh", "bytes": 12, "sha256": "f00", "characters": []}
RECORD = {"status": "solved", "reason": "", "task": {"seed": 7}, "clips": [CLIP]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one task that was done and one that failed."""
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "a-1.json").write_text(json.dumps(RECORD))
    index = index_of([("a-1", "a"), ("a-2", "a")], {"a-1": RECORD}.get, {"a-2": "it rained"})
    (tmp_path / "index.json").write_text(json.dumps(index))
    return tmp_path


def _changed(folder: Path, **values: Any) -> None:
    path = folder / "index.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_it_is_read_back_as_written(folder: Path) -> None:
    index = load_index(folder)
    assert (index["version"], index["total"], index["counts"]) == (INDEX_VERSION, 2, {"failed": 1, "solved": 1})
    done, failed = index["tasks"]
    assert done["seed"] == 7
    assert done["clips"] == [{"file": "a-1.bvh", "bytes": 12, "sha256": "f00"}]
    assert (failed["status"], failed["reason"], failed["clips"]) == ("failed", "it rained", [])


def test_a_list_of_version_1_is_brought_up_to_date(folder: Path) -> None:
    now = load_index(folder)
    tasks = [
        {key: task[key] for key in ("name", "job", "status", "reason")} | {"clips": [c["file"] for c in task["clips"]]}
        for task in now["tasks"]
    ]
    _changed(folder, version=1, tasks=tasks)
    assert load_index(folder) == now
    (folder / "records" / "a-1.json").unlink()
    lost = load_index(folder)["tasks"][0]
    assert (lost["seed"], lost["clips"]) == (None, [{"file": "a-1.bvh", "bytes": None, "sha256": None}])


@pytest.mark.parametrize(
    ("version", "said"), [(INDEX_VERSION + 1, "newer Understudy"), (0, "version 0"), ("2", "'2'"), (True, "True")]
)
def test_versions_nobody_knows_are_refused(folder: Path, version: Any, said: str) -> None:
    _changed(folder, version=version)
    with pytest.raises(FormatError, match=said):
        load_index(folder)
    before = (folder / "index.json").read_text()
    with pytest.raises(FormatError, match=said), Ledger(folder).locked():
        pass
    assert (folder / "index.json").read_text() == before


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2}', '{"version": 1, "tasks": [3]}', "[" * 100_000])
def test_damage_is_one_error(folder: Path, text: str) -> None:
    (folder / "index.json").write_text(text)
    with pytest.raises(FormatError):
        load_index(folder)


def test_a_missing_list_says_what_that_means(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no batch has finished"):
        load_index(tmp_path)


def test_damaged_lists_are_written_again(tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.json"
    tasks.write_text(json.dumps({"job": [{"name": "one", "do": "performer", "clip": "walk", "duration_s": 4}]}))
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.json").write_text("{")
    result = run_batch(tasks, out)
    assert load_index(out)["counts"] == result.counts == {"solved": 1}
