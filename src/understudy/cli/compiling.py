"""A word to whoever waits while kernels are compiled, which happens once on every machine."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from understudy.compiling import spent

WAIT = "compiling kernels, only the first time"


@contextmanager
def announced(remark: Callable[[str], None]) -> Iterator[None]:
    """Report on a terminal which kernels are being compiled; kernels read from disk do not count.

    In a log, there is one remark at the first kernel.
    """
    began, count = 0.0, 0

    def tell(name: str) -> None:
        nonlocal began, count
        count += 1
        if count == 1:
            began = time.perf_counter()
            remark(WAIT)
        if watched:
            took = time.perf_counter() - began
            print(f"\r\033[K  {count} kernels, {took:.0f} s: {name}", end="", file=sys.stderr, flush=True)

    watched = sys.stderr.isatty()
    try:
        with spent.told(tell):
            yield
    finally:
        if watched and count:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
