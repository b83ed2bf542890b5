"""A word to whoever waits while kernels are compiled, which happens once on every machine."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from understudy.compiling import spent

if TYPE_CHECKING:
    from understudy.api.warm_processes import Apart

WAIT = "compiling kernels, only the first time"
_BAR = 24


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


def waited(apart: Apart, expected: int, *, quiet: bool = False) -> dict[str, tuple[int, int]]:
    """Wait for jobs in other processes with a bar, which ``quiet`` leaves out; see :meth:`Apart.wait`."""
    bar = Bar(expected, shown=False if quiet else None, began_s=time.perf_counter())
    try:
        return apart.wait(lambda job, kernel: bar.begun(f"{kernel} ({job})"))
    finally:
        bar.cleared()
