"""The judged front doors: what is called solved passes the judge, and tight gaps are passed without being asked to."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.suites.sampling_clips import duckers, performed
from benchmarks.suites.sampling_scenes import bar

import understudy as us
from understudy.library import Library, LibraryOptions, build_library
from understudy.locomotion.published.sampling import SampleTrace


@pytest.fixture(scope="module")
def library() -> Library:
    """Walks, turns, and walks that duck."""
    clips = [*performed(("walk_slow", "turn_left", "turn_right")), *duckers()]
    return build_library(clips, options=LibraryOptions(fps=30.0))


def test_a_low_bar_is_ducked_under(library: Library) -> None:
    problem = bar(1.45)
    ends = [us.Constraint(position=problem.start, heading_rad=0.0), us.Constraint(position=problem.goal)]
    result = us.sample_walk(library, problem.scene, constraints=ends)
    assert result.status is us.Status.SOLVED, result.reason
    assert result.motion is not None
    assert result.trace is not None
    report = us.verify(result.claim)
    assert report.ok, report.table()
    from understudy.kinematics import motion_world

    head = result.motion.skeleton.humanoid["head"]
    tops = motion_world(result.motion).positions[:, head]
    under = np.abs(tops[:, 2]) < 0.1
    assert tops[under, 1].max() < 1.45
    assert tops[:, 1].max() > 1.5


def test_under_a_low_bar_the_whole_body_is_searched_by_itself(library: Library) -> None:
    problem = bar(1.45)
    beam = us.WalkOptions(method="beam")
    assert not us.walk(library, problem.scene, start=problem.start, goal=problem.goal, options=beam).status
    result = us.walk(library, problem.scene, start=problem.start, goal=problem.goal)
    assert result.status is us.Status.SOLVED, result.reason
    assert isinstance(result.trace, SampleTrace)
    assert result.trace.method == "tight"
