"""Times of tasks in programs: too late is a failure that says so, and what cannot be honoured is refused."""

from __future__ import annotations

import pytest

from understudy.api.performing import perform
from understudy.errors import PlanningInputError
from understudy.scene import Box, Scene, Sphere
from understudy.scene.characters import Character
from understudy.scene.tasks import Task


def stage(**asked: object) -> Scene:
    """A walk and a grab by somebody."""
    return (
        Scene()
        .with_object("stand", Box(size_m=(0.5, 1.0, 0.5)), position=(0.2, 0.5, 3.7))
        .with_object("ball", Sphere(radius_m=0.04), position=(0.15, 1.041, 3.6))
        .with_character(Character(name="anna", start=(0.0, 0.0)))
        .with_task(Task(character="anna", do="walk_to", goal=(0.1, 2.6), **asked))  # type: ignore[arg-type]
    )


def test_a_walk_that_takes_longer_than_it_may_is_a_failure() -> None:
    late = perform(stage(by_s=1.0))
    assert not late.status
    assert "later than by 1 s" in late.reason


def test_what_a_program_cannot_honour_is_refused() -> None:
    with pytest.raises(PlanningInputError, match="until"):
        perform(stage(until_s=4.0))
