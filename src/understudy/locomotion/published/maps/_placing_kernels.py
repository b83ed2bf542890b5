"""Compiled placing of clips while a path is followed: ways of a map, and escapes."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.locomotion._beam_kernels import projected
from understudy.locomotion._chain_kernels import clip_is_free, following, placed, wrapped
from understudy.locomotion.published.maps._map_kernels import cell_code, empty_table, newly_occupied
from understudy.locomotion.published.maps.tables import BLOCKED, STATES, UNKNOWN, Course, Work
from understudy.typing import FloatArray, IntArray

#: Most clips of a way.
LONGEST = 256
#: Clips of an escape, and how many escapes are looked at.
ESCAPE_CLIPS, ESCAPES = 4, 400
#: [m/rad] what a heading error counts when escapes are compared.
TURN_M = 0.5


@njit(cache=True)
def put_down(course: Course, work: Work, node: int, at: FloatArray, parent: int, edge: int, turn: float) -> int:
    """Put a clip down unless something is in its way; the number of its state, or -1."""
    graph, state = course.world.graph, work.tally[STATES]
    world, margin = course.world, course.kept.margin_m
    if not clip_is_free(world.shadows, world.near, world.grid, node, at[0], at[1], at[2], margin):
        return -1
    x, z = placed(at[0], at[1], at[2], graph.moves[node, 0], graph.moves[node, 1])
    before, cost = 0.0, graph.lengths[node]
    if parent >= 0:
        before, cost = work.places[parent, 6], cost + work.places[parent, 7] + graph.costs[edge]
    arc, off, heading = projected(course.path, x, z, int(max(before, 0.0) / course.path.step_m))
    facing = wrapped(at[2] + graph.moves[node, 2])
    place = work.places[state]
    place[0], place[1], place[2] = at[0], at[1], at[2]
    place[3], place[4], place[5] = x, z, facing
    place[6], place[7], place[9] = arc, cost, turn
    place[8] = cost - arc + off + TURN_M * abs(wrapped(facing - heading))
    work.links[state, 0], work.links[state, 1], work.links[state, 2] = node, parent, edge
    work.tally[STATES] += 1
    return int(state)


@njit(cache=True)
def unrolled(course: Course, work: Work, top: int, way: int) -> int:
    """Put the clips of a stage's way down; its last state, -1 where something is in the way."""
    maps, known = course.maps, work.known[top]
    first = maps.starts[work.links[work.stages[work.stack[top, 0], 0], 0]]
    trail = np.empty(LONGEST, dtype=np.int64)
    count, at = 0, way - first
    while known[at] == UNKNOWN:
        trail[count] = at
        count += 1
        at = np.int64(maps.parents[first + at])
    state = known[at]
    for k in range(count - 1, -1, -1):
        if state == BLOCKED:
            return -1
        state = _next(course, work, state, maps.walker_edges[maps.edges[first + trail[k]]], 0.0)
        state = state if state >= 0 else BLOCKED
        known[trail[k]] = state
    return max(int(state), -1)


@njit(cache=True)
def _next(course: Course, work: Work, state: int, edge: int, turn: float) -> int:
    """Put down the clip an edge leads to from a state; its state, or -1."""
    place = work.places[state]
    x, z, yaw = following(course.world.graph, edge, turn, place[0], place[1], place[2])
    return put_down(course, work, course.world.graph.targets[edge], np.array([x, z, yaw]), state, edge, turn)


@njit(cache=True)
def escapes(course: Course, work: Work, root: int) -> IntArray:
    """States a few clips after a root, best first, with transitions at their widest turns as well.

    A clip with few successors may lead its whole map into a wall; turned transitions lead past it.
    """
    graph, first = course.world.graph, work.tally[STATES]
    begin, end = root, root + 1
    seen = empty_table(8 * ESCAPES)
    for _ in range(ESCAPE_CLIPS):
        stop = work.tally[STATES]
        for state in range(begin, end):
            node = work.links[state, 0]
            for edge in range(graph.edge_starts[node], graph.edge_starts[node + 1]):
                for k in range(3):
                    if work.tally[STATES] - first >= ESCAPES or work.tally[STATES] + LONGEST >= len(work.places):
                        break
                    turn = 0.0 if k == 0 else graph.ranges[edge, k - 1]
                    new = _next(course, work, state, edge, turn)
                    if new >= 0:
                        x, z, yaw = work.places[new, 3], work.places[new, 4], work.places[new, 5]
                        if not newly_occupied(seen, cell_code(x, z, yaw, work.links[new, 0], len(graph.moves))):
                            work.tally[STATES] -= 1
        begin, end = max(stop, first), work.tally[STATES]
    made = np.arange(first, work.tally[STATES])
    return made[np.argsort(work.places[first : work.tally[STATES], 8], kind="mergesort")]
