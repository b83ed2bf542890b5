"""After-conditions of tasks as goals the judge looks at in the whole performance."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from understudy.scene.placements import Hinge
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.door.passing import LEAST_RAD
from understudy.skills.engine import Done
from understudy.skills.program.walks import AFTER_S
from understudy.verify.goals import FloorGoal, Goal, HingeGoal
from understudy.verify.resting import RestGoal


def task_goals(
    tasks: Sequence[Task], done: Sequence[Done], scene: Scene, *, standing: Collection[str] = ()
) -> list[Goal | RestGoal]:
    """Where everybody has to be and to face, what things have to lie on, and which doors stand open.

    Args:
        tasks: What was asked.
        done: What became of it.
        scene: Everybody's motion.
        standing: Characters who stand where a walk ends; the others walk through all places at once and only their
            last one is an end.
    """
    goals: list[Goal | RestGoal] = []
    for index, task in enumerate(tasks):
        one = next((known for known in done if known.task is task), None)
        if one is None or one.deed is None:
            continue
        later = tasks[index + 1 :]
        own = [other for other in later if other.character == task.character]
        if task.do == "walk_to" and task.goal is not None:
            if task.character in standing:
                goals.append(_stands(task, one.deed.time_s, scene, last=not own))
            elif all(other.do not in ("walk_to", "follow") for other in own):
                goals.append(_floor_goal(task, None, standing=False))
        if task.do == "open_door" and all(other.object != task.object for other in later):
            door = opened_goal(scene, task.object, task.angle_rad, task.character)
            goals += [] if door is None else [door]
        on = task.target if task.do in ("place", "displace") else None
        if isinstance(on, str) and "." not in on and all(other.object != task.object for other in later):
            goals.append(RestGoal(object=task.object, on=on, character=task.character))
    return goals


def opened_goal(scene: Scene, name: str, angle_rad: float | None, character: str) -> HingeGoal | None:
    """A door that ends at an angle, or open as far as it has to be to be let go; none where it falls shut."""
    hinge = scene.object(name).placement
    if not isinstance(hinge, Hinge) or hinge.self_closing:
        return None
    if angle_rad is not None:
        return HingeGoal(object=name, angle_rad=angle_rad, character=character)
    low, high = hinge.range_rad
    least = LEAST_RAD if high >= -low else -LEAST_RAD
    return HingeGoal(object=name, angle_rad=least, least=True, character=character)


def _stands(task: Task, time_s: float, scene: Scene, *, last: bool) -> FloorGoal:
    """Where somebody stands when a walk is done; after the last task, in the end."""
    person = scene.character(task.character)
    when = min(max(time_s + AFTER_S - person.start_s, 0.0), person.world_motion.duration_s)
    return _floor_goal(task, None if last else when, standing=True)


def _floor_goal(task: Task, time_s: float | None, *, standing: bool) -> FloorGoal:
    assert task.goal is not None
    return FloorGoal(
        position=(float(task.goal[0]), float(task.goal[1])),
        heading_rad=task.heading_rad,
        time_s=time_s,
        character=task.character,
        standing=standing,
    )
