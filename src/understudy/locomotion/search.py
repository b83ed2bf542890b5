"""Search: plans through the graph that end at the goal, best first ([Maps]).

A goal where anything goes is searched for from the start, and so is any goal where something moves, as only from the
start on it is known when one is where. A goal with a heading or a stop is else searched from, backwards, when the start
is free; when both ends are bound, from both, and branches are joined where they meet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from understudy.core.planning import Watch
from understudy.floor import Floor, FloorPath
from understudy.locomotion.approach import moved_aside, path_table
from understudy.locomotion.backward import both_trees, halves, path_back, told_forwards
from understudy.locomotion.moving import NOBODY
from understudy.locomotion.options import SearchOptions
from understudy.locomotion.plan import Plan, Settled, nearest, planned
from understudy.locomotion.published.maps.tables import Followed
from understudy.locomotion.query import Spot
from understudy.locomotion.schedule import Effort
from understudy.locomotion.seeds import seeds_of, seeds_to
from understudy.locomotion.tables import Limits, Movers, PathTable, Tolerances, Tree, World
from understudy.locomotion.walker import Walker
from understudy.typing import BoolArray, FloatArray, IntArray

#: How much of the transitions' ranges bending uses: wide turns are seen in the hips, so little first.
_RANGE_SHARES = (0.4, 1.0)
#: [rad] a search that begins farther off the path's direction than this is wider there.
_TURNED_RAD = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """One path to walk, and everything that is read on the way.

    Attributes:
        walker: Who walks.
        floor: What stands there.
        path: The path.
        start: Where the walk begins, or the clip it goes on from.
        goal: Where it ends.
        options: How to search.
        start_s: When a walk that has not begun begins [s].
        finals: ``(nodes,)`` clips it may end with; empty for any.
        movers: What moves.
        aside_m: How far to the right of the path one keeps, where there is room [m].
        method: ``"beam"``, or one of the published methods.
        attempts: How many times at most it is searched, wider each time.
    """

    walker: Walker
    floor: Floor
    path: FloorPath
    start: Spot | Settled
    goal: Spot
    options: SearchOptions
    start_s: float = 0.0
    finals: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    movers: Movers = NOBODY
    aside_m: float = 0.0
    method: str = "beam"
    attempts: float = math.inf

    @cached_property
    def world(self) -> World:
        """Everything kernels look at."""
        return world_of(self.walker, self.floor, self.movers)

    @cached_property
    def table(self) -> PathTable:
        """The path for kernels."""
        table = path_table(self.path, self.goal)
        if self.aside_m != 0.0:
            table = moved_aside(table, self.world.near, self.aside_m, self.options.clearance_m)
        return table._replace(finals=self.finals)

    @cached_property
    def back(self) -> PathTable:
        """The path from the goal to the start."""
        x, z = self.table.points[0]
        return path_back(self.table, self.start if isinstance(self.start, Spot) else Spot(position=(x, z)))

    @property
    def kept(self) -> Tolerances:
        """What a branch has to keep."""
        options = self.options
        return Tolerances(np.array([options.goal_m, options.goal_rad]), options.margin_m, options.apart_m)

    @property
    def bound_start(self) -> bool:
        """Whether a walk cannot begin just anyhow."""
        return isinstance(self.start, Settled) or self.start.heading_rad is not None or self.start.still

    @property
    def bound_goal(self) -> bool:
        """Whether a walk cannot end just anyhow."""
        return self.goal.heading_rad is not None or len(self.finals) > 0

    @property
    def seeds(self) -> FloatArray:
        """Where a walk may begin: rows ``(n, 6)`` as the beam takes them."""
        if isinstance(self.start, Settled):
            return np.array([[self.start.node, *self.start.at, self.start.start_s, 1.0]])
        rows = seeds_of(self.walker, self.start, self.table)
        begins = np.full(len(rows), self.start_s - self.start.frame / self.walker.library.fps)
        return np.column_stack([rows, begins, np.zeros(len(rows))])

    def limits(self, effort: Effort) -> Limits:
        """How the beam from the start is searched."""
        start, facing = self.start, None
        if isinstance(start, Settled):
            facing = float(start.at[2] + self.world.graph.moves[start.node, 2])
        elif start.heading_rad is not None:
            facing = start.heading_rad
        return effort.limits(self.options, turned=_turned(facing, self.table), bound=self.bound_goal)

    def limits_back(self, effort: Effort) -> Limits:
        """How the beam from the goal is searched."""
        facing = None if self.goal.heading_rad is None else self.goal.heading_rad + math.pi
        turned = _turned(facing, self.back)
        return effort.backwards().limits(self.options, turned=turned, bound=self.bound_start)


def _turned(facing: float | None, path: PathTable) -> bool:
    """Whether somebody faces elsewhere than along the path where it begins."""
    return facing is not None and abs(math.remainder(facing - float(path.headings[0]), math.tau)) > _TURNED_RAD


def world_of(walker: Walker, floor: Floor, movers: Movers = NOBODY) -> World:
    """Everything a search looks at."""
    near, grid = floor.distances.grid, floor.grid
    return World(walker.graph, walker.strides, walker.shadows, walker.pace, near, grid, movers)


class Attempt(NamedTuple):
    """What one search found.

    Attributes:
        found: Plans that arrive, bent one after the other.
        stuck_m: How far along the path it got [m]; ``None`` when it got to the end.
        searched: What was searched from the start, and the motion maps asked; ``None`` when it was from elsewhere.
    """

    found: Iterator[Plan]
    stuck_m: float | None
    searched: tuple[Tree, Followed | None] | None = None


def plans(problem: Problem, watch: Watch) -> Iterator[Plan]:
    """Plans that arrive, of ever wider searches; where there is none, the one that came nearest."""
    options, search = problem.options, _forwards
    most: float = problem.attempts
    if problem.method != "beam":
        from understudy.locomotion.published.methods import ATTEMPTS

        most = ATTEMPTS[problem.method]
    elif problem.bound_goal and not len(problem.movers.filled):
        search = _meeting if problem.bound_start else _backwards
    arrived, last = False, None
    effort: Effort | None = Effort.first(problem.path.length_m, options.bucket_m)
    while effort is not None and effort.attempt < most:
        watch.stage("search")
        attempt = search(problem, effort)
        watch.stage("bend")
        for found in attempt.found:
            if watch.interrupted() is not None:
                return
            arrived = True
            yield found
            watch.stage("bend")
        if watch.interrupted() is not None:
            return
        last = attempt.searched or last
        effort = effort.wider(attempt.stuck_m, options.bucket_m)
    if not arrived:
        tree, maps = last or searched(problem, Effort.first(problem.path.length_m, options.bucket_m))
        yield replace(nearest(problem.world, problem.path, problem.table, tree), followed=maps)


def searched(problem: Problem, effort: Effort) -> tuple[Tree, Followed | None]:
    """What a search from the start finds, and the motion maps it asked."""
    if problem.method != "beam":
        from understudy.locomotion.published.methods import searched as published

        return published(problem, effort)
    return _beam(problem.world, problem.table, problem.limits(effort), problem.seeds), None


def _forwards(problem: Problem, effort: Effort) -> Attempt:
    """Plans from the start on."""
    tree, maps = searched(problem, effort)

    def found() -> Iterator[Plan]:
        for root, branch, away, off in _bent(problem, problem.world, tree, problem.table.goal):
            plan = planned(problem.world, tree, root, *branch)
            yield replace(plan, arrives=True, error_m=away, error_rad=off, path=problem.path, followed=maps)

    return Attempt(found(), _stuck_m(tree), (tree, maps))


def _backwards(problem: Problem, effort: Effort) -> Attempt:
    """Plans from the goal back to a free start: they end just where they should, and are bent to begin there."""
    walker, start, back = problem.walker, problem.start, problem.back
    assert isinstance(start, Spot)
    tree, world = _beam_back(problem, back, effort), _turned_round(problem)

    def found() -> Iterator[Plan]:
        shown = told_forwards(tree, walker.graph.moves)
        shown.places[:, 10] = problem.start_s
        for _, (nodes, turns, placements), away, _ in _bent(problem, world, tree, back.goal):
            # What is left is where the walk begins; moved there, it ends as far from the goal.
            moved = placements[::-1].copy()
            moved[:, :2] += start.point - moved[0, :2]
            plan = planned(problem.world, shown, 0, nodes[::-1].copy(), -turns[::-1], moved)
            yield replace(plan, arrives=True, error_m=away, error_rad=0.0, path=problem.path)

    stuck = _stuck_m(tree)
    return Attempt(found(), None if stuck is None else problem.path.length_m - stuck)


def _meeting(problem: Problem, effort: Effort) -> Attempt:
    """Plans from both ends, joined where they come upon the same clip at about the same place, then bent."""
    first, last = halves(problem.table, problem.back)
    ahead = problem.limits(effort)
    near, far = _beam(problem.world, first, ahead, problem.seeds), _beam_back(problem, last, effort)
    stuck, short = _stuck_m(near), _stuck_m(far)
    if stuck is None and short is not None:
        stuck = problem.path.length_m - short
    return Attempt(_joined(problem, near, far, ahead.candidates), stuck)


def _joined(problem: Problem, near: Tree, far: Tree, most: int) -> Iterator[Plan]:
    """Plans through places where two trees meet."""
    from understudy.locomotion._branch_kernels import meetings, next_meeting

    walker, world = problem.walker, problem.world
    pairs = meetings(world.graph.lengths, near, far, most)
    shown = both_trees(near, told_forwards(far, walker.graph.moves))
    for share in _RANGE_SHARES:
        now, at = _turning(world, share), 0
        while True:
            at, nodes, turns, placements, away, off = next_meeting(
                now, near, far, walker.backward.edges, pairs, problem.table.goal, problem.kept, at
            )
            if at < 0:
                break
            plan = planned(world, near, _root(near, int(pairs[at, 0])), nodes, turns, placements)
            yield replace(plan, arrives=True, error_m=away, error_rad=off, path=problem.path, tree=shown)
            at += 1


def _stuck_m(tree: Tree) -> float | None:
    """How far along its path a search got [m]; ``None`` when it got to the end."""
    if len(tree.candidates):
        return None
    return max(float(tree.places[:, 6].max()), 0.0) if len(tree.places) else 0.0


def _root(tree: Tree, state: int) -> int:
    """The state that a branch begins with."""
    while tree.links[state, 1] >= 0:
        state = int(tree.links[state, 1])
    return state


def _beam(world: World, table: PathTable, limits: Limits, seeds: FloatArray) -> Tree:
    from understudy.locomotion._beam_kernels import beam

    return Tree(*beam(world, table, limits, np.ascontiguousarray(seeds)))


def _beam_back(problem: Problem, table: PathTable, effort: Effort) -> Tree:
    rows = seeds_to(problem.walker, problem.goal, table)
    seeds = np.column_stack([rows, np.zeros((len(rows), 2))])
    free = table._replace(finals=np.zeros(0, dtype=bool))
    return _beam(_turned_round(problem), free, problem.limits_back(effort), seeds)


def _turned_round(problem: Problem) -> World:
    walker = problem.walker
    return problem.world._replace(graph=walker.backward.table, strides=walker.strides_back)


def _turning(world: World, share: float) -> World:
    """The same with only a share of the transitions' ranges."""
    return world._replace(graph=world.graph._replace(ranges=share * world.graph.ranges))


def _bent(
    problem: Problem, world: World, tree: Tree, goal: FloatArray
) -> Iterator[tuple[int, tuple[IntArray, FloatArray, FloatArray], float, float]]:
    """Candidates of a search bent to a goal: root; clips, turns and placements; what is left of the errors."""
    from understudy.locomotion._branch_kernels import next_branch

    for share in _RANGE_SHARES:
        now, at = _turning(world, share), 0
        while True:
            at, nodes, turns, placements, away, off = next_branch(now, tree, goal, problem.kept, at)
            if at < 0:
                break
            yield _root(tree, int(tree.candidates[at])), (nodes, turns, placements), away, off
            at += 1
