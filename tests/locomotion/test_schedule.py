"""Searches become wider where they got stuck; strides are the transitions they stand for."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.locomotion import Walker
from understudy.locomotion._bend_kernels import ending
from understudy.locomotion._chain_kernels import chain_placements
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.schedule import LEVELS, Effort
from understudy.locomotion.strides import strides_of

OPTIONS = WalkOptions()
LENGTH_M = 12.0


@given(st.lists(st.one_of(st.none(), st.floats(0.0, LENGTH_M)), min_size=60, max_size=60))
def test_wherever_it_gets_stuck_it_ends_widest_everywhere(places: list[float | None]) -> None:
    effort: Effort | None = Effort.first(LENGTH_M, OPTIONS.bucket_m)
    for stuck in [*places, *[None] * LEVELS]:
        before = effort
        effort = before.wider(stuck, OPTIONS.bucket_m)
        if effort is None:
            break
        assert (effort.levels >= before.levels).all()
        assert (effort.levels > before.levels).any()
        assert effort.attempt == before.attempt + 1
        assert np.ptp(effort.levels) <= 2
    assert effort is None
    assert (before.levels == LEVELS - 1).all()


def test_only_around_the_place_first() -> None:
    wider = Effort.first(LENGTH_M, OPTIONS.bucket_m).wider(6.0, OPTIONS.bucket_m)
    raised = np.flatnonzero(wider.levels) * OPTIONS.bucket_m
    assert raised.min() >= 3.0
    assert raised.max() <= 8.0
    assert (raised <= 6.0).any()
    assert (raised >= 6.0).any()
    limits = wider.limits(OPTIONS, turned=True, bound=False)
    there = int(6.0 / OPTIONS.bucket_m)
    assert limits.deviations_m[there] > limits.deviations_m[-1]
    assert limits.widths[there] > limits.widths[-1]


def test_a_useless_arrival_widens_everywhere() -> None:
    wider = Effort.first(LENGTH_M, OPTIONS.bucket_m).wider(None, OPTIONS.bucket_m)
    assert (wider.levels == 1).all()


def test_backwards_is_the_same_stretch_of_floor() -> None:
    wider = Effort.first(LENGTH_M, OPTIONS.bucket_m).wider(1.0, OPTIONS.bucket_m)
    assert wider.backwards().levels[-1] == wider.levels[0] == 1
    assert wider.backwards().levels[0] == 0


def test_ends_are_wider_than_the_middle() -> None:
    limits = Effort.first(LENGTH_M, OPTIONS.bucket_m).limits(OPTIONS, turned=False, bound=True)
    middle = limits.widths[len(limits.widths) // 2]
    assert limits.widths[0] > middle == OPTIONS.width
    assert limits.widths[-1] > middle


@pytest.mark.parametrize("back", [False, True])
def test_strides_are_the_transitions(walker: Walker, back: bool) -> None:
    graph = walker.backward.table if back else walker.graph
    strides = strides_of(graph)
    rng = np.random.default_rng(3)
    for edge in rng.integers(len(graph.targets), size=60).tolist():
        for end, turn in enumerate((0.0, *graph.ranges[edge])):
            at = chain_placements(graph, np.array([edge]), np.array([turn]), np.zeros(3))[1]
            np.testing.assert_allclose(strides.frames[end, edge, :2], at[:2], atol=1e-9)
            assert math.remainder(strides.frames[end, edge, 2] - at[2], math.tau) == pytest.approx(0.0, abs=1e-9)
            x, z, yaw = ending(graph, int(graph.targets[edge]), at)
            np.testing.assert_allclose(strides.ends[end, edge, :2], (x, z), atol=1e-9)
            assert math.remainder(strides.ends[end, edge, 2] - yaw, math.tau) == pytest.approx(0.0, abs=1e-9)
