"""What the performer made is kept between processes, the same to the last bit, and made anew where it cannot be."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from understudy.core import user_cache
from understudy.core.user_cache import VARIABLE
from understudy.formats.kept_arrays import kept_arrays
from understudy.performer import performance
from understudy.performer.actions.example import Example
from understudy.performer.actions.families import action_examples
from understudy.performer.keeping import kept_clip, kept_examples
from understudy.performer.person import Person

ROOMS = ("performer",)


def same(one: Example, other: Example) -> bool:
    arrays = ("target", "left_contact", "right_contact", "balanced")
    events = zip(one.events, other.events, strict=True)
    return (
        np.array_equal(one.motion.rotations, other.motion.rotations)
        and np.array_equal(one.motion.root_positions, other.motion.root_positions)
        and (one.action, one.motion.name, one.motion.fps) == (other.action, other.motion.name, other.motion.fps)
        and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
        and all(repr(a) == repr(b) for a, b in events)
    )


def test_clips_and_examples_read_are_the_ones_that_were_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "kept"))
    body, other = Person().skeleton(), Person(stature_m=1.6).skeleton()
    made = performance("idle", person=body, fps=30.0).motion
    for _ in range(2):
        clip = kept_clip("idle", body, 30.0)
        assert np.array_equal(clip.rotations, made.rotations) and clip.name == made.name
        assert clip.origin == made.origin
    assert not np.array_equal(kept_clip("idle", other, 30.0).root_positions, made.root_positions)
    calls: list[int] = []

    def make() -> Sequence[Example]:
        calls.append(1)
        return examples

    examples = action_examples("throw_catch", count=1, fps=30.0, side="left")
    first, again = (kept_examples("some", body, 30.0, make) for _ in range(2))
    assert len(calls) == 1 and same(first[0], examples[0]) and same(again[0], examples[0])
    kept_examples("others", body, 30.0, make)
    assert len(calls) == 2


@pytest.mark.parametrize("what", ["damaged", "unwritable", "switched off"])
def test_arrays_are_made_anew_where_they_cannot_be_kept(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "" if what == "switched off" else str(tmp_path / "here"))
    if what == "unwritable":
        (tmp_path / "here").write_text("a file where a folder should be")
    calls: list[int] = []

    def make() -> dict[str, np.ndarray]:
        calls.append(1)
        return {"a": np.arange(3.0)}

    for _ in range(2):
        assert np.array_equal(kept_arrays("x", b"key", make, rooms=ROOMS)["a"], [0.0, 1.0, 2.0])
        for path in tmp_path.glob("here/*.npz"):
            path.write_bytes(b"PK nothing")
    assert len(calls) == 2


def test_what_is_too_much_is_removed_and_two_versions_live_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(user_cache, "_MOST_BYTES", 30_000)
    old, lately = tmp_path / "x-another version-0.npz", tmp_path / "x-one more-0.npz"
    for path in (old, lately, tmp_path / "y-another kind-0.npz"):
        path.write_bytes(b"made before")
    os.utime(old, (0, 0))
    for n in range(5):
        kept_arrays("x", bytes([n]), lambda: {"a": np.zeros(1000)}, rooms=ROOMS)
        os.utime(lately)
    left = [path.name for path in tmp_path.iterdir()]
    assert sum(name.startswith("x-") for name in left) == 4
    assert "y-another kind-0.npz" in left and lately.name in left and old.name not in left
