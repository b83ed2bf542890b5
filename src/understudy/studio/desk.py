"""One project under work: edits come in, states go out to every open page, everything is saved."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from understudy.studio.assets import Assets
from understudy.studio.edits import run_edit
from understudy.studio.history import History
from understudy.studio.jobs import Change, Job, Jobs
from understudy.studio.messages import Busy, Live, Message, State
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf
from understudy.studio.store import Store
from understudy.studio.view import view

#: [s] how often a wait looks by itself whether work has ended.
_LOOK_S = 0.25

#: [s] a page takes to put a new motion on the screen; what can wait is done after that.
_DRAWING_S = 0.08

#: Called with a message for the page; from any thread.
Listener = Callable[[Message], None]


class Desk:
    """The studio without a network: everything a page can do, as method calls.

    Args:
        project: What to begin with.
        store: Where it is saved after every step; ``None`` for nowhere.
        shelf: Libraries at hand.
    """

    def __init__(self, project: Project, *, store: Store | None = None, shelf: Shelf | None = None) -> None:
        self.assets = Assets()
        self.shelf = shelf or Shelf()
        self._history = History(project)
        self._jobs = Jobs(self.shelf.kernels)
        self._store = store
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []

    @property
    def project(self) -> Project:
        """The present project."""
        with self._lock:
            return self._history.now

    def state(self) -> State:
        """Everything the page shows, as plain values."""
        with self._lock:
            history, job = self._history, self._jobs.current
            return {
                **view(history.now, self.assets),
                "serial": history.serial,
                "undo": history.undo_title,
                "redo": history.redo_title,
                "busy": None if job is None else _busy(job),
            }

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Listen to every change; call the returned function to stop."""
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return stop

    def do(self, name: str, values: Any = None, *, drag: str = "") -> None:
        """One edit by name; ``undo``, ``redo`` and ``cancel`` among them.

        Args:
            name: Such as ``"walk.aim"``.
            values: Its arguments.
            drag: Edits of one mouse drag share a name and are undone together.

        Raises:
            UnderstudyError: It cannot be done; nothing has changed then.
        """
        with self._lock:
            live = None
            if name in ("undo", "redo"):
                self._jobs.stop()
                getattr(self._history, name)()
            elif name == "cancel":
                self._cancel()
            else:
                live = self._edit(name, values, drag)
            if live is None:
                self._changed()
            else:
                self._tell({"live": {**live, "serial": self._history.serial}})

    def replace(self, project: Project, title: str) -> None:
        """Put another project on the desk; undo brings back the one before."""
        with self._lock:
            self._jobs.stop()
            self._history.push(project, title)
            self._changed()

    def settled(self, timeout_s: float = 600.0) -> bool:
        """Wait until no job runs; for programs and tests."""
        end = time.monotonic() + timeout_s
        told = threading.Event()
        stop = self.listen(lambda message: told.set())
        try:
            while True:
                told.clear()
                with self._lock:
                    if self._jobs.current is None:
                        return True
                left = end - time.monotonic()
                if left <= 0:
                    return False
                # A job that ends without changing anything tells nobody.
                told.wait(min(left, _LOOK_S))
        finally:
            stop()

    def close(self) -> None:
        """Stop planning and save all unsaved work."""
        self._jobs.close()
        if self._store is not None:
            self._store.close()

    def _edit(self, name: str, values: Any, drag: str) -> Live | None:
        outcome = run_edit(name, values, self._history.now, self.shelf)
        if outcome.title:
            serial = self._history.push(outcome.project, outcome.title, drag=drag)
        else:
            serial = self._history.serial
            self._history.amend(serial, lambda _: outcome.project)
        if outcome.job is not None:
            self._start(outcome.job, serial)
        return outcome.live

    def _start(self, job: Job, serial: int) -> None:
        job.serial = serial
        if job is self._jobs.current:
            return  # it waits for the steps of a drag, of which this is one
        job.show = lambda change: self._completed(job, change)
        job.shown_for_s = lambda: _DRAWING_S if self._listeners else 0.0
        job.tell = lambda: self._tell({"busy": _busy(job)})
        self._jobs.start(job, finished=self._finished)

    def _finished(self, job: Job, change: Change) -> None:
        with self._lock:
            self._jobs.done(job)
            self._completed(job, change)

    def _completed(self, job: Job, change: Change) -> None:
        with self._lock:
            if not job.cancel.is_set() and self._history.amend(job.serial, change):
                self._changed()

    def _cancel(self) -> None:
        if self._jobs.current is not None:
            self._jobs.stop()
            self._history.amend(self._history.serial, lambda one: one.with_verdict(status="idle", text="cancelled"))

    def _changed(self) -> None:
        self._tell({"state": self.state()})
        if self._store is not None:
            self._store.save_soon(self._history.now, failed=lambda why: self._tell({"warning": f"not saved: {why}"}))

    def _tell(self, message: Message) -> None:
        for listener in list(self._listeners):
            listener(message)


def _busy(job: Job) -> Busy:
    return {"title": job.title, "share": job.share, "stage": job.stage}
