"""Searching backwards: a goal with a heading or a stop is hard to hit and easy to begin with.

The graph is turned round: a clip is left where it begins, and its predecessors follow it. Clips keep their frames, so
shadows, collision tests and placements are those of the walk itself. Only what "end" and "facing" mean changes:
somebody who is followed backwards faces away from where the search goes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.library.planar_arrays import composed, inverted, shifts, turns
from understudy.locomotion.query import Spot
from understudy.locomotion.tables import GraphTable, PathTable, Tree
from understudy.typing import FloatArray, IntArray

#: [m] how far beyond the middle of a path searches from either end go.
_BEYOND_M = 1.5


class Reversed(NamedTuple):
    """A graph turned round.

    Attributes:
        table: Its edges lead from a clip to those that may come before it.
        edges: ``(edges,)`` which edge of the graph each of them is.
    """

    table: GraphTable
    edges: IntArray


def reversed_graph(graph: GraphTable) -> Reversed:
    """The graph turned round.

    ``world(next) = world(node) @ turn(pivot, phi) @ T`` is
    ``world(node) = world(next) @ turn(T^-1 pivot, -phi) @ T^-1``.
    """
    nodes = len(graph.moves)
    sources = np.repeat(np.arange(nodes), np.diff(graph.edge_starts))
    order = np.argsort(graph.targets, kind="stable")
    back = inverted(graph.transforms[order])
    pivots = shifts(back) + turns(back) * (graph.pivots[order, 1] + 1j * graph.pivots[order, 0])
    table = GraphTable(
        edge_starts=np.searchsorted(graph.targets[order], np.arange(nodes + 1)).astype(np.int64),
        targets=sources[order].astype(np.int64),
        transforms=np.ascontiguousarray(back),
        pivots=np.ascontiguousarray(np.stack([pivots.imag, pivots.real], axis=-1)),
        ranges=np.ascontiguousarray(-graph.ranges[order, ::-1]),
        costs=np.ascontiguousarray(graph.costs[order]),
        moves=np.ascontiguousarray(np.broadcast_to([0.0, 0.0, math.pi], (nodes, 3))),
        lengths=graph.lengths,
    )
    return Reversed(table, order.astype(np.int64))


def path_back(path: PathTable, start: Spot) -> PathTable:
    """The path from the goal to the start; ``finals`` stay the clips a walk may end with."""
    faces = start.heading_rad is not None
    goal = np.array([*start.position, (start.heading_rad or 0.0) + math.pi if faces else 0.0, float(faces)])
    return path._replace(
        points=np.ascontiguousarray(path.points[::-1]),
        headings=np.ascontiguousarray(path.headings[::-1]) + math.pi,
        goal=goal,
    )


def told_forwards(tree: Tree, moves: FloatArray) -> Tree:
    """A tree searched backwards, with every clip's own end as its end."""
    places = tree.places.copy()
    places[:, 3:6] = composed(places[:, :3], moves[tree.links[:, 0]])
    return tree._replace(places=places)


def halves(path: PathTable, back: PathTable) -> tuple[PathTable, PathTable]:
    """The first half of a path and of the same path backwards, each with some more: searches from both ends meet."""
    whole = len(path.points)
    count = min(whole // 2 + int(_BEYOND_M / path.step_m) + 1, whole)
    return _beginning(path, count), _beginning(back, count)


def _beginning(path: PathTable, count: int) -> PathTable:
    """The first samples of a path; where it ends then, anything goes."""
    if count == len(path.points):
        return path
    end = np.array([*path.points[count - 1], 0.0, 0.0])
    return path._replace(points=path.points[:count], headings=path.headings[:count], goal=end)


def both_trees(one: Tree, other: Tree) -> Tree:
    """Two trees as one, to be shown."""
    more = other.links.copy()
    more[:, 1] = np.where(more[:, 1] >= 0, more[:, 1] + len(one.places), -1)
    return Tree(
        np.concatenate([one.places, other.places]),
        np.concatenate([one.links, more]),
        np.concatenate([one.candidates, other.candidates + len(one.places)]),
        one.expanded + other.expanded,
    )
