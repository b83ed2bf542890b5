"""Edits: what the page may ask for, by name, each with its own arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from understudy.errors import OptionError, nearest_name
from understudy.studio.jobs import Job
from understudy.studio.messages import Live
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf


class Arguments(BaseModel):
    """Base of an edit's arguments: nothing unknown, nothing infinite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class OpenArguments(Arguments):
    """Which example."""

    example: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """What an edit does.

    Attributes:
        project: The project after it.
        title: What was done, for undo; empty for a change nobody would want to undo.
        job: Planning that follows from it.
        live: What is seen of it at once, when the rest of the project is told later by the job.
    """

    project: Project
    title: str = ""
    job: Job | None = None
    live: Live | None = None


Args = TypeVar("Args", bound=Arguments)
Edit = Callable[[Project, Any, Shelf], Outcome]

_EDITS: dict[str, tuple[type[Arguments], Edit]] = {}


def edit(name: str, arguments: type[Args]) -> Callable[[Callable[[Project, Args, Shelf], Outcome]], Edit]:
    """Register a function as an edit."""

    def register(function: Callable[[Project, Args, Shelf], Outcome]) -> Edit:
        _EDITS[name] = (arguments, function)
        return function

    return register


def run_edit(name: str, values: Any, project: Project, shelf: Shelf) -> Outcome:
    """Do an edit.

    Raises:
        OptionError: There is no such edit, or an argument is missing, unknown or of the wrong kind.
        UnderstudyError: It cannot be done.
    """
    if name not in _EDITS:
        raise OptionError(f'unknown edit "{name}"; {nearest_name(str(name), list(_EDITS))}')
    kind, function = _EDITS[name]
    return function(project, arguments(name, kind, values), shelf)


def arguments(name: str, kind: type[Args], values: Any) -> Args:
    """An edit's arguments, checked.

    Raises:
        OptionError: One is missing, unknown or of the wrong kind.
    """
    try:
        return kind.model_validate(values or {})
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(str(k) for k in one['loc']) or name}: {one['msg']}" for one in error.errors())
        raise OptionError(f'edit "{name}": {faults}') from None


def edit_arguments() -> dict[str, type[Arguments]]:
    """Every edit that a page may ask for, with its arguments; those of the desk itself come first."""
    own: dict[str, type[Arguments]] = {"undo": Arguments, "redo": Arguments, "cancel": Arguments, "open": OpenArguments}
    return {**own, **{name: kind for name, (kind, _) in _EDITS.items()}}
