"""Kernels that the working modes need, compiled in other processes: the page and the modes that have theirs go on."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

from understudy.api.warm_processes import Apart
from understudy.api.warming import JOBS, KERNELS
from understudy.core.user_cache import fingerprint, user_folder

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
        missing = [job for job in JOBS if not _marked(job)]
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
            if not (self.compiled(job) or self._counts[job]):
                self._counts[job] = 1
                self._run([job], calm=False)
        while not (self._compiled[job].wait(_LOOK_S) or cancelled()):
            count, expected = self._counts[job], KERNELS[job]
            told(min(count / expected, 1.0), f"compiling kernels, {count} of about {max(count, expected)}")

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
            if not name.startswith("="):
                self._counts[job] += 1
                continue
            if name == "=0":
                _mark(job)
            self._compiled[job].set()


def _mark_file(job: str) -> Path | None:
    """A file that says that a job's kernels are compiled, for this package as it is and these folders."""
    folder = user_folder()
    place = hashlib.sha256(os.environ.get("NUMBA_CACHE_DIR", "").encode()).hexdigest()[:8]
    return None if folder is None else folder / f"kernels-{job}-{fingerprint()}-{place}"


def _marked(job: str) -> bool:
    path = _mark_file(job)
    return path is not None and path.is_file()


def _mark(job: str) -> None:
    path = _mark_file(job)
    if path is not None:
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            for other in path.parent.glob(f"kernels-{job}-*"):
                other.unlink()
            path.touch()
