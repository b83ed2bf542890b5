"""Warm-up jobs in processes of their own: compiling keeps nobody waiting who does something else meanwhile."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

from understudy.core.user_cache import fingerprint, user_folder

#: A process that does jobs, one after another as it is asked: what neighbours share is compiled once. It says which
#: kernel it is at, and after each job how that ended.
_JOBS = """
import os, sys, traceback
from understudy.api.warming import warm_up
from understudy.compiling import spent

with spent.told(lambda name: print(name, flush=True)):
    for line in sys.stdin:
        try:
            warm_up(line.strip())
            print("=0", flush=True)
        except BrokenPipeError:
            os._exit(1)  # nobody listens any more
        except Exception:
            traceback.print_exc()
            print("=1", flush=True)
"""

#: [steps] how far processes that nobody waits for stand back behind others, where the system knows of it.
_CALM = 10


class Apart:
    """Jobs that compile their kernels in other processes, one process on each core.

    Args:
        jobs: Names as ``understudy warm-up`` takes them.
        calm: Nobody waits for them: other processes go first.

    Attributes:
        begun: Names of the jobs that were begun so far.
    """

    def __init__(self, jobs: Sequence[str], *, calm: bool = False) -> None:
        self._waiting, self._count, self._calm = deque(jobs), len(jobs), calm
        self.begun: set[str] = set()
        self._heard: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self._processes = [self._started() for _ in range(min(os.cpu_count() or 1, len(jobs)))]
        for process in self._processes:
            threading.Thread(target=self._work, args=(process,), daemon=True).start()

    def events(self) -> Iterator[tuple[str, str]]:
        """Job and kernel as each kernel begins to be compiled; job and ``=`` with its exit code as each job ends."""
        ended = 0
        while ended < self._count:
            job, name = self._heard.get()
            ended += name.startswith("=")
            yield job, name

    def wait(self, begun: Callable[[str, str], None] = lambda job, kernel: None) -> dict[str, tuple[int, int]]:
        """Kernels compiled and exit code of every job, once all are done.

        Args:
            begun: Told of every kernel that begins to be compiled, with its job.
        """
        counts: dict[str, int] = {}
        done: dict[str, tuple[int, int]] = {}
        for job, name in self.events():
            if name.startswith("="):
                done[job] = counts.get(job, 0), int(name[1:])
            else:
                counts[job] = counts.get(job, 0) + 1
                begun(job, name)
        return done

    def close(self) -> None:
        """Stop what is not done; it counts as failed."""
        while (job := self._next()) is not None:
            self._heard.put((job, "=1"))
        for process in self._processes:
            process.terminate()

    def _started(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", _JOBS]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self._calm:
            with suppress(OSError, AttributeError):  # not every system has niceness
                os.setpriority(os.PRIO_PROCESS, process.pid, _CALM)
        return process

    def _next(self) -> str | None:
        with suppress(IndexError):
            return self._waiting.popleft()
        return None

    def _work(self, process: subprocess.Popen[str]) -> None:
        """Hand jobs to a process until there are no more, and listen to it."""
        while (job := self._next()) is not None:
            self.begun.add(job)
            if process.poll() is not None:  # the last job was too much for it
                process = self._started()
                self._processes.append(process)
            ended = self._done(process, job)
            if ended == "=0":
                _note_compiled(job)
            self._heard.put((job, ended))
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


def is_compiled(job: str) -> bool:
    """Whether a job's kernels were compiled once for this package as it is, into the folder that is used now."""
    path = _note(job)
    with suppress(OSError):
        return path is not None and path.read_text(encoding="utf-8") == fingerprint()
    return False


def _note_compiled(job: str) -> None:
    path = _note(job)
    with suppress(OSError):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fingerprint(), encoding="utf-8")


def _note(job: str) -> Path | None:
    """A file for each installation and folder of kernels."""
    place = f"{Path(__file__)} {os.environ.get('NUMBA_CACHE_DIR', '')}"
    folder = user_folder()
    return None if folder is None else folder / f"kernels-{job}-{hashlib.sha256(place.encode()).hexdigest()[:8]}"
