"""Streams: chunks join, are never taken back, arrive, and go round what is dropped in the way."""

from __future__ import annotations

import asyncio
import hashlib
import math
import threading
from typing import Any

import numpy as np
import pytest

from understudy.core import Motion, Status
from understudy.errors import OptionError, PlanningInputError, SceneError
from understudy.floor import Floor
from understudy.floor.obstacle import Obstacle
from understudy.kinematics import motion_world
from understudy.library import Library, unroll
from understudy.library.features import headings_rad
from understudy.library.planar_arrays import transform
from understudy.locomotion import Spot, Walker
from understudy.locomotion.approach import moved_aside
from understudy.locomotion.dynamic_scene import DynamicScene
from understudy.locomotion.query import spot
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.streaming import WalkStream
from understudy.locomotion.tables import PathTable
from understudy.locomotion.trip_search import TripSearch
from understudy.scene import Box, Scene
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Static, Track


def stream(walker: Walker, given: Any, start: Any, goal: Any, via: Any = (), **fields: Any) -> WalkStream:
    begin, end = spot(start, "start"), spot(goal, "goal")
    stage = DynamicScene(walker, given, [begin.point, end.point])
    options = fields.pop("options", StreamOptions(**fields.pop("limits", {})))
    points = [np.array(point, dtype=float) for point in via]
    return WalkStream(
        TripSearch(walker=walker, stage=stage, start=begin, goal=end, options=options, via=points), **fields
    )


def fingerprint(chunk: Motion) -> str:
    return hashlib.sha256(chunk.root_positions.tobytes() + chunk.rotations.tobytes()).hexdigest()


def joint_steps(motion: Motion) -> np.ndarray:
    """``(frames - 1,)`` farthest any joint moves from frame to frame [m]."""
    return np.linalg.norm(np.diff(motion_world(motion).positions, axis=0), axis=-1).max(axis=1)


def gap_to_box(walker: Walker, motion: Motion, low: np.ndarray, high: np.ndarray) -> float:
    """Smallest distance of capsule ends from a box standing on the floor, seen from above."""
    world = motion_world(motion)
    starts, ends = walker.body.capsule_segments(world.positions, world.rotations)
    points = np.concatenate([starts, ends], axis=1)[..., [0, 2]]
    away = np.linalg.norm(np.maximum(np.maximum(low - points, points - high), 0.0), axis=-1)
    return float((away - np.tile(walker.body.capsule_radii, 2)).min())


def test_chunks_join_and_are_never_taken_back(walker: Walker, cluttered: Floor) -> None:
    walking = stream(walker, cluttered, (1.0, 1.0), (11.0, 10.5))
    handed, chunks = [], []
    for chunk in walking:
        handed.append(fingerprint(chunk))
        chunks.append(chunk)
    result = walking.result
    assert result is not None and result.status is Status.SOLVED, result
    assert result.motion is not None and result.trace is not None
    assert len(chunks) >= 8
    # What was handed out is what is there at the end, bit for bit.
    assert [fingerprint(chunk) for chunk in walking.chunks] == handed
    assert [fingerprint(chunk) for chunk in chunks] == handed
    whole = np.concatenate([chunk.root_positions for chunk in chunks])
    np.testing.assert_array_equal(result.motion.root_positions, whole)
    # Joints move no farther between chunks than within them.
    steps = joint_steps(result.motion)
    ends = np.cumsum([len(chunk) for chunk in chunks])[:-1] - 1
    assert steps[ends].max() <= 1.2 * steps.max()
    assert steps[ends].max() < 0.15
    roots = result.motion.root_positions[:, [0, 2]]
    assert np.hypot(*(roots[0] - [1.0, 1.0])) < 1e-6
    assert np.hypot(*(roots[-1] - [11.0, 10.5])) <= 0.005 + 1e-9
    assert result.trace.length_m <= 1.15 * result.trace.path_length_m


def test_a_stream_is_what_unrolling_all_its_clips_gives(walker: Walker, cluttered: Floor, library: Library) -> None:
    walking = stream(walker, cluttered, (1.0, 11.0), (10.8, 1.2), limits={"clips": 2})
    assert all(len(chunk) for chunk in walking)
    settled = walking.settled
    whole = unroll(
        library,
        settled.nodes.tolist(),
        turns_rad=settled.turns_rad[1:].tolist(),
        start=transform(settled.placements[0]),
    )
    assert walking.motion is not None
    assert len(walking.motion) == len(whole.motion)
    apart = np.abs(motion_world(walking.motion).positions - motion_world(whole.motion).positions)
    # A chunk ends before the longest blend with what follows, so a changed plan changes nothing that was handed out.
    assert apart.max() < 1e-4


def test_same_stream_every_time(walker: Walker, cluttered: Floor) -> None:
    first, second = ([fingerprint(chunk) for chunk in stream(walker, cluttered, (1, 1), (11, 6, 90))] for _ in range(2))
    assert first == second


