"""Compiling beside the page: modes that have their kernels work while others wait for theirs."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from understudy.api.warm_processes import Apart, is_compiled
from understudy.studio.jobs import Job, Jobs
from understudy.studio.kernels import Kernels

#: In place of real jobs: one that is compiled at once, and one that says a kernel's name and waits for a file.
_FAKE = """
import pathlib, sys, time
for line in sys.stdin:
    print("kernel", flush=True)
    while line.strip() == "between" and not pathlib.Path({gate!r}).exists():
        time.sleep(0.01)
    print("=0", flush=True)
"""
#: [s] nobody waits that long unless something hangs.
_LONG_S = 60.0


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Touch it, and ``between`` is compiled."""
    path = tmp_path / "compiled"
    monkeypatch.setattr("understudy.api.warm_processes._JOBS", _FAKE.format(gate=str(path)))
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    monkeypatch.setenv("UNDERSTUDY_CACHE", str(tmp_path / "cache"))
    return path


def test_a_mode_that_has_its_kernels_works_while_another_compiles(gate: Path) -> None:
    kernels = Kernels()
    kernels.start()
    there, here = Jobs(kernels), Jobs(kernels)
    told, posture, walk = threading.Event(), threading.Event(), threading.Event()
    waiting = Job(title="posture", work=lambda job: lambda project: project, kernels="between")
    waiting.tell = lambda: told.set() if waiting.stage.startswith("compiling kernels") else None
    there.start(waiting, finished=lambda job, change: posture.set())
    ready = Job(title="walk", work=lambda job: lambda project: project, kernels="walk")
    here.start(ready, finished=lambda job, change: walk.set())
    assert walk.wait(_LONG_S) and told.wait(_LONG_S) and not posture.is_set()
    assert kernels.compiled("walk") and not kernels.compiled("between")
    gate.touch()
    assert posture.wait(_LONG_S)
    there.close()
    here.close()
    kernels.close()


def test_what_was_compiled_once_is_not_waited_for_again(gate: Path) -> None:
    gate.touch()
    first = Kernels()
    first.start()
    first.wait("between")
    gate.unlink()
    again = Kernels()
    again.start()
    assert again.compiled("between")
    first.close()
    again.close()


def test_what_a_command_compiled_is_compiled_for_the_studio_but_not_for_another_folder(
    gate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate.touch()
    assert not is_compiled("walk")
    Apart(["walk"]).wait()
    kernels = Kernels()
    kernels.start()
    assert kernels.compiled("walk") and not kernels.compiled("limbs")
    kernels.close()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(gate.parent / "elsewhere"))
    assert not is_compiled("walk")


def test_until_something_is_compiled_nobody_is_told_that_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Kernels of another version of the files may do, which takes a moment to find out."""
    looking = 'import sys\nprint("=0" if sys.stdin.readline() and not sys.stdin.readline() else "", flush=True)'
    monkeypatch.setattr("understudy.api.warm_processes._JOBS", looking)
    monkeypatch.setenv("UNDERSTUDY_CACHE", str(tmp_path))
    kernels, stages = Kernels(), set[str]()
    kernels.start()
    kernels.wait("walk", told=lambda share, stage: stages.add(stage), cancelled=lambda: bool(stages))
    kernels.close()
    assert stages == {"looking for compiled kernels"}


def test_who_gives_up_waits_no_longer(gate: Path) -> None:
    kernels = Kernels()
    kernels.start()
    kernels.wait("between", cancelled=lambda: True)
    assert not kernels.compiled("between")
    kernels.close()
