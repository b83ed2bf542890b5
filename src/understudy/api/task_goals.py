"""After-conditions of tasks as goals the judge looks at in the whole performance."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.limbs.handling import Done
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.program.walks import AFTER_S
from understudy.verify.goals import FloorGoal
from understudy.verify.resting import RestGoal


def task_goals(tasks: Sequence[Task], done: Sequence[Done], scene: Scene) -> list[FloorGoal | RestGoal]:
    """Where everybody has to stand and face, and what things have to lie on."""
    goals: list[FloorGoal | RestGoal] = []
    for index, task in enumerate(tasks):
        one = next((known for known in done if known.task is task), None)
        if one is None or one.deed is None:
            continue
        later = tasks[index + 1 :]
        if task.do == "walk_to" and task.goal is not None:
            last = all(other.character != task.character for other in later)
            goals.append(_stands(task, one.deed.time_s, scene, last=last))
        on = task.target if task.do in ("place", "displace") else None
        if isinstance(on, str) and "." not in on and all(other.object != task.object for other in later):
            goals.append(RestGoal(object=task.object, on=on, character=task.character))
    return goals


def _stands(task: Task, time_s: float, scene: Scene, *, last: bool) -> FloorGoal:
    """Where somebody stands when a walk is done; after the last task, in the end."""
    assert task.goal is not None
    person = scene.character(task.character)
    when = min(max(time_s + AFTER_S - person.start_s, 0.0), person.world_motion.duration_s)
    return FloorGoal(
        position=(float(task.goal[0]), float(task.goal[1])),
        heading_rad=task.heading_rad,
        time_s=None if last else when,
        character=task.character,
        standing=True,
    )
