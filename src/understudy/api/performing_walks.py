"""Walking tasks of a scene through ``understudy.walk``: all of a character's in one walk, hands come after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from understudy.api.builtin_library import builtin_library
from understudy.api.walking import walk
from understudy.core.planning import Result
from understudy.errors import PlanningInputError
from understudy.library import Library, load_library
from understudy.limbs.handling import Deed, HandlingOptions, Play
from understudy.locomotion import WalkOptions, WalkTrace
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.engine import Turn, deed_of
from understudy.verify.bars import Bars

#: Kinds of tasks that are walked.
WALKS = ("walk_to", "follow")


@dataclass(frozen=True, eq=False, kw_only=True)
class Walking:
    """The skill that walks a character through all its walking tasks at the first of them.

    Attributes:
        scene: The scene as it was handed in, with its tasks.
        options: How to search.
        bars: Bars to clear; the judge's own unless given.
    """

    scene: Scene
    options: HandlingOptions
    bars: Bars | None = None

    def __call__(self, turn: Turn) -> Iterator[Deed]:
        """The one walk through all places."""
        play, task, name = turn.play, turn.task, turn.task.character
        start_s = self.scene.character(name).start_s
        if play.scene.character(name).motion is None:
            turn.watch.stage("walk")
            left = WalkOptions(seed=self.options.seed, deadline_s=turn.watch.left_s(), cancel=self.options.cancel)
            result = self._walked(play, name, left)
            if not result.status or result.motion is None:
                turn.refuse(result.reason, result.status)
                return
            staged = play.scene.with_motion(name, result.motion, start_s=start_s)
            play = replace(play, scene=staged, sources={**play.sources, name: result.motion})
        yield deed_of(task, play, start_s)

    def _walked(self, play: Play, name: str, options: WalkOptions) -> Result[WalkTrace]:
        """One walk through all places.

        Raises:
            PlanningInputError: There is nowhere to start from, or a task has no place.
        """
        person = self.scene.character(name)
        walks = [one for one in self.scene.tasks if one.character == name and one.do in WALKS]
        points = [point for task in walks for point in _points(task)]
        if person.start is None:
            raise PlanningInputError(f'character "{name}" has no start to walk from')
        start: list[float] = [*person.start]
        if person.heading_rad is not None:
            start.append(float(np.degrees(person.heading_rad)))
        goal: list[float] = [*points[-1]]
        if walks[-1].heading_rad is not None:
            goal.append(float(np.degrees(walks[-1].heading_rad)))
        library, others = _library(person.library), play.scene.without(name)
        return walk(library, others, start=start, goal=goal, via=points[:-1], bars=self.bars, options=options)


def _points(task: Task) -> list[tuple[float, float]]:
    if task.do == "follow":
        return list(task.path)
    if task.goal is not None:
        return [*task.via, task.goal]
    raise PlanningInputError(f"{task.label}: walking up to an object needs a planner of places; give a goal (x, z)")


def _library(path: str) -> Library:
    return load_library(path) if path else builtin_library()
