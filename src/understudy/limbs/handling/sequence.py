"""Sequences of tasks: depth first over ways of doing each, back where it helps, then in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from understudy.core.planning import Status, Watch
from understudy.errors import PlanningInputError
from understudy.limbs.handling.doing import KINDS, Judge, Notes, ways
from understudy.limbs.handling.grips import Orientation
from understudy.limbs.handling.jobs import Job
from understudy.limbs.handling.manners import MANNERS
from understudy.limbs.handling.moments import LEAD_S, Times
from understudy.limbs.handling.options import HandlingOptions
from understudy.limbs.handling.play import Deed, Play, Refusal
from understudy.limbs.handling.stopping import stopped_because
from understudy.limbs.handling.two_holds import by_both
from understudy.scene.tasks import Task

#: Ways of doing something that is no handling: another room's planner, given the play and the task.
Runner = Callable[[Play, Task, Times, Notes, Watch], Iterator[Deed]]
#: Kinds of tasks beside those of hands that may as well be done twice.
_CHEAP = ("correct",)
#: How often an earlier task may be done in another way while everything is tried briefly.
_BRIEF_BACKTRACKS = 6
#: [s] a task begins at least this much after the one before it.
_APART_S = 0.05


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
    """What became of a sequence.

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


@dataclass
class _Depth:
    """One task being worked on: its ways, and the one chosen."""

    index: int
    ways: Iterator[Deed]
    notes: Notes = field(default_factory=Notes)
    deed: Deed | None = None


def in_sequence(
    play: Play,
    tasks: Sequence[Task],
    judge: Judge,
    options: HandlingOptions,
    watch: Watch,
    *,
    orientations: Mapping[int, Orientation] | None = None,
    runners: Mapping[str, Runner] | None = None,
) -> Outcome:
    """Do tasks one after the other; where one fails, those before it are done otherwise, or it goes first.

    Args:
        play: Everything before.
        tasks: In their order; a character's own run in that order.
        judge: Says why a way will not do.
        options: How to search.
        watch: Deadline, cancel and progress.
        orientations: How hands are turned, by index of the task.
        runners: Kind of task -> who does it, for kinds that hands do not do.

    Raises:
        PlanningInputError: A task makes no sense.
    """
    if len(tasks) > 2 and options.attempts > 1 and all(task.do in (*KINDS, *_CHEAP) for task in tasks):
        # What is tried thoroughly with a poor grip takes long: other grips are tried briefly before that.
        brief = replace(options, attempts=1, orders=1, backtracks=min(options.backtracks, _BRIEF_BACKTRACKS))
        search = _Search(play, tasks, judge, brief, watch, orientations or {}, runners or {})
        outcome, _ = search.run(range(len(tasks)), 0, 1)
        if outcome.status or watch.interrupted() is not None:
            return outcome
    order = list(range(len(tasks)))
    best: Outcome | None = None
    tried: set[tuple[int, ...]] = set()
    backtracks = 0
    for count in range(1, options.orders + 1):
        tried.add(tuple(order))
        search = _Search(play, tasks, judge, options, watch, orientations or {}, runners or {})
        outcome, failed = search.run(order, backtracks, count)
        backtracks = outcome.backtracks
        if best is None or _done_count(outcome) > _done_count(best):
            best = outcome
        if outcome.status or failed is None or watch.interrupted() is not None:
            return best
        promoted = _promoted(tasks, order, failed)
        if promoted is None or tuple(promoted) in tried:
            break
        order = promoted
    assert best is not None
    return best


def _done_count(outcome: Outcome) -> int:
    return sum(bool(one.status) for one in outcome.done)


def _promoted(tasks: Sequence[Task], order: list[int], failed: int) -> list[int] | None:
    """The order in which a failed task is planned before the nearest one it does not depend on."""
    place = order.index(failed)
    for k in range(place - 1, -1, -1):
        if _depends(tasks[failed], tasks[order[k]]):
            continue
        moved = [*order[:k], failed, *order[k:place], *order[place + 1 :]]
        between = [tasks[index] for index in order[k + 1 : place]]
        if any(_depends(tasks[failed], one) for one in between):
            continue
        return moved
    return None


def _depends(task: Task, earlier: Task) -> bool:
    """Whether a task can only be planned once an earlier one is."""
    if task.after and task.after == earlier.name:
        return True
    if task.character != earlier.character:
        return bool(task.object) and task.object == earlier.object and (task.at_s is None or earlier.at_s is None)
    timed = task.at_s is not None and earlier.at_s is not None
    shares = bool(task.object) and task.object == earlier.object
    one_hand = task.hand is None or earlier.hand is None or task.hand == earlier.hand
    return not timed or shares or one_hand


