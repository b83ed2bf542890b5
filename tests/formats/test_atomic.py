"""Files are whole or not there, whatever becomes of the writer."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from understudy.errors import FormatError, UnderstudyError
from understudy.formats.atomic import drafting, held, put, replacing, sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes, links and locks are of POSIX")

_WRITER = """
import sys, time
from pathlib import Path
from understudy.formats.atomic import replacing
with replacing(Path(sys.argv[1])) as draft:
    draft.write_text("half")
    print("writing", flush=True)
    time.sleep(60)
"""


def _write(path: Path, text: str) -> None:
    with replacing(path) as draft:
        draft.write_text(text)


def _left(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir() if one.name.startswith(".understudy-")]


def test_a_file_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "clip.bvh", tmp_path / "link.bvh"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    _write(link, "new")
    assert link.is_symlink() and target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    _write(tmp_path / "fresh.bvh", "new")
    mask = os.umask(0o022)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "fresh.bvh").stat().st_mode) == 0o666 & ~mask


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_device_is_one_error_and_stays_a_device(tmp_path: Path) -> None:
    link = tmp_path / "out.bvh"
    link.symlink_to("/dev/full")
    with pytest.raises(FormatError, match="No space left"):
        _write(link, "new")
    assert Path("/dev/full").is_char_device()
    assert not _left(tmp_path)


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(path) as draft:
        draft.write_text("half")
        raise ZeroDivisionError
    with pytest.raises(FormatError, match="cannot write"), replacing(path):
        pass  # nothing was written
    assert path.read_text() == "old" and not _left(tmp_path)


def test_what_a_killed_writer_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    dead, living = (
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path / name)], stdout=subprocess.PIPE, text=True)
        for name in ("dead.txt", "living.txt")
    )
    try:
        for one in (dead, living):
            assert one.stdout is not None and one.stdout.readline() == "writing\n"
        dead.send_signal(signal.SIGKILL)
        dead.wait()
        assert len(_left(tmp_path)) == 2
        sweep(tmp_path)
        (left,) = _left(tmp_path)
        assert (tmp_path / left / "living.txt").read_text() == "half"
    finally:
        living.kill()
        living.wait()
    _write(tmp_path / "next.txt", "whole")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["next.txt"]


def test_names_of_others_are_not_swept(tmp_path: Path) -> None:
    for name in (".understudy-mine", ".understudy-0123456789abcdefg"):
        (tmp_path / name).mkdir()
    (tmp_path / ".understudy-0123456789abcdef").write_text("a file")
    sweep(tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_several_files_go_to_their_places_together(tmp_path: Path) -> None:
    with drafting(tmp_path / "a.txt") as room:
        for name in ("a.txt", "b.txt"):
            (room / name).write_text(name)
        for name in ("a.txt", "b.txt"):
            put(room / name, tmp_path / name)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.txt", "b.txt"]


def test_files_are_on_the_disk_before_they_are_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    fsync, rename = os.fsync, Path.replace
    monkeypatch.setattr(
        os, "fsync", lambda handle: (done.append(str(Path(f"/proc/self/fd/{handle}").readlink())), fsync(handle))
    )
    monkeypatch.setattr(Path, "replace", lambda path, to: (done.append("rename"), rename(path, to))[1])
    _write(tmp_path / "a.txt", "whole")
    assert [Path(one).name for one in done] == ["a.txt", "rename", tmp_path.name]


def test_a_folder_is_held_by_one_and_let_go_by_the_dead(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from understudy.formats.atomic import held\n"
        "with held(Path(sys.argv[1]), 'busy'):\n    print('held', flush=True); time.sleep(60)"
    )
    other = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None and other.stdout.readline() == "held\n"
    with pytest.raises(UnderstudyError, match="busy"), held(tmp_path, "busy"):
        pass
    other.kill()
    other.wait()
    end = time.monotonic() + 5.0
    while time.monotonic() < end:
        try:
            with held(tmp_path, "busy"):
                return
        except UnderstudyError:
            time.sleep(0.05)
    pytest.fail("the lock outlived its process")
