"""Compiled path following with motion maps: put a map down, take the way that follows the path best, go on there.

Thesis, algorithm 2. Ways of every stage wait in a stack, best first and those to the goal before all others; where none
is left, the stage before goes on with its next one. Beyond the thesis: a clip that was put down is tested once for all
ways through it, a stage that would begin like another one (same clip, same cell of the world) is left out, and a way to
the goal counts only when the whole branch can be bent to it and is free then.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from understudy.locomotion._beam_kernels import projected
from understudy.locomotion._bend_kernels import bend
from understudy.locomotion._branch_kernels import branch_of
from understudy.locomotion._chain_kernels import (
    chain_is_free,
    chain_placements,
    clip_is_free,
    following,
    placed,
    wrapped,
)
from understudy.locomotion._map_kernels import cell_code, cell_of, empty_table, newly_occupied
from understudy.locomotion._map_query_kernels import samples_ahead, ways_to_goal, ways_to_path
from understudy.locomotion.map_tables import BLOCKED, UNKNOWN, Course, Followed, Question, Reach, Samples, Work
from understudy.locomotion.tables import Tree
from understudy.typing import FloatArray, IntArray

#: Ways kept in a stage: to the goal, and to the path.
GOALS, WAYS = 24, 48
#: The goal is asked for where it is nearer than so many times a map's mean length.
GOAL_AHEAD = 1.5
#: Most stages on one another, and most cells remembered for the trace.
DEEPEST, MOST_CELLS = 64, 8192
#: A stage that finds fewer ways asks again, so much wider, so often; where a walk begins more often.
FEW, WIDER, TIMES, EARLY_TIMES = 4, 1.6, 2, 4
#: [rad] but no wider than this.
WIDEST_RAD = 1.2
#: Most clips of a way.
LONGEST = 256
#: Places in the tally.
STATES, FOUND, STAGES, CELLS, BACK = 0, 1, 2, 3, 4


@njit(cache=True)
def follow(course: Course, seeds: FloatArray, states: int) -> Followed:
    """Follow a path from seeds ``(n, 4)``, clip and its frame, most promising first, with so many states at most."""
    work = _work(course, states)
    tally = work.tally
    for k in _ranked(course, seeds):
        node = int(seeds[k, 0])
        if _is_over(course, work):
            break
        x, z, yaw = seeds[k, 1], seeds[k, 2], seeds[k, 3]
        if clip_is_free(course.shadows, course.near, course.grid, node, x, z, yaw, course.reach.margin_m):
            _follow_from(course, work, _put_down(course, work, node, seeds[k, 1:], -1, -1))
    order = np.argsort(work.hard[: tally[FOUND]])
    tree = Tree(
        work.places[: tally[STATES]], work.links[: tally[STATES]], work.ends[: tally[FOUND]][order], tally[STAGES]
    )
    return Followed(tree, work.stages[: tally[STAGES]], work.consulted[: tally[CELLS]], tally[BACK])


@njit(cache=True)
def _ranked(course: Course, seeds: FloatArray) -> IntArray:
    """The order of seeds: by the worth of the best way to the middle of what a map sees of the path."""
    best, ways, worth = np.full(len(seeds), np.inf), np.empty(1, dtype=np.int64), np.empty(1)
    if len(seeds) == 1:
        return np.zeros(1, dtype=np.int64)
    unknown = np.full(_largest(course.maps.starts), UNKNOWN)
    for k in range(len(seeds)):
        node = int(seeds[k, 0])
        ahead = samples_ahead(course.path, seeds[k, 1:], 0.0, course.maps.average_m[node], course.reach.early_m)
        half, whole = len(ahead.points) // 2, len(ahead.points)
        ahead = Samples(ahead.points, ahead.goal, ahead.ahead_m, ahead.early, half, whole)
        if ways_to_path(Question(course.maps, course.graph, node, ahead, course.reach, unknown, -np.inf), ways, worth):
            best[k] = worth[0]
    return np.argsort(best, kind="mergesort")


@njit(cache=True)
def _largest(starts: IntArray) -> int:
    """Ways of the largest map."""
    largest = 0
    for node in range(len(starts) - 1):
        largest = max(largest, starts[node + 1] - starts[node])
    return largest


@njit(cache=True)
def _work(course: Course, states: int) -> Work:
    return Work(
        np.empty((states, 10)),
        np.empty((states, 3), dtype=np.int64),
        np.empty(course.reach.wanted, dtype=np.int64),
        np.empty(course.reach.wanted),
        np.empty((course.reach.stages, 3), dtype=np.int64),
        np.empty((MOST_CELLS, 5), dtype=np.int64),
        np.empty((DEEPEST, 5), dtype=np.int64),
        np.empty((DEEPEST, GOALS + WAYS), dtype=np.int64),
        np.empty((DEEPEST, GOALS + WAYS)),
        np.empty((DEEPEST, _largest(course.maps.starts)), dtype=np.int64),
        empty_table(course.reach.stages + 1),
        np.zeros(5, dtype=np.int64),
    )


@njit(cache=True)
def _is_over(course: Course, work: Work) -> bool:
    return (
        work.tally[FOUND] >= course.reach.wanted
        or work.tally[STAGES] >= course.reach.stages
        or work.tally[STATES] + LONGEST >= len(work.places)
    )


@njit(cache=True)
def _follow_from(course: Course, work: Work, root: int) -> None:
    """Follow the path from a clip that was put down, stage by stage."""
    _open(course, work, 0, root)
    top, arrived = 0, 0
    while top >= 0 and not _is_over(course, work):
        slot = work.stack[top, 3]
        if slot >= work.stack[top, 2]:
            if not _ask_again(course, work, top):
                top -= 1
                work.tally[BACK] += 1
            continue
        work.stack[top, 3] += 1
        state = _unrolled(course, work, top, work.ways[top, slot])
        if state < 0:
            continue
        if slot < work.stack[top, 1]:
            if _bends(course, work, state):
                work.ends[work.tally[FOUND]], work.hard[work.tally[FOUND]] = state, work.worth[top, slot]
                work.tally[FOUND] += 1
                # The next branch is to be another one: leave one stage more every time.
                top -= arrived
                arrived += 1
        elif top + 1 < DEEPEST:
            x, z, yaw, node = work.places[state, 3], work.places[state, 4], work.places[state, 5], work.links[state, 0]
            if newly_occupied(work.closed, cell_code(x, z, yaw, node, len(course.maps.starts))):
                top += 1
                _open(course, work, top, state)


@njit(cache=True)
def _open(course: Course, work: Work, top: int, state: int) -> None:
    """Begin a stage: superimpose the map of a clip that was put down, and ask it for ways."""
    maps, stage, node = course.maps, work.tally[STAGES], work.links[state, 0]
    work.stages[stage, 0], work.stages[stage, 1] = state, work.stack[top - 1, 0] if top > 0 else -1
    work.known[top, : maps.starts[node + 1] - maps.starts[node]] = UNKNOWN
    work.known[top, maps.roots[node] - maps.starts[node]] = state
    work.stack[top, 0], work.stack[top, 2], work.stack[top, 4] = stage, 0, 0
    work.tally[STAGES] += 1
    ahead = _ahead(course, work, state)
    for times in range(TIMES + 1):
        work.stack[top, 4] = times
        if _ask(course, work, top, ahead, -np.inf) >= FEW:
            break
    work.stages[stage, 2] = work.stack[top, 2]
    _remember(course, work, stage, ahead, work.ways[top, : work.stack[top, 2]])


@njit(cache=True)
def _ahead(course: Course, work: Work, state: int) -> Samples:
    """The path ahead of a clip that was put down."""
    place, average = work.places[state], course.maps.average_m[work.links[state, 0]]
    return samples_ahead(course.path, place[:3], place[6], average, course.reach.early_m)


@njit(cache=True)
def _ask(course: Course, work: Work, top: int, ahead: Samples, above: float) -> int:
    """Ask a stage's map for ways, those to the goal first; how many there are."""
    node = work.links[work.stages[work.stack[top, 0], 0], 0]
    ways, worth, goals, reach = work.ways[top], work.worth[top], 0, course.reach
    for _ in range(work.stack[top, 4]):
        reach = _wider(reach)
    question = Question(course.maps, course.graph, node, ahead, reach, work.known[top], above)
    if ahead.ahead_m <= GOAL_AHEAD * course.maps.average_m[node]:
        goals = ways_to_goal(question, ways[:GOALS], worth[:GOALS])
    count = goals + ways_to_path(question, ways[goals : goals + WAYS], worth[goals : goals + WAYS])
    work.stack[top, 1], work.stack[top, 2], work.stack[top, 3] = goals, count, 0
    return count


