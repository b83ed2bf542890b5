"""Compiled precomputation of one motion map: Dijkstra from a clip, shortest ways first (thesis, algorithm 1)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.library.motion_maps import CELL_M, CELL_RAD, SECTORS
from understudy.locomotion._chain_kernels import placed, wrapped
from understudy.typing import FloatArray, IntArray

_COLUMNS = 1 << 16
_EMPTY = -(1 << 62)


class ThinTable(NamedTuple):
    """A graph with few edges.

    Attributes:
        edge_starts: ``(nodes + 1,)``; a clip's edges come best first.
        targets: ``(edges,)``.
        transforms: ``(edges, 3)`` the next clip's frame in this one's, rows (x, z, yaw).
        moves: ``(nodes, 3)`` root and heading at a clip's end, in its frame.
        lengths: ``(nodes,)`` how far the root travels in a clip [m].
    """

    edge_starts: IntArray
    targets: IntArray
    transforms: FloatArray
    moves: FloatArray
    lengths: FloatArray


class Ways(NamedTuple):
    """Ways in the order they were found, shortest first.

    Attributes:
        ends: ``(n, 3)`` x, z, heading at the end, in the first clip's frame.
        parents: ``(n,)`` way without the last clip; -1 for the clip alone.
        edges: ``(n,)`` edge to the last clip; -1 for the clip alone.
        depths: ``(n,)`` number of transitions.
        lengths: ``(n,)`` how far the root travels [m].
        full: Whether more ways were to be found.
    """

    ends: FloatArray
    parents: IntArray
    edges: IntArray
    depths: IntArray
    lengths: FloatArray
    full: bool


@njit(cache=True)
def cell_of(x: float, z: float, yaw: float) -> tuple[int, int, int]:
    """Column, row and sector of a place with a heading."""
    sector = math.floor((wrapped(yaw) + math.pi) / CELL_RAD)
    return math.floor(x / CELL_M), math.floor(z / CELL_M), min(sector, SECTORS - 1)


@njit(cache=True)
def expanded(thin: ThinTable, root: int, fans: IntArray, most: int) -> Ways:
    """All ways from a clip, the shortest of each (cell, last clip); at most ``most`` ways.

    Args:
        thin: The graph.
        root: The clip.
        fans: ``(clips - 1,)`` how many of a clip's edges are followed after 0, 1, ... transitions.
        most: Most ways.
    """
    most = _bound(fans, most)
    widest = 1
    for fan in fans:
        widest = max(widest, fan)
    room = most * widest + 1
    frames, lengths = np.empty((room, 3)), np.empty(room)
    parents, edges = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    keys, items = np.empty(room), np.empty(room, dtype=np.int64)
    trail, ends, walked = np.empty((most, 3), dtype=np.int64), np.empty((most, 3)), np.empty(most)
    frontier = empty_table(most)
    frames[0, 0], frames[0, 1], frames[0, 2] = 0.0, 0.0, 0.0
    lengths[0], parents[0], edges[0] = thin.lengths[root], -1, -1
    pending, found = 1, 0
    waiting = heap_push(keys, items, 0, lengths[0], 0)
    while waiting > 0 and found < most:
        _, item, waiting = heap_pop(keys, items, waiting)
        node = root if edges[item] < 0 else thin.targets[edges[item]]
        x, z, yaw = frames[item, 0], frames[item, 1], frames[item, 2]
        ex, ez = placed(x, z, yaw, thin.moves[node, 0], thin.moves[node, 1])
        facing = wrapped(yaw + thin.moves[node, 2])
        if not newly_occupied(frontier, cell_code(ex, ez, facing, node, len(thin.moves))):
            continue
        depth = 0 if parents[item] < 0 else trail[parents[item], 2] + 1
        ends[found, 0], ends[found, 1], ends[found, 2] = ex, ez, facing
        trail[found, 0], trail[found, 1], trail[found, 2] = parents[item], edges[item], depth
        walked[found] = lengths[item]
        found += 1
        first = thin.edge_starts[node]
        for edge in range(first, min(first + fans[depth], thin.edge_starts[node + 1]) if depth < len(fans) else first):
            nx, nz = placed(x, z, yaw, thin.transforms[edge, 0], thin.transforms[edge, 1])
            frames[pending, 0], frames[pending, 1] = nx, nz
            frames[pending, 2] = wrapped(yaw + thin.transforms[edge, 2])
            parents[pending], edges[pending] = found - 1, edge
            lengths[pending] = lengths[item] + thin.lengths[thin.targets[edge]]
            waiting = heap_push(keys, items, waiting, lengths[pending], pending)
            pending += 1
    return Ways(ends[:found], trail[:found, 0], trail[:found, 1], trail[:found, 2], walked[:found], waiting > 0)


@njit(cache=True)
def _bound(fans: IntArray, most: int) -> int:
    """The number of ways is bounded by the tree's size as well."""
    bound, level = 1.0, 1.0
    for fan in fans:
        level *= fan
        bound += level
    return int(min(float(most), bound))


@njit(cache=True)
def cell_code(x: float, z: float, yaw: float, node: int, nodes: int) -> int:
    """One number for a cell and a clip."""
    column, row, sector = cell_of(x, z, yaw)
    return ((row * _COLUMNS + column % _COLUMNS) * SECTORS + sector) * nodes + node


@njit(cache=True)
def empty_table(most: int) -> IntArray:
    """A hash table for up to ``most`` codes."""
    return np.full(1 << max(4, math.ceil(math.log2(2.0 * most + 1.0))), _EMPTY, dtype=np.int64)


@njit(cache=True)
def newly_occupied(table: IntArray, code: int) -> bool:
    """Put a code into a hash table; whether it was not there yet."""
    mask = len(table) - 1
    mixed = code * np.int64(-7046029254386353131)
    slot = (mixed ^ (mixed >> 29)) & mask
    while table[slot] != _EMPTY:
        if table[slot] == code:
            return False
        slot = (slot + 1) & mask
    table[slot] = code
    return True
