"""Kernels that the working modes need, compiled in other processes: the page and the modes that have theirs go on."""

from __future__ import annotations

import threading
from collections.abc import Callable

from understudy.api.warm_processes import Apart, is_compiled
from understudy.api.warming import JOBS, KERNELS

#: [s] between looks at whether somebody still waits.
_LOOK_S = 0.2


class Kernels:
    """What is compiled, by warm-up job; everything counts as compiled until :meth:`start`."""

    def __init__(self) -> None:
        self._compiled = {job: threading.Event() for job in JOBS}
        for one in self._compiled.values():
            one.set()
        self._counts = dict.fromkeys(JOBS, 0)
        self._running: list[Apart] = []
        self._lock = threading.Lock()

    def start(self) -> None:
        """Compile what was not compiled before, while nobody waits for it."""
        missing = [job for job in JOBS if not is_compiled(job)]
        for job in missing:
            self._compiled[job].clear()
        if missing:
            self._run(missing, calm=True)

    def compiled(self, job: str) -> bool:
        """Whether a job's kernels are compiled, or could not be: then whoever needs them compiles them."""
        return self._compiled[job].is_set()

    def wait(
        self,
        job: str,
        *,
        told: Callable[[float, str], None] = lambda share, stage: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Return once a job's kernels are compiled; a job that nobody has begun is begun at once.

        Args:
            job: As ``understudy warm-up`` calls it.
            told: Told the share that is done, and in words what people wait for.
            cancelled: Whether nobody waits any more.
        """
        with self._lock:
            if not (self.compiled(job) or any(job in one.begun for one in self._running)):
                self._run([job], calm=False)
        while not (self._compiled[job].wait(_LOOK_S) or cancelled()):
            count, expected = self._counts[job], KERNELS[job]
            compiling = f"compiling kernels, {count} of about {max(count, expected)}"
            told(min(count / expected, 1.0), compiling if count else "looking for compiled kernels")

    def close(self) -> None:
        """Stop compiling; what is compiled stays compiled."""
        for one in self._running:
            one.close()

    def _run(self, jobs: list[str], *, calm: bool) -> None:
        apart = Apart(jobs, calm=calm)
        self._running.append(apart)
        threading.Thread(target=self._listen, args=(apart,), name="understudy-kernels", daemon=True).start()

    def _listen(self, apart: Apart) -> None:
        for job, name in apart.events():
            if name.startswith("="):
                self._compiled[job].set()
            else:
                self._counts[job] += 1
