"""Frames in mapped files: the same library, bit by bit, and nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy.core import Motion
from understudy.errors import FormatError, OptionError
from understudy.library import LibraryOptions, build_library, save_library
from understudy.library import scratch as scratch_module
from understudy.library.scratch import MEMORY, Scratch, blocks


@pytest.fixture(scope="module")
def walks() -> list[Motion]:
    return [clip for clip in us.builtin_clips("walk") if clip.name in ("walk", "walk_left", "walk_right")] or list(
        us.builtin_clips("walk")
    )[:3]


def test_libraries_are_the_same_wherever_frames_lie(
    walks: list[Motion], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "scratch"
    folder.mkdir()
    for module in ("footage", "distance", "graph", "trials", "recorded_legs"):
        # Several blocks a take, so that their borders are tested.
        monkeypatch.setattr(f"understudy.library.{module}.blocks", lambda count, place: blocks(count, place, size=100))
    inside = build_library(walks, options=LibraryOptions(mirror=True))
    monkeypatch.undo()

    def one_by_one() -> Iterator[Motion]:
        yield from walks

    mapped = build_library(one_by_one(), options=LibraryOptions(mirror=True, scratch=folder))
    files = [save_library(one, tmp_path / f"{n}.usl") for n, one in enumerate((inside, mapped))]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert list(folder.iterdir()) == [], "files have no name"
    for name in ("rotations", "root_positions"):
        assert not getattr(mapped.footage, name).flags.owndata
    assert len(us.load_library(files[1])) == len(mapped)


def test_arrays_keep_what_is_written_after_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch_module, "_FILE_BYTES", 1 << 16)
    place = Scratch(tmp_path)
    place._used = 1 << 16
    rng, made = np.random.default_rng(0), []
    for shape, kind in (
        ((7, 3), np.float64),
        ((5,), np.bool_),
        ((100, 40, 4), np.float32),
        ((9, 2), np.complex128),
    ) * 3:
        values = (rng.normal(size=shape) * 10).astype(kind)
        array = place.empty(shape, kind)
        array[:] = values
        made.append((array, values))
        place.release()
    for array, values in made:
        assert array.flags.c_contiguous and array.flags.writeable
        assert array.ctypes.data % 64 == 0
        np.testing.assert_array_equal(array, values)
    assert place.empty((0, 3)).shape == (0, 3)
    assert MEMORY.empty((2, 2)).flags.owndata


def test_blocks_cover_everything_once() -> None:
    assert [list(range(9))[part] for part in blocks(9, size=4)] == [[0, 1, 2, 3], [4, 5, 6, 7], [8]]
    assert list(blocks(0)) == []


def test_folders_that_cannot_be_used(walks: list[Motion], tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="must be a folder"):
        LibraryOptions(scratch=tmp_path / "missing")
    place = Scratch(tmp_path / "gone")
    with pytest.raises(FormatError, match="cannot keep frames here"):
        place.empty((1000, 1000))
