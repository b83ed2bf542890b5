"""The example of the floor page runs and says what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "floor.md"


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    assert len(code) == 1
    exec(compile(code[0], str(PAGE), "exec"), {"__name__": "example"})
    printed = capsys.readouterr().out.splitlines()
    promised = re.findall(r"print\(path\)  # (.*)", code[0]) + re.findall(r"^# (Status.*)$", code[0], re.MULTILINE)
    assert printed == promised
