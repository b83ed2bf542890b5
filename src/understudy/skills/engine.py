"""The engine: tasks are done one after the other, each in one of the ways that its skill proposes; back where it helps.

A skill is a function from a turn (its task, and everything done so far) to deeds, judged and best first. When a skill
has no way left, an earlier task of the same person or about the same thing is done in another way; when that does not
help either, the failing task is planned before others that it does not depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from understudy.core.planning import Status, Watch
from understudy.limbs.handling.play import Deed, Play
from understudy.limbs.handling.stopping import stopped_because
from understudy.limbs.refusals import Notes, Refusal
from understudy.scene.tasks import Task

#: What is said of tasks after one that failed.
NOT_REACHED = "not come to"


@dataclass(frozen=True, kw_only=True)
class Done:
    """What became of one task.

    Attributes:
        task: The task.
        status: Whether it was done.
        deed: How; nothing when it failed or was not come to.
        reason: Why not.
        tried: How many ways were refused or rejected.
    """

    task: Task
    status: Status
    deed: Deed | None = None
    reason: str = ""
    tried: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What became of all tasks.

    Attributes:
        status: ``SOLVED`` when every task is done.
        play: Everything after the tasks that were done.
        done: One entry per task, in the order they were given.
        reason: Which task failed and why.
        backtracks: How often an earlier task was done again in another way.
        orders: How many orders of planning were tried.
    """

    status: Status
    play: Play
    done: tuple[Done, ...]
    reason: str = ""
    backtracks: int = 0
    orders: int = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Turn:
    """What a skill is given.

    Attributes:
        index: The task's number.
        tasks: All tasks.
        play: Everything so far.
        done: Numbers of the tasks that are done, and their deeds.
        following: Number of the task that is planned next; ``None`` for the last.
        notes: Where a skill says what went wrong.
        watch: Deadline, cancel and progress.
    """

    index: int
    tasks: Sequence[Task]
    play: Play
    done: tuple[tuple[int, Deed], ...]
    following: int | None
    notes: Notes
    watch: Watch

    @property
    def task(self) -> Task:
        """What is to be done."""
        return self.tasks[self.index]

    @property
    def later(self) -> list[Task]:
        """The same character's tasks after this one."""
        return [one for one in self.tasks[self.index + 1 :] if one.character == self.task.character]

    def refuse(self, reason: str, status: Status = Status.EXHAUSTED) -> Deed | None:
        """Say that a way failed, and why."""
        self.notes.add(Refusal(status=status, reason=reason))
        return None