def test_goal_heading_start_clip_and_via(walker: Walker) -> None:
    begin = Spot(position=(0.0, 0.0), heading_rad=1.0, clip=5, frame=7)
    walking = stream(walker, None, begin, (1.0, 9.0, -60.0), via=[(2.5, 4.0)])
    motion = next(walking)
    np.testing.assert_allclose(motion.root_positions[0, [0, 2]], (0.0, 0.0), atol=1e-6)
    assert abs(math.remainder(headings_rad(motion)[0] - 1.0, math.tau)) < 1e-3
    for _ in walking:
        pass
    result = walking.result
    assert result is not None and result.status, result and result.reason
    assert result.motion is not None
    roots = result.motion.root_positions[:, [0, 2]]
    assert np.hypot(*(roots - [2.5, 4.0]).T).min() < 1.0
    assert abs(math.remainder(headings_rad(result.motion)[-1] - math.radians(-60.0), math.tau)) <= math.radians(5.0)


def test_wall_dropped_in_front_is_walked_round(walker: Walker) -> None:
    walking = stream(walker, Scene(), (0.0, 0.0), (0.0, 9.0))
    for _ in range(3):
        next(walking)
    ahead = float(walking.chunks[-1].root_positions[-1, 2])
    dropped_s = walking.time_s
    wall = SceneObject(
        name="wall", shape=Box(size_m=(3.0, 2.0, 0.2)), placement=Static(position=(0.0, 1.0, ahead + 2.0))
    )
    before = [fingerprint(chunk) for chunk in walking.chunks]
    walking.add(wall)
    for _ in walking:
        pass
    assert walking.status is Status.SOLVED
    assert [fingerprint(chunk) for chunk in walking.chunks[:3]] == before
    assert walking.motion is not None
    low, high = np.array([-1.5, ahead + 1.9]), np.array([1.5, ahead + 2.1])
    assert gap_to_box(walker, walking.motion, low, high) > 0.0
    # The judge sees the wall only from then on.
    scene = walking.scene
    assert scene is not None
    heights = scene.object_track("wall", [0.0, dropped_s - 0.01, dropped_s, 100.0])[0][:, 1]
    assert (heights[:2] < -50.0).all()
    np.testing.assert_allclose(heights[2:], 1.0)


def test_things_moved_and_taken_away(walker: Walker) -> None:
    scene = Scene().with_object("block", Box(size_m=(6.0, 2.0, 0.2)), position=(0.0, 1.0, 4.0))
    walking = stream(walker, scene, (0.0, 0.0), (0.0, 8.0))
    next(walking)
    walking.move("block", position=(0.0, 1.0, 6.0))
    next(walking)
    now = walking.time_s
    walking.remove("block")
    for _ in walking:
        pass
    assert walking.status is Status.SOLVED
    assert walking.motion is not None
    assert np.abs(walking.motion.root_positions[:, 0]).max() < 2.5
    assert walking.scene is not None
    depth, place = walking.scene.object_track("block", [now + 0.01, 0.0])[0][:, 1], walking.scene.object("block")
    assert depth[0] < -50.0
    assert depth[1] == 1.0
    assert isinstance(place.placement, Track)
    with pytest.raises(SceneError, match="block"):
        walking.remove("block")


def test_a_floor_takes_obstacles_too(walker: Walker, cluttered: Floor) -> None:
    walking = stream(walker, cluttered, (1.0, 1.0), (1.0, 11.0))
    next(walking)
    here = walking.chunks[-1].root_positions[-1]
    ring = np.add([[-1.0, 0.0], [1.0, 0.0], [1.0, 0.3], [-1.0, 0.3]], (here[0], here[2] + 2.0))
    walking.add(Obstacle(name="rope", rings=(ring,)))
    for _ in walking:
        pass
    assert walking.status is Status.SOLVED
    assert walking.motion is not None
    assert gap_to_box(walker, walking.motion, ring.min(axis=0), ring.max(axis=0)) > 0.0
    with pytest.raises(PlanningInputError, match="bare floor"):
        walking.move("rope", position=(0, 0, 0))


def test_a_cart_on_a_track_is_avoided_in_time(walker: Walker) -> None:
    """It crosses the way just when somebody would be there."""
    track = Track(times_s=[0.0, 6.0], positions=[[-4.0, 0.5, 4.0], [4.0, 0.5, 4.0]])
    box = Box(size_m=(1.2, 1.0, 0.8))
    scene = Scene().with_object("cart", box, placement=track)
    free = stream(walker, None, (0.0, 0.0), (0.0, 9.0))
    walking = stream(walker, scene, (0.0, 0.0), (0.0, 9.0))
    gaps = []
    for one in (free, walking):
        for _ in one:
            pass
        assert one.status is Status.SOLVED
        assert one.motion is not None
        positions, _ = scene.object_track("cart", one.motion.times_s)
        shifted = Motion(
            skeleton=one.motion.skeleton,
            fps=one.motion.fps,
            root_positions=one.motion.root_positions - positions * [1.0, 0.0, 1.0],
            rotations=one.motion.rotations,
        )
        gaps.append(gap_to_box(walker, shifted, np.array([-0.6, -0.4]), np.array([0.6, 0.4])))
    assert gaps[0] < 0.0 < gaps[1]


