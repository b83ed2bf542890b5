"""Plans over the next metres: the search that streams and crowds go on with, chunk after chunk."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from understudy.core.editing import smoothstep
from understudy.floor import Floor, FloorPath
from understudy.floor.tables import DistanceGrid
from understudy.locomotion.approach import path_table
from understudy.locomotion.moving import NOBODY
from understudy.locomotion.plan import Plan, Settled
from understudy.locomotion.query import Spot
from understudy.locomotion.seeds import seeds_of
from understudy.locomotion.silhouettes import SAMPLE_S
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.stream_tables import Movers, Pace, Scope, World
from understudy.locomotion.tables import PathTable, Tree
from understudy.locomotion.walker import Walker
from understudy.typing import BoolArray, FloatArray, IntArray

#: How much wider the beam and its deviation get when it failed, and from which heading error on it steers [rad].
LEVELS = ((1, 1.0, np.inf), (3, 1.5, 0.4), (8, 2.5, 0.25))
#: [rad] a search that begins farther off the path's direction than this is wider where it begins, and [m] how far.
_TURNED_RAD, _EARLY_TURNED_M, _EARLY_M = 0.5, 3.0, 1.0
#: [m] from how far before a goal at which one stops a search is wider, and how many times: steps of many lengths meet.
_LATE_M, _LATE_WIDER = 3.0, 8
#: [m] over which one comes to the right of the path and back to it.
_MERGE_M = 1.0
_CANDIDATES, _STATES = 48, 30_000
#: How much of the transitions' ranges bending uses: wide turns are seen in the hips, so little first.
_RANGE_SHARES = (0.4, 1.0)


def pace_of(walker: Walker) -> Pace:
    """How long a walker's clips take."""
    fps = walker.library.fps
    return Pace(step_s=max(1, round(SAMPLE_S * fps)) / fps, seconds=walker.library.lengths())


