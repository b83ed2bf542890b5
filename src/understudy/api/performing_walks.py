"""Walking tasks of a scene through ``understudy.walk``: all of a character's in one walk, hands come after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from understudy.api.walking import walk
from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.errors import PlanningInputError
from understudy.library import Library, build_library, load_library
from understudy.limbs.handling import Deed, HandlingOptions, Notes, Play, Refusal, Times
from understudy.limbs.handling.sequence import Runner
from understudy.locomotion import WalkOptions
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.verify.bars import Bars


def walking_runner(scene: Scene, bars: Bars | None, options: HandlingOptions) -> Runner:
    """A runner that walks a character through all its walking tasks at the first of them."""

    def run(play: Play, task: Task, times: Times, notes: Notes, watch: Watch) -> Iterator[Deed]:
        walks = [one for one in scene.tasks if one.character == task.character and one.do in ("walk_to", "follow")]
        if play.scene.character(task.character).motion is not None:
            yield _deed(task, play)
            return
        watch.stage("walk")
        left = WalkOptions(seed=options.seed, deadline_s=watch.left_s(), cancel=options.cancel)
        motion, refusal = _walked(play, walks, scene, bars, left)
        if motion is None:
            notes.add(refusal)
            return
        staged = play.scene.with_motion(task.character, motion, start_s=scene.character(task.character).start_s)
        yield _deed(task, replace(play, scene=staged, sources={**play.sources, task.character: motion}))

    return run


def _walked(
    play: Play, walks: Sequence[Task], scene: Scene, bars: Bars | None, options: WalkOptions
) -> tuple[Motion | None, Refusal]:
    """One walk through all places, or why there is none."""
    person = scene.character(walks[0].character)
    points = [point for task in walks for point in _points(task, scene)]
    if person.start is None:
        raise PlanningInputError(f'character "{person.name}" has no start to walk from')
    start: list[float] = [*person.start]
    if person.heading_rad is not None:
        start.append(float(np.degrees(person.heading_rad)))
    goal: list[float] = [*points[-1]]
    if walks[-1].heading_rad is not None:
        goal.append(float(np.degrees(walks[-1].heading_rad)))
    others = play.scene.without(person.name)
    result = walk(
        _library(person.library),
        others,
        start=start,
        goal=goal,
        via=points[:-1],
        bars=bars,
        options=options,
    )
    return result.motion if result.status else None, Refusal(status=result.status, reason=result.reason)


def _points(task: Task, scene: Scene) -> list[tuple[float, float]]:
    if task.do == "follow":
        return list(task.path)
    if task.goal is not None:
        return [*task.via, task.goal]
    raise PlanningInputError(f"{task.label}: walking up to an object needs a planner of places; give a goal (x, z)")


def _library(path: str) -> Library:
    from understudy.performer import builtin_clips

    return load_library(path) if path else build_library(builtin_clips("walk"))


def _deed(task: Task, play: Play) -> Deed:
    person = play.scene.character(task.character)
    return Deed(
        kind=task.do,
        character=task.character,
        hands=(),
        object="",
        time_s=person.start_s,
        marks=(),
        limbs=(),
        changes=(),
        rules=(),
        play=play,
    )
