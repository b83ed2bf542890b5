"""Streams and crowds with the real judge."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from understudy.errors import PlanningInputError
from understudy.library import Library, build_library
from understudy.performer import builtin_clips
from understudy.scene import Box, Scene
from understudy.verify import verify


@pytest.fixture(scope="module")
def library() -> Library:
    return build_library(builtin_clips("walk"))


def test_a_stream_passes_the_judge(library: Library) -> None:
    scene = Scene(name="room").with_object("crate", Box(size_m=(0.8, 1.0, 0.6)), position=(0.1, 0.5, 2.5))
    stream = us.stream_walk(library, scene, start=(0, 0), goal=(0.4, 6.0))
    assert stream.result is None
    chunks = list(stream)
    result = stream.result
    assert result is not None
    assert result.status, result.reason
    assert result.motion is not None
    assert sum(len(chunk) for chunk in chunks) == len(result.motion)
    report = verify(result.motion, scene, source=builtin_clips("walk"))
    assert "penetration" not in report.broken
    assert "seams" not in report.broken


def test_characters_of_a_scene_walk_together(library: Library) -> None:
    scene = Scene(name="crossing").with_object("post", Box(size_m=(0.3, 2.0, 0.3)), position=(1.2, 1.0, 3.0))
    scene = scene.with_character("ann", start=(0.0, 0.0)).with_character("bob", start=(-3.0, 3.1))
    scene = scene.with_task("ann", "walk_to", goal=(0.0, 6.0)).with_task("bob", "walk_to", goal=(3.2, 3.0))
    both = us.walk_together(library, scene)
    assert set(both.results) == {"ann", "bob"}
    assert both.report is not None, both.reason
    assert "penetration" not in both.report.broken
    assert "goals" not in both.report.broken
    assert set(both.motions) == {"ann", "bob"}
    moved = both.scene.character("bob").motion
    assert moved is not None
    np.testing.assert_array_equal(moved.root_positions, both.motions["bob"].root_positions)
    assert both.status, both.reason


def test_bad_input_is_named(library: Library) -> None:
    with pytest.raises(PlanningInputError, match="nobody walks"):
        us.walk_together(library, Scene())
    with pytest.raises(PlanningInputError, match='no library for "ann"'):
        us.walk_together({"bob": library}, None, {"ann": ((0, 0), (1, 1))})
    with pytest.raises(PlanningInputError, match="start and a goal"):
        us.walk_together(library, None, {"ann": (1.0,)})  # type: ignore[dict-item]
    with pytest.raises(PlanningInputError, match="area"):
        us.crowd(library, area=(0, 0, np.nan, 1))
    crowd = us.crowd(library)
    with pytest.raises(PlanningInputError):
        crowd.add("ann", start=("a", 0), goal=(0, 1))
