"""Warm-up jobs in processes of their own: what they tell, and what happens when one dies."""

from __future__ import annotations

import pytest

from understudy.api.warm_processes import Apart
from understudy.api.warming import JOBS, KERNELS


def test_every_job_says_how_many_kernels_it_has() -> None:
    assert set(KERNELS) == set(JOBS)


def test_a_job_that_fails_in_its_own_process_is_told_apart() -> None:
    apart = Apart(["no such job"])
    ((count, code),) = apart.wait().values()
    assert count == 0 and code != 0


#: In place of real jobs: kernels' names, and an end that depends on the job's name.
_FAKE = """
import os, sys
for line in sys.stdin:
    if line.strip() == "dies":
        os._exit(3)
    print("kernel", os.getpid(), flush=True)
    print("=1" if line.strip() == "fails" else "=0", flush=True)
"""


def test_jobs_share_processes_and_one_that_dies_takes_no_other_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("understudy.api.warm_processes._JOBS", _FAKE)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    done = Apart(["one", "dies", "fails", "two"]).wait()
    assert done == {"one": (1, 0), "dies": (0, 3), "fails": (1, 1), "two": (1, 0)}


def test_closing_stops_what_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("understudy.api.warm_processes._JOBS", "import time; time.sleep(600)")
    apart = Apart(["one", "two", "three"])
    apart.close()
    assert all(code for _, code in apart.wait().values())
