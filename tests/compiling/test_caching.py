"""What is kept on disk is used again, and made anew when anything it was made of changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

INNER = """
from understudy.compiling.kernel import njit

FACTOR = {factor}

@njit
def inner(value):
    return FACTOR * value + {plus}
"""
OUTER = """
from inner import inner
from understudy.compiling.kernel import njit
{comment}
@njit
def outer(value):
    return inner(value)
"""
RUN = """
from understudy.compiling import spent
from outer import outer
print(outer(1.0), spent.counts()["compiled"])
"""


def _ran(folder: Path, *, factor: float = 2.0, plus: float = 0.0, comment: str = "") -> tuple[float, int]:
    (folder / "inner.py").write_text(INNER.format(factor=factor, plus=plus))
    (folder / "outer.py").write_text(OUTER.format(comment=comment))
    env = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
    }
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run([sys.executable, "-c", RUN], env=env, capture_output=True, text=True, check=True, timeout=900)
    value, compiled = done.stdout.split()
    return float(value), int(compiled)


def test_a_kernel_is_compiled_again_when_what_it_calls_changes(tmp_path: Path) -> None:
    assert _ran(tmp_path) == (2.0, 2)
    assert _ran(tmp_path) == (2.0, 0)
    assert _ran(tmp_path, comment="# only a comment") == (2.0, 0)
    # The outer kernel's own file is the same from here on; numba alone would hand out the old code.
    assert _ran(tmp_path, factor=3.0) == (3.0, 2)
    assert _ran(tmp_path, factor=3.0, plus=1.0) == (4.0, 2)


def test_only_what_python_calls_is_kept(tmp_path: Path) -> None:
    _ran(tmp_path)
    assert [path.name.split("-")[0] for path in (tmp_path / "cache").rglob("*.nbc")] == ["outer.outer"]


def test_loading_a_kernel_imports_neither_scipy_nor_what_only_compiling_needs(tmp_path: Path) -> None:
    kernel = "from understudy.compiling.kernel import njit\n\n@njit\ndef outer(values):\n    return values.sum()\n"
    (tmp_path / "outer.py").write_text(kernel)
    run = "import sys, numpy as np, outer\nprint(outer.outer(np.ones(3)), *sorted(sys.modules))"
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    env["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *sys.path])
    command = [sys.executable, "-c", run]
    compiled, loaded = (
        subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=900).stdout.split()
        for _ in range(2)
    )
    assert compiled[0] == loaded[0] == "3.0"
    assert "scipy.linalg" in compiled  # else this test shows nothing
    assert not {"scipy.linalg", "numba.np.arraymath"} & set(loaded)
