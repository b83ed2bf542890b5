"""Programs: people without a motion of their own do task after task, each from where the last one left off.

A task is planned alone in a snapshot of the world; whoever would meet somebody planned before waits where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from understudy.core.skeleton import Skeleton
from understudy.limbs.handling import Deed, Play
from understudy.skills.engine import Skill, Turn
from understudy.skills.program.caching import Cache, key_of
from understudy.skills.program.doing import Doer, Doing, Means
from understudy.skills.program.here import here_of
from understudy.skills.program.history import Piece, grown
from understudy.skills.program.meeting import Meetings
from understudy.skills.program.snapshot import shifted_rule

#: [s] shortest wait that is worth a stand of its own.
_LEAST_WAIT_S = 0.05
#: [s] two moments that are one.
_ON_TIME_S = 1e-6


@dataclass(frozen=True, eq=False, kw_only=True)
class Program:
    """What skills of programs share.

    Attributes:
        means: What skills work with.
        skeleton: Of characters that have no motion yet.
        skeletons: Name -> another one for some of them.
        cache: What was planned before.
    """

    means: Means
    skeleton: Skeleton
    skeletons: Mapping[str, Skeleton] = field(default_factory=dict)
    cache: Cache = field(default_factory=Cache)

    def skill(self, doer: Doer) -> Skill:
        """The skill of somebody who does a task in a snapshot."""

        def ways(turn: Turn) -> Iterator[Deed]:
            start_s = _start_s(turn)
            self.means.watch.stage(turn.task.do)
            for doing in self._doings(turn, doer, start_s):
                deed = self._placed(turn, doing, start_s)
                if deed is not None:
                    yield deed

        return ways

    def closed(self, play: Play, names: Iterable[str], stand_s: float = 1.6) -> Play:
        """The play with everybody come to rest: empty arms hang down again."""
        for name in names:
            if play.scene.character(name).motion is not None:
                play = self._waited(play, name, stand_s) or play
        return play

    def _doings(self, turn: Turn, doer: Doer, start_s: float) -> Iterator[Doing]:
        """Ways of doing a task in its snapshot: the one that is known first, then all others."""
        task, name = turn.task, turn.task.character
        here = replace(here_of(turn.play, name, start_s, self.skeletons.get(name, self.skeleton)), notes=turn.notes)
        means = replace(self.means, later=turn.later, start_s=start_s)
        key = key_of(here, task, means)
        known = self.cache.get(key, here.skeleton)
        if known is not None:
            yield known
        for count, doing in enumerate(doer(here, task, means)):
            if count == 0 and known is not None:
                continue
            if count == 0:
                self.cache.put(key, doing, here.skeleton)
            yield doing

    def _placed(self, turn: Turn, doing: Doing, start_s: float) -> Deed | None:
        """A way of doing a task in everybody's time; after a wait where it would meet somebody."""
        play, task, name = turn.play, turn.task, turn.task.character
        meetings = Meetings(play, name, [one for _, deed in turn.done for one in deed.regions])
        wait = meetings.wait_s(doing, start_s)
        if wait is None:
            return turn.refuse(meetings.said)
        begin = start_s + wait
        person = play.scene.character(name)
        if person.motion is not None and begin - person.end_s > _LEAST_WAIT_S:
            waited = self._waited(play, name, begin - person.end_s)
            if waited is None:
                return turn.refuse("no stand to wait in passed the judge")
            play = waited
            begin = play.scene.character(name).end_s
        deed = replace(
            doing.deed,
            time_s=doing.deed.time_s + begin,
            rules=tuple(shifted_rule(rule, begin) for rule in doing.deed.rules),
            play=grown(play, name, doing.piece, begin),
            regions=meetings.regions_of(doing, begin),
        )
        if task.by_s is not None and deed.time_s > task.by_s + _ON_TIME_S:
            late = f"it is done at {deed.time_s:.2f} s at the soonest found, later than by {task.by_s:g} s"
            return turn.refuse(late)
        return deed

    def _waited(self, play: Play, name: str, wait_s: float) -> Play | None:
        """The play after somebody stood for a while."""
        end = play.scene.character(name).end_s
        here = here_of(play, name, end, self.skeletons.get(name, self.skeleton))
        # Nothing follows that would be judged with it.
        leg = self.means.legs.standing(here, wait_s, judged_s=wait_s)
        if isinstance(leg, str):
            return None
        return grown(play, name, Piece(play=leg.play, base=leg.motion, end_s=leg.motion.duration_s), end)


def _start_s(turn: Turn) -> float:
    """When somebody may begin a task: after their last one, and after what it waits for [s]."""
    task = turn.task
    person = turn.play.scene.character(task.character)
    soonest = person.end_s if person.motion is not None else person.start_s
    if task.do in ("walk_to", "follow", "open_door") and task.at_s is not None:
        soonest = max(soonest, task.at_s)
    for index, deed in turn.done:
        if task.after and turn.tasks[index].name == task.after:
            soonest = max(soonest, deed.play.scene.character(deed.character).end_s)
    return soonest
