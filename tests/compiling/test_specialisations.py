"""Every kernel that Python calls is compiled for one set of argument types: each more costs as much as the first."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

#: Does the jobs that ``understudy warm-up`` does, and counts the specialisations of every kernel it has called.
COUNT = """
import json, sys
from understudy.api.warming import JOBS, warm_up
from understudy.compiling.kernel import Kernel

for job in JOBS:
    warm_up(job)
rooms = [module for name, module in sorted(sys.modules.items()) if name.startswith("understudy.")]
kernels = {id(one): one for room in rooms for one in vars(room).values() if isinstance(one, Kernel)}
found = {f"{one.py_func.__module__}.{one.py_func.__name__}": len(one.overloads) for one in kernels.values()}
print(json.dumps({name: count for name, count in found.items() if count}))
"""


@pytest.mark.long
def test_one_specialisation_of_each() -> None:
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True, timeout=1800)
    counts = json.loads(done.stdout.splitlines()[-1])
    assert len(counts) > 80
    assert {name: count for name, count in counts.items() if count > 1} == {}
