"""The programs of the page on streaming run as they are printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import understudy as us
from understudy.library import Library, build_library

PAGE = Path(__file__).resolve().parents[2] / "docs" / "streaming.md"
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)


def run(program: str, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a program; the plain library it builds is the one the other tests have built."""

    def build(clips: Any, *, options: Any = None) -> Library:
        return library if options is None else build_library(clips, options=options)

    monkeypatch.setattr(us, "build_library", build, raising=False)
    exec(compile(program, str(PAGE), "exec"), {})


def test_the_stream_goes_round_the_box(
    library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(PROGRAMS[0], library, monkeypatch)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 5
    assert lines[-1].startswith("solved"), lines[-1]


def test_two_cross(library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(PROGRAMS[1], library, monkeypatch)
    said = capsys.readouterr().out
    assert said.startswith("solved"), said
    assert "['ann', 'bob']" in said


def test_a_crowd_is_shown(
    library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(PROGRAMS[2], library, monkeypatch)
    assert "(6, 3) (6, 22, 4)" in capsys.readouterr().out
