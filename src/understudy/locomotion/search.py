"""Search: branches through the graph that end at the goal, best first ([Maps]).

A goal where anything goes is searched for from the start. A goal with a heading or a stop is searched from, backwards,
when the start is free; when both ends are bound, from both, and branches are joined where they meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from understudy.core.planning import Watch
from understudy.floor import Floor, FloorPath
from understudy.locomotion.approach import path_table
from understudy.locomotion.backward import path_back, told_forwards
from understudy.locomotion.branch import Branch, nearest
from understudy.locomotion.choice import finals_of
from understudy.locomotion.meeting import both_trees, parts_of
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.published.maps.search import TRIES, followed
from understudy.locomotion.published.maps.tables import Followed
from understudy.locomotion.query import Spot
from understudy.locomotion.seeds import seeds_of, seeds_to
from understudy.locomotion.tables import GraphTable, Limits, PathTable, Tree
from understudy.locomotion.walker import Walker
from understudy.locomotion.widening import Widening
from understudy.typing import FloatArray, IntArray

_FEW = 12
#: How much of the transitions' ranges bending uses: wide turns are seen in the hips, so little first.
_RANGE_SHARES = (0.4, 1.0)


class Problem(NamedTuple):
    """One path to walk, and everything that is read on the way."""

    walker: Walker
    floor: Floor
    start: Spot
    goal: Spot
    path: FloorPath
    table: PathTable
    options: WalkOptions

    @property
    def beam(self) -> bool:
        """Whether it is searched by beams."""
        return self.options.method in ("auto", "beam")

    @property
    def bound_start(self) -> bool:
        """Whether a walk cannot begin just anyhow."""
        return self.start.heading_rad is not None or self.start.still

    @property
    def bound_goal(self) -> bool:
        """Whether a walk cannot end just anyhow."""
        return self.goal.heading_rad is not None or self.options.stop


class Attempt(NamedTuple):
    """What one search found.

    Attributes:
        found: Branches that arrive, bent one after the other.
        stuck_m: How far along the path it got [m]; ``None`` when it got to the end.
        searched: What was searched from the start, and the motion maps asked; ``None`` when it was from elsewhere.
    """

    found: Iterator[Branch]
    stuck_m: float | None
    searched: tuple[Tree, Followed | None] | None = None


def branches(
    walker: Walker, floor: Floor, start: Spot, goal: Spot, path: FloorPath, options: WalkOptions, watch: Watch
) -> Iterator[Branch]:
    """Branches that arrive, of ever wider searches; where there is none, the one that came nearest."""
    table = path_table(path, goal)._replace(finals=finals_of(walker, options))
    problem = Problem(walker, floor, start, goal, path, table, options)
    search = _forwards
    if problem.beam and problem.bound_goal:
        search = _meeting if problem.bound_start else _backwards
    most = {"channel": 1, "astar": 1, "maps": len(TRIES)}.get(options.method, np.inf)
    arrived, last = False, None
    widening: Widening | None = Widening.narrow(path.length_m, options)
    while widening is not None and widening.attempt < most:
        watch.stage("search")
        attempt = search(problem, widening)
        watch.stage("bend")
        for found in attempt.found:
            if watch.interrupted() is not None:
                return
            arrived = True
            yield found
            watch.stage("bend")
        last = attempt.searched or last
        widening = widening.wider(attempt.stuck_m, options.bucket_m)
    if not arrived:
        tree, maps = last or tree_of(problem, Widening.narrow(path.length_m, options))
        yield replace(nearest(path, table, tree), followed=maps)


def _forwards(problem: Problem, widening: Widening) -> Attempt:
    """Branches from the start on."""
    tree, maps = tree_of(problem, widening)

    def found() -> Iterator[Branch]:
        for nodes, turns, placements, away, off in _bent(problem, problem.walker.graph, tree, problem.table.goal):
            yield Branch(
                arrives=True,
                nodes=nodes,
                turns_rad=turns,
                placements=placements,
                error_m=away,
                error_rad=off,
                path=problem.path,
                tree=tree,
                followed=maps,
            )

    return Attempt(found(), _stuck_m(tree), (tree, maps))


def _backwards(problem: Problem, widening: Widening) -> Attempt:
    """Branches from the goal back to a free start: they end just where they should, and are bent to begin there."""
    walker, goal = problem.walker, problem.goal
    back = path_back(problem.table, problem.start)
    limits = widening.backwards().limits(problem.options, given=goal.heading_rad is not None)
    tree = _beam_back(problem, back, seeds_to(walker, goal, back), limits)

    def found() -> Iterator[Branch]:
        shown = told_forwards(tree, walker.graph.moves)
        for nodes, turns, placements, away, _ in _bent(problem, walker.backward.table, tree, back.goal):
            # What is left is where the walk begins; moved there, it ends as far from the goal.
            moved = placements[::-1].copy()
            moved[:, :2] += problem.start.point - moved[0, :2]
            yield Branch(
                arrives=True,
                nodes=nodes[::-1].copy(),
                turns_rad=-turns[::-1],
                placements=moved,
                error_m=away,
                error_rad=0.0,
                path=problem.path,
                tree=shown,
            )

    stuck = _stuck_m(tree)
    return Attempt(found(), None if stuck is None else problem.path.length_m - stuck)


def _meeting(problem: Problem, widening: Widening) -> Attempt:
    """Branches from both ends, joined where they come upon the same clip at about the same place, then bent."""
    walker, options = problem.walker, problem.options
    first, last = parts_of(problem.table, path_back(problem.table, problem.start))
    ahead = widening.limits(options, given=problem.start.heading_rad is not None)
    near = _beam(problem, first, seeds_of(walker, problem.start, problem.table), ahead)
    behind = widening.backwards().limits(options, given=problem.goal.heading_rad is not None)
    far = _beam_back(problem, last, seeds_to(walker, problem.goal, last), behind)
    stuck, short = _stuck_m(near), _stuck_m(far)
    if stuck is None and short is not None:
        stuck = problem.path.length_m - short
    return Attempt(_joined(problem, near, far, ahead.candidates), stuck)


def _joined(problem: Problem, near: Tree, far: Tree, most: int) -> Iterator[Branch]:
    """Branches through places where two trees meet."""
    from understudy.locomotion._meeting_kernels import meetings, next_meeting

    walker, options = problem.walker, problem.options
    pairs = meetings(walker.graph.lengths, near, far, most)
    shown = both_trees(near, told_forwards(far, walker.graph.moves))
    close = np.array([options.goal_m, options.goal_rad])
    tables = walker.shadows, problem.floor.distances.grid, problem.floor.grid
    for share in _RANGE_SHARES:
        graph, at = walker.graph._replace(ranges=share * walker.graph.ranges), 0
        while True:
            at, nodes, turns, placements, away, off = next_meeting(
                graph, *tables, near, far, walker.backward.edges, pairs, problem.table.goal, close, options.margin_m, at
            )
            if at < 0:
                break
            at += 1
            yield Branch(
                arrives=True,
                nodes=nodes,
                turns_rad=turns,
                placements=placements,
                error_m=away,
                error_rad=off,
                path=problem.path,
                tree=shown,
            )


def _stuck_m(tree: Tree) -> float | None:
    """How far along its path a search got [m]; ``None`` when it got to the end."""
    if len(tree.candidates):
        return None
    return max(float(tree.places[:, 6].max()), 0.0) if len(tree.places) else 0.0


def tree_of(problem: Problem, widening: Widening) -> tuple[Tree, Followed | None]:
    """What a search from the start finds, and the motion maps it asked."""
    seeds = seeds_of(problem.walker, problem.start, problem.table)
    if problem.options.method == "maps":
        maps = followed(problem.walker, problem.floor, problem.table, seeds, problem.options, widening.attempt)
        return maps.tree, maps
    limits = widening.limits(problem.options, given=problem.start.heading_rad is not None)
    return (_beam if problem.beam else _astar)(problem, problem.table, seeds, limits), None


def _beam(problem: Problem, table: PathTable, seeds: FloatArray, limits: Limits) -> Tree:
    from understudy.locomotion._beam_kernels import beam

    walker, floor = problem.walker, problem.floor
    tables = walker.graph, walker.strides, walker.shadows, floor.distances.grid, floor.grid
    return Tree(*beam(*tables, table, limits, seeds))


def _beam_back(problem: Problem, table: PathTable, seeds: FloatArray, limits: Limits) -> Tree:
    from understudy.locomotion._beam_kernels import beam

    walker, floor = problem.walker, problem.floor
    tables = walker.backward.table, walker.strides_back, walker.shadows, floor.distances.grid, floor.grid
    return Tree(*beam(*tables, table._replace(finals=np.zeros(0, dtype=bool)), limits, seeds))


def _astar(problem: Problem, table: PathTable, seeds: FloatArray, limits: Limits) -> Tree:
    from understudy.locomotion.published._astar_kernels import astar

    walker, floor, path, options = problem.walker, problem.floor, problem.path, problem.options
    band, close = floor.channel(path).band, np.array([options.goal_m, options.goal_rad])
    reach = path.clearance_m if options.method == "channel" else 0.0
    # The thesis counts length alone; its estimate, the straight distance, is then near the truth.
    graph = walker.graph._replace(
        costs=np.zeros_like(walker.graph.costs), lengths=np.hypot(*walker.graph.moves[:, :2].T)
    )
    limits = limits._replace(candidates=_FEW)
    tables = graph, walker.shadows, floor.distances.grid, floor.grid
    return Tree(*astar(*tables, path.pieces, band, table, limits, seeds, reach, close))


def _bent(
    problem: Problem, whole: GraphTable, tree: Tree, goal: FloatArray
) -> Iterator[tuple[IntArray, FloatArray, FloatArray, float, float]]:
    """Clips, turns, placements and what is left of the errors of candidates that can be bent to a goal."""
    from understudy.locomotion._branch_kernels import next_branch

    options, tables = problem.options, (problem.floor.distances.grid, problem.floor.grid)
    close = np.array([options.goal_m, options.goal_rad])
    for share in _RANGE_SHARES:
        graph, at = whole._replace(ranges=share * whole.ranges), 0
        while True:
            at, nodes, turns, placements, away, off = next_branch(
                graph, problem.walker.shadows, *tables, tree, goal, close, options.margin_m, at
            )
            if at < 0:
                break
            at += 1
            yield nodes, turns, placements, away, off
