"""The ``understudy`` command as a process of its own: found, run, stopped, understood."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import CancelledError, JobError

#: Exit code of a command that found no motion.
NO_MOTION = 3
#: [s] between looks at whether the person has had enough.
_LOOK_S = 0.1


@dataclass(frozen=True)
class Answer:
    """What a command said: its exit code and its JSON document."""

    code: int
    document: dict[str, Any]


def found_command(text: str) -> list[str]:
    """The words that start the command.

    Args:
        text: A name on the search path, the path of a file, or a whole command line.

    Raises:
        JobError: There is no such command.
    """
    text = text.strip() or "understudy"
    whole = shutil.which(str(Path(text).expanduser()))
    if whole:
        return [whole]
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError:
        words = []
    first = shutil.which(str(Path(words[0]).expanduser())) if len(words) > 1 else None
    if first:
        return [first, *words[1:]]
    raise JobError(
        f'the command "{text}" was not found; install it (pip install understudy) and give its path in the '
        "preferences of the Understudy add-on"
    )


class Runner:
    """Runs commands, one at a time; may be cancelled from another thread."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._command, self._folder = list(command), folder
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Stop what runs now and let nothing else start."""
        self._cancelled.set()

    def run(self, arguments: Sequence[str]) -> Answer:
        """Run one command to its end.

        Raises:
            JobError: It cannot be started, or says what is wrong.
            CancelledError: It was stopped.
        """
        if self._cancelled.is_set():
            raise CancelledError("cancelled")
        try:
            process = subprocess.Popen(
                [*self._command, *arguments, "--json"],
                cwd=self._folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise JobError(f'"{self._command[0]}" cannot be started: {error.strerror or error}') from error
        return self._finished(process)

    def _finished(self, process: subprocess.Popen[str]) -> Answer:
        while True:
            try:
                said, remarks = process.communicate(timeout=_LOOK_S)
                return understood(process.returncode, said, remarks)
            except subprocess.TimeoutExpired:
                if self._cancelled.is_set():
                    process.kill()
                    process.communicate()
                    raise CancelledError("cancelled") from None


def understood(code: int, said: str, remarks: str) -> Answer:
    """The answer in what a command wrote on its standard output and error.

    Raises:
        JobError: It is an error, or no answer at all.
    """
    try:
        document = json.loads(said)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        last = [line.strip() for line in remarks.splitlines() if line.strip()]
        raise JobError(f"understudy gave no answer (exit code {code}): {' '.join(last[-3:]) or 'nothing was said'}")
    error = document.get("error")
    if isinstance(error, dict):
        raise JobError(str(error.get("message") or "understudy failed without saying why"))
    return Answer(code, document)


def _environment() -> dict[str, str]:
    """This process's environment without what points at Blender's own Python."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
