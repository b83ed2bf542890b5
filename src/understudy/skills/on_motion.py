"""Tasks on top of a motion that is there already: what hands do, and limbs freed from what they touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from understudy.core.motion import Motion
from understudy.core.violations import Violation
from understudy.errors import PlanningInputError
from understudy.limbs import correct
from understudy.limbs.handling import Deed, HandlingOptions, Judge, Orientation, Play, Times
from understudy.limbs.handling.doing import ways
from understudy.limbs.handling.jobs import Job
from understudy.limbs.handling.manners import MANNERS
from understudy.limbs.handling.moments import LEAD_S
from understudy.limbs.handling.two_holds import by_both
from understudy.limbs.trace import LimbTrace
from understudy.scene.tasks import Task
from understudy.skills.engine import Turn, deed_of

#: [s] a task begins at least this much after the one before it.
_APART_S = 0.05


@dataclass(frozen=True, eq=False, kw_only=True)
class Hands:
    """The skill of everything that hands do on top of a motion.

    Attributes:
        judge: Says why a way will not do.
        options: How to search.
        orientation: How the hand is turned; as the task says unless given.
    """

    judge: Judge
    options: HandlingOptions
    orientation: Orientation | None = None

    def __call__(self, turn: Turn) -> Iterator[Deed]:
        """Ways of doing a task.

        Raises:
            PlanningInputError: The task makes no sense.
        """
        play, task = turn.play, turn.task
        later = _put_down(turn)
        job = Job(
            task=by_both(task, play.scene, play.stage(task.character).body),
            times=times_of(turn),
            orientation=self.orientation or _orientation(task),
            later=later,
            at_once=later is not None and turn.following is not None and turn.tasks[turn.following] is later.task,
        )
        return ways(play, job, self.judge, _mannered(self.options, task), turn.watch, turn.notes)


@dataclass(frozen=True, eq=False, kw_only=True)
class Correcting:
    """The skill that frees limbs from what they touch.

    Attributes:
        judge: Says what is wrong with one character's motion.
        options: How to search.
    """

    judge: Callable[[Play, str], Sequence[Violation]]
    options: HandlingOptions

    def __call__(self, turn: Turn) -> Iterator[Deed]:
        """The one way of doing it."""
        play, task = turn.play, turn.task
        name, start_s = task.character, play.scene.character(task.character).start_s

        def after(motion: Motion, trace: LimbTrace) -> Play:
            return play.done(play.scene.with_motion(name, motion, start_s=start_s), limbs=trace.planned, character=name)

        result = correct(
            play.motion(name),
            play.scene,
            limbs=task.limbs or None,
            character=name,
            judge=lambda motion, trace: self.judge(after(motion, trace), name),
            options=_mannered(self.options, task),
        )
        if not result.status or result.motion is None or result.trace is None:
            turn.refuse(result.reason, result.status)
            return
        changes = result.trace.changes
        deed = deed_of(task, after(result.motion, result.trace), changes[0].start_s if changes else start_s)
        yield replace(deed, limbs=result.trace.planned, changes=changes)


def times_of(turn: Turn) -> Times:
    """When a task may happen, given what is done already.

    Raises:
        PlanningInputError: It is asked for outside the motion.
    """
    task = turn.task
    person = turn.play.scene.character(task.character)
    if person.motion is None:
        return Times(at_s=task.at_s, earliest_s=0.0, latest_s=float("inf"))
    start, end = person.start_s, person.end_s
    for given, what in ((task.at_s, "at"), (task.by_s, "by")):
        if given is not None and not start - 1e-9 <= given <= end + 1e-9:
            raise PlanningInputError(
                f"{task.label}: {what} {given:g} s; {task.character} moves from {start:g} to {end:g} s"
            )
    soonest = start + LEAD_S
    for index, deed in turn.done:
        other = turn.tasks[index]
        earlier = other.character == task.character and index < turn.index
        if earlier or (task.after and other.name == task.after):
            soonest = max(soonest, deed.time_s + _APART_S)
    return Times(at_s=task.at_s, earliest_s=soonest, latest_s=end if task.by_s is None else task.by_s)


def _put_down(turn: Turn) -> Job | None:
    """Where what a task takes is put down by the same hands, if that is the next thing done with it."""
    task = turn.task
    if task.do != "grab" or task.hand == "both":
        return None
    found = next((one for one in turn.tasks[turn.index + 1 :] if one.object == task.object), None)
    if found is None or found.do != "place" or found.character != task.character:
        return None
    person = turn.play.scene.character(task.character)
    latest = person.end_s if found.by_s is None else found.by_s
    return Job(task=found, times=Times(at_s=found.at_s, earliest_s=person.start_s, latest_s=latest))


def _orientation(task: Task) -> Orientation | None:
    if task.fingers is None and task.palm is None:
        return None
    return Orientation(fingers=task.fingers, palm=task.palm)


def _mannered(options: HandlingOptions, task: Task) -> HandlingOptions:
    """The options with the manner in which a task is done."""
    return replace(options, style={**options.style, **MANNERS.get(task.style, {})})