def world_of(walker: Walker, floor: Floor, movers: Movers = NOBODY) -> World:
    """Everything a search looks at."""
    return World(
        graph=walker.graph,
        shadows=walker.shadows,
        pace=pace_of(walker),
        near=floor.distances.grid,
        grid=floor.grid,
        movers=movers,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Horizon:
    """One search problem: from where, along which path, to where, and how far of it.

    Attributes:
        walker: Who walks.
        world: What is around.
        options: How to search.
        path: The path, from the start or from the end of the settled clip.
        goal: Where the walk ends.
        begin: A start, or the clip to go on from.
        start_s: When a walk that has not begun begins [s].
        finals: ``(nodes,)`` clips it may end with; empty for any.
        made: States of every search so far.
    """

    walker: Walker
    world: World
    options: StreamOptions
    path: FloorPath
    goal: Spot
    begin: Spot | Settled
    start_s: float = 0.0
    finals: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    made: list[int] = field(default_factory=list)

    def plans(self, reach_m: float, levels: int = len(LEVELS)) -> Iterator[Plan]:
        """Plans that reach so far along the path or, where the path is shorter, arrive; best first.

        Args:
            reach_m: How far along the path [m].
            levels: How many times at most it is searched, wider each time.
        """
        table = aside(path_table(self.path, self.goal), self.world.near, self.options)
        table = table._replace(finals=self.finals)
        seeds = self._seeds(table)
        to_goal = reach_m >= self.path.length_m
        until_m = min(reach_m, self.path.length_m)
        for level in LEVELS[:levels]:
            tree, times = self._searched(table, seeds, self._scope(table, until_m, to_goal, level))
            yield from self._arrivals(table, tree, times, level) if to_goal else self._ways(tree, times)
        if not to_goal:
            # Whoever cannot get there may still wait, or make a detour.
            scope = self._scope(table, until_m, to_goal, LEVELS[min(levels, 2) - 1])
            safe = scope._replace(until_s=self._now_s() + self.options.horizon_s)
            yield from self._ways(*self._searched(table, seeds, safe))

    def _seeds(self, table: PathTable) -> FloatArray:
        if isinstance(self.begin, Settled):
            return np.array([[self.begin.node, *self.begin.at, self.begin.start_s, 1.0]])
        seeds = seeds_of(self.walker, self.begin, table)
        begins = np.full(len(seeds), self.start_s)
        if self.begin.frame:
            begins -= self.begin.frame / self.walker.library.fps
        return np.column_stack([seeds, begins, np.zeros(len(seeds))])

    def _searched(self, table: PathTable, seeds: FloatArray, scope: Scope) -> tuple[Tree, FloatArray]:
        from understudy.locomotion._horizon_kernels import horizon_beam

        tree, times = horizon_beam(self.world, table, scope, seeds)
        self.made.append(len(times))
        return Tree(*tree), times

    def _scope(self, table: PathTable, until_m: float, to_goal: bool, level: tuple[int, float, float]) -> Scope:
        factor, wider, steer = level
        options, deviation = self.options, self.options.deviation_m * wider
        turned = self._turned_rad(table) > _TURNED_RAD
        return Scope(
            until_m=until_m,
            until_s=np.inf,
            to_goal=int(to_goal),
            width=options.width * factor,
            early_width=options.width * factor * (4 if turned else 2),
            early_m=_EARLY_TURNED_M if turned else _EARLY_M,
            late_width=options.width * factor * (_LATE_WIDER if len(self.finals) else 1),
            late_m=_LATE_M,
            bucket_m=options.bucket_m,
            deviation_m=deviation,
            early_deviation_m=max(options.early_deviation_m * wider, deviation) if turned else deviation,
            margin_m=options.margin_m,
            apart_m=options.apart_m,
            past_m=options.past_m,
            steer_rad=steer,
            states=_STATES * factor,
            candidates=_CANDIDATES * factor,
        )

    def _now_s(self) -> float:
        """When the search begins [s]."""
        if isinstance(self.begin, Settled):
            return self.begin.start_s + float(self.world.pace.seconds[self.begin.node])
        return self.start_s

    def _turned_rad(self, table: PathTable) -> float:
        """How far the walker faces away from the path where the search begins [rad]."""
        if isinstance(self.begin, Settled):
            facing = self.begin.at[2] + self.world.graph.moves[self.begin.node, 2]
        elif self.begin.heading_rad is not None:
            facing = self.begin.heading_rad
        else:
            return 0.0
        return abs(math.remainder(facing - float(table.headings[0]), math.tau))

    def _ways(self, tree: Tree, times: FloatArray) -> Iterator[Plan]:
        from understudy.locomotion._branch_kernels import branch_of, turns_of

        for state in tree.candidates.tolist():
            nodes, edges, _ = branch_of(tree.links, state)
            chain = _chain(tree.links, state)
            plan = Plan(
                nodes=nodes,
                turns_rad=np.concatenate([[0.0], turns_of(tree, state, len(edges))]),
                placements=tree.places[chain, :3].copy(),
                starts_s=times[chain].copy(),
            )
            yield self._without_settled(plan)

    def _arrivals(
        self, table: PathTable, tree: Tree, times: FloatArray, level: tuple[int, float, float]
    ) -> Iterator[Plan]:
        from understudy.locomotion._horizon_kernels import next_arrival

        scope = self._scope(table, self.path.length_m, True, level)
        close = np.array([self.options.goal_m, self.options.goal_rad])
        graph, pace = self.world.graph, self.world.pace
        for share in _RANGE_SHARES:
            ranged = graph._replace(ranges=share * graph.ranges)
            at = 0
            while True:
                at, nodes, turns, places, away, off = next_arrival(
                    self.world, ranged, tree, times, table.goal, close, scope, at
                )
                if at < 0:
                    break
                begun = self.begin.start_s if isinstance(self.begin, Settled) else times[0]
                plan = Plan(
                    nodes=nodes,
                    turns_rad=np.concatenate([[0.0], turns]),
                    placements=places,
                    starts_s=begun + np.concatenate([[0.0], np.cumsum(pace.seconds[nodes[:-1]])]),
                    arrives=True,
                    error_m=away,
                    error_rad=off,
                )
                yield self._without_settled(plan)
                at += 1

    def _without_settled(self, plan: Plan) -> Plan:
        return plan.after(1) if isinstance(self.begin, Settled) else plan


def plan_is_clear(world: World, options: StreamOptions, plan: Plan, *, stays: bool = False) -> bool:
    """Whether a plan meets nothing; one that arrives, or stays where it ends, is not walked into there either."""
    from understudy.locomotion._horizon_kernels import chain_is_clear

    if len(plan) == 0:
        return True
    scope = Scope(0.0, 0.0, 0, 1, 1, 0.0, 1, 0.0, 1.0, 0.0, 0.0, options.margin_m, options.apart_m, 0.0, 0.0, 1, 1)
    places = np.ascontiguousarray(plan.placements)
    return bool(chain_is_clear(world, scope, plan.nodes, places, float(plan.starts_s[0]), 0, stays or plan.arrives))


def aside(path: PathTable, near: DistanceGrid, options: StreamOptions) -> PathTable:
    """A path moved to one side where there is room; not where it begins and ends."""
    if options.aside_m == 0.0 or len(path.points) < 2:
        return path
    side = np.sign(options.aside_m) * np.stack([-np.cos(path.headings), np.sin(path.headings)], axis=1)
    arcs = np.arange(len(path.points)) * path.step_m
    wanted = abs(options.aside_m) * smoothstep(np.minimum(arcs, arcs[-1] - arcs) / _MERGE_M)
    cells = (path.points + wanted[:, None] * side - near.frame[:2]) / near.frame[2]
    column, line = (np.clip(cells[:, k].astype(np.int64), 0, near.values.shape[1 - k] - 1) for k in range(2))
    room = near.values[line, column] - options.clearance_m
    # Where a wall is too near on that side, one keeps less to it; evenly, not in jumps.
    less = np.clip(wanted + np.minimum(room, 0.0), 0.0, None)
    half = max(round(0.5 * _MERGE_M / path.step_m), 1)
    low = np.lib.stride_tricks.sliding_window_view(np.pad(less, half, mode="edge"), 2 * half + 1).min(axis=1)
    shift = np.convolve(np.pad(low, half, mode="edge"), np.full(2 * half + 1, 1.0 / (2 * half + 1)), mode="valid")
    return path._replace(points=np.ascontiguousarray(path.points + shift[:, None] * side))


def _chain(links: IntArray, state: int) -> list[int]:
    """States from a search's root to one of them."""
    chain = [state]
    while links[chain[-1], 1] >= 0:
        chain.append(int(links[chain[-1], 1]))
    return chain[::-1]
