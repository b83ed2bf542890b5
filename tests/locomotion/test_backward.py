"""Searching from the goal, and from both ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from understudy.core.motion import Motion
from understudy.floor import Floor
from understudy.library import Library
from understudy.locomotion import Spot, Walker, WalkOptions, WalkTrace, walk
from understudy.locomotion._branch_kernels import meetings
from understudy.locomotion._chain_kernels import following
from understudy.locomotion._moving_kernels import chain_is_clear
from understudy.locomotion.backward import both_trees, told_forwards
from understudy.locomotion.search import world_of
from understudy.locomotion.tables import Tree


def pass_all(motion: Motion, trace: WalkTrace) -> str:
    return ""


def test_the_graph_turned_round_leads_back(walker: Walker) -> None:
    graph, (back, names) = walker.graph, walker.backward
    sources = np.repeat(np.arange(len(graph.moves)), np.diff(graph.edge_starts))
    assert sorted(names.tolist()) == list(range(len(graph.targets)))
    rng = np.random.default_rng(0)
    for number in rng.integers(len(names), size=40).tolist():
        edge, at = int(names[number]), rng.uniform(-2.0, 2.0, 3)
        turn = rng.uniform(*graph.ranges[edge])
        there = following(graph, edge, turn, *at)
        assert back.ranges[number, 0] <= -turn <= back.ranges[number, 1]
        here = following(back, number, -turn, *there)
        np.testing.assert_allclose(here[:2], at[:2], atol=1e-9)
        assert abs(math.remainder(here[2] - at[2], math.tau)) < 1e-9
        assert back.targets[number] == sources[edge]
        assert back.edge_starts[graph.targets[edge]] <= number < back.edge_starts[graph.targets[edge] + 1]


@pytest.mark.parametrize("given", [False, True])
def test_headings_at_one_end_or_both_are_met(library: Library, walker: Walker, cluttered: Floor, given: bool) -> None:
    rng, solved = np.random.default_rng(5), 0
    for _ in range(6):
        while True:
            a, b = rng.uniform(0.8, 11.2, (2, 2))
            if np.hypot(*(a - b)) > 6.0 and cluttered.connected(a, b, 0.5):
                break
        start = Spot(position=tuple(a), heading_rad=float(rng.uniform(-3, 3)) if given else None)
        goal = Spot(position=tuple(b), heading_rad=float(rng.uniform(-3, 3)))
        found = walk(library, cluttered, start=start, goal=goal, judge=pass_all, options=WalkOptions(clearance_m=0.5))
        if not found.status:
            continue
        solved += 1
        assert found.motion is not None
        assert found.trace is not None
        trace, roots = found.trace, found.motion.root_positions[:, [0, 2]]
        assert np.hypot(*(roots[0] - a)) < 1e-3
        assert np.hypot(*(roots[-1] - b)) < 0.01
        assert trace.goal_error_rad is not None
        assert trace.goal_error_rad <= 0.04
        end = trace.placements[-1, 2] + walker.graph.moves[trace.nodes[-1], 2]
        assert abs(math.remainder(end - goal.heading_rad, math.tau)) < 0.041
        if start.heading_rad is not None:
            assert abs(math.remainder(trace.placements[0, 2] - start.heading_rad, math.tau)) < 1e-9
        world = world_of(walker, cluttered)
        assert chain_is_clear(world, trace.nodes, trace.placements, 0.0, (0.01, 0.0), 0, False)
    assert solved >= 4


def test_a_given_clip_stops_at_a_heading(library: Library, walker: Walker) -> None:
    start = Spot(position=(0.0, 0.0), heading_rad=0.4, clip=3)
    goal = Spot(position=(2.0, 6.0), heading_rad=0.9)
    found = walk(library, None, start=start, goal=goal, judge=pass_all, options=WalkOptions(stop=True))
    assert found.status, found.reason
    assert found.trace is not None
    assert found.trace.nodes[0] == 3
    assert walker.still[found.trace.nodes[-1], 1]


def test_branches_meet_at_the_same_clip(walker: Walker) -> None:
    rng, nodes = np.random.default_rng(1), len(walker.graph.moves)
    trees = []
    for _ in range(2):
        places, links = rng.uniform(-1.0, 1.0, (300, 11)), np.full((300, 3), -1, dtype=np.int64)
        links[:, 0] = rng.integers(nodes, size=300)
        trees.append(Tree(places, links, np.zeros(0, dtype=np.int64), 0))
    pairs = meetings(walker.graph.lengths, *trees, 20)
    assert len(pairs) > 3
    near, far = trees
    assert (near.links[pairs[:, 0], 0] == far.links[pairs[:, 1], 0]).all()
    gaps = np.hypot(*(near.places[pairs[:, 0], :2] - far.places[pairs[:, 1], :2]).T)
    assert gaps.max() < 0.75


def test_trees_of_both_ends_are_shown_as_one(walker: Walker) -> None:
    places = np.zeros((2, 11))
    links = np.array([[0, -1, -1], [1, 0, 0]], dtype=np.int64)
    tree = Tree(places, links, np.array([1]), 2)
    forwards = told_forwards(tree, walker.graph.moves)
    np.testing.assert_allclose(forwards.places[:, 3:5], walker.graph.moves[:2, :2])
    both = both_trees(tree, forwards)
    assert both.links[:, 1].tolist() == [-1, 0, -1, 2]
    assert both.candidates.tolist() == [1, 3]
    assert both.expanded == 4
