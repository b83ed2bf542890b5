from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.core import PlanarTransform
from understudy.kinematics import motion_world
from understudy.library import Library
from understudy.library.footage import foot_ends
from understudy.library.graph import connecting_threshold_m, largest_component, restricted
from understudy.library.planar_arrays import about, composed, inverted, row, transform

edges_of = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24)


def brute_components(pairs: list[tuple[int, int]], nodes: int) -> list[set[int]]:
    reach = np.zeros((nodes, nodes), dtype=bool)
    for a, b in pairs:
        reach[a, b] = True
    for k in range(nodes):
        reach |= reach[:, k : k + 1] & reach[k : k + 1]
    return [{b for b in range(nodes) if reach[a, b] and reach[b, a]} for a in range(nodes) if reach[a, a]]


@given(edges_of)
def test_largest_component_equals_brute_force(pairs: list[tuple[int, int]]) -> None:
    sources, targets = (np.array([pair[k] for pair in pairs], dtype=np.int64) for k in (0, 1))
    kept = set(np.flatnonzero(largest_component(sources, targets, 8)).tolist())
    groups = brute_components(pairs, 8)
    if not groups:
        assert kept == set()
    else:
        assert kept in groups and len(kept) == max(map(len, groups))


@settings(max_examples=50)
@given(edges_of, st.integers(0, 999))
def test_connecting_threshold_equals_a_linear_search(pairs: list[tuple[int, int]], seed: int) -> None:
    costs = np.random.default_rng(seed).uniform(0, 1, len(pairs))
    sources, targets = (np.array([pair[k] for pair in pairs], dtype=np.int64) for k in (0, 1))
    wanted = None
    for cost in sorted(costs):
        cheap = [pair for pair, c in zip(pairs, costs, strict=True) if c <= cost]
        if brute_components(cheap, 8):
            wanted = cost
            break
    assert connecting_threshold_m(costs, sources, targets, 8) == wanted


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5), st.floats(-3, 3)), min_size=2, max_size=2))
def test_planar_arrays_equal_planar_transforms(values: list[tuple[float, float, float]]) -> None:
    a, b = (PlanarTransform(x_m=x, z_m=z, yaw_rad=yaw) for x, z, yaw in values)
    point = np.array([0.7, -1.3])
    both = transform(composed(row(a), row(b)))
    assert both.floor_points(point) == pytest.approx((a @ b).floor_points(point), abs=1e-9)
    assert transform(inverted(row(a))).floor_points(a.floor_points(point)) == pytest.approx(point, abs=1e-9)
    pivot = complex(b.z_m, b.x_m)
    turned = transform(about(pivot, a.yaw_rad))
    assert turned.floor_points(np.array([b.x_m, b.z_m])) == pytest.approx([b.x_m, b.z_m], abs=1e-9)


def test_every_clip_can_go_on_and_come_back(library: Library) -> None:
    graph = library.graph
    groups = brute_components(list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)), graph.nodes)
    assert len(groups[0]) == graph.nodes
    assert (np.diff(graph.edge_starts) > 0).all()
    assert (graph.costs <= library.threshold_m).all()
    assert (graph.ranges[:, 0] <= 0).all() and (graph.ranges[:, 1] >= 0).all()


def test_edges_put_the_carrying_foot_on_itself(library: Library) -> None:
    graph = library.graph
    clips = [library.clip(node) for node in range(graph.nodes)]
    ends = [foot_ends(library.skeleton, motion_world(clip).positions).mean(axis=2) for clip in clips]
    for node in range(graph.nodes):
        for edge in range(graph.edge_starts[node], graph.edge_starts[node + 1]):
            side = int(graph.carriers[edge]) - 1
            at = transform(graph.transforms[edge])
            here, there = ends[node][-1, side][[0, 2]], ends[graph.targets[edge]][0, side][[0, 2]]
            assert at.floor_points(there) == pytest.approx(here, abs=1e-5)
            assert graph.pivots[edge] == pytest.approx(here, abs=1e-5)


def test_moves_lead_from_start_to_end(library: Library) -> None:
    for node in range(len(library)):
        path = library.root_path(node)
        assert path[0] == pytest.approx([0.0, 0.0], abs=1e-6)
        assert path[-1] == pytest.approx(library.graph.moves[node, :2], abs=1e-6)


def test_restricting_keeps_the_edges_between(library: Library) -> None:
    graph = library.graph
    keep = np.arange(graph.nodes) % 3 > 0
    part = restricted(graph, keep)
    old = np.flatnonzero(keep)
    wanted = {
        (a, b, c)
        for a, b, c in zip(graph.sources.tolist(), graph.targets.tolist(), graph.costs.tolist(), strict=True)
        if keep[a] and keep[b]
    }
    found = set(zip(old[part.sources].tolist(), old[part.targets].tolist(), part.costs.tolist(), strict=True))
    assert found == wanted
    assert np.array_equal(part.first, graph.first[keep])
