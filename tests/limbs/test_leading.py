"""Ways past a touch that need no search: postures that can be held, straight ways to them, and what is tried first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from limb_stages import beside, crowded, least_distances, walk, with_passer_by
from understudy.limbs import LimbOptions, Window, pace, stage_of, touches, window_of
from understudy.limbs._nearest_kernels import free_postures
from understudy.limbs.leading import _nearer, _passes, led
from understudy.limbs.legs import Leg
from understudy.limbs.search import search
from understudy.limbs.speeds import joint_limits_rad_s
from understudy.limbs.trace import Touch
from understudy.limbs.ways_out import ways_out

OPTIONS = LimbOptions()


@pytest.fixture(scope="module")
def touch() -> Touch:
    return touches(stage_of(walk(), beside(walk())), "right_arm")[0]


@pytest.fixture(scope="module")
def window(touch: Touch) -> Window:
    stage = stage_of(walk(), beside(walk()))
    return window_of(stage, stage.space("right_arm"), touch.first - 40, touch.last + 40)


@pytest.fixture(scope="module")
def speeds(window: Window) -> np.ndarray:
    return joint_limits_rad_s(window.space, pace([window.stage.source], window.space), OPTIONS.speed_share)


def asked_of(window: Window, hints: np.ndarray) -> Leg:
    still = np.zeros(len(window.space))
    start, end = window.start_s + 0.15, window.end_s - 0.15
    return Leg(window=window, start=still, start_s=start, end=still, end_s=end, hints=hints)


@pytest.mark.parametrize("limb", ["right_arm", "right_leg", "right_arm_spine"])
def test_free_means_no_pair_nearer_and_limits_kept(limb: str) -> None:
    motion = walk()
    stage = stage_of(motion, with_passer_by(crowded(motion), motion).with_character("anna"), character="anna")
    window, rng, kept_m, agreed = window_of(stage, stage.space(limb), 10, 150), np.random.default_rng(3), 0.004, set()
    for _ in range(300):
        offset, t = rng.normal(0.0, 0.4, len(window.space)), float(rng.uniform(window.start_s, window.end_s))
        room = np.zeros((1, len(window.space)))
        free = bool(free_postures(window.setting, window.scratch, offset[None], t, kept_m, room))
        assert free == (window.nearest(offset, t)[0] >= kept_m and not window.limits_broken(offset, t))
        agreed.add(free)
    assert agreed == {True, False}


def test_held_postures_keep_the_room_a_search_asks_for(window: Window, touch: Touch) -> None:
    held = ways_out(window, touch, 0.001, room_m=0.03).hints
    assert len(held) and not len(held) % 3
    for posture in held[::3, :-1]:
        times = np.linspace(touch.start_s - 0.2, touch.end_s + 0.2, 80)
        found = least_distances(window.stage, window.space, np.tile(posture, (len(times), 1)), times)
        assert min(value for name, value in found.items() if name != "itself") > 0.029


def test_a_straight_way_past_a_held_posture_needs_no_search(window: Window, touch: Touch, speeds: np.ndarray) -> None:
    asked = asked_of(window, ways_out(window, touch, 0.001, room_m=OPTIONS.margin_m).hints)
    way = led(asked, speeds, OPTIONS)
    assert way.leaving is not None
    found = search(way, speeds, replace(OPTIONS, shortcuts=0), seed=1)
    assert found and found.iterations == 0
    times = np.linspace(found.path[0, -1], found.path[-1, -1], 200)
    offsets = np.stack([np.interp(times, found.path[:, -1], column) for column in found.path[:, :-1].T], axis=1)
    distances = least_distances(window.stage, window.space, offsets, times)
    assert min(value for name, value in distances.items() if name != "itself") > OPTIONS.margin_m - 1e-3
    for a, b in zip(found.path[:-1], found.path[1:], strict=True):
        turns = np.linalg.norm((window.space.spread @ (b - a)[:-1]).reshape(-1, 3), axis=1)
        assert np.all(turns <= speeds * (b[-1] - a[-1]) * (1.0 + 1e-6))


def test_no_way_leads_past_postures_out_of_reach_or_in_the_way(
    window: Window, touch: Touch, speeds: np.ndarray
) -> None:
    middle = 0.5 * (touch.start_s + touch.end_s)
    touching = np.array([[*np.zeros(len(window.space)), middle]])
    assert led(asked_of(window, touching), speeds, OPTIONS).leaving is None
    held = asked_of(window, ways_out(window, touch, 0.001, room_m=OPTIONS.margin_m).hints)
    assert led(held, 0.02 * speeds, OPTIONS).leaving is None
    assert led(replace(held, hints=None), speeds, OPTIONS).leaving is None


@pytest.mark.parametrize("bound", [0.0, 0.3, 0.61, 0.99])
def test_ways_come_as_near_to_the_clip_as_they_stay_free(bound: float) -> None:
    rows = np.array([[0.6, -0.8, 2.0], [0.6, -0.8, 2.5]])
    near = _nearer(rows, lambda past: float(np.linalg.norm(past[0, :-1])) >= bound)
    assert bound <= np.linalg.norm(near[0, :-1]) <= bound + 0.5**4 + 1e-12
    np.testing.assert_allclose(near[:, -1], rows[:, -1])
    np.testing.assert_allclose(near[0, 0] * rows[0, 1], near[0, 1] * rows[0, 0])


def test_a_posture_is_reached_earlier_where_the_way_to_it_is_closed_later(
    window: Window, touch: Touch, speeds: np.ndarray
) -> None:
    hints = ways_out(window, touch, 0.001, room_m=OPTIONS.margin_m).hints[:3]
    passes = list(_passes(hints))
    assert all(np.array_equal(past[0, :-1], hints[0, :-1]) for past in passes)
    middle = hints[1, -1]
    starts, ends = [past[0, -1] for past in passes], [past[-1, -1] for past in passes]
    assert min(starts) < hints[0, -1] < max(starts) <= middle <= min(ends) < hints[2, -1] < max(ends)
