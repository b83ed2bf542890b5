"""Kernels against plain NumPy: chains, silhouettes, projection, bending."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.core.planar import PlanarTransform
from understudy.floor import Floor
from understudy.library import Library
from understudy.library.planar_arrays import transform
from understudy.library.unroll import placements
from understudy.locomotion import Walker
from understudy.locomotion._beam_kernels import projected
from understudy.locomotion._bend_kernels import bend, ending
from understudy.locomotion._chain_kernels import chain_placements, clip_is_free
from understudy.locomotion._path_table_kernels import sampled
from understudy.locomotion._shadow_kernels import uncovered
from understudy.locomotion.approach import path_table
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.query import spot
from understudy.locomotion.schedule import LEVELS, Effort
from understudy.locomotion.seams import seam_accelerations
from understudy.locomotion.search import searched
from understudy.locomotion.walking import problem_of


def random_way(walker: Walker, seed: int, clips: int) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Clips, edges and turns within their ranges."""
    rng = np.random.default_rng(seed)
    graph = walker.graph
    nodes, edges = [int(rng.integers(len(graph.moves)))], []
    for _ in range(clips - 1):
        edges.append(int(rng.integers(graph.edge_starts[nodes[-1]], graph.edge_starts[nodes[-1] + 1])))
        nodes.append(int(graph.targets[edges[-1]]))
    picked = np.array(edges, dtype=np.int64)
    low, high = graph.ranges[picked].T
    return nodes, picked, rng.uniform(low, high)


