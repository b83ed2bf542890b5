"""What all commands share: the common options, printing for people or programs, progress, errors and exit codes."""

from __future__ import annotations

import functools
import inspect
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, TypeVar

import typer

from understudy.errors import (
    FormatError,
    MotionError,
    OptionError,
    PlanningInputError,
    SceneError,
    SkeletonError,
    UnderstudyError,
)
from understudy.timing import Watch, watched

Item = TypeVar("Item")


class Exit(IntEnum):
    """Exit codes of every command; ``FAILED`` stands for broken bars and for errors during the run."""

    DONE = 0
    FAILED = 1
    UNUSABLE = 2
    NO_MOTION = 3
    #: By Ctrl-C, as shells have it: 128 and the number of the signal.
    STOPPED = 130


@dataclass(frozen=True, kw_only=True)
class Shell:
    """How this run talks to its caller.

    Attributes:
        as_json: One JSON document on stdout instead of text.
        quiet: No progress and no remarks on stderr; errors only.
        debug: Errors come with their traceback.
        seed: For planners.
        deadline_s: For planners [s].
        watch: What the run's time is counted by, if that was asked for.
    """

    as_json: bool = False
    quiet: bool = False
    debug: bool = False
    seed: int = 0
    deadline_s: float | None = None
    watch: Watch | None = None

    def remark(self, text: str) -> None:
        """A line for people, on stderr."""
        if not self.quiet:
            print(text, file=sys.stderr)

    def answer(self, document: dict[str, Any], text: Callable[[], str]) -> None:
        """The command's result: ``document`` for programs or ``text`` for people."""
        seconds = {} if self.watch is None else self.watch.seconds()
        if self.as_json:
            print(json.dumps(document | ({"timing": seconds} if seconds else {}), indent=2, allow_nan=False))
        elif not self.quiet:
            print(text())
            if seconds:
                print("timing   " + ", ".join(f"{name} {value:.2f}" for name, value in seconds.items()) + " s")

    def tracked(self, items: Iterable[Item], *, label: str, total: int) -> Iterator[Item]:
        """Iterate with a progress bar on stderr if there is much to do and stderr is a terminal.

        Raises:
            UnderstudyError: The deadline passed before the last item.
        """
        from understudy.core.work_clock import WorkClock

        clock = WorkClock()
        shown = items
        if not self.quiet and total > 1 and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import track

            shown = track(items, description=label, total=total, console=Console(stderr=True), transient=True)
        for done, item in enumerate(shown):
            if self.deadline_s is not None and done and clock.seconds() > self.deadline_s:
                raise UnderstudyError(f"the deadline of {self.deadline_s:g} s passed after {done} of {total} files")
            yield item

    def failed(self, error: UnderstudyError) -> None:
        """Say what went wrong, in one place on stderr and, for programs, as JSON on stdout."""
        if self.debug:
            traceback.print_exception(error)
        if self.as_json:
            print(json.dumps({"error": error_entry(error)}, indent=2))
        print(f"error: {error}", file=sys.stderr)


#: Errors about the input.
_INPUT_ERRORS = (FormatError, MotionError, OptionError, PlanningInputError, SceneError, SkeletonError)


def exit_code(error: UnderstudyError) -> Exit:
    """The exit code of a command after an error."""
    return Exit.UNUSABLE if isinstance(error, _INPUT_ERRORS) else Exit.FAILED


def error_entry(error: UnderstudyError) -> dict[str, Any]:
    """An error as JSON keys."""
    entry: dict[str, Any] = {"type": type(error).__name__, "message": str(error)}
    if isinstance(error, FormatError):
        entry["path"] = None if error.path is None else str(error.path)
        entry["line"] = error.line
    return entry


_COMMON: dict[str, tuple[Any, Any]] = {
    "json": (
        Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout, everything else on stderr.")],
        False,
    ),
    "quiet": (Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no remarks.")], False),
    "debug": (Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")], False),
    "timing": (
        Annotated[bool, typer.Option("--timing", help="Print how long importing, loading and the rest took.")],
        False,
    ),
    "seed": (Annotated[int, typer.Option("--seed", help="Seed for everything random.")], 0),
    "deadline": (
        Annotated[float | None, typer.Option("--deadline", min=0.001, help="Stop after this many seconds.")],
        None,
    ),
}


def command(
    app: typer.Typer, name: str | None = None, *, plans: bool = False, **kwargs: Any
) -> Callable[[Callable[..., int | None]], None]:
    """Register a function ``f(shell, ...)`` as a command that also takes the common options.

    A parameter annotated with a :class:`Group` stands for the command-line options that its value is made of. A command
    that ``plans`` tells whoever waits when kernels have to be compiled first.
    The function returns its exit code, or ``None`` for done. An :class:`UnderstudyError` becomes one line and exit
    code 2 when options, files or scenes cannot be used, else 1.
    """

    def register(function: Callable[..., int | None]) -> None:
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        groups = {parameter.name: group for parameter in own if (group := _group(parameter)) is not None}
        listed = [
            *(
                parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
                for parameter in own
                if parameter.name not in groups
            ),
            *(parameter for group in groups.values() for parameter in group.parameters),
            *_parameters(_COMMON),
        ]

        @functools.wraps(function)
        def run(**values: Any) -> None:
            with watched() if values.pop("timing") else nullcontext() as watch:
                started(values, watch)

        def started(values: dict[str, Any], watch: Watch | None) -> None:
            shell = Shell(
                as_json=values.pop("json"),
                quiet=values.pop("quiet"),
                debug=values.pop("debug"),
                seed=values.pop("seed"),
                deadline_s=values.pop("deadline"),
                watch=watch,
            )

            def work() -> int | None:
                for name, group in groups.items():
                    values[name] = group.made(shell, values)
                if not plans:
                    return function(shell, **values)
                from understudy.cli.compiling import announced

                with announced(shell.remark):
                    return function(shell, **values)

            raise typer.Exit(_outcome(shell, work))

        run.__signature__ = inspect.Signature(listed)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in listed}
        app.command(name=name, **kwargs)(run)

    return register


@dataclass(frozen=True)
class Group:
    """Options that make one value of a command: ``options: Annotated[WalkOptions, Group(walk_options)]``.

    Attributes:
        make: Makes the value. Its parameters are the options, but for one named ``shell``.
    """

    make: Callable[..., Any]

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """The options, as parameters of the command."""
        listed = inspect.signature(self.make, eval_str=True).parameters.values()
        return [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in listed if one.name != "shell"]

    def made(self, shell: Shell, values: dict[str, Any]) -> Any:
        """The value, made of options that are taken out of ``values``."""
        own = {parameter.name: values.pop(parameter.name) for parameter in self.parameters}
        return self.make(**({"shell": shell} if "shell" in inspect.signature(self.make).parameters else {}), **own)


def _group(parameter: inspect.Parameter) -> Group | None:
    return next((one for one in getattr(parameter.annotation, "__metadata__", ()) if isinstance(one, Group)), None)


def _parameters(options: dict[str, tuple[Any, Any]]) -> list[inspect.Parameter]:
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in options.items()
    ]


def _outcome(shell: Shell, work: Callable[[], int | None]) -> int:
    try:
        return int(work() or Exit.DONE)
    except UnderstudyError as error:
        shell.failed(error)
        return int(exit_code(error))
    except BrokenPipeError:
        # The reader of our output (head, less) has closed the pipe; that is not our failure.
        sys.stderr.close()
        return int(Exit.DONE)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return int(Exit.STOPPED)
