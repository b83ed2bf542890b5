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
