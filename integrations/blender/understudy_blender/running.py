"""A job driven to its end: at once, or in a thread that can be watched and stopped."""

from __future__ import annotations

import threading

from .command import Runner
from .errors import JobError
from .jobs import Found, Job


class Run:
    """One job and the runner that does what it asks for."""

    def __init__(self, job: Job, runner: Runner) -> None:
        self._job, self._runner = job, runner
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._found: Found | None = None
        self._error: JobError | None = None
        #: The command that runs now, for people.
        self.doing = ""

    def start(self) -> None:
        """Begin in a thread."""
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the thread is at work."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Stop as soon as can be."""
        self._runner.cancel()

    def result(self) -> Found:
        """The motion; does the work now if no thread has done it.

        Raises:
            JobError: Why there is none.
        """
        if self._thread.ident is None:
            self._work()
        else:
            self._thread.join()
        if self._error is not None:
            raise self._error
        if self._found is None:
            raise JobError("the job ended without a motion")
        return self._found

    def _work(self) -> None:
        answer = None
        try:
            while True:
                arguments = next(self._job) if answer is None else self._job.send(answer)
                self.doing = arguments[0]
                answer = self._runner.run(arguments)
        except StopIteration as end:
            self._found = end.value
        except JobError as error:
            self._error = error
        except Exception as error:  # a thread that dies in silence would leave people waiting for a reason
            self._error = JobError(f"the add-on failed: {type(error).__name__}: {error}")
