"""Several trips at once, planned in turn: whoever comes later keeps out of the way of those before.

Who goes first matters. When somebody finds no way it is tried again with that one first. Only then the judge looks at
everybody's motion; whoever is refused takes another way among all the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Result, Stats, Status, Watch
from understudy.core.violations import Violation, described
from understudy.errors import PlanningInputError
from understudy.locomotion.chunks import joined, strung
from understudy.locomotion.dynamic_scene import DynamicScene
from understudy.locomotion.moving import TrackMover, packed_movers, standing
from understudy.locomotion.refinement import Refinement
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.tables import Movers
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.trip import STANDING_M, Request, Trip
from understudy.locomotion.trip_search import TripSearch
from understudy.locomotion.waiting import waiting
from understudy.locomotion.walker import Walker
from understudy.locomotion.walking import traced, unrolled_of
from understudy.scene.scene import Scene

#: [s] until somebody who has not been planned yet is thought to have left its place.
_STANDING_S = 2.0
#: [s] of standing that is added at a time to a trip that is over.
_STANDS_ON_S = 4.0

#: Says what is wrong with somebody's trip through a scene: the motion, how it was found, and when it begins [s].
TripJudge = Callable[[Motion, WalkTrace, Scene | None, float], Sequence[Violation] | str]


@dataclass(eq=False, kw_only=True)
class Turns:
    """Plans everybody's trips.

    Attributes:
        requests: Who walks where; the first ones have the right of way.
        stage: Makes a walker's stage.
        options: How to search.
        judge: Makes everybody's judge; ``None`` for nobody.
        now_s: When everybody is looked at [s].
        rounds: How many orders are tried at most.
        tried: How many were.
    """

    requests: Sequence[Request]
    stage: Callable[[Walker], DynamicScene]
    options: StreamOptions
    judge: Callable[[str], TripJudge] | None = None
    now_s: float = 0.0
    rounds: int = 6
    tried: int = 0

    def __post_init__(self) -> None:
        """Reject names that are taken."""
        names = [one.name for one in self.requests]
        if len(set(names)) != len(names):
            raise PlanningInputError("two walkers have the same name")
        self._watch: Watch = self.options.watch()
        self._stages: dict[int, DynamicScene] = {}

    def trips(self) -> dict[str, Trip]:
        """Everybody's trip, or of all rounds the one in which most arrived."""
        order, best, seen = list(self.requests), dict[str, Trip](), set[tuple[str, ...]]()
        for number in range(1, self.rounds + 1):
            self.tried = number
            found = self._round(order)
            if not best or _arrived(found) > _arrived(best):
                best = found
            missed = [one for one in order if not found[one.name].result.status]
            seen.add(tuple(one.name for one in order))
            order = [*missed, *(one for one in order if one not in missed)]
            if not missed or self._watch.interrupted() is not None or tuple(one.name for one in order) in seen:
                break
        return self._judged({one.name: best[one.name] for one in self.requests})

    def _round(self, order: Sequence[Request]) -> dict[str, Trip]:
        """Everybody in one order; those behind one who finds no way are planned as well."""
        trips: dict[str, Trip] = {}
        for number, request in enumerate(order):
            later = [self._not_yet(one) for one in order[number + 1 :]]
            movers = self._movers(request, [*(trip.mover() for trip in trips.values()), *later])
            search = self._search(request)
            trip = self._kept(request, search, movers) or next(self._found(request, search, movers, Refinement()), None)
            trips[request.name] = trip or self._none(request, search)
        return trips

    def _not_yet(self, request: Request) -> TrackMover:
        """Somebody who has not been planned in this round: it stays a moment where it is."""
        at = request.start.point if request.shown is None else request.shown.root_positions[-1, [0, 2]]
        return standing(request.name, at, STANDING_M, until_s=self.now_s + _STANDING_S)

    def _search(self, request: Request) -> TripSearch:
        return TripSearch(
            walker=request.walker,
            stage=self._stage(request),
            start=request.start,
            goal=request.goal,
            options=self.options,
            via=request.via,
            start_s=request.start_s,
            begun=request.begun,
            stops=True,
        )

    def _stage(self, request: Request) -> DynamicScene:
        if id(request.walker) not in self._stages:
            self._stages[id(request.walker)] = self.stage(request.walker)
        return self._stages[id(request.walker)]

    def _movers(self, request: Request, others: Sequence[TrackMover]) -> Movers:
        return packed_movers([*self._stage(request).movers(self.now_s), *others])

    def _kept(self, request: Request, search: TripSearch, movers: Movers) -> Trip | None:
        """The trip made before, when what is left of it meets nothing."""
        trip = request.kept
        if trip is None or trip.request.goal != request.goal or not trip.result.status:
            return None
        begun = int(np.searchsorted(trip.plan.starts_s, self.now_s, side="right")) - 1
        return trip if search.is_clear(movers, trip.plan.after(max(begun, 0)), stays=True) else None

    def _found(self, request: Request, search: TripSearch, movers: Movers, refinement: Refinement) -> Iterator[Trip]:
        """Trips whose legs look right, not yet judged."""
        walker = request.walker
        for plan in search.plans(movers, self._watch, refinement.taught(walker)):
            if refinement.is_refused(plan):
                continue
            whole = unrolled_of(walker, plan, request.name)
            if refinement.rehearsed(walker, plan, whole):
                continue
            motion = _after(request.shown, whole.motion.frames(request.start.frame, len(whole.motion)))
            trace = WalkTrace(floor=search.stage.floor, start=search.start, goal=request.goal, path=search.path)
            result = Result(
                status=Status.SOLVED,
                motion=motion,
                stats=Stats(counts={"states": search.states}),
                trace=traced(walker, trace, plan, motion),
            )
            yield Trip(request=request, result=result, plan=plan)

    def _none(self, request: Request, search: TripSearch) -> Trip:
        """The trip so far, if any, and why there is no other."""
        reason = self._why_not(search)
        if request.kept is None:
            return Trip(request=request, result=reason)
        return replace(request.kept, request=request, result=replace(reason, motion=request.kept.result.motion))

    def _why_not(self, search: TripSearch) -> Result[WalkTrace]:
        stopped = self._watch.interrupted()
        trace = WalkTrace(floor=search.stage.floor, start=search.start, goal=search.goal, path=search.path)
        if stopped is Status.CANCELLED:
            return Result(status=stopped, reason="it was cancelled", trace=trace)
        if stopped is not None:
            return Result(status=stopped, reason="the deadline passed", trace=trace)
        if search.blocked is not None:
            trace = replace(trace, nearest_free=search.blocked.nearest_free, obstacle=search.blocked.obstacle)
            return Result(status=search.blocked.status, reason=search.blocked.reason, trace=trace)
        reason = f"no way to the goal within {self.options.patience_s:g} s of waiting; others or things are in the way"
        return Result(status=Status.EXHAUSTED, reason=reason, trace=trace)

    # Judging.

    def _judged(self, trips: dict[str, Trip]) -> dict[str, Trip]:
        """The same once the judge has seen everybody; whoever is refused takes another way."""
        for name in [] if self.judge is None else list(trips):
            if trips[name].result.status and trips[name] is not trips[name].request.kept:
                trips[name] = self._passed(trips, name)
        return trips

    def _passed(self, trips: Mapping[str, Trip], name: str) -> Trip:
        """The first of somebody's trips among all others that the judge passes; it learns from those refused."""
        assert self.judge is not None
        judge, request, refused, refinement = self.judge(name), trips[name].request, list[str](), Refinement()
        others = [trip.mover() for other, trip in trips.items() if other != name]
        movers, trip = self._movers(request, others), trips[name]
        while True:
            result, scene = trip.result, self._stage(request).judged_scene
            assert result.motion is not None and result.trace is not None
            violations = judge(result.motion, result.trace, scene, trip.start_s)
            if not violations:
                trace = replace(result.trace, rejected=tuple(refused))
                return replace(trip, result=replace(result, trace=trace, claim=getattr(judge, "claim", None)))
            refused.append(violations if isinstance(violations, str) else described(violations))
            refinement.refused(request.walker, trip.plan, violations, since_s=trip.start_s)
            other = next(self._found(request, self._search(request), movers, refinement), None)
            if other is None or len(refused) > self.options.tries or self._watch.interrupted() is not None:
                break
            trip = other
        stopped = self._watch.interrupted()
        reason = f"{len(refused)} walks arrived and none passed the judge; the first: {refused[0]}"
        return replace(
            trips[name], result=replace(trips[name].result, status=stopped or Status.EXHAUSTED, reason=reason)
        )


def standing_on(trip: Trip, until_s: float) -> Trip:
    """A trip that goes on with standing until a time at least [s], where its library has clips to wait with."""
    request, motion, plan = trip.request, trip.result.motion, trip.plan
    while motion is not None and len(plan) and trip.end_s < until_s:
        more = waiting(request.walker, plan.last, _STANDS_ON_S)
        if not len(more):
            break
        plan = plan.then(more)
        whole = unrolled_of(request.walker, plan, request.name).motion
        motion = _after(motion, whole.frames(request.start.frame, len(whole)))
        trip = replace(trip, plan=plan, result=replace(trip.result, motion=motion))
    return trip


def _arrived(trips: Mapping[str, Trip]) -> int:
    return sum(bool(trip.result.status) for trip in trips.values())


def _after(shown: Motion | None, motion: Motion) -> Motion:
    """A motion whose first frames have been played."""
    if shown is None:
        return motion
    overlap = min(len(shown), 2)
    rest, _ = joined(shown, motion.frames(len(shown) - overlap, len(motion)), overlap=overlap)
    return strung([shown, rest], motion.name)
