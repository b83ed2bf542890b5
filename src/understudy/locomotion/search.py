"""Search: branches through the graph that end at the goal, best first (methods.md M4).

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
from understudy.locomotion.map_search import TRIES, followed
from understudy.locomotion.map_tables import Followed
from understudy.locomotion.meeting import both_trees, parts_of
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.query import Spot
from understudy.locomotion.seeds import seeds_of, seeds_to
from understudy.locomotion.tables import GraphTable, Limits, PathTable, Tree
from understudy.locomotion.walker import Walker
from understudy.typing import FloatArray, IntArray


class Level(NamedTuple):
    """How wide a search is; the next one is wider.

    Attributes:
        width: Factor of the beam's width.
        early: The same where the walk begins.
        wider: Factor of the deviations from the path.
        steer_rad: Heading error from which on transitions are tried at their widest turn, too [rad]; negative for
            always and both ways.
    """

    width: int
    early: int
    wider: float
    steer_rad: float


#: A search whose first end is free; and one that begins with a heading. Steering at once gives shorter walks, which the
#: judge refuses more often: wide turns in a row bring the legs together.
_FREE = (Level(1, 3, 1.0, np.inf), Level(3, 9, 1.5, 0.4), Level(10, 30, 2.5, 0.25), Level(10, 30, 5.0, 0.1))
_GIVEN = (Level(1, 4, 1.0, np.inf), Level(3, 12, 1.5, 0.4), Level(10, 40, 2.5, 0.25), Level(10, 40, 5.0, -1.0))
LEVELS = len(_GIVEN)
#: [m] how far along the path a walk begins.
_EARLY_FREE_M, _EARLY_GIVEN_M = 1.0, 3.0
_CANDIDATES, _FEW = 96, 12
_STOP_PAST = 1.6
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


def branches(
    walker: Walker, floor: Floor, start: Spot, goal: Spot, path: FloorPath, options: WalkOptions, watch: Watch
) -> Iterator[Branch]:
    """Branches that arrive, of ever wider searches; where there is none, the one that came nearest."""
    table = path_table(path, goal)._replace(finals=finals_of(walker, options))
    problem = Problem(walker, floor, start, goal, path, table, options)
    search = _forwards
    if problem.beam and problem.bound_goal:
        search = _meeting if problem.bound_start else _backwards
    arrived, short = False, None
    for level in range({"channel": 1, "astar": 1, "maps": len(TRIES)}.get(options.method, LEVELS)):
        for found in search(problem, level, watch):
            if watch.interrupted() is not None:
                return
            if found.arrives:
                arrived = True
                yield found
                watch.stage("bend")
            else:
                short = found
    if not arrived:
        yield short or nearest(path, table, _tree(problem, 0)[0])


def _forwards(problem: Problem, level: int, watch: Watch) -> Iterator[Branch]:
    """Branches from the start on."""
    watch.stage("search")
    tree, maps = _tree(problem, level)
    arrived = False
    watch.stage("bend")
    for nodes, turns, placements, away, off in _bent(problem, problem.walker.graph, tree, problem.table.goal):
        arrived = True
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
    if not arrived:
        yield replace(nearest(problem.path, problem.table, tree), followed=maps)


def _backwards(problem: Problem, level: int, watch: Watch) -> Iterator[Branch]:
    """Branches from the goal back to a free start: they end just where they should, and are bent to begin there."""
    walker, goal = problem.walker, problem.goal
    back = path_back(problem.table, problem.start)
    seeds = seeds_to(walker, goal, back)
    watch.stage("search")
    limits = _limits(problem.options, goal.heading_rad is not None, level)
    tree = _beam(problem, walker.backward.table, back._replace(finals=np.zeros(0, dtype=bool)), seeds, limits)
    watch.stage("bend")
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


def _meeting(problem: Problem, level: int, watch: Watch) -> Iterator[Branch]:
    """Branches from both ends, joined where they come upon the same clip at about the same place, then bent."""
    from understudy.locomotion._meeting_kernels import meetings, next_meeting

    walker, options = problem.walker, problem.options
    first, last = parts_of(problem.table, path_back(problem.table, problem.start))
    watch.stage("search")
    ahead = _limits(options, problem.start.heading_rad is not None, level)
    near = _beam(problem, walker.graph, first, seeds_of(walker, problem.start, problem.table), ahead)
    behind = _limits(options, problem.goal.heading_rad is not None, level)
    open_ended = last._replace(finals=np.zeros(0, dtype=bool))
    far = _beam(problem, walker.backward.table, open_ended, seeds_to(walker, problem.goal, last), behind)
    watch.stage("bend")
    pairs = meetings(walker.graph.lengths, near, far, ahead.candidates)
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


def _limits(options: WalkOptions, given: bool, level: int) -> Limits:
    """How one beam is searched; ``given`` when it begins with a heading."""
    now = (_GIVEN if given else _FREE)[level]
    deviation = options.deviation_m * now.wider
    return Limits(
        width=options.width * now.width,
        early_width=options.width * now.early,
        early_m=_EARLY_GIVEN_M if given else _EARLY_FREE_M,
        bucket_m=options.bucket_m,
        deviation_m=deviation,
        early_deviation_m=max(options.early_deviation_m * now.wider, deviation) if given else deviation,
        margin_m=options.margin_m,
        # There are few clips to stop with, so more has to be taken up by turning.
        past_m=options.past_m * (_STOP_PAST if options.stop else 1.0),
        steer_rad=now.steer_rad,
        states=options.max_states,
        candidates=_CANDIDATES * now.width,
    )


def _tree(problem: Problem, level: int) -> tuple[Tree, Followed | None]:
    """What a search from the start finds, and the motion maps it asked."""
    seeds = seeds_of(problem.walker, problem.start, problem.table)
    if problem.options.method == "maps":
        maps = followed(problem.walker, problem.floor, problem.table, seeds, problem.options, level)
        return maps.tree, maps
    limits = _limits(problem.options, problem.start.heading_rad is not None, level)
    if problem.beam:
        return _beam(problem, problem.walker.graph, problem.table, seeds, limits), None
    return _astar(problem, seeds, limits), None


def _beam(problem: Problem, graph: GraphTable, table: PathTable, seeds: FloatArray, limits: Limits) -> Tree:
    from understudy.locomotion._beam_kernels import beam

    floor = problem.floor
    return Tree(*beam(graph, problem.walker.shadows, floor.distances.grid, floor.grid, table, limits, seeds))


def _astar(problem: Problem, seeds: FloatArray, limits: Limits) -> Tree:
    from understudy.locomotion._astar_kernels import astar

    walker, floor, path, options = problem.walker, problem.floor, problem.path, problem.options
    band, close = floor.channel(path).band, np.array([options.goal_m, options.goal_rad])
    reach = path.clearance_m if options.method == "channel" else 0.0
    # The thesis counts length alone; its estimate, the straight distance, is then near the truth.
    graph = walker.graph._replace(
        costs=np.zeros_like(walker.graph.costs), lengths=np.hypot(*walker.graph.moves[:, :2].T)
    )
    limits = limits._replace(candidates=_FEW)
    tables = graph, walker.shadows, floor.distances.grid, floor.grid
    return Tree(*astar(*tables, path.pieces, band, problem.table, limits, seeds, reach, close))


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
