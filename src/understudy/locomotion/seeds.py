"""Where a search begins: clips put down at the start, or, for a search backwards, with their ends at the goal."""

from __future__ import annotations

import math

import numpy as np

from understudy.library.planar_arrays import composed, inverted
from understudy.locomotion.query import Spot
from understudy.locomotion.tables import PathTable
from understudy.locomotion.walker import Walker
from understudy.typing import FloatArray

#: [m] a clip that moves less is put down by where it faces.
_MOVES_M = 0.15


def seeds_of(walker: Walker, start: Spot, path: PathTable) -> FloatArray:
    """Where a walk may begin: rows ``(n, 4)`` of clip and its frame x, z, yaw."""
    graph = walker.graph
    if start.clip is not None:
        return np.array([[start.clip, *placed_start(walker, start)]])
    nodes = np.arange(len(graph.moves)) if walker.allowed is None else np.flatnonzero(walker.allowed)
    if start.still:
        nodes = nodes[walker.still[nodes, 0] & ~walker.still[nodes, 1]]
    moves = graph.moves[nodes]
    if start.heading_rad is not None:
        yaws = np.full(len(nodes), start.heading_rad)
    else:
        # A free start faces so that the clip takes it along the path.
        moved = np.linalg.norm(moves[:, :2], axis=1)
        own = np.where(moved > _MOVES_M, np.arctan2(moves[:, 0], moves[:, 1]), moves[:, 2])
        yaws = _toward(path, moved) - own
    places = np.broadcast_to(start.point, (len(nodes), 2))
    return np.ascontiguousarray(np.column_stack([nodes, places, yaws]))


def placed_start(walker: Walker, start: Spot) -> FloatArray:
    """``(3,)`` the frame (x, z, yaw) of the clip that a start within a clip names."""
    assert start.clip is not None
    at = np.array([*start.position, start.heading_rad])
    return composed(at, inverted(walker.frame_in_clip(start.clip, start.frame)))


def seeds_to(walker: Walker, goal: Spot, back: PathTable) -> FloatArray:
    """Where a search backwards may begin: rows ``(n, 4)`` of clip and its frame, its end at the goal.

    Args:
        walker: Who walks.
        goal: Where clips end.
        back: The path from the goal to the start; its ``finals`` are the clips a walk may end with.
    """
    graph = walker.graph
    may = np.ones(len(graph.moves), dtype=bool) if walker.allowed is None else walker.allowed.copy()
    nodes = np.flatnonzero(may & back.finals) if len(back.finals) else np.flatnonzero(may)
    moves = graph.moves[nodes]
    if goal.heading_rad is not None:
        yaws = goal.heading_rad - moves[:, 2]
    else:
        moved = np.linalg.norm(moves[:, :2], axis=1)
        own = np.where(moved > _MOVES_M, np.arctan2(-moves[:, 0], -moves[:, 1]), math.pi)
        yaws = _toward(back, moved) - own
    c, s = np.cos(yaws), np.sin(yaws)
    x = goal.position[0] - (c * moves[:, 0] + s * moves[:, 1])
    z = goal.position[1] - (c * moves[:, 1] - s * moves[:, 0])
    return np.ascontiguousarray(np.column_stack([nodes, x, z, yaws]))


def _toward(path: PathTable, moved_m: FloatArray) -> FloatArray:
    """``(n,)`` direction [rad] from a path's beginning to where it is after some distances ``(n,)`` [m]."""
    last = len(path.points) - 1
    ahead = path.points[np.minimum((moved_m / path.step_m).astype(np.int64) + 1, last)] - path.points[0]
    there = np.linalg.norm(ahead, axis=1) > 1e-6
    return np.where(there, np.arctan2(ahead[:, 0], ahead[:, 1]), path.headings[0])
