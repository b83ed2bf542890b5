"""Kernels that come compiled with the package are used where they fit, and change nothing where they do not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
from understudy.compiling.kernel import njit

@njit
def doubled(value):
    return {factor} * value
"""
RUN = """
import sys
from pathlib import Path
from understudy.compiling import shipped
if len(sys.argv) > 1:
    shipped.folder = lambda: Path(sys.argv[1])
from understudy.compiling import spent
from once import doubled
from numba.core import config
print(doubled(1.5), spent.counts()["compiled"], config.CPU_NAME)
"""


def _ran(folder: Path, *arguments: str, ship: Path | None = None) -> list[str]:
    env = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    env.pop("UNDERSTUDY_SHIP_KERNELS", None)
    if ship is not None:
        env["UNDERSTUDY_SHIP_KERNELS"] = str(ship)
    command = [sys.executable, "-c", RUN, *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    (tmp_path / "once.py").write_text(MODULE.format(factor=2.0))
    folder = tmp_path / "kernels"
    value, compiled, _ = _ran(tmp_path, ship=folder)
    assert (value, compiled) == ("3.0", "1")
    assert [path.parent.name for path in folder.rglob("*.nbc")] == ["once"]
    assert not (tmp_path / "cache").exists() or not list((tmp_path / "cache").rglob("*.nbc"))
    return folder


def test_a_shipped_kernel_is_not_compiled_again(tmp_path: Path, shipped: Path) -> None:
    value, compiled, _ = _ran(tmp_path, str(shipped))
    assert (value, compiled) == ("3.0", "0")


def test_another_kernel_of_that_name_is_compiled(tmp_path: Path, shipped: Path) -> None:
    (tmp_path / "once.py").write_text(MODULE.format(factor=3.0))
    assert _ran(tmp_path, str(shipped))[:2] == ["4.5", "1"]
    assert _ran(tmp_path, str(shipped))[:2] == ["4.5", "0"]


@pytest.mark.parametrize("damage", [b"", b"\x80", b"not a pickle at all"])
def test_damaged_files_are_as_good_as_none(tmp_path: Path, shipped: Path, damage: bytes) -> None:
    for path in shipped.rglob("*.nb?"):
        path.write_bytes(damage)
    assert _ran(tmp_path, str(shipped))[:2] == ["3.0", "1"]
    for path in (tmp_path / "cache").rglob("*.nb?"):
        path.write_bytes(damage)
    assert _ran(tmp_path, str(shipped))[:2] == ["3.0", "1"]
    assert _ran(tmp_path, str(shipped))[:2] == ["3.0", "0"]


def test_one_changed_bit_of_machine_code_is_never_run(tmp_path: Path, shipped: Path) -> None:
    _ran(tmp_path)
    (path,) = (tmp_path / "cache").rglob("*.nbc")
    whole = path.read_bytes()
    for at in range(0, len(whole), len(whole) // 6):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert _ran(tmp_path)[:2] == ["3.0", "1"]


PARALLEL = """
import numpy as np
from numba import prange
from understudy.compiling.kernel import njit

@njit(parallel=True)
def doubled(values):
    out = np.empty_like(values)
    for k in prange(len(values)):
        out[k] = 2.0 * values[k]
    return out
"""


@pytest.mark.parametrize("writable", [True, False])
def test_kernels_on_all_cores_need_no_folder_either(tmp_path: Path, writable: bool) -> None:
    (tmp_path / "many.py").write_text(PARALLEL)
    if not writable:
        no_folder = "from numba.core.caching import CacheImpl; CacheImpl._locator_classes = []\n"
        (tmp_path / "sitecustomize.py").write_text(no_folder)
    run = "import numpy as np, many\nprint(many.doubled(np.ones(3)).sum(), sum(many.doubled.stats.cache_hits.values()))"
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    env["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *sys.path])
    found = [
        subprocess.run([sys.executable, "-c", run], env=env, capture_output=True, text=True, check=True, timeout=900)
        for _ in range(2)
    ]
    assert [one.stdout.split() for one in found] == [["6.0", "0"], ["6.0", "1" if writable else "0"]]


def test_where_nothing_can_be_written_kernels_are_compiled_each_time(tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(MODULE.format(factor=2.0))
    no_folder = "from numba.core.caching import CacheImpl; CacheImpl._locator_classes = []\n"
    (tmp_path / "sitecustomize.py").write_text(no_folder)
    for _ in range(2):
        assert _ran(tmp_path)[:2] == ["3.0", "1"]
