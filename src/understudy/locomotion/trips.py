"""Trips: whole walks among everything that moves, planned to their end before anybody sets out.

Somebody stands, sets out, walks, stops at the goal and stands there. When others are in the way at that time it stands
a little longer first; where it cannot stay that long it walks to a place where it can, and waits there. All of it is
made of the library's clips: whoever waits stands on both feet; a wait begins with a stop and ends with a first step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.core.planning import Watch
from understudy.floor import FloorPath, PathResult
from understudy.locomotion.horizon import Horizon, plan_is_clear
from understudy.locomotion.plan import Plan
from understudy.locomotion.query import Spot
from understudy.locomotion.routes import routes
from understudy.locomotion.stage import Stage
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.stream_tables import At, World
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
_REFUGES_M, _DIRECTIONS, _ROUGHLY_M = (1.6, 2.8), 12, 0.5
#: How many levels of a horizon are searched, and how many places to wait at are tried.
_LEVELS, _REFUGES = 2, 6


@dataclass(eq=False, kw_only=True)
class TripSearch:
    """Searches for one walker's trips.

    Attributes:
        walker: Who walks.
        stage: What is around.
        start: Where the trip begins.
        goal: Where it ends.
        options: How to search.
        watch: When to stop searching.
        via: Points (x, z) that are passed [m].
        start_s: When it begins [s].
        begun: Clips that have begun already.
        blocked: Why there is no path, when there is none.
        path: The shortest path, once it is known.
        states: States of all searches so far.
    """

    walker: Walker
    stage: Stage
    start: Spot
    goal: Spot
    options: StreamOptions
    watch: Watch
    via: Sequence[FloatArray] = ()
    start_s: float = 0.0
    begun: Plan = field(default_factory=Plan)
    blocked: PathResult | None = None
    path: FloorPath | None = None
    states: int = 0

    def plans(self, world: World) -> Iterator[Plan]:
        """Whole plans, from the first clip to standing at the goal, in the order in which they set out."""
        found, ways = routes(self.stage.floor, self._here(self.begun), self.goal, self.via, self.options.clearance_m)
        self.path, self.blocked = self.path or found.path, found if found.path is None else None
        if found.path is None:
            return
        begun = self._beginning(found.path)
        yield from self._after_waiting(world, begun, [*ways])
        if self._stands(begun):
            for there in self._refuges(world, begun):
                found, ways = routes(self.stage.floor, self._here(there), self.goal, self.via, self.options.clearance_m)
                if found.path is not None:
                    yield from self._after_waiting(world, there, [*ways])

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

    def _here(self, plan: Plan) -> FloatArray:
        """``(2,)`` where a plan ends (x, z) [m]."""
        if not len(plan):
            return self.start.point
        from understudy.locomotion._bend_kernels import ending

        x, z, _ = ending(self.walker.graph, int(plan.nodes[-1]), plan.placements[-1])
        return np.array([x, z])

    def _stands(self, plan: Plan) -> bool:
        return len(plan) > 0 and len(waiting(self.walker, plan.last, 1.0)) > 0

    @property
    def _finals(self) -> BoolArray:
        """Clips that stop; empty where there are none."""
        still = self.walker.still
        stops = still[:, 1] & ~still[:, 0]
        return np.ascontiguousarray(stops if stops.any() and len(standing_clips(self.walker)) else stops[:0])

    # Legs.

    def _after_waiting(self, world: World, begun: Plan, ways: list[FloorPath]) -> Iterator[Plan]:
        """Ways to the goal after standing where ``begun`` ends: not at all, a little, longer."""
        stands = self._stands(begun)
        step = float(self.walker.library.lengths()[standing_clips(self.walker)[0]]) if stands else _LATER_S
        number = int(self._least_wait_s(world, begun, ways[0]) // step)
        while number * step <= self.options.patience_s and (number == 0 or stands or not len(begun)):
            waited = waiting(self.walker, begun.last, number * step) if stands else Plan()
            if not plan_is_clear(world, self.options, waited):
                return
            later_s = self.start_s + (0.0 if len(begun) else number * step)
            for way in ways:
                for aside_m in _ASIDES_M:
                    if self.watch.interrupted() is not None:
                        return
                    options = replace(self.options, aside_m=aside_m)
                    ahead = self._horizon(world, begun.then(waited), way, self.goal, options, later_s)
                    yield from (begun.then(waited).then(plan) for plan in self._found(ahead))
            number += 1 + number // _PATIENT

    def _found(self, ahead: Horizon) -> Iterator[Plan]:
        for plan in ahead.plans(np.inf, _LEVELS):
            self.states += sum(ahead.made)
            ahead.made.clear()
            yield plan
        self.states += sum(ahead.made)
        ahead.made.clear()

    def _horizon(
        self, world: World, begun: Plan, path: FloorPath, goal: Spot, options: StreamOptions, start_s: float = 0.0
    ) -> Horizon:
        return Horizon(
            walker=self.walker,
            world=world,
            options=options,
            path=path,
            goal=goal,
            begin=begun.last if len(begun) else self.start,
            start_s=start_s,
            finals=self._finals,
        )

    def _least_wait_s(self, world: World, begun: Plan, path: FloorPath) -> float:
        """How long one waits at least [s]: whoever is there sooner, however slowly, is run over at the goal."""
        from understudy.locomotion._moving_kernels import standing_meets

        finals = np.flatnonzero(self._finals)
        if not len(finals):
            return 0.0
        x, z = path.tangent(path.length_m)
        heading = self.goal.heading_rad if self.goal.heading_rad is not None else float(np.arctan2(x, z))
        place, apart = At(*self.goal.position, heading), self.options.apart_m
        last = begun.last
        now = last.start_s + float(self.walker.library.lengths()[last.node]) + path.length_m / _SLOW_MPS
        low, high = 0.0, self.options.patience_s
        if not standing_meets(world.shadows, world.pace, world.movers, int(finals[0]), place, now, apart):
            return 0.0
        while high - low > 0.5:
            middle = 0.5 * (low + high)
            meets = standing_meets(world.shadows, world.pace, world.movers, int(finals[0]), place, now + middle, apart)
            low, high = (middle, high) if meets else (low, middle)
        return low

    # Places to wait at.

    def _refuges(self, world: World, begun: Plan) -> Iterator[Plan]:
        """Plans that walk to a place aside and stop there, where nobody comes; the least detour first."""
        here, floor, options = self._here(begun), self.stage.floor, replace(self.options, goal_m=_ROUGHLY_M)
        angles = 2.0 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS
        ring = np.stack([np.sin(angles), np.cos(angles)], axis=1)
        points = np.concatenate([here + radius * ring for radius in _REFUGES_M])
        detours = np.hypot(*(points - here).T) + np.hypot(*(points - self.goal.point).T)
        tried = 0
        for point in points[np.argsort(detours, kind="stable")]:
            if tried >= _REFUGES or self.watch.interrupted() is not None:
                return
            place = Spot(position=(float(point[0]), float(point[1])))
            found = floor.path(here, place.point, options.clearance_m)
            if found.path is None:
                continue
            plan = next(self._found(self._horizon(world, begun, found.path, place, options)), None)
            if plan is not None:
                tried += 1
                yield begun.then(replace(plan, arrives=False))
