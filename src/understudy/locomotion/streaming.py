"""Play while searching: a walk handed out in chunks, each of them final ([Maps]).

The whole way is planned as any walk is, and its first clips are settled and handed out. Where something new is in the
way of what is left, or the goal is another one, the rest is planned again from the end of the clip that was handed out
last; so nobody walks into a corner. Unlike the thesis's, a chunk that was handed out is never taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.core.planning import Result, Stats, Status
from understudy.core.violations import Violation, described
from understudy.core.work_clock import WorkClock
from understudy.floor.obstacle import Obstacle
from understudy.locomotion.chunks import Chunker
from understudy.locomotion.plan import Plan
from understudy.locomotion.query import spot
from understudy.locomotion.refinement import Refinement
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.trip_search import TripSearch
from understudy.locomotion.walker import Walker
from understudy.locomotion.walking import Place, traced
from understudy.scene.objects import SceneObject
from understudy.scene.scene import Scene
from understudy.typing import IntArray

#: Says what is wrong with a piece: the motion, the clips it is made of, when it begins [s], and the scene.
Gate = Callable[[Motion, IntArray, float, Scene | None], Sequence[Violation] | str]
#: Says what is wrong with a whole walk through a scene; empty when nothing is. What passed last may be its ``claim``.
StreamJudge = Callable[[Motion, WalkTrace, Scene | None], Sequence[Violation] | str]


class WalkStream:
    """A walk under way: iterate over it, also with ``async for``.

    Args:
        search: Who walks where, and how plans are found.
        judge: Judges the whole walk when it has ended; ``None`` for nobody.
        gate: Checks every piece before it is handed out; ``None`` for nobody.
        name: Who it is.
    """

    def __init__(
        self, search: TripSearch, *, judge: StreamJudge | None = None, gate: Gate | None = None, name: str = "walk"
    ) -> None:
        start, self.options = search.start, search.options
        if start.clip is not None:
            search.walker.frame_in_clip(start.clip, start.frame)
        self.name = name
        self._search = search
        self._via = list(search.via)
        self._judge, self._gate = judge, gate
        self._chunker = Chunker(search.walker, first_frame=start.frame, name=name)
        self._plan, self._known_changes = Plan(), search.stage.changes
        # The deadline is for all chunks together, and the first one is handed out in any case.
        self._watch = replace(self.options, deadline_s=None).watch()
        self._judged, self._wholes = False, 0
        self._refinement = Refinement(self.options.tries)
        self._status: Status | None = None
        self._reason = ""
        self._result: Result[WalkTrace] | None = None
        self._rejected: list[str] = []
        self._seconds: list[float] = []

    # What has happened so far.

    @property
    def status(self) -> Status | None:
        """``None`` while it walks; then how it ended, before the whole is judged."""
        return self._status

    @property
    def start_s(self) -> float:
        """When it begins, in the scene's time [s]."""
        return self._search.start_s

    @property
    def time_s(self) -> float:
        """The scene's time up to which motion has been handed out [s]."""
        return self._search.start_s + self._chunker.handed_s

    @property
    def motion(self) -> Motion | None:
        """Everything handed out so far, in one piece; ``None`` before the first chunk."""
        return self._chunker.motion()

    @property
    def chunks(self) -> tuple[Motion, ...]:
        """Everything handed out so far, piece by piece."""
        return self._chunker.chunks

    @property
    def plan(self) -> Plan:
        """What comes next, as far as it is known; it may change."""
        return self._plan

    @property
    def settled(self) -> Plan:
        """The clips that were handed out; of the last one all but its end."""
        return self._chunker.settled

    @property
    def seconds(self) -> tuple[float, ...]:
        """How long every chunk took [s]."""
        return tuple(self._seconds)

    @property
    def work(self) -> int:
        """How much has been searched, in states; unlike seconds, the same every time."""
        return self._search.states

    @property
    def scene(self) -> Scene | None:
        """The scene as it was over time: what was added later was not there before."""
        return self._search.stage.judged_scene

    @property
    def result(self) -> Result[WalkTrace] | None:
        """The whole walk, judged when this is first asked for; ``None`` while it is still walking."""
        if self._status is not None and self._result is None:
            counts = {
                "chunks": len(self._seconds),
                "searches": self._search.searches,
                "refused": len(self._rejected),
            }
            trace = replace(self._trace(self.settled, self.motion), rejected=tuple(self._rejected))
            stats = Stats(seconds=sum(self._seconds), counts=counts)
            end = Result(status=self._status, motion=self.motion, trace=trace, stats=stats, reason=self._reason)
            self._result = _verdict(end, self._judge, self.scene)
        return self._result

    # Changing what is ahead. Nothing that was handed out changes: what is put there is there from ``time_s`` on.

    def add(self, thing: SceneObject | Obstacle) -> None:
        """Put something on the stage now; the walk goes round it from the next chunk on."""
        self._search.stage.add(thing, self.time_s)

    def move(self, name: str, *, position: npt.ArrayLike | None = None, rotation: npt.ArrayLike | None = None) -> None:
        """Put something elsewhere now."""
        self._search.stage.move(name, self.time_s, position=position, rotation=rotation)

    def remove(self, name: str) -> None:
        """Take something off the stage now."""
        self._search.stage.remove(name, self.time_s)

    def redirect(self, goal: Place) -> None:
        """Walk somewhere else from here on."""
        self._search.goal = spot(goal, "goal")
        self._via.clear()
        self._plan, self._judged, self._wholes = Plan(), False, 0

    # Handing out.

    def __iter__(self) -> Iterator[Motion]:
        """The stream itself."""
        return self

    def __next__(self) -> Motion:
        """The next chunk; its first frame follows the last one of the chunk before."""
        if self._status is not None:
            raise StopIteration
        clock = WorkClock()
        chunk = self._next_chunk()
        if chunk is None:
            raise StopIteration
        self._seconds.append(clock.seconds())
        return chunk

    def __aiter__(self) -> WalkStream:
        """The stream itself."""
        return self

    async def __anext__(self) -> Motion:
        """The next chunk, searched in another thread."""
        import asyncio

        chunk = await asyncio.to_thread(next, self, None)
        if chunk is None:
            raise StopAsyncIteration
        return chunk

    def _next_chunk(self) -> Motion | None:
        if self._interrupted():
            return None
        plan = self._next_plan()
        if plan is None:
            if self._status is None:
                self._end(*self._why_not())
            return None
        count = min(self.options.clips, len(plan))
        last = count == len(plan)
        chunk = self._chunker.hand_out(plan, count, last=last)
        self._plan, self._search.begun = plan.after(count), self.settled
        here = self._search.here(self.settled)
        while self._via and np.hypot(*(self._via[0] - here)) < 2.0 * self.options.deviation_m:
            self._via.pop(0)
        if last:
            self._status = Status.SOLVED
        elif self._chunker.handed_s >= self.options.longest_s:
            self._end(Status.TIMED_OUT, f"it has walked for {self.options.longest_s:g} s and is not there yet")
        return chunk

    def _interrupted(self) -> bool:
        if self.options.cancel is not None and self.options.cancel.is_set():
            self._end(Status.CANCELLED, "it was cancelled")
        elif self.options.deadline_s is not None and sum(self._seconds) >= self.options.deadline_s:
            self._end(Status.TIMED_OUT, "the deadline passed")
        return self._status is not None

    def _end(self, status: Status, reason: str) -> None:
        self._status, self._reason = status, reason

    def _next_plan(self) -> Plan | None:
        """The plan to go on with; ``None`` ends the stream."""
        movers, changes = self._search.movers(self.time_s), self._search.stage.changes
        kept = self._plan if len(self._plan) and self._search.is_clear(movers, self._plan) else None
        if kept is not None and self._known_changes == changes and not self._at_fault(kept):
            return kept
        self._search.via, self._known_changes, self._judged = self._via, changes, False
        # What was learnt is about clips that may have been handed out since; what is wrong is told again.
        self._refinement = Refinement(self.options.tries)

        def search(by: Walker) -> Iterator[Plan]:
            return self._search.plans(movers, self._watch, by)

        for plan in self._refinement.proposals(self._search.walker, search):
            if not self._at_fault(plan):
                return plan
            if self._interrupted():
                return None
        return kept

    def _at_fault(self, plan: Plan) -> bool:
        """Whether the next piece of a plan, or the whole walk if it goes on like that, is refused; to be learnt from.

        The very first piece is wanted soon, so it is handed out before the whole is judged.
        """
        if self._gate is None or self._judged:
            return False
        count = min(self.options.clips, len(plan))
        piece, began_s = self._chunker.preview(plan, count)
        nodes = np.concatenate([self.settled.nodes[-3:], plan.nodes[:count]])
        violations = self._gate(piece, nodes, self._search.start_s + began_s, self.scene)
        if not violations and len(self.settled) and self._judge is not None and self._wholes < self.options.tries:
            motion, settled = self._chunker.ended(plan)
            violations, began_s = self._judge(motion, self._trace(settled, motion), self.scene), 0.0
            self._judged, self._wholes = not violations, self._wholes + 1
        if not violations:
            return False
        self._rejected.append(violations if isinstance(violations, str) else described(violations))
        since_s = self._search.start_s + began_s
        self._refinement.refused(self._search.walker, plan, violations, since_s=since_s, settled=self.settled)
        return True

    def _trace(self, settled: Plan, motion: Motion | None) -> WalkTrace:
        """How a walk came about, in the words of :func:`understudy.locomotion.walk`."""
        search, blocked = self._search, self._search.blocked
        trace = WalkTrace(
            floor=search.stage.floor,
            start=search.start,
            goal=search.goal,
            path=search.path,
            nearest_free=None if blocked is None else blocked.nearest_free,
            obstacle="" if blocked is None else blocked.obstacle,
        )
        return trace if motion is None else traced(self._search.walker, trace, settled, motion)

    def _why_not(self) -> tuple[Status, str]:
        """Why there is no next chunk."""
        blocked, done = self._search.blocked, f" after {self.time_s:.1f} s" if len(self.settled) else ""
        if blocked is not None:
            status = Status.EXHAUSTED if done and blocked.status is Status.INFEASIBLE_START else blocked.status
            return status, blocked.reason
        if self._rejected:
            said = f"{len(self._rejected)} pieces were refused; the last: {self._rejected[-1]}"
            return Status.EXHAUSTED, f"no way on was found{done}: {said}"
        return Status.EXHAUSTED, f"no way on was found{done}; more kinds of clips (turns, short steps) may help"


def _verdict(end: Result[WalkTrace], judge: StreamJudge | None, scene: Scene | None) -> Result[WalkTrace]:
    """How a walk ended, once it has been judged."""
    if end.status is not Status.SOLVED or judge is None or end.motion is None or end.trace is None:
        return end
    violations = judge(end.motion, end.trace, scene)
    if violations:
        said = violations if isinstance(violations, str) else described(violations)
        return replace(end, status=Status.EXHAUSTED, reason=f"the walk arrived, but {said}")
    return replace(end, claim=getattr(judge, "claim", None))
