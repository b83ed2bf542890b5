"""The page's program runs as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "postures.md"


def test_the_program_of_the_page_unties(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    assert program is not None
    monkeypatch.chdir(tmp_path)
    exec(compile(program[1], str(PAGE), "exec"), {})
    assert capsys.readouterr().out.startswith("solved")
    assert (tmp_path / "yoga.bvh").is_file()
