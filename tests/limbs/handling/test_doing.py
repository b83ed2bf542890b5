"""In which order moments are looked at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from handling_stages import kitchen, standing
from understudy.limbs.handling import HandlingOptions, Play, Times, doing
from understudy.limbs.handling.choices import Known
from understudy.limbs.handling.jobs import Job
from understudy.scene import Task

OPTIONS = HandlingOptions(gaze=False, attempts=1)


@pytest.mark.parametrize("glance", [True, False])
def test_free_moments_are_all_glanced_at_first_and_at_a_glance_no_more(
    monkeypatch: pytest.MonkeyPatch, glance: bool
) -> None:
    looked: list[tuple[float, int]] = []

    class Search:
        def __init__(self, *, aim, **_) -> None:
            self.aim, self.known = aim, Known()

        def deeds(self, most: int) -> Iterator[None]:
            looked.append((self.aim.time_s, most))
            return iter(())

    monkeypatch.setattr(doing, "HandSearch", Search)
    play = Play(scene=kitchen(), sources={"anna": standing()})
    task = Task(character="anna", do="grab", object="cup", hand="right")
    job = Job(task=task, times=Times(at_s=None, earliest_s=2.0, latest_s=2.6))
    found = doing.ways(play, job, lambda *_: "", OPTIONS, OPTIONS.watch(), doing.Notes(), glance=glance)
    assert not list(found)
    brief = looked[0][1]
    first = [when for when, most in looked if most == brief]
    assert len(first) == len(set(first)) > 1
    later = looked[len(first) :]
    assert [when for when, _ in later] == ([] if glance else first)
    assert all(most > brief for _, most in later)