#: Ways of doing one task, judged, best first.
Skill = Callable[[Turn], Iterator[Deed]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Engine:
    """Does tasks.

    Attributes:
        tasks: What is to be done.
        first: Everything before.
        skill_of: The skill of a task.
        watch: Deadline, cancel and progress.
        backtracks: How often an earlier task may be done in another way because a later one fails.
        orders: How many orders of planning are tried.
        moving: Characters whose motion is there already: what they do at given moments may be planned in any order.
    """

    tasks: Sequence[Task]
    first: Play
    skill_of: Callable[[Task], Skill]
    watch: Watch
    backtracks: int = 16
    orders: int = 1
    moving: Collection[str] = ()

    def run(self) -> Outcome:
        """Do all tasks, or as many as can be done."""
        order, tried, backtracks = in_turn(self.tasks), set[tuple[int, ...]](), 0
        best: Outcome | None = None
        for count in range(1, self.orders + 1):
            tried.add(tuple(order))
            outcome, failed = _Search(self, order, backtracks, count).run()
            backtracks = outcome.backtracks
            if best is None or _count(outcome) > _count(best):
                best = outcome
            if failed is None or self.watch.interrupted() is not None:
                break
            promoted = self._promoted(order, failed)
            if promoted is None or tuple(promoted) in tried:
                break
            order = promoted
        assert best is not None
        return best

    def _promoted(self, order: list[int], failed: int) -> list[int] | None:
        """The order in which a failed task is planned before the nearest one it does not depend on."""
        place = order.index(failed)
        needed = [self._depends(failed, earlier) for earlier in order[:place]]
        free = [k for k in range(place) if not any(needed[k:])]
        return None if not free else [*order[: free[-1]], failed, *(one for one in order[free[-1] :] if one != failed)]

    def _depends(self, index: int, before: int) -> bool:
        """Whether a task can only be planned once an earlier one is."""
        task, earlier = self.tasks[index], self.tasks[before]
        if task.after and task.after == earlier.name:
            return True
        timed = task.at_s is not None and earlier.at_s is not None
        shares = bool(task.object) and task.object == earlier.object
        if task.character != earlier.character:
            return shares and not timed
        one_hand = task.hand is None or earlier.hand is None or task.hand == earlier.hand
        return not timed or shares or one_hand or task.character not in self.moving


def _count(outcome: Outcome) -> int:
    return sum(bool(one.status) for one in outcome.done)


@dataclass
class _Step:
    """One task being worked on: its ways, and the one chosen."""

    index: int
    ways: Iterator[Deed]
    notes: Notes = field(default_factory=Notes)
    deed: Deed | None = None


@dataclass(frozen=True)
class _Failure:
    """The task that could not be done, what was said of it, and what was done until then."""

    index: int
    said: Refusal
    tried: int
    until: tuple[_Step, ...]


class _Search:
    """One depth-first search over one order of planning."""

    def __init__(self, engine: Engine, order: Sequence[int], backtracks: int, orders: int) -> None:
        self.engine, self.order, self.backtracks, self.orders = engine, order, backtracks, orders
        self.steps: list[_Step] = []

    def run(self) -> tuple[Outcome, int | None]:
        """The outcome, and the task that could not be done."""
        watch, failure = self.engine.watch, None
        while len(self.steps) < len(self.order):
            watch.report(len(self.steps) / len(self.order))
            step = self._begun(self.order[len(self.steps)])
            if self._next(step):
                continue
            if failure is None or len(self.steps) >= len(failure.until):
                failure = self._failure(step)
            # A posture that one hand cannot take is no reason to give up; a task that nobody can do from anywhere is.
            hopeless = [one.hopeless for one in step.notes.refusals] == [True]
            spent = watch.interrupted() is not None or self.backtracks >= self.engine.backtracks
            if hopeless or spent or not self._back(step.index):
                return self._outcome(failure.until, failure), failure.index
            self.backtracks += 1
        return self._outcome(self.steps, None), None

    def _begun(self, index: int) -> _Step:
        engine, notes, rest = self.engine, Notes(), self.order[len(self.steps) + 1 :]
        turn = Turn(
            index=index,
            tasks=engine.tasks,
            play=self._now(self.steps),
            done=tuple((one.index, one.deed) for one in self.steps if one.deed is not None),
            following=rest[0] if rest else None,
            notes=notes,
            watch=engine.watch,
        )
        return _Step(index, engine.skill_of(turn.task)(turn), notes)

    def _next(self, step: _Step) -> bool:
        """Do a task in its next way, and the one after it where that is part of it."""
        deed = next(step.ways, None)
        if deed is None:
            return False
        self.steps.append(_Step(step.index, step.ways, step.notes, deed))
        if deed.then is not None:
            self.steps.append(_Step(self.order[len(self.steps)], iter(()), deed=deed.then))
        return True

    def _back(self, failed: int) -> bool:
        """Take back tasks until one of the same person, or about the same thing, can be done otherwise."""
        task = self.engine.tasks[failed]
        while self.steps:
            step = self.steps.pop()
            other = self.engine.tasks[step.index]
            shares = bool(task.object) and task.object in (other.object, other.target)
            if (other.character == task.character or shares) and self._next(step):
                return True
        return False

    def _now(self, steps: Sequence[_Step]) -> Play:
        return steps[-1].deed.play if steps and steps[-1].deed is not None else self.engine.first

    def _failure(self, step: _Step) -> _Failure:
        stopped, said = self.engine.watch.interrupted(), step.notes.best
        if stopped is not None:
            said = Refusal(status=stopped, reason=stopped_because(stopped, step.notes))
        return _Failure(step.index, said, len(step.notes.refusals), tuple(self.steps))

    def _outcome(self, steps: Sequence[_Step], failure: _Failure | None) -> Outcome:
        tasks, found = self.engine.tasks, {step.index: step for step in steps}
        entries = []
        for index, task in enumerate(tasks):
            if index in found:
                tried = len(found[index].notes.refusals) + 1
                entries.append(Done(task=task, status=Status.SOLVED, deed=found[index].deed, tried=tried))
            elif failure is not None and index == failure.index:
                said = failure.said
                entries.append(Done(task=task, status=said.status, reason=said.reason, tried=failure.tried))
            else:
                entries.append(Done(task=task, status=Status.CANCELLED, reason=NOT_REACHED))
        return Outcome(
            status=Status.SOLVED if failure is None else failure.said.status,
            play=self._now(steps),
            done=tuple(entries),
            reason="" if failure is None else f"{label(tasks, failure.index)}: {failure.said.reason}",
            backtracks=self.backtracks,
            orders=self.orders,
        )


def deed_of(task: Task, play: Play, time_s: float) -> Deed:
    """A deed without hands."""
    return Deed(
        kind=task.do,
        character=task.character,
        hands=(),
        object=task.object,
        time_s=time_s,
        marks=(),
        limbs=(),
        changes=(),
        rules=(),
        play=play,
    )


def label(tasks: Sequence[Task], index: int) -> str:
    """A task for people: its number, who does what with what."""
    task = tasks[index]
    what = " ".join(part for part in (task.do, task.object) if part)
    named = f' "{task.name}"' if task.name else ""
    return f"task {index + 1} of {len(tasks)}{named} ({task.character}: {what})"


def in_turn(tasks: Sequence[Task]) -> list[int]:
    """The order of planning: as listed, but never before what a task comes after."""
    order: list[int] = []
    left = list(range(len(tasks)))
    while left:
        for index in left:
            task = tasks[index]
            waits = [k for k in left if task.after and tasks[k].name == task.after]
            earlier = [k for k in left if k < index and tasks[k].character == task.character]
            if not waits and not earlier:
                order.append(index)
                left.remove(index)
                break
        else:
            # Tasks that wait for each other are found by the scene's own checks.
            order += left
            break
    return order
