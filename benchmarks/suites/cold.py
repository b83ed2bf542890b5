"""From an empty cache to a result, and from a full one: every job of ``understudy warm-up`` in new processes.

The first run of a job compiles its kernels into an empty folder, the second one loads them. Processor time is what
counts on a machine that others use too; of it, what compiling and loading took, what importing took, and the rest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
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
