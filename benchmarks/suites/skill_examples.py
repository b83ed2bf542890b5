"""Every scene of programs in ``examples``: performed by the command line in a fresh process, judged.

Kernels are compiled before. Each scene is performed twice: the first time nothing of the performer is kept in the
user's cache folder, the second time its clips and examples are.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.case_ledger import Ledger, Record
from benchmarks.machine import machine, versions
from benchmarks.suites import Row
from understudy.core.user_cache import VARIABLE

CHECKOUT = Path(__file__).resolve().parents[2]
SCENES = CHECKOUT / "examples" / "scenes" / "skills"
#: The quickest, for a look.
_QUICK = ("door",)


def bench(motion: Path | None, *, quick: bool, store: Path | None = None) -> list[Row]:
    """One row per scene and run."""
    names = [path.stem for path in sorted(SCENES.glob("*.toml")) if not quick or path.stem in _QUICK]
    ledger = Ledger(store)
    return [row for name in names for row in ledger.measured(name, partial(_performed, name))["rows"]]


def _performed(name: str) -> Record:
    """The first run and the next one of a scene; one before them compiles kernels and is thrown away."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _run(name, folder / "compiled", folder)
        runs = [
            {"case": name, "method": method, **_run(name, folder / "kept", folder)}
            for method in ("first run", "next run")
        ]
    return {"rows": runs}


def _run(name: str, kept: Path, folder: Path) -> Row:
    command = ["-m", "understudy", "perform", str(SCENES / f"{name}.toml"), "-o", str(folder / "out.glb"), "--json"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    run = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, VARIABLE: str(kept), "OPENBLAS_NUM_THREADS": "1"},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    wall_s, after = perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    told = json.loads(run.stdout) if run.stdout else {"status": "error", "reason": run.stderr[-300:], "tasks": []}
    solved = int(told["status"] == "solved")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "total": 1,
        "solved": solved,
        "verified": solved,
        "tasks": len(told["tasks"]),
        "median_s": cpu_s,
        "wall_s": wall_s,
        "reason": told["reason"],
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cases", type=Path, help="a file in which every run is written down as it is done")
    parser.add_argument("-o", type=Path)
    given = parser.parse_args()
    rows = bench(None, quick=given.quick, store=given.cases)
    document = {"suite": "skill_examples", "machine": machine(), "versions": versions(), "rows": rows}
    text = json.dumps(document, indent=2)
    if given.o is None:
        print(text)
    else:
        given.o.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
