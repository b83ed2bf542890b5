"""Edges are certified: what they accept is free at every moment, measured independently."""

from __future__ import annotations

import numpy as np
import pytest

from limb_stages import crowded, least_distances, walk, with_passer_by
from understudy.limbs import Window, stage_of, window_of
from understudy.limbs._edge_kernels import edge_reaches, set_edge
from understudy.limbs.tables import FREE

#: [m] rounding of tables: straight lines between 240 Hz grid times, slerp against linear parameters.
TABLES_M = 3e-4


@pytest.fixture(scope="module", params=["right_arm", "left_arm", "right_leg", "right_arm_spine"])
def window(request: pytest.FixtureRequest) -> Window:
    motion = walk()
    scene = with_passer_by(crowded(motion), motion).with_character("anna")
    stage = stage_of(motion, scene, character="anna")
    return window_of(stage, stage.space(request.param), 10, 150)


def edges(window: Window, count: int, seed: int) -> list[tuple[np.ndarray, float, np.ndarray, float]]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        t0, t1 = np.sort(rng.uniform(window.start_s, window.end_s, 2))
        if t1 - t0 < 0.02:
            continue
        size = rng.uniform(0.05, 0.8) * (0.2 if window.space.name.endswith("spine") else 1.0)
        found.append((rng.normal(0, size, len(window.space)), t0, rng.normal(0, size, len(window.space)), t1))
    return found


def reaches(
    window: Window, start: np.ndarray, t0: float, end: np.ndarray, t1: float, direction: int
) -> tuple[float, int, int, int, int]:
    set_edge(window.scratch, start, end)
    return edge_reaches(window.setting, window.scratch, t0, t1, window.margin(0.0), direction)


def test_what_is_accepted_is_free_at_every_moment(window: Window) -> None:
    accepted = 0
    for start, t0, end, t1 in edges(window, 90, 1):
        _, kind, *_ = reaches(window, start, t0, end, t1, 0)
        if kind != FREE:
            continue
        accepted += 1
        times = np.linspace(t0, t1, 160)
        share = ((times - t0) / (t1 - t0))[:, None]
        found = least_distances(window.stage, window.space, start + share * (end - start), times)
        assert min(found.values()) > -TABLES_M - 5e-4, (found, t0, t1)
        assert min(value for name, value in found.items() if name != "itself") > -TABLES_M, (found, t0, t1)
    assert accepted >= 5


def test_what_is_refused_is_near_something_or_outside_limits(window: Window) -> None:
    refused = 0
    for start, t0, end, t1 in edges(window, 40, 2):
        _, kind, *_ = reaches(window, start, t0, end, t1, 0)
        if kind == FREE:
            continue
        refused += 1
        times = np.linspace(t0, t1, 200)
        share = ((times - t0) / (t1 - t0))[:, None]
        offsets = start + share * (end - start)
        coordinates = window.space.coordinates(window.stage.motion.sample(times - window.stage.start_s)[1])
        excess = window.space.excess(coordinates + offsets @ window.space.spread.T) - window.space.excess(coordinates)
        # A sole may be 3 cm in the floor, which the distances here leave out.
        near = min(least_distances(window.stage, window.space, offsets, times).values())
        assert excess.max() > 0 or near < 2e-3 or "leg" in window.space.name, (kind, near)
    assert refused >= 8


@pytest.mark.parametrize("direction", [1, -1])
def test_partial_progress_is_free(window: Window, direction: int) -> None:
    kept = 0
    for start, t0, end, t1 in edges(window, 40, 3):
        reached, *_ = reaches(window, start, t0, end, t1, direction)
        low, high = (t0, reached) if direction > 0 else (reached, t1)
        if high - low < 0.02:
            continue
        kept += 1
        times = np.linspace(low, high, 100)
        share = ((times - t0) / (t1 - t0))[:, None]
        found = least_distances(window.stage, window.space, start + share * (end - start), times)
        assert min(value for name, value in found.items() if name != "itself") > -TABLES_M, found
    assert kept >= 5


def test_the_clip_itself_is_never_refused_for_touching_itself(window: Window) -> None:
    still = np.zeros(len(window.space))
    _, kind, first, second, _ = reaches(window, still, window.start_s, still, window.end_s, 0)
    if kind != FREE:
        assert window.pair_names(int(kind), int(first), int(second))[1] in window.world.names
