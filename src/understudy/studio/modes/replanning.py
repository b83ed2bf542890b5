"""What follows when the stage changes: the motion that depends on it is planned or judged again."""

from __future__ import annotations

from collections.abc import Callable

from understudy.studio.edits import Outcome
from understudy.studio.jobs import Job
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf

#: By mode: the planning that a changed stage calls for, or nothing.
REPLAN: dict[str, Callable[[Project, Shelf], Job | None]] = {}


def replanned(project: Project, title: str, shelf: Shelf) -> Outcome:
    """An edit of the stage, with whatever planning the present mode does then."""
    plan = REPLAN.get(project.mode)
    job = None if plan is None else plan(project, shelf)
    if job is not None:
        project = project.with_verdict(status="planning", text=job.title)
    return Outcome(project=project, title=title, job=job)
