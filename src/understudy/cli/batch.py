"""``understudy batch``: many tasks from one file, resumable."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.cli.shell import Exit, Shell
from understudy.errors import OptionError

if TYPE_CHECKING:
    from understudy.batch import BatchResult
    from understudy.batch.run import Told

EXAMPLE = "Example:  understudy batch examples/batches/walks.toml -o out/walks --workers 2"
_REASONS_SHOWN = 5


def batch(
    shell: Shell,
    tasks: Annotated[Path, typer.Argument(metavar="TASKS", help="A task file (.toml or .json).")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Output folder; an existing one is continued.")
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", metavar="local|ray", help="Processes on this machine, or Ray.")
    ] = "local",
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", help="Number of parallel tasks; 0: one per core.")
    ] = 0,
    address: Annotated[str, typer.Option("--address", metavar="HOST:PORT", help="Address of a Ray cluster.")] = "",
    retries: Annotated[
        int, typer.Option("--retries", metavar="N", help="Further attempts for tasks that end in an error.")
    ] = 1,
    listing: Annotated[bool, typer.Option("--list", help="List the tasks without running them.")] = False,
) -> int:
    """Run thousands of tasks; can be stopped and resumed. Exits with 1 if a task ended in an error.

    Tasks without a solution are recorded as such; they are not errors.
    """
    from understudy.batch import BatchOptions, load_tasks, run_batch

    if listing:
        items = load_tasks(tasks, seed=shell.seed)
        shell.answer(
            {"tasks": [{"name": item.name, **item.to_json()} for item in items]},
            lambda: "\n".join([*(item.name for item in items), f"{len(items)} tasks"]),
        )
        return Exit.DONE
    if out is None:
        raise OptionError("no output folder; give one with -o DIR")
    options = BatchOptions(engine=engine, workers=workers, address=address, retries=retries, seed=shell.seed)
    with _Bar(shell) as told:
        result = run_batch(tasks, out, told=told, options=options)
    entry = document(result)
    shell.answer(entry, lambda: text(entry))
    return Exit.FAILED if result.failed else Exit.DONE


class _Bar:
    """A progress bar on stderr if it is a terminal; otherwise a line now and then."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._bar: Any = None
        self._task: Any = None
        self._said = 0

    def __enter__(self) -> Told:
        if not self._shell.quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

            self._bar = Progress(
                "batch", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True)
            )
            self._bar.start()
            self._task = self._bar.add_task("batch", total=None)
        return self._told

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _told(self, answer: dict[str, Any], through: int, total: int) -> None:
        if answer["status"] == "failed":
            self._shell.remark(f"{answer['name']} failed: {answer['reason']}")
        if self._bar is not None:
            self._bar.update(self._task, total=total, completed=through)
        elif (share := 10 * through // total) > self._said:
            self._said = share
            self._shell.remark(f"{through} of {total} tasks")


def document(result: BatchResult) -> dict[str, Any]:
    """The result as JSON keys."""
    return {
        "folder": str(result.folder),
        "total": result.total,
        "kept": result.kept,
        "counts": result.counts,
        "failed": [{"name": name, "reason": reason} for name, reason in result.failed.items()],
    }


def text(entry: dict[str, Any]) -> str:
    """The result for people."""
    lines = [entry["folder"], f"  tasks     {entry['total']}, {entry['kept']} of them done earlier"]
    lines += [f"  {status:<9} {count}" for status, count in entry["counts"].items()]
    lines += [f"  {one['name']}: {one['reason']}" for one in entry["failed"][:_REASONS_SHOWN]]
    return "\n".join(lines)
