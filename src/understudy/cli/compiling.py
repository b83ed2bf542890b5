"""A word to whoever waits while kernels are compiled, which happens once on every machine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue

from understudy.compiling import spent

WAIT = "compiling kernels, only the first time"
_BAR = 24

#: A process that does jobs, one after another as it is asked: what neighbours share is compiled once. It says which
#: kernel it is at, and after each job how that ended.
_JOBS = """
import sys, traceback
from understudy.api.warming import warm_up
from understudy.compiling import spent

with spent.told(lambda name: print(name, flush=True)):
    for line in sys.stdin:
        try:
            warm_up(line.strip())
            print("=0", flush=True)
        except Exception:
            traceback.print_exc()
            print("=1", flush=True)
"""


class Bar:
    """A line on a terminal: how many kernels of about how many are compiled, the time left, and the one under way.

    Args:
        expected: About how many there are; 0 where nobody knows.
        shown: Whether to draw at all; unless given, where stderr is a terminal.
        began_s: When the first one was begun, by ``time.perf_counter``; unless given, when it is told of.
    """

    def __init__(self, expected: int = 0, *, shown: bool | None = None, began_s: float = 0.0) -> None:
        self._expected, self._count, self._began_s = expected, 0, began_s
        self._shown = sys.stderr.isatty() if shown is None else shown

    def begun(self, name: str) -> None:
        """A kernel is under way."""
        self._count += 1
        self._began_s = self._began_s or time.perf_counter()
        self._draw(f"  {bar_text(self._count, self._expected, time.perf_counter() - self._began_s)}: {name}")

    def cleared(self) -> None:
        """Remove the line."""
        if self._count:
            self._draw("")

    def _draw(self, text: str) -> None:
        if self._shown:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def bar_text(count: int, expected: int, took_s: float) -> str:
    """A bar with the time left, as far as that is known."""
    if not expected:
        return f"{count} kernels, {took_s:.0f} s"
    share = min(count / expected, 1.0)
    full = round(_BAR * share)
    left = f"about {took_s * (1.0 - share) / share:.0f} s left" if count > 5 and share < 1.0 else f"{took_s:.0f} s"
    return f"[{'#' * full}{'.' * (_BAR - full)}] {count} of about {max(expected, count)} kernels, {left}"


@contextmanager
def announced(remark: Callable[[str], None], expected: int = 0) -> Iterator[None]:
    """Report on a terminal which kernels are being compiled; kernels read from disk do not count.

    In a log, there is one remark at the first kernel.
    """
    bar, told = Bar(expected), False

    def tell(name: str) -> None:
        nonlocal told
        if not told:
            told = True
            remark(WAIT)
        bar.begun(name)

    try:
        with spent.told(tell):
            yield
    finally:
        bar.cleared()


class Apart:
    """Jobs that compile their kernels in other processes, one process on each core.

    Args:
        jobs: Names as ``understudy warm-up`` takes them.
        quiet: Show nothing.
    """

    def __init__(self, jobs: list[str], *, quiet: bool = False) -> None:
        from understudy.api.warming import KERNELS

        self._waiting, self._count = deque(jobs), len(jobs)
        self._counts = dict.fromkeys(jobs, 0)
        self._heard: SimpleQueue[tuple[str, str]] = SimpleQueue()
        expected = sum(KERNELS[job] for job in jobs if job in KERNELS)
        self._bar = Bar(expected, shown=False if quiet else None, began_s=time.perf_counter())
        self._processes = [self._started() for _ in range(min(os.cpu_count() or 1, len(jobs)))]
        for process in self._processes:
            threading.Thread(target=self._work, args=(process,), daemon=True).start()

    def wait(self) -> dict[str, tuple[int, int]]:
        """Kernels compiled and exit code of every job, once all are done."""
        done: dict[str, tuple[int, int]] = {}
        while len(done) < self._count:
            job, name = self._heard.get()
            if name.startswith("="):
                done[job] = self._counts[job], int(name[1:])
                continue
            self._counts[job] += 1
            self._bar.begun(f"{name} ({job})")
        self._bar.cleared()
        return done

    def close(self) -> None:
        """Stop what is not done; it counts as failed."""
        while (job := self._next()) is not None:
            self._heard.put((job, "=1"))
        for process in self._processes:
            process.terminate()

    def _started(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", _JOBS]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _next(self) -> str | None:
        with suppress(IndexError):
            return self._waiting.popleft()
        return None

    def _work(self, process: subprocess.Popen[str]) -> None:
        """Hand jobs to a process until there are no more, and listen to it."""
        while (job := self._next()) is not None:
            if process.poll() is not None:  # the last job was too much for it
                process = self._started()
                self._processes.append(process)
            self._heard.put((job, self._done(process, job)))
        with suppress(OSError):
            process.communicate()

    def _done(self, process: subprocess.Popen[str], job: str) -> str:
        """Have one job done; what the process says in the end, or would if it had not died."""
        assert process.stdin is not None and process.stdout is not None
        with suppress(OSError):
            process.stdin.write(f"{job}\n")
            process.stdin.flush()
            for line in process.stdout:
                if line.startswith("="):
                    return line.strip()
                self._heard.put((job, line.strip()))
        return f"={process.wait() or 1}"
