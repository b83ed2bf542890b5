"""Search: branches through the graph that end at the goal, best first (methods.md M4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.planning import Watch
from understudy.floor import Floor, FloorPath
from understudy.library.planar_arrays import composed, inverted
from understudy.locomotion.approach import path_table
from understudy.locomotion.choice import finals_of
from understudy.locomotion.map_search import followed
from understudy.locomotion.map_tables import Followed
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.query import Spot
from understudy.locomotion.tables import Limits, PathTable, Tree
from understudy.locomotion.walker import Walker
from understudy.typing import FloatArray, IntArray

#: How much wider the beam and its deviation get when it failed, and from which heading error on it steers [rad].
LEVELS = ((1, 1.0, np.inf), (3, 1.5, 0.4), (10, 2.5, 0.25))
#: [m] how far along the path a walk begins.
_EARLY_FREE_M, _EARLY_GIVEN_M = 1.0, 3.0
_CANDIDATES, _FEW = 96, 12
_STOP_PAST = 1.6
#: How much of the transitions' ranges bending uses: wide turns are seen in the hips, so little first.
_RANGE_SHARES = (0.4, 1.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Branch:
    """A way through the graph; see :class:`WalkTrace` for the names.

    Attributes:
        arrives: Whether it ends at the goal; otherwise it is the one that came nearest.
        followed: What motion maps were asked; ``None`` for other methods.
    """

    arrives: bool
    nodes: IntArray
    turns_rad: FloatArray
    placements: FloatArray
    error_m: float
    error_rad: float
    path: FloorPath
    tree: Tree
    followed: Followed | None = None


def branches(
    walker: Walker, floor: Floor, start: Spot, goal: Spot, path: FloorPath, options: WalkOptions, watch: Watch
) -> Iterator[Branch]:
    """Branches that arrive, of ever wider searches; where there is none, the one that came nearest."""
    table = path_table(path, goal)._replace(finals=finals_of(walker, options))
    seeds = seeds_of(walker, start, table)
    levels = LEVELS if options.method in ("auto", "beam", "maps") else LEVELS[:1]
    tree = Tree(np.zeros((0, 10)), np.zeros((0, 3), dtype=np.int64), np.zeros(0, dtype=np.int64), 0)
    arrived, maps = False, None
    for attempt, (factor, wider, steer) in enumerate(levels):
        if watch.interrupted() is not None:
            return
        watch.stage("search")
        if options.method == "maps":
            maps = followed(walker, floor, table, seeds, options, attempt)
            tree = maps.tree
        else:
            tree = _searched(walker, floor, path, table, seeds, _limits(options, start, factor, wider, steer), options)
        watch.stage("bend")
        for found in _bent(walker, floor, path, table, tree, options):
            arrived = True
            yield replace(found, followed=maps)
            watch.stage("bend")
    if not arrived:
        yield replace(_nearest(path, table, tree), followed=maps)


def seeds_of(walker: Walker, start: Spot, path: PathTable) -> FloatArray:
    """Where a walk may begin: rows ``(n, 4)`` of clip and its frame x, z, yaw."""
    graph = walker.graph
    if start.clip is not None:
        at = np.array([*start.position, start.heading_rad])
        frame = composed(at, inverted(walker.frame_in_clip(start.clip, start.frame)))
        return np.array([[start.clip, *frame]])
    nodes = np.arange(len(graph.moves)) if walker.allowed is None else np.flatnonzero(walker.allowed)
    if start.still:
        nodes = nodes[walker.still[nodes, 0] & ~walker.still[nodes, 1]]
    moves = graph.moves[nodes]
    if start.heading_rad is not None:
        yaws = np.full(len(nodes), start.heading_rad)
    else:
        # A free start faces so that the clip takes it along the path.
        moved = np.linalg.norm(moves[:, :2], axis=1)
        ahead = (
            path.points[np.minimum((moved / path.step_m).astype(np.int64) + 1, len(path.points) - 1)] - path.points[0]
        )
        wanted = np.where(np.linalg.norm(ahead, axis=1) > 1e-6, np.arctan2(ahead[:, 0], ahead[:, 1]), path.headings[0])
        own = np.where(moved > 0.15, np.arctan2(moves[:, 0], moves[:, 1]), moves[:, 2])
        yaws = wanted - own
    places = np.broadcast_to(start.point, (len(nodes), 2))
    return np.ascontiguousarray(np.column_stack([nodes, places, yaws]))


def _limits(options: WalkOptions, start: Spot, factor: int, wider: float, steer_rad: float) -> Limits:
    given = start.heading_rad is not None
    deviation = options.deviation_m * wider
    return Limits(
        width=options.width * factor,
        early_width=options.width * factor * (4 if given else 3),
        early_m=_EARLY_GIVEN_M if given else _EARLY_FREE_M,
        bucket_m=options.bucket_m,
        deviation_m=deviation,
        early_deviation_m=max(options.early_deviation_m * wider, deviation) if given else deviation,
        margin_m=options.margin_m,
        # There are few clips to stop with, so more has to be taken up by turning.
        past_m=options.past_m * (_STOP_PAST if options.stop else 1.0),
        steer_rad=steer_rad,
        states=options.max_states,
        candidates=_CANDIDATES * factor,
    )


def _searched(
    walker: Walker,
    floor: Floor,
    path: FloorPath,
    table: PathTable,
    seeds: FloatArray,
    limits: Limits,
    options: WalkOptions,
) -> Tree:
    if options.method in ("auto", "beam"):
        from understudy.locomotion._beam_kernels import beam

        found = beam(walker.graph, walker.shadows, floor.distances.grid, floor.grid, table, limits, seeds)
    else:
        from understudy.locomotion._astar_kernels import astar

        band, close = floor.channel(path).band, np.array([options.goal_m, options.goal_rad])
        reach = path.clearance_m if options.method == "channel" else 0.0
        # The thesis counts length alone; its estimate, the straight distance, is then near the truth.
        graph = walker.graph._replace(
            costs=np.zeros_like(walker.graph.costs), lengths=np.hypot(*walker.graph.moves[:, :2].T)
        )
        limits = limits._replace(candidates=_FEW)
        found = astar(
            graph,
            walker.shadows,
            floor.distances.grid,
            floor.grid,
            path.pieces,
            band,
            table,
            limits,
            seeds,
            reach,
            close,
        )
    return Tree(*found)


def _bent(
    walker: Walker, floor: Floor, path: FloorPath, table: PathTable, tree: Tree, options: WalkOptions
) -> Iterator[Branch]:
    from understudy.locomotion._branch_kernels import next_branch

    close = np.array([options.goal_m, options.goal_rad])
    floor_tables = (floor.distances.grid, floor.grid)
    for share in _RANGE_SHARES:
        graph = walker.graph._replace(ranges=share * walker.graph.ranges)
        at = 0
        while at >= 0:
            at, nodes, turns, placements, away, off = next_branch(
                graph, walker.shadows, *floor_tables, tree, table.goal, close, options.margin_m, at
            )
            if at < 0:
                break
            yield _arrived(nodes, turns, placements, away, off, path, tree)
            at += 1


def _arrived(
    nodes: IntArray, turns: FloatArray, placements: FloatArray, away: float, off: float, path: FloorPath, tree: Tree
) -> Branch:
    return Branch(
        arrives=True,
        nodes=nodes,
        turns_rad=turns,
        placements=placements,
        error_m=away,
        error_rad=off,
        path=path,
        tree=tree,
    )


def _nearest(path: FloorPath, table: PathTable, tree: Tree) -> Branch:
    """The branch that got farthest along the path without anything in its way."""
    from understudy.locomotion._branch_kernels import branch_of

    if len(tree.places) == 0:
        empty = np.zeros(0, dtype=np.int64)
        return Branch(
            arrives=False,
            nodes=empty,
            turns_rad=np.zeros(0),
            placements=np.zeros((0, 3)),
            error_m=np.inf,
            error_rad=np.inf,
            path=path,
            tree=tree,
        )
    away = np.hypot(tree.places[:, 3] - table.goal[0], tree.places[:, 4] - table.goal[1])
    blocked = np.zeros(len(away), dtype=bool)
    blocked[tree.candidates] = True
    if not blocked.all():
        away[blocked] = np.inf
    best = int(np.argmin(away - 0.5 * np.maximum(tree.places[:, 6], 0.0)))
    nodes, _, _ = branch_of(tree.links, best)
    chain = [best]
    while tree.links[chain[-1], 1] >= 0:
        chain.append(int(tree.links[chain[-1], 1]))
    return Branch(
        arrives=False,
        nodes=nodes,
        turns_rad=tree.places[chain[-2::-1], 9].copy(),
        placements=tree.places[chain[::-1], :3].copy(),
        error_m=float(np.hypot(*(tree.places[best, 3:5] - table.goal[:2]))),
        error_rad=float(abs(np.angle(np.exp(1j * (tree.places[best, 5] - table.goal[2]))))),
        path=path,
        tree=tree,
    )
