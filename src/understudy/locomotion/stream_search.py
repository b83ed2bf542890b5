"""What a streamed walk searches, one thing after another, until a plan will do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from understudy.floor import FloorPath, PathResult
from understudy.locomotion.horizon import Horizon, plan_is_clear, world_of
from understudy.locomotion.moving import packed_movers
from understudy.locomotion.plan import Plan
from understudy.locomotion.query import Spot
from understudy.locomotion.routes import routes, ways_round
from understudy.locomotion.stage import Stage
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.stream_tables import World
from understudy.locomotion.walker import Walker
from understudy.typing import FloatArray

#: [m] nearer to the goal than this, ways round it are tried, too.
_CLOSE_M = 3.0
#: [m] what is left when a piece stops short of a goal that cannot be reached yet, and the least worth searching.
_SHORT_OF_M, _LEAST_M = 2.0, 0.8
#: How many levels of a horizon are searched: one, two, or all.
ONCE, QUICK, THOROUGH = 1, 2, 3


@dataclass(eq=False, kw_only=True)
class Searcher:
    """Searches for one walker.

    Attributes:
        walker: Who walks.
        stage: What is around.
        start: Where the walk begins.
        goal: Where it ends.
        options: How to search.
        via: Points (x, z) that are still to be passed [m].
        start_s: When it begins, in the scene's time [s].
        path: The shortest path from the start, once it is known.
        blocked: Why there is no path, when there is none.
        searches: Searches so far.
        states: States of all searches so far.
    """

    walker: Walker
    stage: Stage
    start: Spot
    goal: Spot
    options: StreamOptions
    via: list[FloatArray] = field(default_factory=list)
    start_s: float = 0.0
    path: FloorPath | None = None
    blocked: PathResult | None = None
    searches: int = 0
    states: int = 0

    def world(self, time_s: float) -> World:
        """Everything around, as it is known at a time."""
        return world_of(self.walker, self.stage.floor, packed_movers(self.stage.movers(time_s)))

    def here(self, settled: Plan) -> FloatArray:
        """``(2,)`` where what is settled ends (x, z) [m]."""
        if not len(settled):
            return self.start.point
        from understudy.locomotion._bend_kernels import ending

        x, z, _ = ending(self.walker.graph, int(settled.nodes[-1]), settled.placements[-1])
        return np.array([x, z])

    def drop_passed(self, settled: Plan) -> None:
        """Forget points on the way that have been passed."""
        here = self.here(settled)
        while self.via and np.hypot(*(self.via[0] - here)) < 2.0 * self.options.deviation_m:
            self.via.pop(0)

    def plans(self, world: World, settled: Plan, reserve: Plan) -> Iterator[Plan]:
        """Plans worth checking, best first; those that begin like one before are left out."""
        seen: set[tuple[int, ...]] = set()
        for horizon, reach, levels in self._horizons(world, settled, reserve):
            self.searches += 1
            for plan in horizon.plans(reach, levels):
                self.states += sum(horizon.made)
                horizon.made.clear()
                key = tuple(plan.nodes[: self.options.clips].tolist())
                if len(plan) == 0 or key in seen:
                    continue
                seen.add(key)
                yield plan
                if len(seen) >= self.options.tries:
                    return
            self.states += sum(horizon.made)
            horizon.made.clear()

    def is_clear(self, world: World, plan: Plan) -> bool:
        """Whether a plan meets nothing."""
        return plan_is_clear(world, self.options, plan)

    def _horizons(self, world: World, settled: Plan, reserve: Plan) -> Iterator[tuple[Horizon, float, int]]:
        """What is searched: a horizon, how far along its path [m], and how many of its levels."""
        options, here, kept = self.options, self.here(settled), len(reserve) > 0
        found, ways = routes(self.stage.floor, here, self.goal, self.via, options.clearance_m)
        self.blocked = found if found.path is None else None
        if found.path is None:
            return
        self.path = self.path or found.path
        first = self._horizon(world, settled, next(ways))
        reach = options.horizon_m if len(settled) else options.first_m
        left = found.path.length_m
        if left > options.final_m:
            yield first, reach, THOROUGH
            if not kept:
                yield first, max(0.4 * reach, _LEAST_M), THOROUGH
            return
        yield first, math.inf, QUICK if left > _CLOSE_M else THOROUGH
        if left > _CLOSE_M:
            yield first, left - _SHORT_OF_M, THOROUGH
        round_it = ways_round(self.stage.floor, here, self.goal, options.clearance_m)
        others = [self._horizon(world, settled, way) for way in (*ways, *round_it)]
        yield from ((other, math.inf, levels) for levels in (ONCE, THOROUGH) for other in others)
        if not kept:
            # Walk away from a goal that cannot be reached from here, to come to it again.
            yield from ((other, 0.4 * other.path.length_m, QUICK) for other in reversed(others))
        if not kept and left > _LEAST_M:
            yield first, max(0.4 * left, _LEAST_M), THOROUGH

    def _horizon(self, world: World, settled: Plan, path: FloorPath) -> Horizon:
        return Horizon(
            walker=self.walker,
            world=world,
            options=self.options,
            path=path,
            goal=self.goal,
            begin=settled.last if len(settled) else self.start,
            start_s=self.start_s,
        )
