"""Trips: whole walks among everything that stands and moves, planned to their end before anybody sets out.

A stream goes on from the clip that was handed out last. Somebody who walks with others stands, sets out, walks, stops
at the goal and stands there. When others are in the way at that time it stands a little longer first; where it cannot
stay that long it walks to a place where it can. All of it is made of the library's clips: whoever waits stands on both
feet; a wait begins with a stop and ends with a first step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from understudy.core.planning import Watch
from understudy.floor import FloorPath, PathResult
from understudy.locomotion.approach import paths_to
from understudy.locomotion.dynamic_scene import DynamicScene
from understudy.locomotion.moving import packed_movers
from understudy.locomotion.plan import Plan
from understudy.locomotion.query import Spot
from understudy.locomotion.search import Problem, plans, world_of
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.tables import At, Movers
from understudy.locomotion.waiting import standing_clips, waiting
from understudy.locomotion.walker import Walker
from understudy.typing import BoolArray, FloatArray

#: [m] how far to the right of the path people keep, or to its left: past one who comes, past two, past a group.
_ASIDES_M = (0.45, -0.6, 1.2, -1.4, 2.2, -2.2)
#: [m/s] nobody needs less for a way, standing included, unless it waits.
_SLOW_MPS = 0.7
#: [s] how much later somebody sets out who cannot stand; whoever has waited so many times looks up less often.
_LATER_S, _PATIENT = 0.6, 4
#: [m] how far away places to wait at are looked for, in how many directions; [m] how exactly they are reached.
_AWAY_M, _DIRECTIONS, _ROUGHLY_M = (1.6, 2.8), 8, 0.5
#: How often a way is searched where others are in the way, wider each time: there are other sides and other times.
_ATTEMPTS = 3


@dataclass(eq=False, kw_only=True)
class TripSearch:
    """Searches for one walker's trips.

    Attributes:
        walker: Who walks.
        stage: What is around.
        start: Where the trip begins.
        goal: Where it ends.
        options: How to search.
        via: Points (x, z) that are still to be passed [m].
        start_s: When it begins [s].
        begun: Clips that have begun already.
        stops: Whether it begins and ends standing, and may wait.
        blocked: Why there is no path, when there is none.
        path: The shortest path, once it is known.
        searches: Searches so far.
        states: States of all searches so far.
    """

    walker: Walker
    stage: DynamicScene
    start: Spot
    goal: Spot
    options: StreamOptions
    via: Sequence[FloatArray] = ()
    start_s: float = 0.0
    begun: Plan = field(default_factory=Plan)
    stops: bool = False
    blocked: PathResult | None = None
    path: FloorPath | None = None
    searches: int = 0
    states: int = 0

    def plans(self, movers: Movers, watch: Watch, walker: Walker | None = None) -> Iterator[Plan]:
        """Whole plans to the goal, in the order in which they set out; those of a stream without what has begun.

        Args:
            movers: What moves.
            watch: When to stop searching.
            walker: Somebody else, with fewer transitions; the same unless given.
        """
        walker = walker or self.walker
        found, ways = self._routes(self.begun)
        self.path, self.blocked = self.path or found.path, found if found.path is None else None
        if found.path is None:
            return
        if not self.stops:
            yield from self._along(walker, movers, self.begun, list(ways), self.start_s, watch)
            return
        for begun in self._places(walker, movers, self._beginning(found.path), watch):
            found, ways = self._routes(begun)
            if found.path is None:
                continue
            paths = list(ways)
            for waited, later_s in self._waits(movers, begun, found.path):
                ahead = begun.then(waited)
                for plan in self._along(walker, movers, ahead, paths, later_s, watch):
                    yield ahead.then(plan)
                if watch.interrupted() is not None:
                    return

    def here(self, plan: Plan) -> FloatArray:
        """``(2,)`` where a plan ends (x, z) [m]."""
        if not len(plan):
            return self.start.point
        from understudy.locomotion._bend_kernels import ending

        x, z, _ = ending(self.walker.graph, int(plan.nodes[-1]), plan.placements[-1])
        return np.array([x, z])

    def movers(self, time_s: float) -> Movers:
        """What moves by itself, as it is known at a time."""
        return packed_movers(self.stage.movers(time_s))

    def is_clear(self, movers: Movers, plan: Plan, *, stays: bool = False) -> bool:
        """Whether a plan meets nothing; one that arrives, or stays where it ends, is not walked into there either."""
        from understudy.locomotion._moving_kernels import chain_is_clear

        if len(plan) == 0:
            return True
        world, margins = world_of(self.walker, self.stage.floor, movers), (self.options.margin_m, self.options.apart_m)
        places, start_s = np.ascontiguousarray(plan.placements), float(plan.starts_s[0])
        return bool(chain_is_clear(world, plan.nodes, places, start_s, margins, 0, stays or plan.arrives))

    def _routes(self, begun: Plan) -> tuple[PathResult, Iterator[FloorPath]]:
        """The shortest path from where a plan ends, and paths worth following, best first.

        Where somebody stands a little too close to a wall the path begins with what room there is.
        """
        x, z = self.here(begun)
        start, clearance_m = Spot(position=(float(x), float(z))), self.options.clearance_m
        found, ways = paths_to(self.stage.floor, start, self.goal, self.via, clearance_m)
        while found.path is None and clearance_m > 0.1 * self.options.clearance_m:
            clearance_m *= 0.5
            found, ways = paths_to(self.stage.floor, start, self.goal, self.via, clearance_m)
        return found, ways

    def _beginning(self, path: FloorPath) -> Plan:
        """What has begun, or a clip in which somebody stands at the start; nothing where the library cannot."""
        if len(self.begun):
            return self.begun
        start, library = self.start, self.walker.library
        if start.clip is not None:
            from understudy.locomotion.seeds import placed_start

            return Plan.single(start.clip, placed_start(self.walker, start), self.start_s - start.frame / library.fps)
        stands = standing_clips(self.walker)
        if not len(stands):
            return Plan()
        x, z = path.position(min(1.0, path.length_m)) - start.point
        heading = float(np.arctan2(x, z)) if start.heading_rad is None else start.heading_rad
        return Plan.single(int(stands[0]), np.array([*start.position, heading]), self.start_s)

    @property
    def _finals(self) -> BoolArray:
        """Clips that stop; empty where there are none, or nobody has to."""
        still = self.walker.still
        stops = still[:, 1] & ~still[:, 0]
        can = self.stops and stops.any() and len(standing_clips(self.walker))
        return np.ascontiguousarray(stops if can else stops[:0])

    def _places(self, walker: Walker, movers: Movers, begun: Plan, watch: Watch) -> Iterator[Plan]:
        """Plans that end where one may stand and wait: where one is, then places aside, the least detour first."""
        yield begun
        if not len(begun) or not len(waiting(self.walker, begun.last, 1.0)):
            return
        here = self.here(begun)
        angles = 2.0 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS
        ring = np.stack([np.sin(angles), np.cos(angles)], axis=1)
        points = np.concatenate([here + radius * ring for radius in _AWAY_M])
        detours = np.hypot(*(points - here).T) + np.hypot(*(points - self.goal.point).T)
        for x, z in points[np.argsort(detours, kind="stable")].tolist():
            there = replace(self, goal=Spot(position=(x, z)), options=replace(self.options, goal_m=_ROUGHLY_M), via=())
            found, ways = there._routes(begun)
            if found.path is not None:
                for plan in islice(there._along(walker, movers, begun, list(ways), self.start_s, watch), 1):
                    yield begun.then(replace(plan, arrives=False))
            if watch.interrupted() is not None:
                return

    def _waits(self, movers: Movers, begun: Plan, path: FloorPath) -> Iterator[tuple[Plan, float]]:
        """Standing where ``begun`` ends: not at all, a little, longer; and when one begins who has not begun yet."""
        stands = len(begun) > 0 and len(waiting(self.walker, begun.last, 1.0)) > 0
        step = float(self.walker.library.lengths()[standing_clips(self.walker)[0]]) if stands else _LATER_S
        number = int(self._least_wait_s(movers, begun, path) // step)
        while number * step <= self.options.patience_s and (number == 0 or stands or not len(begun)):
            waited = waiting(self.walker, begun.last, number * step) if stands else Plan()
            if not self.is_clear(movers, waited):
                return
            yield waited, self.start_s + (0.0 if len(begun) else number * step)
            number += 1 + number // _PATIENT

    def _along(
        self,
        walker: Walker,
        movers: Movers,
        begun: Plan,
        ways: Sequence[FloorPath],
        start_s: float,
        watch: Watch,
    ) -> Iterator[Plan]:
        """Plans along some paths, on either side of them where anything moves."""
        crowded = len(movers.filled) > 0
        asides_m = _ASIDES_M if self.stops else (self.options.aside_m, *(_ASIDES_M if crowded else ()))
        for way in ways:
            for aside_m in asides_m:
                problem = Problem(
                    walker=walker,
                    floor=self.stage.floor,
                    path=way,
                    start=begun.last if len(begun) else self.start,
                    goal=self.goal,
                    options=self.options,
                    start_s=start_s,
                    finals=self._finals,
                    movers=movers,
                    aside_m=aside_m,
                    attempts=_ATTEMPTS if crowded or self.stops else np.inf,
                )
                self.searches += 1
                seen = None
                for plan in plans(problem, watch):
                    if plan.tree is not seen and plan.tree is not None:
                        seen, self.states = plan.tree, self.states + len(plan.tree.places)
                    if plan.arrives:
                        yield plan
                if watch.interrupted() is not None:
                    return

    def _least_wait_s(self, movers: Movers, begun: Plan, path: FloorPath) -> float:
        """How long one waits at least [s]: whoever is there sooner, however slowly, is run over at the goal."""
        from understudy.locomotion._moving_kernels import standing_meets

        finals = np.flatnonzero(self._finals)
        if not len(finals) or not len(begun):
            return 0.0
        x, z = path.tangent(path.length_m)
        heading = self.goal.heading_rad if self.goal.heading_rad is not None else float(np.arctan2(x, z))
        place, last = At(*self.goal.position, heading), begun.last
        now = last.start_s + float(self.walker.library.lengths()[last.node]) + path.length_m / _SLOW_MPS

        def meets(later_s: float) -> bool:
            shadows, pace, apart_m = self.walker.shadows, self.walker.pace, self.options.apart_m
            return bool(standing_meets(shadows, pace, movers, int(finals[0]), place, now + later_s, apart_m))

        low, high = 0.0, self.options.patience_s
        if not meets(0.0):
            return 0.0
        while high - low > 0.5:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if meets(middle) else (low, middle)
        return low
