"""What a streamed walk searches, one thing after another, until a plan will do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from understudy.floor import Floor, FloorPath, PathResult
from understudy.locomotion.horizon import Horizon, Plan, Settled, plan_is_clear, world_of
from understudy.locomotion.moving import ChainMover, TrackMover, packed_movers
from understudy.locomotion.query import Spot
from understudy.locomotion.routes import routes, ways_round
from understudy.locomotion.stage import Stage
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.stream_tables import At, World
from understudy.locomotion.waiting import stopping, stops_of
from understudy.locomotion.walker import Walker
from understudy.typing import FloatArray

#: Everybody else, as they are known now.
Others = Callable[[], Sequence[ChainMover | TrackMover]]

#: [m] nearer to the goal than this, ways round it are tried, too.
_CLOSE_M = 3.0
#: [m] what is left when a piece stops short of a goal that cannot be reached yet, and the least worth searching.
_SHORT_OF_M, _LEAST_M = 2.0, 0.8
#: A plan with no more clips than this is about to run out.
_FEW = 1
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
        others: Who else is walking.
        start_s: When it begins, in the scene's time [s].
        cautious: Whether nobody may walk into the walker where a plan ends, should it find no other.
        effort: How many levels are searched while there is a plan in reserve.
        most: How many levels are searched when there is none.
        crowded: Makes a floor on which those who stand about are in the way; ``None`` when nobody does.
        path: The shortest path from the start, once it is known.
        blocked: Why there is no path, when there is none.
        searches: Searches so far.
        states: States of all searches so far.
        waited_s: How long the walker has stood still since the last settled clip [s].
    """

    walker: Walker
    stage: Stage
    start: Spot
    goal: Spot
    options: StreamOptions
    via: list[FloatArray] = field(default_factory=list)
    others: Others | None = None
    start_s: float = 0.0
    cautious: bool = False
    effort: int = THOROUGH
    most: int = THOROUGH
    crowded: Callable[[], Floor | None] | None = None
    path: FloorPath | None = None
    blocked: PathResult | None = None
    searches: int = 0
    states: int = 0
    waited_s: float = 0.0

    def world(self, time_s: float) -> World:
        """Everything around, as it is known at a time."""
        movers = list(self.stage.movers(time_s))
        if self.others is not None:
            movers += self.others()
        return world_of(self.walker, self.stage.floor, packed_movers(movers))

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
        bold: list[Plan] = []
        for horizon, reach, levels in self._horizons(world, settled, reserve):
            self.searches += 1
            for plan in horizon.plans(reach, levels):
                self.states += sum(horizon.made)
                horizon.made.clear()
                key = tuple(plan.nodes[: self.options.clips].tolist())
                if len(plan) == 0 or key in seen:
                    continue
                if not self.is_clear(world, plan, known=True):
                    bold.append(plan)
                    continue
                seen.add(key)
                yield plan
                if len(seen) >= self.options.tries:
                    return
            self.states += sum(horizon.made)
            horizon.made.clear()
        if not seen and not len(reserve) and bold and self._endangered(settled):
            # To be run over here is worse than not to know yet where to stand later.
            yield from sorted(bold, key=lambda plan: -plan.starts_s[-1])[: self.options.tries]

    def _endangered(self, settled: Plan) -> bool:
        """Whether something that moves by itself comes to where the walker would stand and wait."""
        from understudy.locomotion._moving_kernels import standing_meets

        time_s = self.start_s
        node, at = int(stops_of(self.walker)[1][:1].sum()), np.array([*self.start.position, 0.0])
        if len(settled):
            node, at = int(settled.nodes[-1]), settled.placements[-1]
            time_s = float(settled.starts_s[-1]) + self.waited_s + float(self.walker.library.lengths()[node])
        world = world_of(self.walker, self.stage.floor, packed_movers(self.stage.movers(time_s)))
        place = At(float(at[0]), float(at[1]), float(at[2]))
        apart = self.options.apart_m
        return bool(standing_meets(world.shadows, world.pace, world.movers, node, place, time_s, apart))

    def is_clear(self, world: World, plan: Plan, *, known: bool = False) -> bool:
        """Whether a plan meets nothing; the cautious want to be able to stand for ever where it ends, too.

        Args:
            world: What it might meet.
            plan: The plan.
            known: Whether its clips are known to be clear.
        """
        if known and (plan.arrives or not self.cautious):
            return True
        return plan_is_clear(world, self.options, plan, stays=self.cautious)

    def _horizons(self, world: World, settled: Plan, reserve: Plan) -> Iterator[tuple[Horizon, float, int]]:
        """What is searched: a horizon, how far along its path [m], and how many of its levels."""
        options, here, kept = self.options, self.here(settled), len(reserve) > 0
        # Whoever runs out of plans had better look farther now than stand there later.
        effort = self.effort if len(reserve) > _FEW or reserve.waits else self.most
        found, ways = routes(self.stage.floor, here, self.goal, self.via, options.clearance_m)
        self.blocked = found if found.path is None else None
        if found.path is None:
            return
        self.path = self.path or found.path
        first = self._horizon(world, settled, next(ways))
        reach = options.horizon_m if len(settled) else options.first_m
        left = found.path.length_m
        if left > options.final_m:
            yield first, reach, effort
            yield from ((other, reach, QUICK) for other in self._round_people(world, settled))
            if not kept:
                yield first, max(0.4 * reach, _LEAST_M), self.most
            return
        yield first, math.inf, min(effort, QUICK if left > _CLOSE_M else self.most)
        yield from ((other, options.final_m, QUICK) for other in self._round_people(world, settled))
        if left > _CLOSE_M:
            yield first, left - _SHORT_OF_M, effort
        if effort == THOROUGH or not kept:
            round_it = ways_round(self.stage.floor, here, self.goal, options.clearance_m)
            others = [self._horizon(world, settled, way) for way in (*ways, *round_it)]
            yield from ((other, math.inf, levels) for levels in range(ONCE, self.most + 1, 2) for other in others)
            if not kept:
                # Walk away from a goal that cannot be reached from here, to come to it again.
                yield from ((other, 0.4 * other.path.length_m, QUICK) for other in reversed(others))
        if not kept and left > _LEAST_M:
            yield first, max(0.4 * left, _LEAST_M), self.most

    def _round_people(self, world: World, settled: Plan) -> Iterator[Horizon]:
        """The way round those who stand about, when there are any."""
        floor = None if self.crowded is None else self.crowded()
        if floor is not None:
            found, ways = routes(floor, self.here(settled), self.goal, self.via, self.options.clearance_m)
            if found.path is not None:
                yield self._horizon(world, settled, next(ways))

    def stop(self, settled: Plan) -> Plan:
        """A plan to stand and wait; empty where the library cannot stand."""
        last = self._last(settled)
        return Plan() if last is None else stopping(self.walker, last, self.options.horizon_s)

    def _last(self, settled: Plan) -> Settled | None:
        if not len(settled):
            return None
        begun = float(settled.starts_s[-1]) + self.waited_s
        return Settled(node=int(settled.nodes[-1]), at=settled.placements[-1], start_s=begun)

    def _horizon(self, world: World, settled: Plan, path: FloorPath) -> Horizon:
        begin = self._last(settled) or self.start
        return Horizon(
            walker=self.walker,
            world=world,
            options=self.options,
            path=path,
            goal=self.goal,
            begin=begin,
            start_s=self.start_s,
        )
