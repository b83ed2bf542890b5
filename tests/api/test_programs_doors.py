"""Doors in programs: what comes after a door is done, wherever it leads; a door may be the first and the only task."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from understudy.api.performing import perform
from understudy.api.performing_result import PerformResult
from understudy.core import Motion
from understudy.errors import PlanningInputError
from understudy.limbs.handling import HandlingOptions
from understudy.performer import performance
from understudy.scene import Scene
from understudy.scene.characters import Character
from understudy.scene.tasks import Task
from understudy.skills.door.passing import STEP_RAD
from understudy.skills.door.room import door_room
from understudy.typing import FloatArray
from understudy.verify.goals import HingeGoal


def stage(*tasks: dict[str, object], hinge: str = "left", heading_rad: float | None = None) -> Scene:
    """Somebody before a door, who is to open it and then to do other things."""
    scene = door_room(hinge_side=hinge).with_character(  # type: ignore[arg-type]
        Character(name="anna", start=(-0.3, -2.6), heading_rad=heading_rad)
    )
    scene = scene.with_task(Task(character="anna", do="open_door", object="door"))
    for task in tasks:
        scene = scene.with_task(Task(character="anna", **task))  # type: ignore[arg-type]
    return scene


def ended(motion: Motion) -> tuple[FloatArray, float]:
    """Where somebody stands in the end (x, z) [m], between the feet, and where the hips face [rad]."""
    places, _ = motion.skeleton.placed_joints(motion.root_positions[-1], motion.rotations[-1])
    humanoid = motion.skeleton.humanoid
    feet = 0.5 * (places[humanoid["leftFoot"]] + places[humanoid["rightFoot"]])
    across = places[humanoid["leftUpperLeg"]] - places[humanoid["rightUpperLeg"]]
    return feet[[0, 2]], math.atan2(-across[2], across[0])


def done(scene: Scene, seed: int = 0) -> PerformResult:
    """The tasks, done."""
    result = perform(scene, options=HandlingOptions(seed=seed))
    assert result.status, result.reason
    assert [bool(one.status) for one in result.tasks] == [True] * len(scene.tasks)
    return result


@pytest.mark.parametrize(
    ("goals", "heading_deg"), [([(0.5, 2.4)], -60.0), ([(0.2, 2.2), (-1.4, 2.5)], 170.0), ([(0.0, 5.5)], None)]
)
def test_somebody_ends_at_the_last_goal_facing_where_they_are_asked_to(
    goals: list[tuple[float, float]], heading_deg: float | None
) -> None:
    tasks: list[dict[str, object]] = [{"do": "walk_to", "goal": goal} for goal in goals]
    if heading_deg is not None:
        tasks[-1]["heading_rad"] = math.radians(heading_deg)
    place, facing = ended(done(stage(*tasks)).motions["anna"])
    assert np.hypot(*(place - np.array(goals[-1]))) < 0.12
    if heading_deg is not None:
        assert abs(math.remainder(facing - math.radians(heading_deg), 2.0 * math.pi)) < math.radians(12.0)


@pytest.mark.parametrize("heading_rad", [None, 2.0])
def test_a_door_alone_is_opened_and_passed(heading_rad: float | None) -> None:
    result = done(stage(hinge="right", heading_rad=heading_rad))
    motion = result.motions["anna"]
    place, _ = ended(motion)
    assert place[1] > 1.0
    assert np.abs(result.scene.object("door").placement.angles([motion.duration_s])[0]) > 0.5  # type: ignore[union-attr]
    across = motion.frames(0, 1)
    facing = ended(across)[1]
    if heading_rad is not None:
        assert abs(math.remainder(facing - heading_rad, 2.0 * math.pi)) < math.radians(15.0)


def test_a_program_opens_a_door_as_far_as_it_is_asked_to_and_the_judge_looks() -> None:
    scene = stage()
    scene = replace(scene, tasks=(replace(scene.tasks[0], angle_rad=math.radians(64.0)),))
    result = done(scene)
    end = result.scene.object("door").placement.angles([result.motions["anna"].duration_s])[0]  # type: ignore[union-attr]
    assert end == pytest.approx(math.radians(64.0), abs=STEP_RAD)
    assert [goal.object for goal in result.claim.goals if isinstance(goal, HingeGoal)] == ["door"]


def test_who_has_a_motion_or_nowhere_to_start_from_is_told_why_no_door_is_opened() -> None:
    moving = performance("idle", duration_s=4.0).motion
    for who in (Character(name="anna", motion=moving), Character(name="anna")):
        scene = door_room().with_character(who).with_task(Task(character="anna", do="open_door", object="door"))
        with pytest.raises(PlanningInputError, match='on the way from the character\'s "start"'):
            perform(scene)
