"""From tasks of a scene file to steps of a program: a higher task becomes a few that skills know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from understudy.core.planning import Status
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.engine import NOT_REACHED, Done, Outcome, label
from understudy.skills.program.displacing import steps_of, within_reach

#: Kind of task -> the steps it is made of; further entries make further higher-level skills.
HIGHER: dict[str, Callable[[Task], tuple[Task, ...]]] = {}


HIGHER["displace"] = steps_of


@dataclass(frozen=True)
class Compiled:
    """Steps, and for each the number of the task it belongs to."""

    steps: tuple[Task, ...]
    of: tuple[int, ...]


def compiled(
    tasks: Sequence[Task],
    higher: dict[str, Callable[[Task], tuple[Task, ...]]] | None = None,
    *,
    scene: Scene | None = None,
) -> Compiled:
    """All tasks as steps.

    Args:
        tasks: Of a scene file.
        higher: Kind of task -> steps; :data:`HIGHER` unless given.
        scene: As it is in the beginning: what is moved along within reach is one step there.
    """
    table = HIGHER if higher is None else higher
    steps: list[Task] = []
    of: list[int] = []
    for index, task in enumerate(tasks):
        apart = task.do in table
        if scene is not None and task.do == "displace":
            moved = any(one.object == task.object for one in tasks[:index])
            apart = moved or not within_reach(scene, task)
        parts = table[task.do](task) if apart else (task,)
        steps += parts
        of += [index] * len(parts)
    return Compiled(steps=tuple(steps), of=tuple(of))


def gathered(outcome: Outcome, tasks: Sequence[Task], made: Compiled) -> Outcome:
    """An outcome of steps as one of tasks: a task is done when all its steps are."""
    entries = []
    for index, task in enumerate(tasks):
        mine = [one for one, of in zip(outcome.done, made.of, strict=True) if of == index]
        if len(mine) == 1:
            entries.append(replace(mine[0], task=task))
            continue
        failed = next((one for one in mine if not one.status), None)
        tried = sum(one.tried for one in mine)
        if failed is None:
            deed = None if mine[-1].deed is None else replace(mine[-1].deed, kind=task.do)
            entries.append(Done(task=task, status=Status.SOLVED, deed=deed, tried=tried))
        else:
            step = "" if failed.reason == NOT_REACHED else f"{failed.task.do}: "
            entries.append(Done(task=task, status=failed.status, reason=f"{step}{failed.reason}", tried=tried))
    missed = next((k for k, one in enumerate(entries) if not one.status and one.reason != NOT_REACHED), None)
    reason = "" if missed is None else f"{label(tasks, missed)}: {entries[missed].reason}"
    return replace(outcome, done=tuple(entries), reason=reason)
