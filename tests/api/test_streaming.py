"""Streams and crowds with the real judge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from understudy.core import Status
from understudy.errors import PlanningInputError
from understudy.library import Library, build_library
from understudy.performer import builtin_clips
from understudy.scene import Box, Scene
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Track
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


def carts(*lanes: tuple[tuple[float, float], tuple[float, float], float]) -> Scene:
    """Carts that roll along straight lanes, each from a point to another [m] in some time [s]."""
    scene = Scene(name="yard")
    for k, (first, last, seconds) in enumerate(lanes):
        heading = np.arctan2(last[0] - first[0], last[1] - first[1])
        track = Track(
            times_s=np.array([0.0, seconds]),
            positions=np.array([[first[0], 0.5, first[1]], [last[0], 0.5, last[1]]]),
            rotations=np.tile([np.cos(heading / 2), 0.0, np.sin(heading / 2), 0.0], (2, 1)),
        )
        scene = scene.with_object(SceneObject(name=f"cart{k}", shape=Box(size_m=(0.6, 1.0, 1.0)), placement=track))
    return scene


def test_a_crowd_among_carts_is_solved_when_the_judge_says_so(library: Library) -> None:
    """Ann starts in the lane of a cart that comes from behind: she has to leave it, or be run over."""
    crowd = us.crowd(library, carts(((-9.0, 0.3), (9.0, 0.0), 14.0), ((2.0, -9.0), (1.0, 9.0), 16.0)))
    crowd.add("ann", start=(-4.8, 0.2), goal=(4.5, 0.5))
    crowd.add("bob", start=(1.5, 5.0), goal=(0.5, -5.0))
    assert crowd.result().status is Status.TIMED_OUT
    while not crowd.done and crowd.time_s < 90.0:
        crowd.step()
    result = crowd.result()
    assert result.status, result.reason
    assert result.claim is not None and us.verify(result.claim).ok
    assert all(motion.origin.kind == "made" for motion in result.motions.values())
    # The same walks with a cart in the way of one of them are refused.
    at = result.motions["bob"].root_positions[200]
    blocked = result.scene.with_object("crate", Box(size_m=(0.5, 1.0, 0.5)), position=(at[0], 0.5, at[2]))
    assert not us.verify(replace(result.claim, scene=blocked)).ok


def test_a_crowd_that_the_judge_refuses_is_not_solved(library: Library) -> None:
    crowd = us.crowd(library)
    crowd.add("ann", start=(0.0, 0.0), goal=(0.0, 4.0))
    while not crowd.done and crowd.time_s < 30.0:
        crowd.step()
    assert crowd.result().status
    refused = crowd.result(bars=us.Bars(velocity_ratio=0.001))
    assert not refused.status and not refused.results["ann"].status and "too fast" in refused.reason


def test_whoever_is_sent_elsewhere_on_the_way_and_after_arriving_passes_the_judge(library: Library) -> None:
    crowd = us.crowd(library)
    crowd.add("ann", start=(0.0, 0.0), goal=(0.0, 5.0))
    crowd.add("bob", start=(3.0, 0.0), goal=(3.0, 2.0))
    for _ in range(75):
        crowd.step()
    crowd.redirect("ann", (-3.0, 5.0))
    while not crowd.done:
        crowd.step()
    crowd.redirect("bob", (3.0, 6.0))
    while not crowd.done and crowd.time_s < 60.0:
        crowd.step()
    result = crowd.result()
    assert result.status, result.reason
    assert np.hypot(*(result.motions["ann"].root_positions[-1, [0, 2]] - [-3.0, 5.0])) < 0.01
    assert np.hypot(*(result.motions["bob"].root_positions[-1, [0, 2]] - [3.0, 6.0])) < 0.01


def test_evidence_is_what_was_walked_with(library: Library) -> None:
    claim = us.walk(library, start=(0, 0), goal=(0, 3)).claim
    names = {clip.name for clip in claim.evidence[""]}
    assert names and len(names) < len({take.name for take in library.footage.takes})


def test_made_clips_in_a_library_are_no_evidence(library: Library) -> None:
    """What a planner made stays made, also as a take of a library."""
    made = us.walk(library, start=(0, 0), goal=(0, 6)).motion
    assert made is not None and made.origin.made
    result = us.walk(build_library([*builtin_clips("walk"), made]), start=(0, 0), goal=(0, 3))
    if result.status:
        assert all(clip.origin.kind == "performer" for clip in result.claim.evidence[""])


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