class _Search:
    """One depth-first search over one order of planning."""

    def __init__(
        self,
        play: Play,
        tasks: Sequence[Task],
        judge: Judge,
        options: HandlingOptions,
        watch: Watch,
        orientations: Mapping[int, Orientation],
        runners: Mapping[str, Runner],
    ) -> None:
        self.play, self.tasks, self.judge = play, tasks, judge
        self.options, self.watch = options, watch
        self.orientations, self.runners = orientations, runners
        self.stack: list[_Depth] = []
        self.order: Sequence[int] = ()

    def run(self, order: Sequence[int], backtracks: int, orders: int) -> tuple[Outcome, int | None]:
        """The outcome, and the task that could not be done."""
        failed: tuple[int, Refusal, int] | None = None
        best: list[_Depth] = []
        self.order = order
        while len(self.stack) < len(order):
            index = order[len(self.stack)]
            self.watch.report(len(self.stack) / len(order))
            depth = self._begun(index)
            self.stack.append(depth)
            if self._next(depth):
                continue
            self.stack.pop()
            if failed is None or len(self.stack) >= len(best):
                stopped = self.watch.interrupted()
                said = depth.notes.best
                if stopped is not None:
                    said = Refusal(status=stopped, reason=stopped_because(stopped, depth.notes))
                failed = (index, said, len(depth.notes.refusals))
                best = list(self.stack)
            if self.watch.interrupted() is not None or not self._back(index, backtracks):
                return self._outcome(order, best, failed, backtracks, orders), failed[0]
            backtracks += 1
        return self._outcome(order, self.stack, None, backtracks, orders), None

    def _begun(self, index: int) -> _Depth:
        notes = Notes()
        task, play = self.tasks[index], self._now()
        if task.do in KINDS and task.do not in self.runners:
            task = by_both(task, play.scene, play.stage(task.character).body)
        times = self._times(index)
        if task.do in self.runners:
            return _Depth(index, self.runners[task.do](play, task, times, notes, self.watch), notes)
        later = self._later(index)
        following = self.order[len(self.stack) + 1 : len(self.stack) + 2]
        job = Job(
            task=task,
            times=times,
            orientation=self.orientations.get(index),
            later=later,
            at_once=later is not None and [self.tasks[k] for k in following] == [later.task],
        )
        style = {**self.options.style, **MANNERS.get(task.style, {})}
        options = replace(self.options, style=style)
        return _Depth(index, ways(play, job, self.judge, options, self.watch, notes), notes)

    def _later(self, index: int) -> Job | None:
        """Where what a task takes is put down by the same hands, if that is the next thing done with it."""
        task = self.tasks[index]
        if task.do != "grab" or task.hand == "both":
            return None
        following = (one for one in self.tasks[index + 1 :] if one.object == task.object)
        found = next(following, None)
        if found is None or found.do != "place" or found.character != task.character:
            return None
        person = self._now().scene.character(task.character)
        latest = person.end_s if found.by_s is None else found.by_s
        return Job(task=found, times=Times(at_s=found.at_s, earliest_s=person.start_s, latest_s=latest))

    def _now(self) -> Play:
        return self.stack[-1].deed.play if self.stack and self.stack[-1].deed is not None else self.play

    def _next(self, depth: _Depth) -> bool:
        """Do a task in its next way, and the one after it where that is part of it."""
        depth.deed = next(depth.ways, None)
        if depth.deed is not None and depth.deed.then is not None:
            self.stack.append(_Depth(self.order[len(self.stack)], iter(()), deed=depth.deed.then))
        return depth.deed is not None

    def _back(self, index: int, backtracks: int) -> bool:
        """Take back tasks until one that has to do with the failed one can be done otherwise."""
        if backtracks >= self.options.backtracks:
            return False
        while self.stack:
            depth = self.stack[-1]
            if self._concerns(self.tasks[depth.index], self.tasks[index]) and self._next(depth):
                return True
            self.stack.pop()
        return False

    def _concerns(self, earlier: Task, task: Task) -> bool:
        shares = bool(task.object) and task.object in (earlier.object, earlier.target)
        return earlier.character == task.character or shares or earlier.do in self.runners

    def _times(self, index: int) -> Times:
        """When a task may happen, given what is done already.

        Raises:
            PlanningInputError: It is asked for outside the motion.
        """
        task = self.tasks[index]
        person = self._now().scene.character(task.character)
        if person.motion is None:
            return Times(at_s=task.at_s, earliest_s=0.0, latest_s=float("inf"))
        start, end = person.start_s, person.end_s
        for given, what in ((task.at_s, "at"), (task.by_s, "by")):
            if given is not None and not start - 1e-9 <= given <= end + 1e-9:
                raise PlanningInputError(
                    f"{task.label}: {what} {given:g} s; {task.character} moves from {start:g} to {end:g} s"
                )
        soonest = start + LEAD_S
        for depth in self.stack:
            other = self.tasks[depth.index]
            if depth.deed is None:
                continue
            earlier = other.character == task.character and depth.index < index
            if earlier or (task.after and other.name == task.after):
                soonest = max(soonest, depth.deed.time_s + _APART_S)
        latest = end if task.by_s is None else task.by_s
        return Times(at_s=task.at_s, earliest_s=soonest, latest_s=latest)

    def _outcome(
        self,
        order: Sequence[int],
        stack: Sequence[_Depth],
        failed: tuple[int, Refusal, int] | None,
        backtracks: int,
        orders: int,
    ) -> Outcome:
        found = {depth.index: depth for depth in stack}
        entries = []
        for index, task in enumerate(self.tasks):
            depth = found.get(index)
            if depth is not None and depth.deed is not None:
                entries.append(
                    Done(task=task, status=Status.SOLVED, deed=depth.deed, tried=len(depth.notes.refusals) + 1)
                )
            elif failed is not None and index == failed[0]:
                entries.append(Done(task=task, status=failed[1].status, reason=failed[1].reason, tried=failed[2]))
            else:
                entries.append(Done(task=task, status=Status.CANCELLED, reason="not come to"))
        play = stack[-1].deed.play if stack and stack[-1].deed is not None else self.play
        reason = "" if failed is None else f"{self.tasks[failed[0]].label}: {failed[1].reason}"
        status = Status.SOLVED if failed is None else failed[1].status
        return Outcome(
            status=status, play=play, done=tuple(entries), reason=reason, backtracks=backtracks, orders=orders
        )
