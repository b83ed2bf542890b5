"""What is said of a task that was not finished in time."""

from __future__ import annotations

from understudy.core.planning import Status
from understudy.limbs.refusals import Notes


def stopped_because(status: Status, notes: Notes) -> str:
    """Why a task ended before its time, with what came nearest to working until then."""
    ended = "the deadline passed" if status is Status.TIMED_OUT else "it was cancelled"
    known = [one for one in notes.refusals if one.status not in (Status.TIMED_OUT, Status.CANCELLED)]
    if known:
        return f"{ended}; of {len(known)} ways tried until then the best failed because {notes.best.reason}"
    # Planners of a task of their own say themselves how far they came.
    told = [one.reason for one in notes.refusals if one.reason.startswith((f"{ended};", f"{ended} before"))]
    return told[-1] if told else f"{ended} before anything was found out"
