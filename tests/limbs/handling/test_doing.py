"""In which order moments are looked at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from handling_stages import kitchen, standing
from understudy.limbs.handling import HandlingOptions, Play, Times, doing
from understudy.limbs.handling.jobs import Job
from understudy.limbs.tries import GLANCE
from understudy.scene import Task

OPTIONS = HandlingOptions(gaze=False, attempts=1)


@pytest.mark.parametrize("glance", [True, False])
def test_free_moments_are_all_glanced_at_first_and_at_a_glance_no_more(
    monkeypatch: pytest.MonkeyPatch, glance: bool
) -> None:
    looked: list[tuple[float, tuple[int, ...]]] = []

    def deeds(play, aim, options, watch, *, rounds, standing) -> Iterator[None]:
        looked.append((aim.time_s, rounds))
        return iter(())

    monkeypatch.setattr(doing, "deeds", deeds)
    play = Play(scene=kitchen(), sources={"anna": standing()})
    task = Task(character="anna", do="grab", object="cup", hand="right")
    job = Job(task=task, times=Times(at_s=None, earliest_s=2.0, latest_s=2.6))
    found = doing.ways(play, job, lambda *_: "", OPTIONS, OPTIONS.watch(), doing.Notes(), glance=glance)
    assert not list(found)
    first = [when for when, rounds in looked if rounds == (GLANCE,)]
    assert len(first) == len(set(first)) > 1
    later = looked[len(first) :]
    assert later == ([] if glance else [(when, (0,)) for when in first])
