"""The one tree of exceptions Understudy raises on bad input.

Not finding a motion is never an exception: planners return a status (``core/planning.py``).
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path


class UnderstudyError(Exception):
    """Base of every error a user of Understudy can cause or fix."""


#: [characters] of a message about a file.
_LONGEST = 2000


class FormatError(UnderstudyError):
    """A file cannot be read or written.

    Args:
        message: What is wrong and what is allowed.
        path: The file at fault.
        line: Line number in a text file, counted from 1.
    """

    def __init__(self, message: str, *, path: str | os.PathLike[str] | None = None, line: int | None = None) -> None:
        # Parts of damaged files are quoted in messages; nobody reads pages of them.
        self.message = message = message if len(message) <= _LONGEST else f"{message[:_LONGEST]} ..."
        self.path = None if path is None else Path(path)
        self.line = line
        where = "" if path is None else f"{path}:" if line is None else f"{path}:{line}:"
        super().__init__(f"{where} {message}".strip())


class SkeletonError(UnderstudyError):
    """A skeleton is malformed or lacks the joints a job needs."""


class MotionError(UnderstudyError):
    """A motion's arrays do not fit its skeleton, or an edit of it makes no sense."""


class SceneError(UnderstudyError):
    """A scene or scene file is invalid; carries all faults found."""

    def __init__(self, message: str, *, faults: Iterable[str] = ()) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join([message, *(f"  - {fault}" for fault in self.faults)]))


class OptionError(UnderstudyError):
    """An option is unknown or outside its range."""


class PlanningInputError(UnderstudyError):
    """A planning problem contradicts itself, before any search."""


#: Packages of the extras; hints name these, for they can be installed wherever this package came from.
EXTRAS: dict[str, tuple[str, ...]] = {
    "usd": ("usd-core",),
    "video": ("av",),
    "studio": ("starlette", "uvicorn", "websockets"),
    "batch": ("ray",),
    "gpu": ("torch",),
}


def install_hint(extra: str) -> str:
    """A command that installs what an extra of this package needs."""
    return f"pip install {' '.join(EXTRAS[extra])}"


class MissingExtraError(UnderstudyError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{feature} needs an optional package: install it with  {install_hint(extra)}")


def nearest_name(wrong: str, allowed: Iterable[str]) -> str:
    """A hint naming the closest allowed spelling, or listing a few that are allowed.

    Returns:
        ``'did you mean "hips"?'``, or ``'allowed: a, b, c'``; empty when nothing is allowed.
    """
    names = list(allowed)
    close = difflib.get_close_matches(wrong.lower(), [name.lower() for name in names], n=1, cutoff=0.6)
    if close:
        match = next(name for name in names if name.lower() == close[0])
        return f'did you mean "{match}"?'
    if not names:
        return ""
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"allowed: {shown}"
