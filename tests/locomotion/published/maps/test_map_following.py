"""Following paths with motion maps: questions against brute force, walks that stay free and arrive, the trace."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.floor import Floor, floor_from_polygons
from understudy.library import Library
from understudy.library.motion_maps import CELL_M
from understudy.library.planar_arrays import composed
from understudy.locomotion import Spot, Walker, WalkOptions, walk
from understudy.locomotion._chain_kernels import chain_placements
from understudy.locomotion._moving_kernels import chain_is_clear
from understudy.locomotion.approach import path_table
from understudy.locomotion.published.maps._map_query_kernels import (
    row_of_cells,
    samples_ahead,
    ways_to_goal,
    ways_to_path,
)
from understudy.locomotion.published.maps.motion_maps import maps_of
from understudy.locomotion.published.maps.search import followed, map_table
from understudy.locomotion.published.maps.tables import UNKNOWN, Question, Reach
from understudy.locomotion.published.maps.trace import map_trace
from understudy.locomotion.query import spot
from understudy.locomotion.search import plans, world_of
from understudy.locomotion.tables import PathTable
from understudy.locomotion.walking import problem_of

REACH = Reach(radius_m=0.15, turn_rad=0.35, slack=0.1, early_m=1.0, past_m=0.5, wanted=1, stages=100, pages=0)
OPTIONS = WalkOptions(method="maps")


def ask(walker: Walker, node: int, *, path: PathTable, above: float = -np.inf) -> Question:
    maps = map_table(walker)
    ahead = samples_ahead(path, np.array([1.0, 1.0, 0.4]), 0.0, maps.average_m[node], 0.0)
    unknown = np.full(int(maps.starts[node + 1] - maps.starts[node]), UNKNOWN)
    return Question(maps, walker.graph, node, ahead, REACH, unknown, above)


@pytest.fixture(scope="module")
def straight() -> PathTable:
    """A path that runs on as a clip at (1, 1), facing 0.4 rad, would."""
    floor = floor_from_polygons({}, bounds=[0, 0, 12, 12])
    start, goal = (1.3, 1.6), (4.2, 8.2)
    found = floor.path(start, goal, 0.3)
    assert found.path is not None
    return path_table(found.path, spot(goal, "goal"))


def test_rows_of_cells_are_those_of_a_plain_search(walker: Walker) -> None:
    maps, rng = map_table(walker), np.random.default_rng(2)
    for _ in range(200):
        node = int(rng.integers(len(walker.library)))
        first, stop = maps.starts[node], maps.starts[node + 1]
        left, low, wide, high = maps.grids[node].tolist()
        row, one = int(rng.integers(low - 2, low + high + 2)), int(rng.integers(left - 3, left + wide + 3))
        other = one + int(rng.integers(0, 6))
        cells = np.floor(maps.places[first:stop, :2].astype(np.float64) / CELL_M).astype(int)
        inside = (cells[:, 1] == row) & (cells[:, 0] >= one) & (cells[:, 0] <= other)
        begin, end = row_of_cells(maps, node, row, one, other)
        # Places are rounded to 32 bits in the file, cells are not; a way on a border may differ.
        assert abs(int(inside.sum()) - (end - begin)) <= 1
        assert len(set(np.flatnonzero(inside).tolist()) - set(range(begin - first, end - first))) <= 1


def test_ways_to_the_path_are_all_there_and_sorted(walker: Walker, straight: PathTable) -> None:
    found = 0
    for node in range(0, len(walker.library), 7):
        question = ask(walker, node, path=straight)
        maps, points = question.maps, question.ahead.points
        picked, worth = np.empty(4000, dtype=np.int64), np.empty(4000)
        count = ways_to_path(question, picked, worth)
        assert (np.diff(worth[:count]) >= 0.0).all() and len(set(picked[:count].tolist())) == count
        places = maps.places[maps.starts[node] : maps.starts[node + 1]].astype(np.float64)
        gap = np.linalg.norm(places[:, None, :2] - points[None, :, :2], axis=-1)
        nearest = gap.argmin(axis=1)
        turn = np.abs(np.angle(np.exp(1j * (places[:, 2] - points[nearest, 2]))))
        length = maps.way_lengths_m[maps.starts[node] : maps.starts[node + 1]]
        good = (gap.min(axis=1) < 0.1499) & (turn < 0.3499) & (nearest >= 2) & (length > 0.05)
        good &= length <= 1.1 * nearest * 0.1 + 0.199
        expected = set((np.flatnonzero(good) + maps.starts[node]).tolist())
        assert expected <= set(picked[:count].tolist())
        found += count
        few, best = np.empty(5, dtype=np.int64), np.empty(5)
        kept = ways_to_path(question, few, best)
        np.testing.assert_array_equal(best[:kept], worth[: min(count, 5)])
        if count > 5:
            again = ways_to_path(question._replace(above=best[4]), few, best)
            np.testing.assert_array_equal(best[:again], worth[:count][worth[:count] > worth[4]][:5])
    assert found > 100


def test_ways_to_the_goal_have_reached_it(walker: Walker) -> None:
    floor = floor_from_polygons({}, bounds=[0, 0, 12, 12])
    found = floor.path((1.3, 1.6), (2.2, 3.6), 0.3)
    assert found.path is not None
    table = path_table(found.path, spot((2.2, 3.6), "goal"))
    arriving, total = table.headings[-1] - 0.4, 0
    for node in range(0, len(walker.library), 9):
        question = ask(walker, node, path=table)
        picked, worth = np.empty(50, dtype=np.int64), np.empty(50)
        for way in picked[: ways_to_goal(question, picked, worth)]:
            off = question.maps.places[way, :2] - question.ahead.goal[:2]
            assert np.linalg.norm(off) <= 0.5 + 1e-6
            assert off @ [np.sin(arriving), np.cos(arriving)] >= -0.03 - 1e-6
            total += 1
    assert total > 20


@pytest.mark.parametrize("mode", ["free", "heading", "clip"])
def test_branches_arrive_and_pass_through_nothing(walker: Walker, cluttered: Floor, mode: str) -> None:
    rng, arrived = np.random.default_rng(3), 0
    while arrived < 8:
        one, other = rng.uniform(0.7, 11.3, (2, 2))
        heading = float(rng.uniform(-3, 3)) if mode != "free" else None
        clip = int(rng.integers(len(walker.library))) if mode == "clip" else None
        start, goal = Spot(position=tuple(one), heading_rad=heading, clip=clip), Spot(position=tuple(other))
        path = cluttered.path(start.point, goal.point, 0.4).path
        if path is None or path.length_m < 4.0:
            continue
        branch = next(plans(problem_of(walker, cluttered, start, goal, path, OPTIONS), OPTIONS.watch()))
        if not branch.arrives:
            assert mode != "free"
            continue
        arrived += 1
        at, graph = branch.placements, walker.library.graph
        assert chain_is_clear(world_of(walker, cluttered), branch.nodes, at, 0.0, (0.0199, 0.0), 0, False)
        end = composed(at[-1], graph.moves[branch.nodes[-1]])
        assert np.hypot(*(end[:2] - goal.point)) <= OPTIONS.goal_m + 1e-9
        edges = [graph.edge(int(a), int(b)) for a, b in zip(branch.nodes[:-1], branch.nodes[1:], strict=True)]
        assert all(edge is not None for edge in edges)
        low, high = graph.ranges[edges].T
        assert ((branch.turns_rad[1:] >= low - 1e-9) & (branch.turns_rad[1:] <= high + 1e-9)).all()
        if clip is not None:
            assert branch.nodes[0] == clip


def test_walls_that_nobody_passes_end_the_search(walker: Walker) -> None:
    gap = {"left": [[0, 3], [2.9, 3], [2.9, 3.4], [0, 3.4]], "right": [[3.2, 3], [6, 3], [6, 3.4], [3.2, 3.4]]}
    floor = floor_from_polygons({name: np.array(ring) for name, ring in gap.items()}, bounds=[0, 0, 6, 6])
    start, goal = Spot(position=(3.0, 1.0)), Spot(position=(3.0, 5.2))
    path = floor.path(start.point, goal.point, 0.1).path
    assert path is not None
    found = list(plans(problem_of(walker, floor, start, goal, path, OPTIONS), OPTIONS.watch()))
    assert len(found) == 1 and not found[0].arrives
    assert found[0].followed is not None and found[0].followed.backtracks > 0


def test_followed_says_what_was_asked(walker: Walker, cluttered: Floor) -> None:
    start, goal = Spot(position=(0.8, 0.8)), Spot(position=(11.2, 11.2))
    path = cluttered.path(start.point, goal.point, 0.4).path
    assert path is not None
    done = followed(problem_of(walker, cluttered, start, goal, path, OPTIONS), 1)
    tree, stages = done.tree, done.stages
    assert len(tree.candidates) > 1 and len(stages) >= 3
    assert (stages[:, 1] < np.arange(len(stages))).all() and (stages[:, 1] == -1).any()
    for state in tree.candidates:
        edges, at = [], int(state)
        while tree.links[at, 1] >= 0:
            edges.append(int(tree.links[at, 2]))
            at = int(tree.links[at, 1])
        ends = chain_placements(
            walker.graph, np.array(edges[::-1]), tree.places[: len(edges), 9] * 0, tree.places[at, :3]
        )
        np.testing.assert_allclose(ends[-1, :2], tree.places[state, :2], atol=1e-9)
    trace = map_trace(done)
    assert trace.cells.shape[1:] == (4, 2) and len(trace.cells) == len(trace.ways) == len(done.consulted)
    sides = np.linalg.norm(np.diff(trace.cells, axis=1), axis=-1)
    np.testing.assert_allclose(sides, CELL_M, atol=1e-9)
    # A cell that was asked for lies on the path.
    assert path.distance(trace.cells.mean(axis=1)).max() <= CELL_M
    assert trace.backtracks == done.backtracks and len(trace.stages) == len(stages)


def test_walk_by_maps_is_solved_and_traced(library: Library, cluttered: Floor) -> None:
    result = walk(
        library, cluttered, start=(0.8, 0.8), goal=(11.2, 11.2, 40), judge=lambda motion, trace: "", options=OPTIONS
    )
    assert result.status and result.trace is not None and result.motion is not None
    assert result.trace.goal_error_m <= 0.01 and result.trace.goal_error_rad <= np.radians(5.0)
    assert result.trace.followed is not None and len(result.trace.followed.consulted) > 10
    refused = walk(
        library, cluttered, start=(0.8, 0.8), goal=(11.2, 11.2), judge=lambda motion, trace: "no", options=OPTIONS
    )
    assert not refused.status and refused.trace is not None and len(refused.trace.rejected) == OPTIONS.tries


def test_maps_are_shared(walker: Walker) -> None:
    assert maps_of(walker) is maps_of(walker) and map_table(walker) is map_table(walker)
    assert not maps_of(walker).places.flags.writeable
