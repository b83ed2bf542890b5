"""All jobs from an empty cache: every kernel for one set of argument types, and about so many kernels.

What may be left out (``| None``) makes a second set.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from understudy.api.warming import JOBS, KERNELS

#: Does the jobs that ``understudy warm-up`` does, and counts the specialisations of every kernel that Python calls.
COUNT = """
import json, sys
from understudy.api.warming import JOBS, warm_up
from understudy.compiling import spent
compiled = {}
for job in JOBS:
    before = spent.counts()["compiled"]
    warm_up(job)
    compiled[job] = spent.counts()["compiled"] - before
sys.path.insert(0, sys.argv[1])
from entries import called_by_python
counts, most = {}, {}
for name, one in called_by_python().items():
    counts[name] = len(one.overloads)
    most[name] = 1 + sum("None" in str(kind) for at, kind in one.py_func.__annotations__.items() if at != "return")
print(json.dumps({"compiled": compiled, "counts": counts, "most": most}))
"""


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("kernels"))}
    command = [sys.executable, "-c", COUNT, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1800, env=env)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.long
def test_one_specialisation_of_each(warmed: dict[str, Any]) -> None:
    most = warmed["most"]
    assert sum(count > 0 for count in warmed["counts"].values()) > 80
    assert {name: count for name, count in warmed["counts"].items() if count > most[name]} == {}


@pytest.mark.long
def test_the_bar_knows_about_how_many_kernels_there_are(warmed: dict[str, Any]) -> None:
    compiled = warmed["compiled"]
    assert set(compiled) == set(JOBS) == set(KERNELS)
    assert sum(KERNELS.values()) == pytest.approx(sum(compiled.values()), rel=0.2), compiled
