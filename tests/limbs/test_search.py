"""Trees, shortcuts and smoothing: monotone in time, within the speed limits, free, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from limb_stages import beside, least_distances, walk
from understudy import rotations as rot
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs import LimbOptions, Window, pace, stage_of, window_of
from understudy.limbs._offset_kernels import change_between
from understudy.limbs._rrt_kernels import nearest_node
from understudy.limbs._sampling_kernels import needed_s
from understudy.limbs.legs import Found, Leg
from understudy.limbs.search import search, search_arrays
from understudy.limbs.smoothing import Pin, narrowed, on_frames, pinned, smoothed
from understudy.limbs.speeds import joint_limits_rad_s

OPTIONS = LimbOptions()


@pytest.fixture(scope="module")
def window() -> Window:
    motion = walk()
    stage = stage_of(motion, beside(motion))
    return window_of(stage, stage.space("right_arm"), 40, 140)


@pytest.fixture(scope="module")
def speeds(window: Window) -> np.ndarray:
    return joint_limits_rad_s(window.space, pace([window.stage.source], window.space), OPTIONS.speed_share)


def from_clip_to_clip(window: Window) -> Leg:
    still = np.zeros(len(window.space))
    start, end = window.start_s + 0.2, window.end_s - 0.2
    return Leg(window=window, start=still, start_s=start, end=still, end_s=end)


@pytest.fixture(scope="module")
def found(window: Window, speeds: np.ndarray) -> Found:
    for seed in range(4):
        one = search(from_clip_to_clip(window), speeds, OPTIONS, seed=seed)
        if one:
            return one
    raise AssertionError("no seed of four finds a way round a box")


def test_paths_begin_and_end_where_asked_and_never_go_back_in_time(window: Window, found: Found) -> None:
    query = from_clip_to_clip(window)
    for path in (found.raw, found.path):
        np.testing.assert_allclose(path[0], [*query.start, query.start_s])
        np.testing.assert_allclose(path[-1], [*query.end, query.end_s])
        assert (np.diff(path[:, -1]) > 0).all()


def test_paths_keep_the_speed_limits(window: Window, speeds: np.ndarray, found: Found) -> None:
    for path in (found.raw, found.path):
        turned = (np.diff(path[:, :-1], axis=0) @ window.space.spread.T).reshape(len(path) - 1, -1, 3)
        rates = np.linalg.norm(turned, axis=-1) / np.diff(path[:, -1])[:, None]
        assert (rates <= speeds * (1 + 1e-6)).all()


def test_paths_keep_their_margin(window: Window, found: Found) -> None:
    times = np.linspace(found.path[0, -1], found.path[-1, -1], 300)
    distances = least_distances(window.stage, window.space, on_frames(found.path, times), times)
    assert distances["box"] > OPTIONS.margin_m - 5e-4
    assert distances["itself"] > -1e-3


def test_shortcuts_take_less_effort(window: Window, speeds: np.ndarray, found: Found) -> None:
    weights = search_arrays(window, speeds, OPTIONS).weights

    def effort(path: np.ndarray) -> float:
        lengths = np.linalg.norm(np.diff(path[:, :-1], axis=0) * weights, axis=1)
        return float((lengths**2 / np.diff(path[:, -1])).sum())

    assert effort(found.path) < effort(found.raw)


def test_the_same_seed_gives_the_same_bytes(window: Window, speeds: np.ndarray) -> None:
    first, second, other = (search(from_clip_to_clip(window), speeds, OPTIONS, seed=s) for s in (5, 5, 6))
    assert first.nodes.tobytes() == second.nodes.tobytes()
    assert first.path.tobytes() == second.path.tobytes()
    assert first.nodes.tobytes() != other.nodes.tobytes()


@pytest.mark.parametrize("sign", [1, -1])
def test_the_nearest_node_is_the_nearest_of_all(window: Window, speeds: np.ndarray, sign: int) -> None:
    arrays, rng = search_arrays(window, speeds, OPTIONS), np.random.default_rng(3)
    nodes = np.hstack([rng.normal(0, 0.8, (400, 7)), rng.uniform(0, 2, (400, 1))])
    square = np.zeros(len(arrays.speeds))
    for _ in range(30):
        sample = np.array([*rng.normal(0, 0.8, 7), rng.uniform(0, 2)])
        costs = np.full(len(nodes), np.inf)
        for i, node in enumerate(nodes):
            between = sign * (sample[-1] - node[-1])
            if between <= 0.01:
                continue
            groups = np.zeros(len(arrays.speeds))
            np.add.at(groups, arrays.groups, (sample[:7] - node[:7]) ** 2)
            needed = (np.sqrt(groups) / arrays.speeds).max()
            assert needed == pytest.approx(needed_s(arrays.groups, arrays.speeds, node.copy(), sample, square))
            way = min(1.0, between / needed)
            far = np.linalg.norm(arrays.weights * (sample[:7] - node[:7]))
            costs[i] = (1.0 - way + 0.3) * far + 0.2 * between
        index, _ = nearest_node(arrays, nodes, len(nodes), sample, sign, square)
        assert index == (int(costs.argmin()) if np.isfinite(costs).any() else -1)


def test_smoothing_leaves_what_lies_outside_alone_and_does_not_jump(window: Window, found: Found) -> None:
    times = window.frame_times_s
    rough = on_frames(found.path, times)
    soft = smoothed(rough, times, np.full(len(times), 0.4))
    assert np.array_equal(soft[0], np.zeros(7)) and np.array_equal(soft[-1], np.zeros(7))
    rough_turn, soft_turn = (np.abs(np.diff(one, n=2, axis=0)).max() for one in (rough, soft))
    assert soft_turn < 0.5 * rough_turn
    assert soft.mean(axis=0) == pytest.approx(rough.mean(axis=0), abs=1e-9)


@pytest.mark.parametrize("when", [1.0, 1.2345, 1.9])
def test_pins_are_met_also_between_frames(when: float) -> None:
    times = np.linspace(0.5, 2.5, 61)
    offsets = np.sin(times)[:, None] * np.ones(3)
    wanted = np.array([0.3, -0.2, 1.0])
    met = pinned(offsets, times, [Pin(time_s=when, offset=wanted)])
    reached = [np.interp(when, times, column) for column in met.T]
    np.testing.assert_allclose(reached, wanted, atol=1e-12)
    np.testing.assert_allclose(met[[0, -1]], offsets[[0, -1]], atol=1e-12)
    # C2: the third difference of the bump has no spike.
    assert np.abs(np.diff(met - offsets, n=3, axis=0)).max() < 0.02


def test_bumps_of_several_pins_end_at_each_other_and_at_their_width() -> None:
    times = np.linspace(0.0, 3.0, 91)
    offsets = np.cos(times)[:, None] * np.ones(2)
    pins = [Pin(time_s=1.01, offset=np.array([2.0, 0.0])), Pin(time_s=1.77, offset=np.array([-1.0, 0.5]))]
    for widest in (np.inf, 0.3):
        met = pinned(offsets, times, pins, widest)
        for pin in pins:
            now = [np.interp(pin.time_s, times, column) for column in met.T]
            # A bump is nought at the neighbouring pin, and next to nought at the frames beside it.
            np.testing.assert_allclose(now, pin.offset, atol=1e-3)
        beyond = np.min([np.abs(times - pin.time_s) for pin in pins], axis=0) > widest
        assert np.array_equal(met[beyond], offsets[beyond])
    assert np.array_equal(pinned(offsets, times, []), offsets)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_what_an_offset_is_between_frames_is_what_slerp_makes_of_it(window: Window, share: float) -> None:
    space, rng = window.space, np.random.default_rng(5)
    clip, offsets = window.stage.motion.rotations[60:62], 0.3 * rng.normal(size=(2, len(window.space)))
    out = np.empty(3 * len(space.joints))
    change_between(space.arrays, frozen_indices(space.joints), frozen(clip), offsets, share, out)
    made = space.with_offsets(clip, offsets)
    wanted = space.coordinates(rot.slerp(made[0], made[1], share)) - space.coordinates(
        rot.slerp(clip[0], clip[1], share)
    )
    np.testing.assert_allclose(out, wanted, atol=1e-12)


def test_bells_are_plain_averages_narrow_where_asked_and_without_a_kink() -> None:
    rng = np.random.default_rng(3)
    times = np.arange(120) / 60.0
    values = np.cumsum(rng.normal(size=(120, 2)), axis=0)
    touched = np.zeros(120, dtype=np.bool_)
    touched[60:63] = True
    widths = narrowed(np.full(120, 0.5), times, touched)
    assert widths[61] < 0.4 < widths[5] and widths.max() <= 0.5 + 1e-12
    assert np.abs(np.diff(widths)).max() <= 1.0 / 60.0 + 1e-9 and np.abs(np.diff(widths, n=2)).max() < 0.01
    soft = smoothed(values, times, widths)
    for n in (0, 30, 61, 119):
        away = np.arange(-60, 61) / (30.0 * widths[n])
        bell = np.where(np.abs(away) < 1.0, np.cos(0.5 * np.pi * away) ** 4, 0.0)
        rows = values[np.clip(np.arange(n - 60, n + 61), 0, 119)]
        np.testing.assert_allclose(soft[n], bell @ rows / bell.sum(), atol=1e-12)
