"""After-conditions of tasks as goals the judge looks at in the whole performance."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.limbs.handling import Done
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.verify.goals import Goal


def task_goals(tasks: Sequence[Task], done: Sequence[Done], scene: Scene) -> list[Goal]:
    """Where everybody has to be, and where things have to rest."""
    return []
