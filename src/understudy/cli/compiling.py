"""A word to whoever waits while kernels are compiled, which happens once on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

WAIT = "compiling the planners' kernels; this takes up to a few minutes, only the first time"


@contextmanager
def announced(remark: Callable[[str], None]) -> Iterator[None]:
    """Pass one remark on when the first kernel has to be compiled; kernels read from the cache do not count."""
    from numba.core import event

    class Announcer(event.Listener):
        said = False

        def on_start(self, _: Any) -> None:
            if not self.said:
                self.said = True
                remark(WAIT)

        def on_end(self, _: Any) -> None:
            pass

    listener = Announcer()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
