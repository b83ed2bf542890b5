"""Whole scenes: every task judged, failures named, sources unharmed."""

from __future__ import annotations

import numpy as np
import pytest

from handling_stages import kitchen, standing
from understudy.api.performing import perform
from understudy.core import Status
from understudy.core.violations import Violation
from understudy.errors import PlanningInputError
from understudy.limbs.handling import HandlingOptions
from understudy.performer import performance
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.shapes import Sphere
from understudy.skills.engine import deed_of

CALM = HandlingOptions(gaze=False)


def touching(who: str, point: tuple[float, float, float] | str, **more) -> Task:
    return Task(character=who, do="touch", target=point, **more)


def test_two_people_touch_at_once_and_the_second_keeps_clear_of_the_first() -> None:
    scene = Scene()
    for name, x in (("anna", 0.0), ("bob", 0.7)):
        person = Character(name=name, motion=standing(), start=(x, 0.0), heading_rad=0.0)
        scene = scene.with_character(person)
    scene = scene.with_task(touching("anna", (0.33, 1.15, 0.4), hand="left", at_s=2.5))
    scene = scene.with_task(touching("bob", (0.4, 1.2, 0.4), hand="right", at_s=2.5))
    result = perform(scene, options=CALM)
    assert result.status, result.reason
    assert [task.deed.time_s for task in result.tasks] == [pytest.approx(2.5), pytest.approx(2.5)]
    for name, hand, point in (("anna", "left", (0.33, 1.15, 0.4)), ("bob", "right", (0.4, 1.2, 0.4))):
        person = result.scene.character(name)
        at, turn = person.joint(f"{hand}_hand", [2.5])
        from understudy import rotations as rot

        assert np.linalg.norm(at[0] + rot.rotate(turn[0], person.palm(f"{hand}_hand")) - point) < 1e-3


def test_a_body_part_of_somebody_who_walks_is_touched() -> None:
    walk = performance("walk_slow", duration_s=5.0, fps=30.0).motion
    scene = Scene().with_character(Character(name="anna", motion=standing(), start=(0.0, 0.0), heading_rad=0.0))
    scene = scene.with_character(Character(name="bob", motion=walk, start=(0.62, -1.6), heading_rad=0.0))
    scene = scene.with_task(touching("anna", "bob.right_upper_arm", hand="left"))
    result = perform(scene, options=CALM)
    assert result.status, result.reason
    assert np.array_equal(result.motions["bob"].rotations, scene.character("bob").world_motion.rotations)


def test_what_cannot_be_done_is_named_and_the_rest_is_kept() -> None:
    scene = kitchen().with_task(touching("anna", (-0.3, 1.15, 0.4), hand="right", at_s=2.0, name="wave"))
    scene = scene.with_task(touching("anna", (-0.3, 3.15, 0.4), hand="right", at_s=4.0, name="ceiling"))
    result = perform(scene, options=HandlingOptions(gaze=False, backtracks=0))
    assert result.status is Status.INFEASIBLE_GOAL
    assert 'task 2 of 2 "ceiling"' in result.reason and "cm too far" in result.reason
    assert [bool(task.status) for task in result.tasks] == [True, False]
    assert not np.array_equal(result.motions["anna"].rotations, standing().rotations)


def test_a_deadline_is_kept() -> None:
    scene = kitchen().with_task(Task(character="anna", do="grab", object="cup"))
    result = perform(scene, options=HandlingOptions(deadline_s=0.001))
    assert result.status is Status.TIMED_OUT
    assert np.array_equal(result.motions["anna"].rotations, standing().rotations)


def test_nonsense_is_refused() -> None:
    with pytest.raises(PlanningInputError, match="no tasks"):
        perform(kitchen())
    with pytest.raises(PlanningInputError, match='nobody here can do "sit"'):
        perform(kitchen().with_task(Task(character="anna", do="sit", object="table")))
    asked = kitchen().with_task(Task(character="anna", do="grab", object="cup", style="low_arms"))
    with pytest.raises(PlanningInputError, match='did you mean "low_arm"'):
        perform(asked)
    with pytest.raises(PlanningInputError, match='for "ana"; did you mean "anna"'):
        perform(asked, motions={"ana": standing()})


def test_a_judge_who_rejects_everything_is_obeyed(monkeypatch) -> None:
    from understudy.api.handling_judge import HandlingJudge

    never = Violation(kind="claim", value=1.0, bar=0.0, detail="planted: never")
    monkeypatch.setattr(HandlingJudge, "__call__", lambda self, play, deed: [never])
    scene = Scene().with_object("ball", Sphere(radius_m=0.04), position=(-0.3, 1.15, 0.4))
    scene = scene.with_character(Character(name="anna", motion=standing()))
    scene = scene.with_task(touching("anna", (-0.3, 1.15, 0.3), hand="right", at_s=2.5))
    result = perform(scene, options=CALM)
    assert not result.status and "planted: never" in result.reason
    assert np.array_equal(result.motions["anna"].rotations, standing().rotations)


def test_a_skill_of_another_room_joins_in() -> None:
    seen: list[str] = []

    def sit(turn):
        seen.append(turn.task.do)
        yield deed_of(turn.task, turn.play, 1.0)

    scene = kitchen().with_task(Task(character="anna", do="sit", object="table"))
    result = perform(scene, skills={"sit": sit})
    assert result.status and seen == ["sit"]


def test_people_with_and_without_a_motion_are_planned_by_one_engine_in_the_order_of_the_file() -> None:
    scene = kitchen().with_character(Character(name="bob", start=(3.0, -2.0), heading_rad=0.0))
    scene = scene.with_task(Task(character="bob", do="walk_to", goal=(3.0, -0.5)))
    scene = scene.with_task(touching("anna", (-0.3, 1.15, 0.4), hand="right", at_s=2.0))
    scene = scene.with_task(Task(character="bob", do="walk_to", goal=(3.0, -40.0), name="away", by_s=2.0))
    result = perform(scene, options=CALM)
    assert [(one.task.character, bool(one.status)) for one in result.tasks] == [
        ("bob", True),
        ("anna", True),
        ("bob", False),
    ]
    assert result.reason.startswith('task 3 of 3 "away" (bob: walk_to): it is done at')
