"""The page on scenes: its programs run, its tables are the vocabulary."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from understudy.scene import KINDS
from understudy.scene.file_models import PARAMETERS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "scenes.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_programs_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("room.toml").write_text(blocks("toml")[0], "utf-8")
    names: dict = {}
    exec(blocks("python")[0], names)
    np.testing.assert_allclose(names["position"], [0.5, 1.8, 2.0])
    np.testing.assert_allclose(names["knob"].position, [3.8, 1.0, 4.06])
    exec(blocks("python")[1], names)
    assert Path("moved.toml").is_file()


def test_the_further_entries_of_the_page_are_valid(tmp_path: Path) -> None:
    from understudy.scene import load_scene

    (tmp_path / "room.toml").write_text("\n".join(blocks("toml")), "utf-8")
    scene = load_scene(tmp_path / "room.toml")
    assert len(scene.attachments) == len(scene.allowed_contacts) == 1


def test_the_faults_of_the_page_are_those_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from understudy.errors import SceneError
    from understudy.scene import load_scene

    monkeypatch.chdir(tmp_path)
    broken = blocks("toml")[0].replace('kind = "box"', 'kind = "bx"', 1).replace('object = "cup"', 'object = "cupp"')
    Path("room.toml").write_text(broken, "utf-8")
    with pytest.raises(SceneError) as caught:
        load_scene("room.toml")
    assert str(caught.value) == blocks("text")[0].strip()


def test_the_table_of_tasks_is_complete() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)\|$", PAGE[PAGE.index("## Tasks") :], flags=re.MULTILINE))
    rows.pop("do")
    assert set(rows) == set(KINDS)
    for do, row in rows.items():
        assert sorted(re.findall(r"`(\w+)`", row)) == sorted(PARAMETERS[name][0] for name in KINDS[do].allowed)