def test_redirected_on_the_way(walker: Walker) -> None:
    walking = stream(walker, None, (0.0, 0.0), (0.0, 9.0))
    for _ in range(4):
        next(walking)
    walking.redirect((4.0, 4.0))
    for _ in walking:
        pass
    assert walking.status is Status.SOLVED
    assert walking.motion is not None
    assert np.hypot(*(walking.motion.root_positions[-1, [0, 2]] - [4.0, 4.0])) < 0.01


def test_async_gives_the_same_chunks(walker: Walker, cluttered: Floor) -> None:
    async def play() -> list[str]:
        return [fingerprint(chunk) async for chunk in stream(walker, cluttered, (1, 1), (9, 9))]

    assert asyncio.run(play()) == [fingerprint(chunk) for chunk in stream(walker, cluttered, (1, 1), (9, 9))]


def test_cancel_and_deadline(walker: Walker) -> None:
    cancel = threading.Event()
    walking = stream(walker, None, (0, 0), (0, 12), limits={"cancel": cancel})
    next(walking)
    assert walking.result is None
    cancel.set()
    assert next(walking, None) is None
    assert walking.result is not None
    assert walking.result.status is Status.CANCELLED
    assert walking.result.motion is not None
    late = stream(walker, None, (0, 0), (0, 12), limits={"deadline_s": 1e-9})
    assert len(list(late)) == 1
    assert late.result is not None
    assert late.result.status is Status.TIMED_OUT
    short = stream(walker, None, (0, 0), (0, 12), limits={"longest_s": 1.0})
    assert 0 < len(list(short)) < 5
    assert short.result is not None and "1 s" in short.result.reason


def test_a_gate_keeps_bad_pieces_back(walker: Walker) -> None:
    seen: list[tuple[int, ...]] = []

    def refuse_every_second(motion: Motion, nodes: np.ndarray, time_s: float, scene: Scene | None) -> str:
        seen.append(tuple(nodes.tolist()))
        return "odd" if len(seen) % 2 else ""

    walking = stream(walker, None, (0, 0), (0, 7), gate=refuse_every_second)
    for _ in walking:
        pass
    assert walking.status is Status.SOLVED
    assert walking.result is not None and walking.result.trace is not None
    refused = {nodes for nodes in seen[::2]}
    assert walking.result.trace.rejected.count("odd") == len(seen[::2])
    accepted = [nodes for nodes in seen[1::2]]
    assert accepted
    assert refused
    never = stream(walker, None, (0, 0), (0, 7), gate=lambda *_: "no good")
    list(never)
    assert never.result is not None
    assert not never.result.status
    assert "no good" in never.result.reason


def test_the_judge_has_the_last_word(walker: Walker) -> None:
    walking = stream(walker, None, (0, 0), (0, 5), judge=lambda motion, trace, scene: "it looks odd")
    list(walking)
    assert walking.status is Status.SOLVED
    assert walking.result is not None
    assert walking.result.status is Status.EXHAUSTED
    assert "it looks odd" in walking.result.reason


def test_no_way_and_bad_input(walker: Walker, cluttered: Floor) -> None:
    closed = Scene()
    for k, (x, z, w, d) in enumerate([(0, 4, 3, 0.2), (0, 7, 3, 0.2), (1.5, 5.5, 0.2, 3), (-1.5, 5.5, 0.2, 3)]):
        closed = closed.with_object(f"wall {k}", Box(size_m=(w, 2.0, d)), position=(x, 1.0, z))
    walking = stream(walker, closed, (0, 0), (0, 5.5))
    assert list(walking) == []
    assert walking.result is not None
    assert not walking.result.status
    assert walking.result.motion is None
    assert walking.result.reason
    inside = stream(walker, closed, (0, 4.0), (0, 0))
    assert list(inside) == []
    assert inside.result is not None and "wall 0" in inside.result.reason
    with pytest.raises(PlanningInputError):
        stream(walker, None, (0, float("nan")), (1, 1))
    with pytest.raises(PlanningInputError):
        stream(walker, None, Spot(position=(0, 0), heading_rad=0.0, clip=10_000), (1, 1))
    with pytest.raises(OptionError, match="clips"):
        StreamOptions(clips=0)


def test_paths_kept_to_the_right() -> None:
    points = np.column_stack([np.ones(121), np.linspace(2.0, 8.0, 121)])
    path = PathTable(points=points, headings=np.zeros(121), step_m=0.05, goal=np.zeros(4))
    near = Floor((), np.array([[-5.0, -5], [5, -5], [5, 15], [-5, 15]])).distances.grid
    moved = moved_aside(path, near, 0.3, 0.4).points - points
    np.testing.assert_allclose(moved[[0, -1]], 0.0, atol=0.02)
    # Facing +Z, right is -X.
    np.testing.assert_allclose(moved[60], [-0.3, 0.0], atol=1e-9)
    narrow = Floor((), np.array([[0.5, -5], [1.5, -5], [1.5, 15], [0.5, 15]])).distances.grid
    assert np.abs(moved_aside(path, narrow, 0.3, 0.4).points - points)[60, 0] < 0.15
