"""The page's programs run as they are printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from understudy.library import load_library

PAGE = Path(__file__).resolve().parents[4] / "docs" / "sampling.md"


def test_the_programs_of_the_page_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    assert len(programs) == 3
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for program in programs[:2]:
        exec(compile(program, str(PAGE), "exec"), names)
        printed = capsys.readouterr().out
        assert printed.startswith("solved"), printed
    assert "turn_left" in printed
    exec(compile(programs[2], str(PAGE), "exec"), names)
    assert load_library("walks.usl").jumps is not None
