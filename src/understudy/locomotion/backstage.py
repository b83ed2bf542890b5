"""Backstage: one thread that does jobs in the order they were given, while the stage goes on.

Kernels let go of the interpreter, so searching takes a core of its own. What is done when must not depend on the clock:
jobs see nothing but what jobs before them have done, and the stage looks at a job's outcome only at a step it can tell
beforehand, waiting for it if need be.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property


class Backstage:
    """Does jobs one after another."""

    def __init__(self) -> None:
        self._last: Future[None] | None = None

    @cached_property
    def _thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, thread_name_prefix="backstage")

    def give(self, job: Callable[[], None]) -> Future[None]:
        """Give a job; ask the answer for its ``result()`` to wait for it."""
        self._last = self._thread.submit(job)
        return self._last

    def finish(self) -> None:
        """Wait until nothing is left to do."""
        if self._last is not None:
            self._last.result()
