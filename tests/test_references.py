"""The committed reference pages say what the program says today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    subprocess.run([sys.executable, "tools/reference_pages.py", str(folder)], cwd=CHECKOUT, check=True, timeout=600)
    return folder


@pytest.mark.parametrize("page", ["reference-scene-file.md", "reference-cli.md"])
def test_pages_are_up_to_date(made: Path, page: str) -> None:
    committed = (CHECKOUT / "docs" / page).read_text("utf-8")
    assert committed == (made / page).read_text("utf-8"), "run: python tools/reference_pages.py docs"


def test_every_command_and_every_key_is_there(made: Path) -> None:
    from understudy.cli.app import app
    from understudy.scene.schema import scene_schema

    commands = (made / "reference-cli.md").read_text("utf-8")
    assert all(f"\n## {one.name}\n" in commands for one in app.registered_commands)
    keys = (made / "reference-scene-file.md").read_text("utf-8")
    for entry in scene_schema()["$defs"].values():
        assert all(f"| `{key}` |" in keys for key in entry["properties"])
