"""Edits: what the page may ask for, by name, each with its own arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from understudy.errors import OptionError, nearest_name
from understudy.studio.jobs import Job
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf


class Arguments(BaseModel):
    """Base of an edit's arguments: nothing unknown, nothing infinite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """What an edit does.

    Attributes:
        project: The project after it.
        title: What was done, for undo; empty for a change nobody would want to undo.
        job: Planning that follows from it.
        live: What is seen of it at once, plain values, when the rest of the project is told later by the job.
    """

    project: Project
    title: str = ""
    job: Job | None = None
    live: Mapping[str, Any] | None = None


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
    try:
        arguments = kind.model_validate(values or {})
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(str(k) for k in one['loc']) or name}: {one['msg']}" for one in error.errors())
        raise OptionError(f'edit "{name}": {faults}') from None
    return function(project, arguments, shelf)
