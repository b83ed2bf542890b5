"""Tasks of a suite on many cores, their records in a file of JSON lines that a later run goes on from."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

Task = TypeVar("Task")
Found = TypeVar("Found")
#: Tasks that wait for each process, so that none has to wait for the next one.
_AHEAD = 2


def each_done(
    work: Callable[[Task], Found], tasks: Iterable[Task], *, workers: int = 1
) -> Iterator[tuple[Task, Found]]:
    """What comes of each task, as soon as it is known; tasks are drawn when a process is about to need one."""
    if workers <= 1:
        yield from ((task, work(task)) for task in tasks)
        return
    remaining, running = iter(tasks), dict[Future[Found], Task]()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        while True:
            while len(running) < _AHEAD * workers and (task := next(remaining, None)) is not None:
                running[pool.submit(work, task)] = task
            if not running:
                return
            for one in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(one), one.result()


def records(store: Path | None) -> list[dict[str, Any]]:
    """What earlier runs wrote; a line in which a run was ended is left out, and tried again."""
    found = []
    for line in [] if store is None or not store.exists() else store.read_text(encoding="utf-8").splitlines():
        with suppress(json.JSONDecodeError):
            found.append(json.loads(line))
    return found


def record(store: Path | None, entry: dict[str, Any]) -> None:
    """One line more."""
    if store is not None:
        store.parent.mkdir(parents=True, exist_ok=True)
        with store.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
