"""The page's program runs as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "limbs.md"


def test_the_program_of_the_page_corrects_and_reaches(capsys: pytest.CaptureFixture[str]) -> None:
    program = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    assert program is not None
    exec(compile(program[1], str(PAGE), "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("solved") and lines[-1].startswith("solved")
    assert "right_arm" in lines[1] and "shelf" in lines[1]
