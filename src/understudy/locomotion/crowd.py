"""Crowds: many walkers at once, out of each other's way, played step by step.

Everybody's trip is planned to its end when it is asked for, among the trips of all others (see
:mod:`understudy.locomotion.together`). Whoever comes later, is sent elsewhere or finds something new in the way plans
again from the clip it is in; the others go on as they are where they can. So at any moment everybody has a whole plan
that nobody else's plan meets, and nobody ever waits for somebody who waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.planning import Result, Status
from understudy.errors import PlanningInputError, nearest_name
from understudy.library import Library
from understudy.library.unroll import BLEND_S
from understudy.locomotion.dynamic_scene import DynamicScene
from understudy.locomotion.query import spot
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.together import TripJudge, Turns, standing_on
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.trip import Request, Trip, held_until
from understudy.locomotion.walker import Walker
from understudy.locomotion.walking import Place
from understudy.typing import BoolArray, FloatArray

#: Others are passed at arm's length, so everybody may leave the path farther than somebody who walks alone.
CROWD_OPTIONS = StreamOptions(deviation_m=0.9, early_deviation_m=2.5, width=12)
_NOT_YET: Result[WalkTrace] = Result(status=Status.TIMED_OUT, reason="it is still walking")


@dataclass(frozen=True, eq=False, kw_only=True)
class CrowdFrame:
    """Everybody at one moment.

    Attributes:
        time_s: When [s].
        names: Who, in the order of all arrays.
        root_positions: ``(people, 3)`` [m].
        rotations: ``(people, joints, 4)`` local, wxyz.
        arrived: ``(people,)`` who is at the goal.
    """

    time_s: float
    names: tuple[str, ...]
    root_positions: FloatArray
    rotations: FloatArray
    arrived: BoolArray


class Crowd:
    """Walkers that share a library and a stage.

    Args:
        walker: The clips and the body everybody walks with.
        stage: What is around.
        options: How everybody searches.
        fps: Steps per second.
        judge: Makes somebody's judge, by name; ``None`` for nobody.
    """

    def __init__(
        self,
        walker: Walker,
        stage: DynamicScene,
        *,
        options: StreamOptions | None = None,
        fps: float = 30.0,
        judge: Callable[[str], TripJudge] | None = None,
    ) -> None:
        if not (np.isfinite(fps) and 0.0 < fps <= 1000.0):
            raise PlanningInputError(f"fps is {fps}; it must be a positive number, at most 1000")
        self._walker, self.stage, self._judge = walker, stage, judge
        self._options = options or CROWD_OPTIONS
        self.fps = float(fps)
        self._requests: dict[str, Request] = {}
        self._trips: dict[str, Trip] = {}
        # The same with standing after them, of those who have arrived.
        self._lasting: dict[str, Trip] = {}
        self._changed, self._known_changes = False, stage.changes
        self._ticks = 0

    @property
    def library(self) -> Library:
        """The clips everybody walks with."""
        return self._walker.library

    def __len__(self) -> int:
        """How many there are."""
        return len(self._requests)

    @property
    def time_s(self) -> float:
        """What the next step shows [s]."""
        return self._ticks / self.fps

    @property
    def trips(self) -> Mapping[str, Trip]:
        """Everybody's trip as it is planned now; of those who are still on the way it may change."""
        coming = {name: Trip(request=one, result=_NOT_YET) for name, one in self._requests.items()}
        return {name: self._trips.get(name, trip) for name, trip in coming.items()}

    @property
    def done(self) -> bool:
        """Whether everybody has arrived or given up, and all of it has been shown."""
        shown = all(trip.end_s + 1.0 / self.fps <= self.time_s for trip in self._trips.values())
        return shown and not self._changed

    def add(self, name: str, *, start: Place, goal: Place, via: Sequence[FloatArray] = ()) -> None:
        """Somebody who begins to walk now.

        Raises:
            PlanningInputError: The name is taken, or a place is no place.
        """
        if name in self._requests:
            raise PlanningInputError(f'two walkers are called "{name}"')
        self._requests[name] = Request(
            name=name,
            walker=self._walker,
            start=spot(start, "start"),
            goal=spot(goal, "goal"),
            via=tuple(via),
            start_s=self.time_s,
        )
        self._changed = True

    def redirect(self, name: str, goal: Place) -> None:
        """Send somebody elsewhere."""
        if name not in self._requests:
            raise PlanningInputError(f'nobody is called "{name}"; {nearest_name(name, self._requests)}')
        self._requests[name] = replace(self._requests[name], goal=spot(goal, "goal"), via=())
        self._changed = True

    def step(self) -> CrowdFrame:
        """Show everybody at the next moment; what has become new is planned first."""
        if self._changed or self._known_changes != self.stage.changes:
            self._plan()
        now = self.time_s
        self._ticks += 1
        return self._frame(now)

    def _plan(self) -> None:
        """Plan for those who are new, were sent elsewhere, or find something in the way."""
        requests = [self._so_far(one) for one in self._requests.values()]
        # Those who can go on as before have the right of way.
        requests.sort(key=lambda one: one.kept is None or one.kept.request.goal != one.goal)
        turns = Turns(
            requests=requests,
            stage=lambda _: self.stage,
            options=self._options,
            judge=self._judge,
            now_s=self.time_s,
        )
        found = turns.trips()
        self._lasting = {name: one for name, one in self._lasting.items() if found[name] is self._trips[name]}
        self._trips = {name: found[name] for name in self._requests}
        self._changed, self._known_changes = False, self.stage.changes

    def _so_far(self, request: Request) -> Request:
        """An request with what has been shown of it."""
        trip = self._trips.get(request.name)
        if trip is None or trip.result.motion is None or self.time_s <= trip.start_s:
            return request
        # The clip that plays until the blend into whatever comes next.
        until_s = self.time_s + BLEND_S
        lasting = self._standing(request.name, until_s)
        begun = lasting.plan.first(int(np.searchsorted(lasting.plan.starts_s, until_s, side="right")))
        return replace(request, begun=begun, shown=held_until(lasting, self.time_s), kept=trip)

    def _standing(self, name: str, until_s: float) -> Trip:
        """Somebody's trip, and standing after it until a time [s]: people live on where they have arrived."""
        self._lasting[name] = standing_on(self._lasting.get(name, self._trips[name]), until_s)
        return self._lasting[name]

    def _frame(self, now: float) -> CrowdFrame:
        shown = {name: trip for name, trip in self._trips.items() if trip.result.motion is not None}
        poses = [self._standing(name, now).pose(now) for name in shown]
        joints = len(self._walker.library.skeleton)
        arrived = [bool(trip.result.status) and trip.end_s <= now + 0.5 / self.fps for trip in shown.values()]
        return CrowdFrame(
            time_s=now,
            names=tuple(shown),
            root_positions=np.array([root for root, _ in poses]).reshape(-1, 3),
            rotations=np.array([rotations for _, rotations in poses]).reshape(-1, joints, 4),
            arrived=np.array(arrived, dtype=bool),
        )
