"""Undo and redo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from understudy.errors import OptionError
from understudy.studio.project import Project

#: Steps kept.
_MOST = 200


@dataclass
class Step:
    """A project and what was done to get there.

    Attributes:
        project: After it.
        title: What was done, for the undo button.
        drag: Edits with the same drag become one step; empty for none.
        serial: Tells steps apart, also after undo.
    """

    project: Project
    title: str
    drag: str
    serial: int


class History:
    """A line of projects and a place in it."""

    def __init__(self, first: Project) -> None:
        self._steps = [Step(first, "", "", 0)]
        self._at = 0
        self._serial = 0

    @property
    def now(self) -> Project:
        """The present project."""
        return self._steps[self._at].project

    @property
    def serial(self) -> int:
        """The present step's number."""
        return self._steps[self._at].serial

    @property
    def undo_title(self) -> str:
        """What undo would undo; empty when there is nothing."""
        return self._steps[self._at].title if self._at else ""

    @property
    def redo_title(self) -> str:
        """What redo would do again; empty when there is nothing."""
        return self._steps[self._at + 1].title if self._at + 1 < len(self._steps) else ""

    def push(self, project: Project, title: str, *, drag: str = "") -> int:
        """Go on from here; what had been undone is forgotten.

        Returns:
            The step's number.
        """
        del self._steps[self._at + 1 :]
        self._serial += 1
        step = Step(project, title, drag, self._serial)
        if drag and self._steps[self._at].drag == drag:
            self._steps[self._at] = step
        else:
            self._steps.append(step)
        del self._steps[: max(len(self._steps) - _MOST, 0)]
        self._at = len(self._steps) - 1
        return self._serial

    def amend(self, serial: int, change: Callable[[Project], Project]) -> bool:
        """Complete a step with what became known later; says whether the step is still there."""
        for step in self._steps:
            if step.serial == serial:
                step.project = change(step.project)
                return True
        return False

    def undo(self) -> None:
        """One step back."""
        if self._at == 0:
            raise OptionError("there is nothing to undo")
        self._at -= 1

    def redo(self) -> None:
        """One step forward again."""
        if self._at + 1 >= len(self._steps):
            raise OptionError("there is nothing to redo")
        self._at += 1
