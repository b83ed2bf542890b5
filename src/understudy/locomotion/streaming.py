"""Play while searching: a walk handed out in chunks, each of them final ([Maps]).

Only the next metres are searched. The first clips of the best plan are settled and handed out; while they play, the
next piece is searched from where they end. What is left of a plan stays in reserve: a search that finds nothing better
falls back on it, so that nobody walks into a corner. Near the goal the rest is searched whole and bent to end exactly
there. Unlike the thesis's, a chunk that was handed out is never taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.core.planning import Result, Stats, Status
from understudy.core.work_clock import WorkClock
from understudy.floor.obstacle import Obstacle
from understudy.locomotion.chunks import Chunker
from understudy.locomotion.plan import Plan
from understudy.locomotion.query import spot
from understudy.locomotion.stream_result import StreamJudge, judged, walk_trace, why_not
from understudy.locomotion.stream_search import Searcher
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.walking import Place
from understudy.scene.objects import SceneObject
from understudy.scene.scene import Scene
from understudy.typing import IntArray

#: Says why a piece will not do: the motion, the clips it is made of, when it begins [s], and the scene.
Gate = Callable[[Motion, IntArray, float, Scene | None], str]

#: How many ways to the goal are judged together with everything before them.
_WHOLES = 4


class WalkStream:
    """A walk under way: iterate over it, also with ``async for``.

    Args:
        searcher: Who walks where, and how plans are found.
        judge: Judges the whole walk when it has ended; ``None`` for nobody.
        gate: Checks every piece before it is handed out; ``None`` for nobody.
        name: Who it is.
    """

    def __init__(
        self, searcher: Searcher, *, judge: StreamJudge | None = None, gate: Gate | None = None, name: str = "walk"
    ) -> None:
        start, self.options = searcher.start, searcher.options
        if start.clip is not None:
            searcher.walker.frame_in_clip(start.clip, start.frame)
        self.name = name
        self._search = searcher
        self._judge, self._gate = judge, gate
        self._chunker = Chunker(searcher.walker, first_frame=start.frame, name=name)
        self._plan, self._known_changes, self._stale = Plan(), searcher.stage.changes, False
        self._status: Status | None = None
        self._reason = ""
        self._result: Result[WalkTrace] | None = None
        self._rejected: list[str] = []
        self._seconds: list[float] = []
        self._fallbacks = 0
        self._wholes = 0

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
                "fallbacks": self._fallbacks,
            }
            trace = walk_trace(self._search, self.settled, self.motion, self._rejected)
            stats = Stats(seconds=sum(self._seconds), counts=counts)
            end = Result(status=self._status, motion=self.motion, trace=trace, stats=stats, reason=self._reason)
            self._result = judged(end, self._judge, self.scene)
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
        self._search.via.clear()
        self._plan, self._wholes, self._stale = replace(self._plan, arrives=False), 0, True

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
                self._end(*why_not(self._search, self.settled, self._rejected, self.time_s))
            return None
        count = min(self.options.clips, len(plan))
        last = plan.arrives and count == len(plan)
        chunk = self._chunker.hand_out(plan, count, last=last)
        self._plan = plan.after(count)
        self._search.drop_passed(self.settled)
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
        world = self._search.world(self.time_s)
        self._stale = self._stale or self._known_changes != self._search.stage.changes
        self._known_changes = self._search.stage.changes
        reserve = self._plan if self._search.is_clear(world, self._plan) else Plan()
        # A way to the goal was checked to its end; of any other plan only the clips that were handed out.
        if reserve.arrives and len(reserve) and not self._stale:
            return reserve
        spare = Plan()
        for plan in self._search.plans(world, self.settled, reserve):
            fault = self._fault(plan)
            if not fault and plan.arrives and self._wholes < _WHOLES:
                fault = self._whole_fault(plan)
                spare = spare if len(spare) else plan
            if not fault:
                self._stale = False
                return plan
            self._rejected.append(fault)
            if self._interrupted():
                return None
            if len(spare) and self._wholes >= _WHOLES:
                break
        if len(spare):
            return spare
        self._fallbacks += len(reserve) > 0
        return reserve if len(reserve) else None

    def _fault(self, plan: Plan) -> str:
        if self._gate is None:
            return ""
        clips = len(plan) if plan.arrives else min(self.options.clips, len(plan))
        piece, began_s = self._chunker.preview(plan, clips)
        nodes = np.concatenate([self.settled.nodes[-3:], plan.nodes[:clips]])
        return self._gate(piece, nodes, self._search.start_s + began_s, self.scene)

    def _whole_fault(self, plan: Plan) -> str:
        """What the judge would say of the whole walk if it ended by this plan."""
        if self._gate is None or self._judge is None:
            return ""
        self._wholes += 1
        motion, settled = self._chunker.ended(plan)
        return self._judge(motion, walk_trace(self._search, settled, motion, ()), self.scene)
