"""Programs through ``perform``: walk, take, carry, put down; failures named with what could be done."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.api.performing import perform
from understudy.api.performing_result import PerformResult
from understudy.core import Status
from understudy.errors import PlanningInputError
from understudy.limbs.handling import HandlingOptions
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.shapes import Box
from understudy.verify.judge import verify

CALM = HandlingOptions(gaze=False)


def room() -> Scene:
    scene = Scene().with_object("shelf", Box(size_m=(1.2, 0.95, 0.35)), position=(0.0, 0.475, 2.6))
    scene = scene.with_object("book", Box(size_m=(0.04, 0.22, 0.15)), position=(0.1, 1.061, 2.53))
    scene = scene.with_object("stand", Box(size_m=(0.5, 1.0, 0.5)), position=(2.0, 0.5, 1.5))
    return scene.with_character(Character(name="anna", start=(0.0, 1.0), heading_rad=0.0))


@pytest.fixture(scope="module")
def fetched() -> PerformResult:
    scene = room().with_task(Task(character="anna", do="grab", object="book"))
    return perform(scene.with_task(Task(character="anna", do="place", object="book", target="stand")), options=CALM)


def test_a_book_is_fetched_and_put_down(fetched: PerformResult) -> None:
    assert fetched.status, fetched.reason
    end = fetched.scene.duration_s
    at, _ = fetched.scene.object_track("book", [0.0, end])
    assert np.allclose(at[0], (0.1, 1.061, 2.53))
    assert abs(at[1, 0] - 2.0) < 0.25 and abs(at[1, 2] - 1.5) < 0.25
    assert at[1, 1] == pytest.approx(1.11, abs=0.005)


def test_it_stays_in_the_hand_along_the_walk(fetched: PerformResult) -> None:
    grab, place = (task.deed.time_s for task in fetched.tasks)
    times = np.linspace(grab + 0.01, place - 0.01, 60)
    hand = fetched.tasks[0].deed.hands[0]
    book, _ = fetched.scene.object_track("book", times)
    palm, _ = fetched.scene.character("anna").joint(f"{hand}_hand", times)
    away = np.linalg.norm(book - palm, axis=1)
    assert away.max() < 0.25 and np.ptp(away) < 1e-6
    assert np.hypot(*(palm[-1] - palm[0])[[0, 2]]) > 0.8


def test_nothing_jumps_and_no_foot_slides(fetched: PerformResult) -> None:
    motion = fetched.motions["anna"]
    report = verify(motion)
    assert "stance_drift" not in report.broken
    assert np.linalg.norm(np.diff(motion.root_positions, axis=0), axis=1).max() * motion.fps < 2.0


def test_a_failure_names_the_task_and_keeps_what_was_done() -> None:
    scene = room().with_task(Task(character="anna", do="walk_to", goal=(-0.6, 1.0)))
    scene = scene.with_task(Task(character="anna", do="walk_to", goal=(2.0, 1.5), name="into the stand"))
    result = perform(scene, options=CALM)
    assert result.status is Status.INFEASIBLE_GOAL
    assert 'task 2 of 2 "into the stand" (anna: walk_to)' in result.reason and "stand" in result.reason
    assert [bool(task.status) for task in result.tasks] == [True, False]
    assert np.hypot(*(result.motions["anna"].root_positions[-1, [0, 2]] - (-0.6, 1.0))) < 0.1


def test_nonsense_in_a_program_is_refused_by_number() -> None:
    scene = room().with_task(Task(character="anna", do="walk_to", goal=(0.0, 0.5)))
    with pytest.raises(PlanningInputError, match=r'task 2 of 2 \(anna: sit shelf\): nobody here can do "sit"'):
        perform(scene.with_task(Task(character="anna", do="sit", object="shelf")))
    with pytest.raises(PlanningInputError, match='"book" is not held by anybody'):
        perform(scene.with_task(Task(character="anna", do="place", object="book", target="shelf")), options=CALM)


def test_a_deadline_is_kept() -> None:
    scene = room().with_task(Task(character="anna", do="grab", object="book"))
    result = perform(scene, options=HandlingOptions(deadline_s=0.01))
    assert result.status is Status.TIMED_OUT and "task 1 of 1" in result.reason
