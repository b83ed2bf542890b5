"""Libraries in which nobody stands: made first and last steps, with recorded clips between."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from understudy.library import Library, build_library
from understudy.locomotion import Spot
from understudy.locomotion.completing import completed, stands, synthesised_spans
from understudy.locomotion.walker import MADE, walker_of
from understudy.performer import performance


@pytest.fixture(scope="module")
def straight() -> Library:
    """One straight walk and nothing else."""
    return build_library([performance("walk").motion])


def test_somebody_who_never_stands_gets_steps_to_set_off_and_to_stop(straight: Library) -> None:
    whole = completed(straight)
    assert not stands(straight) and stands(whole)
    assert completed(straight) is whole
    assert completed(whole) is whole
    names = {whole.take(node).name for node in range(len(whole))}
    assert "walk" in names and any(name.startswith(MADE) for name in names)
    np.testing.assert_array_equal(whole.skeleton.offsets, straight.skeleton.offsets)
    # Whose clips they are is not forgotten: the judge knows heights of recordings less well.
    assert {take.kind for take in whole.footage.takes} == {"performer"}


def test_a_long_walk_has_recorded_clips_between_made_steps(straight: Library) -> None:
    start = Spot(position=(0.0, 0.0), heading_rad=0.0, still=True)
    result = us.walk(straight, us.Scene(), start=start, goal=(0.0, 7.0), options=us.WalkOptions(stop=True))
    assert result.status and result.motion is not None and result.trace is not None
    spans = result.trace.synthesised
    assert spans[0][0] == 0.0
    assert spans[-1][1] == pytest.approx(result.motion.duration_s, abs=0.05)
    assert 1.0 < result.trace.synthesised_s < 0.7 * result.motion.duration_s
    assert result.claim is not None and us.verify(result.claim).ok
    speeds = np.linalg.norm(np.diff(result.motion.root_positions[:, [0, 2]], axis=0), axis=1) * result.motion.fps
    assert speeds[[0, -1]].max() < 0.15


def test_people_with_such_clips_walk_together_from_standing_to_standing(straight: Library) -> None:
    found = us.walk_together(straight, us.Scene(), walks={"a": ((0.0, 0.0), (0.0, 5.0)), "b": ((1.2, 5.0), (1.2, 0.0))})
    assert found.status, found.reason
    for result in found.results.values():
        assert result.motion is not None and result.trace is not None
        speeds = np.linalg.norm(np.diff(result.motion.root_positions[:, [0, 2]], axis=0), axis=1) * result.motion.fps
        assert speeds[-1] < 0.15
        assert result.trace.synthesised


def test_only_what_was_made_counts_as_synthesised(straight: Library) -> None:
    walker = walker_of(completed(straight))
    recorded = np.flatnonzero(~walker.made)[:1]
    made = np.flatnonzero(walker.made)[:1]
    seconds = walker.library.lengths()
    spans = synthesised_spans(walker, np.concatenate([made, recorded, made]))
    assert len(spans) == 2
    assert spans[0] == pytest.approx((0.0, seconds[made[0]]))
    assert spans[1][0] == pytest.approx(seconds[made[0]] + seconds[recorded[0]])
    assert synthesised_spans(walker, recorded) == ()
