"""The judged walk: what is called solved passes the judge, and what the judge refuses is not called solved."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from understudy.api.walking import report_on
from understudy.library import Library, build_library
from understudy.performer import builtin_clips
from understudy.scene import Box, Scene


@pytest.fixture(scope="module")
def library() -> Library:
    return build_library([*builtin_clips("walk"), *builtin_clips("walk", seed=1)])


@pytest.fixture(scope="module")
def scene() -> Scene:
    stage = Scene(name="two boxes")
    stage = stage.with_object("crate", Box(size_m=(0.8, 1.0, 0.6)), position=(0.1, 0.5, 2.0))
    return stage.with_object("lintel", Box(size_m=(4.0, 0.2, 0.2)), position=(0.0, 2.2, 1.0))


def test_solved_means_judged(library: Library, scene: Scene) -> None:
    result = us.walk(library, scene, start=(0, 0), goal=(0.2, 4.0))
    assert result.status is us.Status.SOLVED, result.reason
    assert result.motion is not None
    assert result.trace is not None
    report = report_on(library, scene, result.motion, result.trace)
    assert report.ok, report.table()
    assert report.reason == ""
    # The lintel hangs above the head and is walked under; the crate is walked around.
    beside = np.abs(result.motion.root_positions[:, 2] - 2.0).argmin()
    assert abs(result.motion.root_positions[beside, 0] - 0.1) > 0.4


def test_the_judge_is_asked(library: Library, scene: Scene) -> None:
    impossible = us.Bars(goal_position_m=0.0)
    options = us.WalkOptions(method="beam", tries=1, goal_m=0.002)
    result = us.walk(library, scene, start=(0, 0), goal=(0.2, 4.0), bars=impossible, options=options)
    assert result.status is us.Status.EXHAUSTED
    assert "misses its goal" in result.reason


def test_a_goal_in_the_crate_names_it(library: Library, scene: Scene) -> None:
    result = us.walk(library, scene, start=(0, 0), goal=(0.1, 2.0))
    assert result.status is us.Status.INFEASIBLE_GOAL
    assert '"crate"' in result.reason
    assert "nearest free point" in result.reason
