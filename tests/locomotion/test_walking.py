"""Walks: they arrive, keep clear, begin as asked, and say why when they cannot."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest

from understudy.core import Motion, Status
from understudy.errors import OptionError, PlanningInputError
from understudy.floor import Floor, floor_from_polygons
from understudy.library import Library
from understudy.library.features import headings_rad
from understudy.locomotion import Spot, WalkOptions, WalkTrace, walk, walker_of


def pass_all(motion: Motion, trace: WalkTrace) -> str:
    return ""


def queries(floor: Floor, count: int, seed: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    found: list[tuple[np.ndarray, np.ndarray]] = []
    while len(found) < count:
        a, b = rng.uniform(0.5, 11.5, (2, 2))
        if np.hypot(*(a - b)) > 4.0 and floor.free([a, b], 0.4).all() and floor.connected(a, b, 0.4):
            found.append((a, b))
    return found


def test_walks_arrive_and_touch_nothing(library: Library, cluttered: Floor) -> None:
    from understudy.kinematics import motion_world

    body = walker_of(library).body
    for a, b in queries(cluttered, 8):
        result = walk(library, cluttered, start=a, goal=b, judge=pass_all)
        assert result.status is Status.SOLVED, result.reason
        assert result.motion is not None
        assert result.trace is not None
        roots = result.motion.root_positions[:, [0, 2]]
        assert np.hypot(*(roots[0] - a)) < 1e-6
        assert np.hypot(*(roots[-1] - b)) <= 0.01
        assert result.trace.length_m <= 1.1 * result.trace.path_length_m
        world = motion_world(result.motion)
        starts, ends = body.capsule_segments(world.positions, world.rotations)
        for end in (starts, ends):
            for k, radius in enumerate(body.capsule_radii):
                assert cluttered.free(end[::4, k][:, [0, 2]], radius - 0.005).all()


def test_goal_heading_is_met(library: Library, cluttered: Floor) -> None:
    solved = 0
    for k, (a, b) in enumerate(queries(cluttered, 8, seed=3)):
        wanted = 45.0 * k
        result = walk(library, cluttered, start=a, goal=(*b, wanted), judge=pass_all)
        if result.status:
            assert result.motion is not None
            solved += 1
            error = math.remainder(headings_rad(result.motion)[-1] - math.radians(wanted), math.tau)
            assert abs(error) <= math.radians(5.0)
            assert np.hypot(*(result.motion.root_positions[-1, [0, 2]] - b)) <= 0.01
    assert solved >= 6


def test_start_heading_and_clip_are_kept(library: Library) -> None:
    facing = walk(library, None, start=(0, 0, 90), goal=(1, 6), judge=pass_all)
    assert facing.motion is not None
    assert abs(headings_rad(facing.motion)[0] - math.radians(90)) < 1e-3
    begin = Spot(position=(1.0, 2.0), heading_rad=2.5, clip=5, frame=7)
    inside = walk(library, None, start=begin, goal=(-3, -4), judge=pass_all)
    assert inside.status, inside.reason
    assert inside.motion is not None
    assert inside.trace is not None
    assert inside.trace.nodes[0] == 5
    np.testing.assert_allclose(inside.motion.root_positions[0, [0, 2]], begin.position, atol=1e-6)
    assert abs(math.remainder(headings_rad(inside.motion)[0] - 2.5, math.tau)) < 1e-3
    # The body's pose is that frame's.
    clip = library.clip(5)
    np.testing.assert_allclose(
        np.abs(np.sum(inside.motion.rotations[0, 1:] * clip.rotations[7, 1:], axis=-1)), 1.0, atol=1e-6
    )


def test_via_is_passed(library: Library) -> None:
    result = walk(library, None, start=(0, 0), goal=(0, 6), via=[(2.5, 3)], judge=pass_all)
    assert result.motion is not None
    away = np.linalg.norm(result.motion.root_positions[:, [0, 2]] - [2.5, 3], axis=1)
    assert away.min() < 0.5


@pytest.mark.parametrize("method", ["channel", "astar"])
def test_baselines_arrive(library: Library, method: str) -> None:
    floor = floor_from_polygons({"block": [[-0.6, 2.2], [0.3, 2.2], [0.3, 2.8], [-0.6, 2.8]]}, bounds=[-5, -3, 5, 9])
    options = WalkOptions(method=method, clearance_m=0.6)  # type: ignore[arg-type]
    result = walk(library, floor, start=(0, 0), goal=(0, 4.5), judge=pass_all, options=options)
    assert result.status, result.reason
    assert result.trace is not None
    assert result.trace.goal_error_m <= 0.01


@pytest.mark.parametrize("method", ["channel", "astar"])
def test_baselines_keep_one_state_a_cell_and_only_ends_that_bend(
    library: Library, cluttered: Floor, method: str
) -> None:
    from understudy.locomotion._branch_kernels import next_branch
    from understudy.locomotion.published._astar_kernels import _cell
    from understudy.locomotion.search import world_of
    from understudy.locomotion.tables import Tolerances

    walker, options = walker_of(library), WalkOptions(method=method)  # type: ignore[arg-type]
    (a, b), *_ = queries(cluttered, 1, seed=5)
    trace = walk(library, cluttered, start=a, goal=b, judge=pass_all, options=options).trace
    assert trace is not None and trace.tree is not None
    grown = trace.tree.links[:, 1] >= 0
    cells = [
        _cell(int(node), *place[:3])
        for node, place in zip(trace.tree.links[grown, 0], trace.tree.places[grown], strict=True)
    ]
    assert len(cells) > 100 and len(set(cells)) == len(cells)
    goal, kept = (
        np.array([*b, 0.0, 0.0]),
        Tolerances(np.array([options.goal_m, options.goal_rad]), options.margin_m, 0.0),
    )
    for k in range(len(trace.tree.candidates)):
        assert next_branch(world_of(walker, cluttered), trace.tree, goal, kept, k)[0] == k


def test_same_question_same_bytes(library: Library, cluttered: Floor) -> None:
    (a, b), *_ = queries(cluttered, 1)
    one, two = (walk(library, cluttered, start=a, goal=b, judge=pass_all).motion for _ in range(2))
    assert one is not None
    assert two is not None
    assert one.rotations.tobytes() == two.rotations.tobytes()


def test_blocked_ends_are_named(library: Library, cluttered: Floor) -> None:
    inside = cluttered.obstacles[2].rings[0].mean(axis=0)
    free = queries(cluttered, 1)[0][0]
    goal = walk(library, cluttered, start=free, goal=inside, judge=pass_all)
    assert goal.status is Status.INFEASIBLE_GOAL
    assert "block" in goal.reason
    assert goal.trace is not None
    assert goal.trace.nearest_free is not None
    assert cluttered.free([goal.trace.nearest_free], 0.39).all()
    start = walk(library, cluttered, start=inside, goal=free, judge=pass_all)
    assert start.status is Status.INFEASIBLE_START


def test_no_way_is_exhausted(library: Library) -> None:
    wall = floor_from_polygons({"wall": [[-5, 2], [5, 2], [5, 2.2], [-5, 2.2]]}, bounds=[-5, -5, 5, 9])
    result = walk(library, wall, start=(0, 0), goal=(0, 5), judge=pass_all)
    assert result.status is Status.EXHAUSTED
    assert "clearance" in result.reason


def test_rejected_walks_are_not_solved(library: Library) -> None:
    seen: list[bytes] = []

    def never(motion: Motion, trace: WalkTrace) -> str:
        seen.append(trace.nodes.tobytes())
        return "it is ugly"

    result = walk(library, None, start=(0, 0), goal=(0, 5), judge=never, options=WalkOptions(tries=3))
    assert result.status is Status.EXHAUSTED
    assert "it is ugly" in result.reason
    assert result.motion is not None
    assert len(seen) == len(set(seen)) == 3


def test_deadline_and_cancel(library: Library, cluttered: Floor) -> None:
    a, b = queries(cluttered, 1)[0]
    stop = threading.Event()
    stop.set()
    cancelled = walk(library, cluttered, start=a, goal=b, judge=pass_all, options=WalkOptions(cancel=stop))
    assert cancelled.status is Status.CANCELLED
    late = walk(library, cluttered, start=a, goal=b, judge=pass_all, options=WalkOptions(deadline_s=1e-9))
    assert late.status is Status.TIMED_OUT


@pytest.mark.parametrize("bad", [(1,), (1, 2, 3, 4), (math.nan, 0), "here", (math.inf, 1, 2)])
def test_bad_places_are_refused(library: Library, bad: object) -> None:
    with pytest.raises(PlanningInputError):
        walk(library, None, start=(0, 0), goal=bad, judge=pass_all)  # type: ignore[arg-type]


def test_bad_options_are_refused(library: Library) -> None:
    with pytest.raises(OptionError, match="beam"):
        WalkOptions(method="beem")  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        WalkOptions(width=0)
    with pytest.raises(PlanningInputError):
        walk(library, None, start=Spot(position=(0, 0), heading_rad=0.0, clip=10_000), goal=(1, 1), judge=pass_all)
