"""Ways out of narrow places that move: free, within the pace, in both directions of time; stuck where there is none."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from limb_stages import least_distances, long_walk
from understudy import rotations as rot
from understudy.core import Motion
from understudy.core.planning import Status
from understudy.limbs import EndTarget, LimbOptions, Window, goal_postures, plan, stage_of, window_of
from understudy.limbs._beam_kernels import carried_out
from understudy.limbs.legs import Leg
from understudy.limbs.search import search, search_arrays
from understudy.limbs.smoothing import on_frames
from understudy.limbs.speeds import Pace
from understudy.limbs.targets import hand_point
from understudy.scene import Scene
from understudy.scene.placements import Track
from understudy.scene.shapes import Box
from understudy.typing import FloatArray

_AT_S, _ROOM_M = 2.4, 0.004
_OPTIONS = LimbOptions(margin_m=_ROOM_M)


def middle_of(motion: Motion) -> FloatArray:
    """Where the ring is at the moment: in front of the right shoulder, to the side and below."""
    pose = motion.pose_at(_AT_S)
    places, _ = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    return np.asarray(places[motion.skeleton.humanoid["rightUpperArm"]] + np.array([-0.18, -0.32, 0.22]))


@pytest.fixture(scope="module")
def ringed() -> tuple[Motion, Scene]:
    """A walker who passes a ring of boxes that is slower than they are."""
    motion, scene = long_walk().frames(0, 300), Scene()
    times = np.array([0.0, _AT_S, motion.duration_s])
    moved = middle_of(motion) + np.array([0.0, 0.0, 0.25]) * (times - _AT_S)[:, None]
    for k in range(8):
        angle = 2.0 * np.pi * k / 8
        spoke = 0.19 * np.array([0.0, np.cos(angle), np.sin(angle)])
        turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle)
        track = Track(times_s=times, positions=moved + spoke, rotations=np.tile(turn, (3, 1)))
        scene = scene.with_object(f"ring {k}", Box(size_m=(0.05, 0.03, 0.16)), placement=track)
    return motion, scene


@pytest.fixture(scope="module")
def window(ringed: tuple[Motion, Scene]) -> Window:
    stage = stage_of(*ringed)
    return window_of(stage, stage.space("right_arm"), 54, 234)


@pytest.fixture(scope="module")
def posture(ringed: tuple[Motion, Scene], window: Window) -> FloatArray:
    point = hand_point(window.stage, "right", fingers=False)
    target = EndTarget(position=middle_of(ringed[0]), rotations=None, point=point)
    return goal_postures(window, _AT_S, target).found[0].offset


def ends(window: Window, posture: FloatArray, sign: int) -> tuple[FloatArray, FloatArray]:
    """In the ring, and on the clip before or after it."""
    home = window.end_s - 0.3 if sign > 0 else window.start_s + 0.3
    return np.array([*posture, _AT_S]), np.array([*np.zeros(len(posture)), home])


def carried(
    window: Window, off: FloatArray, clip: FloatArray, speed: float, seed: int, haste: float = 1.0
) -> tuple[FloatArray, bool]:
    speeds = np.full(len(window.space.joints), speed)
    times = sorted((float(off[-1]), float(clip[-1])))
    margin = window.margin(_ROOM_M)._replace(start_s=times[0], end_s=times[1])
    state = np.array([seed], dtype=np.uint64)
    arrays = search_arrays(window, speeds, _OPTIONS)
    path, _, stuck = carried_out(window.setting, window.scratch, arrays, margin, off, clip, haste, state)
    return path, bool(stuck)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_hand_gets_out_of_a_ring_that_is_left_behind(window: Window, posture: FloatArray, sign: int) -> None:
    off, clip = ends(window, posture, sign)
    ways = [carried(window, off, clip, 3.1, seed)[0] for seed in range(6)]
    found = [path for path in ways if len(path)]
    assert len(found) >= 4
    for path in found:
        first, last = (off, clip) if sign > 0 else (clip, off)
        np.testing.assert_array_equal(path[0], first)
        np.testing.assert_array_equal(path[-1], last)
        assert (np.diff(path[:, -1]) > 0.0).all()
        turned = (np.diff(path[:, :-1], axis=0) @ window.space.spread.T).reshape(len(path) - 1, -1, 3)
        assert (np.linalg.norm(turned, axis=-1) / np.diff(path[:, -1])[:, None]).max() <= 3.1 * (1 + 1e-6)
        times = np.linspace(path[0, -1], path[-1, -1], 400)
        distances = least_distances(window.stage, window.space, on_frames(path, times), times)
        assert min(distance for name, distance in distances.items() if name.startswith("ring")) > _ROOM_M - 5e-4


def test_who_sets_out_gently_is_slower_at_first(window: Window, posture: FloatArray) -> None:
    off, clip = ends(window, posture, -1)
    ways = [carried(window, off, clip, 3.1, seed, haste=0.4)[0][::-1] for seed in range(4)]
    assert any(len(path) > 2 for path in ways)
    for path in (one for one in ways if len(one) > 2):
        turned = (np.diff(path[:2, :-1], axis=0) @ window.space.spread.T).reshape(-1, 3)
        assert np.linalg.norm(turned, axis=-1).max() <= 0.4 * 3.1 * (path[0, -1] - path[1, -1]) * (1 + 1e-6)


def test_the_same_numbers_give_the_same_way(window: Window, posture: FloatArray) -> None:
    off, clip = ends(window, posture, 1)
    one, two, other = (carried(window, off, clip, 3.1, seed)[0] for seed in (3, 3, 4))
    assert one.tobytes() == two.tobytes() != other.tobytes()


def test_too_slow_a_hand_is_stuck_and_a_search_says_so(window: Window, posture: FloatArray) -> None:
    off, clip = ends(window, posture, 1)
    path, stuck = carried(window, off, clip, 1.2, 1)
    assert stuck and not len(path)
    leg = Leg(window=window, start=posture, start_s=_AT_S, end=clip[:-1], end_s=float(clip[-1]))
    slow, brisk = (search(leg, np.full(3, speed), _OPTIONS, seed=1) for speed in (1.2, 3.1))
    assert not slow and slow.stuck
    assert brisk and not brisk.stuck


def test_what_takes_longer_than_there_is_is_not_searched_for(window: Window, posture: FloatArray) -> None:
    still = np.zeros(len(posture))
    turned = np.linalg.norm((window.space.spread @ posture).reshape(-1, 3), axis=1).max()
    leg = Leg(window=window, start=posture, start_s=_AT_S, end=still, end_s=_AT_S + 0.5)
    slow = search(leg, np.full(3, 0.99 * turned / 0.5), _OPTIONS, seed=1)
    assert not slow and slow.late and not slow.checks
    brisk = search(leg, np.full(3, 1.01 * turned / 0.5), _OPTIONS, seed=1)
    assert not brisk.late and brisk.checks


def test_a_stuck_limb_was_too_slow(window: Window, posture: FloatArray) -> None:
    none = np.zeros(len(posture))
    leg = Leg(window=window, start_s=_AT_S, end_s=window.end_s - 0.3, start=posture, end=none)
    bars = {"right_arm": Pace(speed=1.3, acceleration=20.0, jerk=1000.0, calm=1.3)}
    made = plan.plan_legs([leg], bars, _OPTIONS, _OPTIONS.watch(), widest_s=0.4)
    assert made.status is Status.EXHAUSTED and made.hasty


def test_a_walker_touches_what_is_in_a_ring_and_leaves_it(ringed: tuple[Motion, Scene]) -> None:
    motion, scene = ringed
    target = middle_of(motion)
    briefly = [LimbOptions(seed=seed, spine=False, attempts=1) for seed in range(4)]
    solved = [us.reach(motion, scene, hand="right", target=target, at=_AT_S, options=one) for one in briefly]
    assert sum(bool(one.status) for one in solved) >= 2
    assert all(one.trace is not None and one.trace.error_m < 1e-3 for one in solved if one.status)
