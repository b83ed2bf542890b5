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
from understudy.errors import PlanningInputError
from understudy.library import unroll
from understudy.library.leg_room import with_leg_room
from understudy.library.planar_arrays import transform
from understudy.library.trials import rehearsed
from understudy.locomotion.chunks import joined, strung
from understudy.locomotion.errands import STANDING_M, Errand, Trip
from understudy.locomotion.horizon import plan_is_clear, world_of
from understudy.locomotion.moving import TrackMover, packed_movers, standing
from understudy.locomotion.plan import Plan
from understudy.locomotion.query import Spot
from understudy.locomotion.stage import Stage
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.stream_tables import World
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.trips import TripSearch
from understudy.locomotion.walker import Walker
from understudy.locomotion.walking import travelled_m
from understudy.scene.scene import Scene

#: [s] until somebody who has not been planned yet is thought to have left its place.
_STANDING_S = 2.0
#: How many trips of somebody are shown to the judge.
_TRIES = 8

#: Says why somebody's trip through a scene will not do: the motion, how it was found, and when it begins [s].
TripJudge = Callable[[Motion, WalkTrace, Scene | None, float], str]


@dataclass(eq=False, kw_only=True)
class Turns:
    """Plans everybody's trips.

    Attributes:
        errands: Who walks where; the first ones have the right of way.
        stage: Makes a walker's stage.
        options: How to search.
        judge: Makes everybody's judge; ``None`` for nobody.
        now_s: When everybody is looked at [s].
        rounds: How many orders are tried at most.
        tried: How many were.
    """

    errands: Sequence[Errand]
    stage: Callable[[Walker], Stage]
    options: StreamOptions
    judge: Callable[[str], TripJudge] | None = None
    now_s: float = 0.0
    rounds: int = 6
    tried: int = 0

    def __post_init__(self) -> None:
        """Reject names that are taken."""
        names = [one.name for one in self.errands]
        if len(set(names)) != len(names):
            raise PlanningInputError("two walkers have the same name")
        self._watch: Watch = self.options.watch()
        self._stages: dict[int, Stage] = {}

    def trips(self) -> dict[str, Trip]:
        """Everybody's trip, or of all rounds the one in which most arrived."""
        order, best, seen = list(self.errands), dict[str, Trip](), set[tuple[str, ...]]()
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
        return self._judged({one.name: best[one.name] for one in self.errands})

    def _round(self, order: Sequence[Errand]) -> dict[str, Trip]:
        """Everybody in one order; those behind one who finds no way are planned as well."""
        trips: dict[str, Trip] = {}
        for number, errand in enumerate(order):
            waiting = [self._not_yet(one) for one in order[number + 1 :]]
            world = self._world(errand, [*(trip.mover() for trip in trips.values()), *waiting])
            search = self._search(errand)
            trip = self._kept(errand, world) or next(self._found(errand, search, world), None)
            trips[errand.name] = trip or self._none(errand, search)
        return trips

    def _not_yet(self, errand: Errand) -> TrackMover:
        """Somebody who has not been planned in this round: it stays a moment where it is."""
        at = errand.start.point if errand.shown is None else errand.shown.root_positions[-1, [0, 2]]
        return standing(errand.name, at, STANDING_M, until_s=self.now_s + _STANDING_S)

    def _search(self, errand: Errand) -> TripSearch:
        return TripSearch(
            walker=errand.walker,
            stage=self._stage(errand),
            start=errand.start,
            goal=errand.goal,
            options=self.options,
            watch=self._watch,
            via=errand.via,
            start_s=errand.start_s,
            begun=errand.begun,
        )

    def _stage(self, errand: Errand) -> Stage:
        if id(errand.walker) not in self._stages:
            self._stages[id(errand.walker)] = self.stage(errand.walker)
        return self._stages[id(errand.walker)]

    def _world(self, errand: Errand, others: Sequence[TrackMover]) -> World:
        stage = self._stage(errand)
        return world_of(errand.walker, stage.floor, packed_movers([*stage.movers(self.now_s), *others]))

    def _kept(self, errand: Errand, world: World) -> Trip | None:
        """The trip made before, when what is left of it meets nothing."""
        trip = errand.kept
        if trip is None or trip.errand.goal != errand.goal or not trip.result.status:
            return None
        begun = int(np.searchsorted(trip.plan.starts_s, self.now_s, side="right")) - 1
        return trip if plan_is_clear(world, self.options, trip.plan.after(max(begun, 0)), stays=True) else None

    def _found(self, errand: Errand, search: TripSearch, world: World) -> Iterator[Trip]:
        """Trips whose legs look right, not yet judged."""
        walker = errand.walker
        for plan in search.plans(world):
            whole = unroll(
                walker.library,
                plan.nodes.tolist(),
                turns_rad=plan.turns_rad[1:].tolist(),
                start=transform(plan.placements[0]),
                name=errand.name,
            )
            whole = with_leg_room(walker.library.footage, walker.body_table, whole)
            fault, _ = rehearsed(walker.library.footage, walker.body_table, whole.way, whole.motion)
            if fault:
                continue
            motion = _after(errand.shown, whole.motion.frames(errand.start.frame, len(whole.motion)))
            stats = Stats(counts={"states": search.states})
            result = Result(
                status=Status.SOLVED, motion=motion, stats=stats, trace=_trace(search, plan, motion, errand.goal)
            )
            yield Trip(errand=errand, result=result, plan=plan)

    def _none(self, errand: Errand, search: TripSearch) -> Trip:
        """The trip so far, if any, and why there is no other."""
        reason = self._why_not(search)
        if errand.kept is None:
            return Trip(errand=errand, result=reason)
        return replace(errand.kept, errand=errand, result=replace(reason, motion=errand.kept.result.motion))

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
            if trips[name].result.status and trips[name] is not trips[name].errand.kept:
                trips[name] = self._passed(trips, name)
        return trips

    def _passed(self, trips: Mapping[str, Trip], name: str) -> Trip:
        assert self.judge is not None
        judge, errand, refused = self.judge(name), trips[name].errand, list[str]()
        for trip in self._tries(trips, name):
            result, scene = trip.result, self._stage(errand).judged_scene
            assert result.motion is not None and result.trace is not None
            fault = judge(result.motion, result.trace, scene, trip.start_s)
            if not fault:
                trace = replace(result.trace, rejected=tuple(refused))
                return replace(trip, result=replace(result, trace=trace, claim=getattr(judge, "claim", None)))
            refused.append(fault)
            if len(refused) >= _TRIES or self._watch.interrupted() is not None:
                break
        stopped = self._watch.interrupted()
        reason = f"{len(refused)} walks arrived and none passed the judge; the first: {refused[0]}"
        return replace(
            trips[name], result=replace(trips[name].result, status=stopped or Status.EXHAUSTED, reason=reason)
        )

    def _tries(self, trips: Mapping[str, Trip], name: str) -> Iterator[Trip]:
        """The trip that was found, then others among everybody else's trips."""
        yield trips[name]
        errand, seen = trips[name].errand, {_clips(trips[name])}
        others = [trip.mover() for other, trip in trips.items() if other != name]
        for trip in self._found(errand, self._search(errand), self._world(errand, others)):
            if _clips(trip) not in seen:
                seen.add(_clips(trip))
                yield trip


def _clips(trip: Trip) -> tuple[int, ...]:
    return tuple(trip.plan.nodes.tolist())


def _arrived(trips: Mapping[str, Trip]) -> int:
    return sum(bool(trip.result.status) for trip in trips.values())


def _after(shown: Motion | None, motion: Motion) -> Motion:
    """A motion whose first frames have been played."""
    if shown is None:
        return motion
    overlap = min(len(shown), 2)
    rest, _ = joined(shown, motion.frames(len(shown) - overlap, len(motion)), overlap=overlap)
    return strung([shown, rest], motion.name)


def _trace(search: TripSearch, plan: Plan, motion: Motion, goal: Spot) -> WalkTrace:
    roots = motion.root_positions[:, [0, 2]]
    return WalkTrace(
        floor=search.stage.floor,
        start=search.start,
        goal=goal,
        path=search.path,
        nodes=plan.nodes,
        turns_rad=plan.turns_rad[1:],
        placements=plan.placements,
        length_m=travelled_m(roots, motion.fps),
        goal_error_m=float(np.hypot(*(roots[-1] - goal.point))),
        goal_error_rad=plan.error_rad if goal.heading_rad is not None else None,
    )
