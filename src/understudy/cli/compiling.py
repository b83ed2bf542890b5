"""A word to whoever waits while kernels are compiled, which happens once on every machine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from understudy.compiling import spent

WAIT = "compiling kernels, only the first time"
_BAR = 24

#: One job in a process of its own; it says which kernel it is at.
_JOB = """
import sys
from understudy.api.warming import warm_up
from understudy.compiling import spent

with spent.told(lambda name: print(name, flush=True)):
    warm_up(sys.argv[1])
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
    """Jobs that compile their kernels in processes of their own, one on each core at a time.

    Args:
        jobs: Names as ``understudy warm-up`` takes them.
        quiet: Show nothing.
    """

    def __init__(self, jobs: list[str], *, quiet: bool = False) -> None:
        from understudy.api.warming import KERNELS

        self._waiting = list(jobs)
        self._running: dict[str, tuple[subprocess.Popen[str], threading.Thread]] = {}
        self._counts = dict.fromkeys(jobs, 0)
        self._heard: list[tuple[str, str]] = []
        self._bar = Bar(
            sum(KERNELS.get(job, 0) for job in jobs), shown=False if quiet else None, began_s=time.perf_counter()
        )
        self._start(os.cpu_count() or 1)

    def wait(self) -> dict[str, tuple[int, int]]:
        """Kernels compiled and exit code of every job, once all are done."""
        done: dict[str, tuple[int, int]] = {}
        while self._waiting or self._running:
            time.sleep(0.1)
            while self._heard:
                job, name = self._heard.pop(0)
                self._counts[job] += 1
                self._bar.begun(f"{name} ({job})")
            for job, (process, ears) in list(self._running.items()):
                if process.poll() is not None and not ears.is_alive() and not self._heard:
                    done[job] = self._counts[job], process.returncode
                    del self._running[job]
            self._start(os.cpu_count() or 1)
        self._bar.cleared()
        return done

    def close(self) -> None:
        """Stop what is not done."""
        for process, _ in self._running.values():
            process.terminate()

    def _start(self, cores: int) -> None:
        while self._waiting and len(self._running) < cores:
            job = self._waiting.pop(0)
            self._running[job] = self._started(job)

    def _started(self, job: str) -> tuple[subprocess.Popen[str], threading.Thread]:
        """A job's process, and a thread that listens to it."""
        process = subprocess.Popen([sys.executable, "-c", _JOB, job], stdout=subprocess.PIPE, text=True)

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                self._heard.append((job, line.strip()))

        ears = threading.Thread(target=listen, daemon=True)
        ears.start()
        return process, ears
