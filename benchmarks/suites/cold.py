"""From an empty cache to a result, and from a full one: every job of ``understudy warm-up`` in new processes.

The first run of a job compiles its kernels into an empty folder, the second one loads them. Processor time is what
counts on a machine that others use too; of it, what compiling and loading took, what importing took, and the rest. The
last rows are ``understudy walk builtin`` from a wheel with kernels: on a machine that never ran it, and once more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from benchmarks.suites import Row

_JOB = """
import json, sys, time
from understudy.api.warming import warm_up
from understudy.compiling import spent
warm_up(sys.argv[1])
print(json.dumps({**spent.counts(), "total_s": time.process_time(), "wall_clock_s": time.perf_counter() - START}))
"""


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """Two rows for each job; with ``quick`` for the first job alone."""
    from understudy.api.warming import JOBS

    rows: list[Row] = []
    for job in list(JOBS)[: 1 if quick else None]:
        with tempfile.TemporaryDirectory(prefix="understudy-cold-") as folder:
            for method in ("empty cache", "full cache"):
                rows.append({"case": job, "method": method, **_ran(job, Path(folder)), **_size(Path(folder))})
    return rows if quick else [*rows, *_from_wheel()]


_ROOM = """
[[object]]
name = "table"
shape = { kind = "box", size = [1.2, 0.74, 0.8] }
at = [2.0, 0.37, 1.0]
"""


def _from_wheel() -> list[Row]:
    """Build the wheel, unpack it, and walk with empty caches; then walk again."""
    from tools.kernel_wheel import build

    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="understudy-wheel-") as name:
        folder = Path(name)
        wheel = build(folder / "dist")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / "site")
        (folder / "room.toml").write_text(_ROOM, encoding="utf-8")
        env = {**os.environ, "PYTHONPATH": str(folder / "site"), "UNDERSTUDY_CACHE": str(folder / "user")}
        env["NUMBA_CACHE_DIR"] = str(folder / "kernels")
        walk = [sys.executable, "-m", "understudy", "walk", "builtin", "room.toml", "--start", "0,0", "--goal", "5,4"]
        for method in ("wheel with kernels, empty cache", "wheel with kernels, again"):
            before, began = os.times(), time.perf_counter()
            subprocess.run([*walk, "-o", "walk.glb"], env=env, cwd=folder, check=True, capture_output=True)
            wall, after = time.perf_counter() - began, os.times()
            cpu = after.children_user + after.children_system - before.children_user - before.children_system
            rows.append({"case": "understudy walk", "method": method, "cpu_s": cpu, "median_s": wall})
            rows[-1] |= {"kernels_compiled": len(list((folder / "kernels").rglob("*.nbc")))}
            rows[-1] |= {"wheel_mb": wheel.stat().st_size / 1e6}
    return rows


def _ran(job: str, folder: Path) -> dict[str, float]:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels"), "UNDERSTUDY_CACHE": str(folder / "user")}
    code = f"import time; START = time.perf_counter()\n{_JOB}"
    done = subprocess.run([sys.executable, "-c", code, job], env=env, stdout=subprocess.PIPE, text=True, check=True)
    spent = json.loads(done.stdout.splitlines()[-1])
    return {
        "kernels_compiled": spent["compiled"],
        "compile_or_load_cpu_s": spent["cpu_s"],
        "cpu_s": spent["total_s"],
        "median_s": spent["wall_clock_s"],
    }


def _size(folder: Path) -> dict[str, float]:
    files = list((folder / "kernels").rglob("*.nbc"))
    return {"files": len(files), "mb": sum(path.stat().st_size for path in files) / 1e6}
