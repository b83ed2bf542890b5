"""The flood that tells which doors can be opened: planted doors whose answer anybody sees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.suites.door_feasibility import openable
from benchmarks.suites.door_variations import Variation

DOOR = Variation(
    seed=1,
    pushed=True,
    width_m=0.9,
    handle_m=1.0,
    hinge="left",
    start=(0.0, -1.8),
    goal=(0.0, 1.8),
    boxes=np.empty((0, 4)),
)


@pytest.mark.parametrize("pushed", [True, False])
def test_a_door_with_nothing_in_the_way_can_be_opened(pushed: bool) -> None:
    assert openable(replace(DOOR, pushed=pushed))


def test_a_leaf_that_meets_a_crate_at_once_cannot() -> None:
    assert not openable(replace(DOOR, boxes=np.array([[0.0, 0.35, 0.6, 0.3]])))


def test_nobody_gets_past_a_wall_of_crates_behind_the_door() -> None:
    assert not openable(replace(DOOR, boxes=np.array([[0.0, 1.3, 3.9, 0.2]])))


def test_nobody_reaches_a_handle_behind_a_wall_of_crates() -> None:
    assert not openable(replace(DOOR, boxes=np.array([[0.0, -1.1, 3.9, 0.2]])))


def test_hinges_are_mirror_images() -> None:
    boxes = np.array([[0.5, 0.9, 0.4, 0.4], [-0.4, -0.9, 0.4, 0.3]])
    mirrored = boxes * np.array([-1.0, 1.0, 1.0, 1.0])
    for pushed in (True, False):
        one = replace(DOOR, pushed=pushed, boxes=boxes)
        assert openable(one) == openable(replace(one, hinge="right", boxes=mirrored))
