"""Programs of several people: task after task, each from where the last one left off; back where it helps.

Tasks are planned in the order of the scene file, a person's own in turn and never before what they come ``after``.
Each is planned alone in a snapshot of the world; whoever would meet somebody planned before waits where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from understudy.core.planning import Status
from understudy.core.skeleton import Skeleton
from understudy.limbs.handling import Deed, Done, Notes, Outcome, Play, Refusal
from understudy.limbs.handling.stopping import stopped_because
from understudy.scene.tasks import Task
from understudy.skills.program.caching import Cache, key_of
from understudy.skills.program.doing import Doer, Doing, Means
from understudy.skills.program.here import Here, here_of
from understudy.skills.program.history import Piece, grown
from understudy.skills.program.meeting import Meetings, Region
from understudy.skills.program.snapshot import shifted_rule

#: [s] shortest wait that is worth a stand of its own.
_LEAST_WAIT_S = 0.05
#: [s] two moments that are one.
_ON_TIME_S = 1e-6


@dataclass
class _Depth:
    """One task being worked on: its ways, and the one chosen."""

    index: int
    ways: Iterator[tuple[Deed, tuple[Region, ...]]]
    notes: Notes = field(default_factory=Notes)
    deed: Deed | None = None
    regions: tuple[Region, ...] = ()


@dataclass(eq=False, kw_only=True)
class Engine:
    """Performs programs.

    Attributes:
        doers: Kind of task -> who does it.
        means: What skills work with.
        skeleton: Of characters that have no motion yet.
        skeletons: Name -> another one for some of them.
        tasks: What is to be done.
        first: Everything before.
        cache: What was planned before.
    """

    doers: Mapping[str, Doer]
    means: Means
    skeleton: Skeleton
    tasks: Sequence[Task]
    first: Play
    cache: Cache = field(default_factory=Cache)
    skeletons: Mapping[str, Skeleton] = field(default_factory=dict)
    stack: list[_Depth] = field(default_factory=list)

    def run(self) -> Outcome:
        """Do all tasks, or as many as can be done."""
        order = in_turn(self.tasks)
        watch, options = self.means.watch, self.means.options
        best: tuple[list[_Depth], int, Refusal, int] | None = None
        backtracks = 0
        while len(self.stack) < len(order):
            index = order[len(self.stack)]
            watch.report(len(self.stack) / len(order))
            depth = self._begun(index)
            self.stack.append(depth)
            if self._next(depth):
                continue
            self.stack.pop()
            if best is None or len(self.stack) >= len(best[0]):
                stopped = watch.interrupted()
                said = depth.notes.best
                if stopped is not None:
                    said = Refusal(status=stopped, reason=stopped_because(stopped, depth.notes))
                best = ([replace(one) for one in self.stack], index, said, len(depth.notes.refusals))
            # A posture that one hand cannot take is no reason to give up; a task that nobody can do from anywhere is.
            hopeless = [one.hopeless for one in depth.notes.refusals] == [True]
            stops = hopeless or watch.interrupted() is not None or backtracks >= options.backtracks
            if stops or not self._back(index):
                return self._outcome(best[0], best[1:], backtracks)
            backtracks += 1
        return self._outcome(self.stack, None, backtracks)

    def _now(self) -> Play:
        return self.stack[-1].deed.play if self.stack and self.stack[-1].deed is not None else self.first

    def _begun(self, index: int) -> _Depth:
        notes = Notes()
        return _Depth(index, self._ways(index, self._now(), self._start_s(index), notes), notes)

    def _next(self, depth: _Depth) -> bool:
        found = next(depth.ways, None)
        depth.deed, depth.regions = (None, ()) if found is None else found
        return found is not None

    def _back(self, index: int) -> bool:
        """Take back tasks of the same person, or about the same thing, until one can be done otherwise."""
        task = self.tasks[index]
        while self.stack:
            depth = self.stack[-1]
            other = self.tasks[depth.index]
            shares = bool(task.object) and task.object in (other.object, other.target)
            if (other.character == task.character or shares) and self._next(depth):
                return True
            self.stack.pop()
        return False

    def _ways(self, index: int, play: Play, start_s: float, notes: Notes) -> Iterator[tuple[Deed, tuple[Region, ...]]]:
        task = self.tasks[index]
        here = replace(
            here_of(play, task.character, start_s, self.skeletons.get(task.character, self.skeleton)), notes=notes
        )
        later = [one for one in self.tasks[index + 1 :] if one.character == task.character]
        means = replace(self.means, later=later, start_s=start_s)
        self.means.watch.stage(task.do)
        for doing in self._doings(here, task, means):
            done = self._placed(play, task, doing, start_s, notes)
            if done is not None:
                yield done

    def _doings(self, here: Here, task: Task, means: Means) -> Iterator[Doing]:
        """Ways of doing a task in its snapshot: the one that is known first, then all others."""
        key = key_of(here, task, means)
        known = self.cache.get(key, here.skeleton)
        if known is not None:
            yield known
        for count, doing in enumerate(self.doers[task.do](here, task, means)):
            if count == 0 and known is not None:
                continue
            if count == 0:
                self.cache.put(key, doing, here.skeleton)
            yield doing

    def _start_s(self, index: int) -> float:
        """When somebody may begin a task: after their last one, and after what it waits for [s]."""
        task = self.tasks[index]
        person = self._now().scene.character(task.character)
        soonest = person.end_s if person.motion is not None else person.start_s
        if task.do in ("walk_to", "follow", "open_door") and task.at_s is not None:
            soonest = max(soonest, task.at_s)
        for depth in self.stack:
            if task.after and self.tasks[depth.index].name == task.after and depth.deed is not None:
                soonest = max(soonest, depth.deed.play.scene.character(depth.deed.character).end_s)
        return soonest

    def _placed(
        self, play: Play, task: Task, doing: Doing, start_s: float, notes: Notes
    ) -> tuple[Deed, tuple[Region, ...]] | None:
        """A way of doing a task in everybody's time; after a wait where it would meet somebody."""
        name = task.character
        meetings = Meetings(play, name, [one for depth in self.stack for one in depth.regions])
        wait = meetings.wait_s(doing, start_s)
        if wait is None:
            notes.add(Refusal(status=Status.EXHAUSTED, reason=meetings.said))
            return None
        begin = start_s + wait
        person = play.scene.character(name)
        if person.motion is not None and begin - person.end_s > _LEAST_WAIT_S:
            waited = self._waited(play, name, begin - person.end_s)
            if waited is None:
                notes.add(Refusal(status=Status.EXHAUSTED, reason="no stand to wait in passed the judge"))
                return None
            play = waited
            begin = play.scene.character(name).end_s
        after = grown(play, name, doing.piece, begin)
        deed = replace(
            doing.deed,
            time_s=doing.deed.time_s + begin,
            rules=tuple(shifted_rule(rule, begin) for rule in doing.deed.rules),
            play=after,
        )
        if task.by_s is not None and deed.time_s > task.by_s + _ON_TIME_S:
            late = f"it is done at {deed.time_s:.2f} s at the soonest found, later than by {task.by_s:g} s"
            notes.add(Refusal(status=Status.EXHAUSTED, reason=late))
            return None
        return deed, meetings.regions_of(doing, begin)

    def _waited(self, play: Play, name: str, wait_s: float) -> Play | None:
        """The play after somebody stood for a while."""
        end = play.scene.character(name).end_s
        here = here_of(play, name, end, self.skeletons.get(name, self.skeleton))
        leg = self.means.legs.standing(here, wait_s)
        if isinstance(leg, str):
            return None
        return grown(play, name, Piece(play=leg.play, base=leg.motion, end_s=leg.motion.duration_s), end)

    def closed(self, play: Play, stand_s: float = 1.6) -> Play:
        """The play with everybody come to rest: empty arms hang down again."""
        for name in dict.fromkeys(task.character for task in self.tasks):
            if play.scene.character(name).motion is not None:
                play = self._waited(play, name, stand_s) or play
        return play

    def _outcome(self, stack: Sequence[_Depth], failed: tuple[int, Refusal, int] | None, backtracks: int) -> Outcome:
        found = {depth.index: depth for depth in stack}
        entries = []
        for index, task in enumerate(self.tasks):
            depth = found.get(index)
            if depth is not None and depth.deed is not None:
                tried = len(depth.notes.refusals) + 1
                entries.append(Done(task=task, status=Status.SOLVED, deed=depth.deed, tried=tried))
            elif failed is not None and index == failed[0]:
                entries.append(Done(task=task, status=failed[1].status, reason=failed[1].reason, tried=failed[2]))
            else:
                entries.append(Done(task=task, status=Status.CANCELLED, reason="not come to"))
        play = stack[-1].deed.play if stack and stack[-1].deed is not None else self.first
        reason = "" if failed is None else f"{label(self.tasks, failed[0])}: {failed[1].reason}"
        status = Status.SOLVED if failed is None else failed[1].status
        return Outcome(status=status, play=play, done=tuple(entries), reason=reason, backtracks=backtracks)


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