@njit(cache=True)
def _ask_again(course: Course, work: Work, top: int) -> bool:
    """Where a walk begins, a stage asks for the ways after those it has tried, and then farther from the path."""
    ahead = _ahead(course, work, work.stages[work.stack[top, 0], 0])
    goals, count = work.stack[top, 1], work.stack[top, 2]
    if not ahead.early or count == 0:
        return False
    if count - goals == WAYS and _ask(course, work, top, ahead, work.worth[top, count - 1]) > 0:
        return True
    while work.stack[top, 4] < EARLY_TIMES:
        work.stack[top, 4] += 1
        if _ask(course, work, top, ahead, -np.inf) > 0:
            return True
    return False


@njit(cache=True)
def _wider(reach: Reach) -> Reach:
    turn = min(WIDER * reach.turn_rad, max(WIDEST_RAD, reach.turn_rad))
    return Reach(
        WIDER * reach.radius_m, turn, reach.slack, reach.early_m, reach.past_m, reach.margin_m, reach.wanted,
        reach.stages,
    )  # fmt: skip


@njit(cache=True)
def _remember(course: Course, work: Work, stage: int, ahead: Samples, ways: IntArray) -> None:
    """Write the cells of all samples down, and how many of the ways end there."""
    places = course.maps.places
    for k in range(len(ahead.points)):
        row = work.tally[CELLS]
        if row >= len(work.consulted):
            return
        cell = cell_of(ahead.points[k, 0], ahead.points[k, 1], ahead.points[k, 2])
        hits = 0
        for way in ways:
            hits += cell_of(places[way, 0], places[way, 1], places[way, 2]) == cell
        work.consulted[row, 0], work.consulted[row, 4] = stage, hits
        work.consulted[row, 1], work.consulted[row, 2], work.consulted[row, 3] = cell
        work.tally[CELLS] += 1


