"""The built-in walks' library is kept between processes, and made anew where it cannot be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from understudy.api import builtin_library as kept
from understudy.core.user_cache import VARIABLE
from understudy.library import Library, build_library
from understudy.locomotion.published.sampling import with_jumps
from understudy.locomotion.published.sampling.frame_graph import jumps_of
from understudy.locomotion.walker import walker_of
from understudy.performer import builtin_clips


@pytest.fixture(scope="module")
def slow() -> Library:
    return build_library(builtin_clips("walk_slow"))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, slow: Library) -> list[Library]:
    """Libraries that were built; the same small one each time, so that it is fast."""
    out: list[Library] = []

    def build(_clips: object) -> Library:
        out.append(slow)
        return slow

    monkeypatch.setattr(kept, "build_library", build)
    monkeypatch.setattr("understudy.performer.builtin_clips", lambda _name: [])
    return out


def test_it_is_made_once_and_read_with_its_jumps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: list[Library]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "new" / "folder"))
    first = kept.builtin_library()
    again = kept.builtin_library()
    assert len(made) == 1
    assert np.array_equal(first.footage.rotations, again.footage.rotations) and again.jumps is None
    other = next((tmp_path / "new" / "folder").iterdir()).with_name("builtin-walks-0.usl")
    other.write_bytes(b"of another version")
    whole = with_jumps(first)
    kept.keep_builtin(whole)
    read = kept.builtin_library()
    assert read.jumps is not None and whole.jumps is not None and other.exists()
    assert np.array_equal(read.jumps.out, whole.jumps.out) and len(made) == 1


@pytest.mark.parametrize("what", ["damaged", "unwritable", "switched off"])
def test_it_is_made_anew_where_it_cannot_be_kept(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: list[Library]
) -> None:
    monkeypatch.setenv(VARIABLE, "" if what == "switched off" else str(tmp_path / "here"))
    if what == "unwritable":
        (tmp_path / "here").write_text("a file where a folder should be")
    kept.builtin_library()
    for path in tmp_path.glob("here/*.usl"):
        path.write_bytes(b"PK nothing")
    assert len(kept.builtin_library().footage) == len(made[0].footage)
    assert len(made) == 2


def test_jumps_are_looked_for_once(slow: Library) -> None:
    body = walker_of(slow).body
    assert jumps_of(slow, body) is jumps_of(slow, body) is with_jumps(slow).jumps
