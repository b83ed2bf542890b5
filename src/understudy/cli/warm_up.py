"""``understudy warm-up``: compile kernels now, on all cores, instead of at the first use."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Annotated

import typer

from understudy.cli.shell import Exit, Shell
from understudy.errors import OptionError, nearest_name

EXAMPLE = "Example:  understudy warm-up walk"

#: One job in a process of its own; it says which kernel it is at.
_JOB = """
import sys
from understudy.api.warming import warm_up
from understudy.compiling import spent

with spent.told(lambda name: print(name, flush=True)):
    warm_up(sys.argv[1])
"""


def warm_up(
    shell: Shell,
    jobs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[JOB...]", help="walk, perform, limbs or between; default: all."),
    ] = None,
) -> int:
    """Compile the kernels of some jobs, or of all. Kernels that are compiled already cost only seconds."""
    from understudy.api.warming import JOBS

    for job in jobs or ():
        if job not in JOBS:
            raise OptionError(f'unknown job "{job}"; {nearest_name(job, JOBS)}')
    began = time.perf_counter()
    done = _all(shell, list(dict.fromkeys(jobs or JOBS)))
    seconds = time.perf_counter() - began
    document = {"jobs": {job: count for job, (count, _) in done.items()}, "seconds": seconds}
    failed = [job for job, (_, code) in done.items() if code]
    told = [f"{job:<8} {count} kernels compiled" for job, (count, _) in done.items()]
    shell.answer(document, lambda: "\n".join([*told, f"{seconds:.0f} s"]))
    for job in failed:
        print(f"error: warming up {job} failed", file=sys.stderr)
    return Exit.FAILED if failed else Exit.DONE


def _all(shell: Shell, waiting: list[str]) -> dict[str, tuple[int, int]]:
    """Kernels compiled and exit code of every job; one job per core at a time."""
    running: dict[str, subprocess.Popen[str]] = {}
    done: dict[str, tuple[int, int]] = {}
    counts = dict.fromkeys(waiting, 0)
    queue: list[str] = []
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            job = waiting.pop(0)
            running[job] = _started(job, queue)
        time.sleep(0.1)
        while queue:
            job, name = queue.pop(0).split(" ", 1)
            counts[job] += 1
            _show(shell, f"  {sum(counts.values())} kernels; {job}: {name}")
        for job, process in list(running.items()):
            if process.poll() is not None:
                done[job] = counts[job], process.returncode
                del running[job]
    _show(shell, "")
    return done


def _started(job: str, queue: list[str]) -> subprocess.Popen[str]:
    """A job's process, and a thread that puts its output into the queue."""
    import threading

    process = subprocess.Popen([sys.executable, "-c", _JOB, job], stdout=subprocess.PIPE, text=True)

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            queue.append(f"{job} {line.strip()}")

    threading.Thread(target=listen, daemon=True).start()
    return process


def _show(shell: Shell, text: str) -> None:
    if not shell.quiet and sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
