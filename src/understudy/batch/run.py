"""Running a batch: finished tasks are kept, the rest goes to an engine, failures are tried again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.batch.engines import Engine, local_engine, ray_engine
from understudy.batch.index import index_of
from understudy.batch.item import Item
from understudy.batch.ledger import Ledger
from understudy.batch.task_file import load_tasks
from understudy.core.planning import Options, limited
from understudy.errors import OptionError, nearest_name
from understudy.typing import PathLike

ENGINES = ("local", "ray")

#: Called after every task with its answer, how many are through, and how many there are.
Told = Callable[[dict[str, Any], int, int], None]


@dataclass(frozen=True, kw_only=True)
class BatchOptions(Options):
    """How to run a batch.

    Attributes:
        engine: ``"local"``: processes on this machine; ``"ray"``: Ray's workers.
        workers: Processes at a time; ``0`` for one per core.
        address: Of a Ray cluster; implies ``engine="ray"``.
        retries: How often a task that ends in an error is tried again in this run.
    """

    engine: str = "local"
    workers: int = limited(0, low=0, high=4096)
    address: str = ""
    retries: int = limited(1, low=0, high=100)

    def __post_init__(self) -> None:
        """Reject unknown engines."""
        super().__post_init__()
        if self.engine not in ENGINES:
            raise OptionError(f'unknown engine "{self.engine}"; {nearest_name(self.engine, ENGINES)}')

    def made(self) -> Engine:
        """The engine."""
        if self.engine == "ray" or self.address:
            return ray_engine(self.workers or None, self.address or None)
        return local_engine(self.workers or os.cpu_count() or 1)


@dataclass(frozen=True, kw_only=True)
class BatchResult:
    """What became of a batch.

    Attributes:
        folder: Where everything is.
        counts: Tasks by status.
        kept: Tasks that were done before this run.
        failed: Reasons of tasks that ended in an error, by name.
    """

    folder: Path
    counts: dict[str, int]
    kept: int
    failed: dict[str, str]

    @property
    def total(self) -> int:
        """All tasks."""
        return sum(self.counts.values())


def run_batch(
    tasks: PathLike | Sequence[Item],
    out: PathLike,
    *,
    folder: PathLike | None = None,
    told: Told | None = None,
    options: BatchOptions | None = None,
) -> BatchResult:
    """Do every task of a task file that is not done yet.

    Args:
        tasks: A task file, or tasks from :func:`load_tasks`.
        out: Output folder; made when missing, and gone on with when it holds results.
        folder: What files in tasks are named relative to; the task file's folder unless given.
        told: Called after every task.
        options: How to run.

    Raises:
        FormatError: The task file is wrong, or the folder holds a newer Understudy's list.
        UnderstudyError: Another run holds the folder, or the engine cannot be had.
    """
    options = options or BatchOptions()
    if isinstance(tasks, Sequence) and not isinstance(tasks, str):
        items = list(tasks)
    else:
        folder = folder or Path(tasks).parent
        items = load_tasks(tasks, seed=options.seed)
    home, ledger = Path(folder or ".").resolve(), Ledger(Path(out).resolve())
    engine = options.made()
    with ledger.locked():
        left = [item for item in items if not ledger.done(item.name)]
        failed: dict[str, str] = {}
        through = len(items) - len(left)
        for item, answer in _tried(engine, left, home, ledger, options.retries):
            through += 1
            if answer["status"] == "failed":
                failed[item.name] = answer["reason"]
            if told is not None:
                told(answer, through, len(items))
        return _summary(items, ledger, failed, kept=len(items) - len(left))


def _tried(
    engine: Engine, items: Iterable[Item], home: Path, ledger: Ledger, retries: int
) -> Iterator[tuple[Item, dict[str, Any]]]:
    """Answers of all tasks; those that end in an error come once more after all others, ``retries`` times."""
    waiting = list(items)
    for attempt in range(retries + 1):
        again: list[Item] = []
        for item, answer in engine(waiting, home, ledger.folder):
            ledger.log({**answer, "attempt": attempt + 1})
            if answer["retry"] and attempt < retries:
                again.append(item)
            else:
                yield item, answer
        waiting = again
        if not waiting:
            return


def _summary(items: Sequence[Item], ledger: Ledger, failed: dict[str, str], *, kept: int) -> BatchResult:
    index = index_of([(item.name, item.job) for item in items], ledger.record, failed)
    ledger.write_index(index)
    return BatchResult(folder=ledger.folder, counts=index["counts"], kept=kept, failed=failed)