@njit(cache=True)
def _unrolled(course: Course, work: Work, top: int, way: int) -> int:
    """Put the clips of a way down; its last state, -1 where something is in the way."""
    maps, graph, known = course.maps, course.graph, work.known[top]
    first = maps.starts[work.links[work.stages[work.stack[top, 0], 0], 0]]
    trail = np.empty(LONGEST, dtype=np.int64)
    count, at = 0, way - first
    while known[at] == UNKNOWN:
        trail[count] = at
        count += 1
        at = np.int64(maps.parents[first + at])
    state = known[at]
    if state == BLOCKED:
        return -1
    for k in range(count - 1, -1, -1):
        edge = maps.walker_edges[maps.edges[first + trail[k]]]
        place = work.places[state]
        x, z, yaw = following(graph, edge, 0.0, place[0], place[1], place[2])
        target = graph.targets[edge]
        if not clip_is_free(course.shadows, course.near, course.grid, target, x, z, yaw, course.reach.margin_m):
            known[trail[k]] = BLOCKED
            return -1
        state = _put_down(course, work, target, np.array([x, z, yaw]), state, edge)
        known[trail[k]] = state
    return int(state)


@njit(cache=True)
def _put_down(course: Course, work: Work, node: int, at: FloatArray, parent: int, edge: int) -> int:
    """Write a state down and return its number; see :class:`understudy.locomotion.tables.Tree`."""
    graph, state = course.graph, work.tally[STATES]
    x, z = placed(at[0], at[1], at[2], graph.moves[node, 0], graph.moves[node, 1])
    before, cost = 0.0, graph.lengths[node]
    if parent >= 0:
        before, cost = work.places[parent, 6], cost + work.places[parent, 7] + graph.costs[edge]
    arc, off, _ = projected(course.path, x, z, int(max(before, 0.0) / course.path.step_m))
    place = work.places[state]
    place[0], place[1], place[2] = at[0], at[1], at[2]
    place[3], place[4], place[5] = x, z, wrapped(at[2] + graph.moves[node, 2])
    place[6], place[7], place[8], place[9] = arc, cost, cost - arc + off, 0.0
    work.links[state, 0], work.links[state, 1], work.links[state, 2] = node, parent, edge
    work.tally[STATES] += 1
    return int(state)


@njit(cache=True)
def _bends(course: Course, work: Work, state: int) -> bool:
    """Whether a branch can be bent to the goal and is free then."""
    nodes, edges, root = branch_of(work.links, state)
    turns, start = np.zeros(len(edges)), work.places[root, :3].copy()
    away, off = bend(course.graph, edges, nodes[-1], start, course.path.goal, course.close, turns)
    if away > course.close[0] or off > course.close[1]:
        return False
    at = chain_placements(course.graph, edges, turns, start)
    return chain_is_free(course.shadows, course.near, course.grid, nodes, at, course.reach.margin_m)
