"""Compiled path following with motion maps: put a map down, take the way that follows the path best, go on there.

Thesis, algorithm 2. Ways of every stage wait in a stack, best first and those to the goal before all others; where none
is left, the stage before goes on with its next one. Beyond the thesis: a clip that was put down is tested once for all
ways through it, a stage that would begin like another one (same clip, same cell of the world) is left out, and a way to
the goal counts only when the whole branch can be bent to it and is free then.
"""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.locomotion._branch_kernels import bends
from understudy.locomotion.published.maps._map_kernels import cell_code, cell_of, empty_table, newly_occupied
from understudy.locomotion.published.maps._map_query_kernels import samples_ahead, ways_to_goal, ways_to_path
from understudy.locomotion.published.maps._placing_kernels import LONGEST, escapes, put_down, unrolled
from understudy.locomotion.published.maps.tables import (
    BACK,
    CELLS,
    FOUND,
    STAGES,
    STATES,
    UNKNOWN,
    Course,
    Followed,
    Question,
    Reach,
    Samples,
    Work,
)
from understudy.locomotion.tables import COLUMNS, Tree
from understudy.typing import FloatArray, IntArray

#: Ways kept in a stage: to the goal, and to the path.
GOALS, WAYS = 24, 48
#: The goal is asked for where it is nearer than so many times a map's mean length.
GOAL_AHEAD = 1.5
#: Most stages on one another, and most cells remembered for the trace.
DEEPEST, MOST_CELLS = 64, 8192
#: A stage that finds fewer ways asks again, so much wider, so often; where a walk begins more often.
FEW, WIDER, TIMES, EARLY_TIMES = 4, 1.6, 2, 5
#: [rad] but no wider than this.
WIDEST_RAD = 1.2


@njit(cache=True)
def follow(course: Course, seeds: FloatArray, states: int) -> Followed:
    """Follow a path from seeds ``(n, 4)``, clip and its frame, most promising first, with so many states at most."""
    work = _work(course, states)
    tally = work.tally
    roots = np.full(len(seeds), -1, dtype=np.int64)
    for k in _ranked(course, seeds):
        if _is_over(course, work):
            break
        roots[k] = put_down(course, work, int(seeds[k, 0]), seeds[k, 1:], roots[k], roots[k], 0.0)
        if roots[k] >= 0:
            _follow_from(course, work, roots[k])
    if work.tally[FOUND] == 0 and course.reach.pages > 0:
        for root in roots[roots >= 0]:
            for state in escapes(course, work, root):
                if not _is_over(course, work):
                    _follow_from(course, work, state)
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
        if ways_to_path(
            Question(course.maps, course.world.graph, node, ahead, course.reach, unknown, -np.inf), ways, worth
        ):
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
        np.zeros((states, COLUMNS)),
        np.empty((states, 3), dtype=np.int64),
        np.empty(course.reach.wanted, dtype=np.int64),
        np.empty(course.reach.wanted),
        np.empty((course.reach.stages, 3), dtype=np.int64),
        np.empty((MOST_CELLS, 5), dtype=np.int64),
        np.empty((DEEPEST, 6), dtype=np.int64),
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
    # Plain 0 would be a type of its own and have everything compiled twice.
    top, arrived = root - root, 0
    _open(course, work, top, root)
    while top >= 0 and not _is_over(course, work):
        slot = work.stack[top, 3]
        if slot >= work.stack[top, 2]:
            if not _ask_again(course, work, top):
                top -= 1
                work.tally[BACK] += 1
            continue
        work.stack[top, 3] += 1
        state = unrolled(course, work, top, work.ways[top, slot])
        if state < 0:
            continue
        if slot < work.stack[top, 1]:
            tree = Tree(work.places, work.links, work.ends, 0)
            if bends(course.world, tree, state, course.path.goal, course.kept):
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
    work.stack[top, 0], work.stack[top, 2], work.stack[top, 4], work.stack[top, 5] = stage, 0, 0, 0
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
    question = Question(course.maps, course.world.graph, node, ahead, reach, work.known[top], above)
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
    if not ahead.early or work.stack[top, 5] >= course.reach.pages:
        return False
    work.stack[top, 5] += 1
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
        WIDER * reach.radius_m, turn, reach.slack, reach.early_m, reach.past_m, reach.wanted, reach.stages, reach.pages
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
