"""Planning beside the page: a small pool of workers, with progress and cancel."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from understudy.errors import UnderstudyError
from understudy.studio.kernels import Kernels
from understudy.studio.project import Project

#: Completes the step a job was started for.
Change = Callable[[Project], Project]


@dataclass(eq=False)
class Job:
    """A piece of planning.

    Attributes:
        title: What is being done, for people.
        kernels: The warm-up job whose kernels it needs; none if empty.
        work: Does it. It may hand over changes early with :meth:`show`; what it returns comes last.
        serial: The step it was started for.
        cancel: Set to stop it.
        share: How much is done, in [0, 1].
        stage: A word on what is being done.
        ended: Whether its work is done.
        shown_for_s: How long pages take to draw the last state [s]; zero without a page.
    """

    title: str
    work: Callable[[Job], Change]
    kernels: str = ""
    serial: int = 0
    cancel: threading.Event = field(default_factory=threading.Event)
    share: float = 0.0
    stage: str = ""
    show: Callable[[Change], None] = lambda change: None
    shown_for_s: Callable[[], float] = lambda: 0.0
    ended: bool = False
    tell: Callable[[], None] = lambda: None

    def let_look(self) -> None:
        """After :meth:`show`: leave the processor to pages that draw it now before going on."""
        self.cancel.wait(self.shown_for_s())

    def progress(self, share: float, stage: str) -> None:
        """Passed to planners as their progress callback."""
        self.share, self.stage = share, stage
        self.tell()


class Jobs:
    """Runs one job at a time for a project; a new one takes the place of the one before."""

    def __init__(self, kernels: Kernels, *, workers: int = 2) -> None:
        self._kernels = kernels
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="understudy-plan")
        self._lock = threading.Lock()
        self._current: Job | None = None

    @property
    def current(self) -> Job | None:
        """The running job; ``None`` if there is none."""
        return self._current

    def start(self, job: Job, *, finished: Callable[[Job, Change], None]) -> None:
        """Run a job; ``finished`` is called from the worker unless the job was cancelled, and calls :meth:`done`."""
        with self._lock:
            self._stop()
            self._current = job
        self._pool.submit(self._run, job, finished)

    def done(self, job: Job) -> None:
        """Take note that a job has ended."""
        with self._lock:
            if self._current is job:
                self._current = None

    def stop(self) -> None:
        """Cancel the running job."""
        with self._lock:
            self._stop()

    def close(self) -> None:
        """Cancel and let the workers go."""
        self.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _stop(self) -> None:
        if self._current is not None:
            self._current.cancel.set()
            self._current = None

    def _run(self, job: Job, finished: Callable[[Job, Change], None]) -> None:
        if job.cancel.is_set():
            return
        if job.kernels:
            self._kernels.wait(job.kernels, told=job.progress, cancelled=job.cancel.is_set)
            job.progress(0.0, "")
        try:
            change = job.work(job)
        except UnderstudyError as error:
            text = str(error)
            change = lambda project: project.with_verdict(status="failed", text=text)  # noqa: E731
        except Exception as error:
            fault = f"unexpected {type(error).__name__}: {error}"
            change = lambda project: project.with_verdict(status="failed", text=fault)  # noqa: E731
        job.ended = True
        if not job.cancel.is_set():
            finished(job, change)
