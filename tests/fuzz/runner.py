"""Runs workers and says what became of their cases: crashes, hangs, and errors that are not ours."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

TESTS = Path(__file__).parents[1]
#: [s] a case may take; preparing a family may compile.
_CASE_S, _PREPARE_S = 60.0, 1500.0

#: A family, its first case, and how many.
Cases = tuple[str, int, int]


def faults_of(plan: Sequence[Cases], *, env: Mapping[str, str] | None = None, most: int = 10) -> list[str]:
    """What went wrong; a worker that dies or hangs is followed by another, which goes on with the next case."""
    faults: list[str] = []
    left = list(plan)
    while left and len(faults) < most:
        reached, found, why = _worked(left, dict(env or {}))
        faults += found
        if not why:
            break
        faults.append(f"{reached}: {why}")
        left = _after(left, reached)
    return faults


def _after(plan: list[Cases], reached: str) -> list[Cases]:
    """What is left after a case, ``"family: number"``, or after a family that could not be prepared."""
    family, _, number = reached.partition(": ")
    at = next(k for k, one in enumerate(plan) if one[0] == family)
    _, first, count = plan[at]
    done = int(number) + 1 - first if number else count
    rest = [(family, first + done, count - done)] if done < count else []
    return [*rest, *plan[at + 1 :]]


def _worked(plan: Sequence[Cases], env: dict[str, str]) -> tuple[str, list[str], str]:
    """What was begun last, faults, and why the worker did not end as it should."""
    cases = [str(one) for cases in plan for one in cases]
    command = [sys.executable, "-X", "faulthandler", "-m", "fuzz.worker", *cases]
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path]), **env}
    with tempfile.TemporaryFile("w+") as errors:
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=env, cwd=TESTS, bufsize=0)
        try:
            reached, faults, why = _read(worker, plan[0][0])
        finally:
            worker.kill()
            worker.wait()
        if why == "died":
            errors.seek(0)
            said = [line for line in errors.read().splitlines() if line.strip()]
            why = f"died with {worker.returncode}: {' | '.join(said[-12:])[-1500:]}"
    return reached, faults, why


def _read(worker: subprocess.Popen[bytes], first: str) -> tuple[str, list[str], str]:
    assert worker.stdout is not None
    reached, faults, pending, patience_s = first, [], b"", _PREPARE_S
    while True:
        ready, _, _ = select.select([worker.stdout], [], [], patience_s)
        if not ready:
            return reached, faults, "hangs"
        block = os.read(worker.stdout.fileno(), 1 << 16)
        if not block:
            worker.wait()
            return reached, faults, "died"
        *lines, pending = (pending + block).split(b"\n")
        for line in lines:
            kind, _, rest = line.decode(errors="replace").partition(" ")
            if kind in ("prepare", "case"):
                reached, patience_s = rest, _PREPARE_S if kind == "prepare" else _CASE_S
            elif kind == "fault":
                faults.append(rest)
            elif kind == "done":
                return reached, faults, ""