@pytest.mark.parametrize("seed", range(5))
def test_chain_is_where_unrolling_puts_the_clips(library: Library, walker: Walker, seed: int) -> None:
    nodes, edges, turns = random_way(walker, seed, 12)
    start = np.array([1.0, -2.0, 0.7])
    ours = chain_placements(walker.graph, edges, turns, start)
    theirs, _ = placements(library, nodes, turns_rad=turns.tolist(), start=transform(start))
    np.testing.assert_allclose(ours[:, :2], theirs[:, :2], atol=1e-9)
    np.testing.assert_allclose(np.exp(1j * ours[:, 2]), np.exp(1j * theirs[:, 2]), atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_silhouettes_cover_the_body(library: Library, walker: Walker, seed: int) -> None:
    rng = np.random.default_rng(seed)
    node = int(rng.integers(len(library)))
    motion, shadows, body = library.clip(node), walker.shadows, walker.body
    from understudy.kinematics import motion_world

    world = motion_world(motion)
    starts, ends = body.capsule_segments(world.positions[:1], world.rotations[:1])
    first = shadows.first[node]
    discs = shadows.discs[shadows.frame_first[first] : shadows.frame_first[first + 1]]
    share = rng.uniform(size=(2000, 1))
    which = rng.integers(len(body.capsule_radii), size=2000)
    angles = rng.uniform(0.0, 2.0 * np.pi, 2000)
    points = (starts[0, which] * (1 - share) + ends[0, which] * share)[:, [0, 2]]
    points += body.capsule_radii[which, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outside = (np.linalg.norm(points[:, None] - discs[None, :, :2], axis=-1) - discs[:, 2]).min(axis=1)
    assert outside.max() < 0.02
    around = shadows.clips[node]
    assert (np.linalg.norm(points - around[:2], axis=1) <= around[2] + 1e-9).all()


def test_free_clips_are_those_whose_discs_are_free(walker: Walker, cluttered: Floor) -> None:
    rng = np.random.default_rng(1)
    shadows, free = walker.shadows, 0
    for _ in range(150):
        node = int(rng.integers(len(shadows.clips)))
        x, z, yaw = rng.uniform(1.0, 11.0), rng.uniform(1.0, 11.0), rng.uniform(-3.0, 3.0)
        frames = slice(shadows.frame_first[shadows.first[node]], shadows.frame_first[shadows.first[node + 1]])
        discs = shadows.discs[frames]
        points = PlanarTransform(x_m=x, z_m=z, yaw_rad=yaw).floor_points(discs[:, :2])
        expected = all(cluttered.free(points[discs[:, 2] == radius], radius).all() for radius in np.unique(discs[:, 2]))
        got = clip_is_free(shadows, cluttered.distances.grid, cluttered.grid, node, x, z, yaw, 0.02)
        # Discs of single frames stick out of the true shadow by up to 2 cm, the margin; a clip may be refused that
        # touches nothing (small discs count as 3.5 cm large, see ``disc_is_free``), never the other way round.
        assert expected or not got
        free += got
    assert 20 < free < 150


def test_few_discs_cover_many() -> None:
    rng = np.random.default_rng(2)
    discs = np.column_stack([rng.uniform(-0.5, 0.5, (300, 2)), rng.uniform(0.02, 0.12, 300)])
    few = uncovered(discs, 0.02)
    assert len(few) < 0.6 * len(discs)
    inside = np.linalg.norm(discs[:, None, :2] - few[None, :, :2], axis=-1) + discs[:, None, 2] - few[None, :, 2]
    assert inside.min(axis=1).max() < 1e-12
    assert (few[:, 2] <= 0.14).all()


def test_a_path_is_sampled_as_it_is(cluttered: Floor) -> None:
    found = cluttered.path((0.6, 0.6), (11.4, 11.2), 0.4)
    assert found.path is not None
    count, half = 200, 5
    points, headings = sampled(found.path.pieces, count, half)
    arcs = np.linspace(0.0, found.path.length_m, count + 1)
    np.testing.assert_allclose(points, found.path.position(arcs), atol=1e-9)
    toward = found.path.tangent(arcs)
    padded = np.concatenate([np.repeat(toward[:1], half, axis=0), toward, np.repeat(toward[-1:], half, axis=0)])
    smooth = np.array([padded[k : k + 2 * half + 1].sum(axis=0) for k in range(count + 1)])
    smooth[-1] = toward[-1]
    np.testing.assert_allclose(headings, np.arctan2(smooth[:, 0], smooth[:, 1]), atol=1e-6)


def test_projection_finds_the_nearest_point(cluttered: Floor) -> None:
    found = cluttered.path((0.6, 0.6), (11.4, 11.2), 0.4)
    assert found.path is not None
    table = path_table(found.path, spot((11.4, 11.2), "goal"))
    rng = np.random.default_rng(0)
    for arc in np.linspace(0.3, found.path.length_m - 0.3, 40):
        point = found.path.position(arc) + rng.uniform(-0.2, 0.2, 2)
        along, off, _ = projected(table, point[0], point[1], int(arc / table.step_m))
        assert abs(off - float(found.path.distance(point))) < 0.01
        assert np.linalg.norm(found.path.position(along) - point) < off + 0.02


@pytest.mark.parametrize("heading", [False, True])
def test_bending_reaches_what_turns_can_reach(walker: Walker, heading: bool) -> None:
    reached = 0
    for seed in range(30):
        nodes, edges, turns = random_way(walker, seed, 10)
        start = np.zeros(3)
        at = chain_placements(walker.graph, edges, 0.7 * turns, start)
        goal = np.array([*ending(walker.graph, nodes[-1], at[-1]), float(heading)])
        found = np.zeros(len(edges))
        away, off = bend(walker.graph, edges, nodes[-1], start, goal, np.array([1e-4, 1e-3]), found)
        low, high = walker.graph.ranges[edges].T
        assert (found >= low - 1e-12).all()
        assert (found <= high + 1e-12).all()
        end = ending(walker.graph, nodes[-1], chain_placements(walker.graph, edges, found, start)[-1])
        if away <= 1e-4 and off <= 1e-3:
            reached += 1
            assert np.hypot(end[0] - goal[0], end[1] - goal[1]) <= 1e-4 + 1e-12
    assert reached >= 27


def test_rough_transitions_are_left_out_and_no_clip_is_stranded(library: Library, walker: Walker) -> None:
    rough = seam_accelerations(library)
    starts = walker.graph.edge_starts
    had = np.diff(library.graph.edge_starts) > 0
    assert (np.diff(starts)[had] > 0).all()
    assert len(walker.graph.targets) >= (rough <= 1.0).sum()
    assert len(walker.graph.targets) <= (rough <= 1.0).sum() + had.sum()


def test_what_goes_on_in_its_own_take_does_not_shake(library: Library) -> None:
    graph, rough = library.graph, seam_accelerations(library)
    own = graph.first[graph.targets] == graph.last[graph.sources]
    assert own.any()
    assert rough[own].max() < 1e-6
    assert np.median(rough[~own]) > 0.05


def test_the_widest_search_turns_both_ways(walker: Walker, cluttered: Floor) -> None:
    start, goal = spot((1.0, 1.0, 200.0), "start"), spot((11.0, 11.0), "goal")
    path = cluttered.path(start.point, goal.point, 0.4).path
    problem = problem_of(walker, cluttered, start, goal, path, WalkOptions())
    both = []
    for level in range(LEVELS):
        tree, _ = searched(problem, Effort.first(path.length_m, problem.options.bucket_m, level=level))
        left, right = (
            set(tree.links[side, 1].tolist()) - {-1} for side in (tree.places[:, 9] < 0, tree.places[:, 9] > 0)
        )
        both.append(len(left & right))
    assert both[0] == 0, "narrow searches turn towards the path only"
    assert both[-1] > 0, "the widest turns away from it, too"
