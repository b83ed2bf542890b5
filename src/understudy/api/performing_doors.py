"""Doors of a scene through ``understudy.open_door``: walk up, open, pass and go on to the next goal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from understudy.api.performing_libraries import skeletons_of
from understudy.api.evidence import Evidence
from understudy.api.skills import door_judge
from understudy.core.planning import Watch
from understudy.errors import PlanningInputError
from understudy.limbs.handling import Deed, HandlingOptions, Notes, Play, Refusal, Times
from understudy.limbs.handling.sequence import Runner
from understudy.performer.person import Person
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.door.layout import door_of
from understudy.skills.door.options import DoorOptions
from understudy.skills.door.planning import Wish, open_door
from understudy.typing import FloatArray
from understudy.verify.bars import Bars

#: [m] how far beyond a door somebody walks who has nowhere to go.
_BEYOND_M = 1.8


def door_runner(scene: Scene, bars: Bars | None, options: HandlingOptions) -> Runner:
    """A runner that opens a door on the way to the character's next walking goal."""

    def run(play: Play, task: Task, times: Times, notes: Notes, watch: Watch) -> Iterator[Deed]:
        person = scene.character(task.character)
        if person.start is None or play.scene.character(task.character).motion is not None:
            raise PlanningInputError(
                f'{task.label}: a door is opened on the way from the character\'s "start", before it has a motion'
            )
        watch.stage("door")
        start = np.array(person.start)
        goal = _goal(scene, task, start)
        chosen = DoorOptions(seed=options.seed, deadline_s=watch.left_s(), cancel=options.cancel)
        if task.hand is not None:
            chosen = replace(chosen, hands=(task.hand,))
        wish = Wish(
            scene=play.scene,
            door=task.object,
            skeleton=skeletons_of(scene).get(task.character, Person().skeleton()),
            start=start,
            goal=goal,
            start_heading_rad=person.heading_rad,
            character=task.character,
            handle=task.handle,
        )
        result = open_door(wish, judge=door_judge(Evidence(scene, {}, {}), goal=goal, bars=bars), options=chosen)
        trace = result.trace
        if not result.status or result.motion is None or trace is None or trace.opened is None or trace.scene is None:
            notes.add(Refusal(status=result.status, reason=result.reason))
            return
        staged = trace.scene.with_motion(task.character, result.motion, start_s=person.start_s)
        sources = {**play.sources, task.character: trace.opened.walk}
        yield Deed(
            kind=task.do,
            character=task.character,
            hands=(trace.opened.timeline.hand,),
            object=task.object,
            time_s=trace.opened.timeline.grab_s + person.start_s,
            marks=(),
            limbs=(),
            changes=(),
            rules=trace.opened.rules,
            play=replace(play, scene=staged, sources=sources),
        )

    return run


def _goal(scene: Scene, task: Task, start: FloatArray) -> FloatArray:
    """Where the character goes next, or a little beyond the door."""
    mine = [one for one in scene.tasks if one.character == task.character]
    for later in mine[mine.index(task) + 1 :]:
        if later.do == "walk_to" and later.goal is not None:
            return np.array(later.goal)
    door = door_of(scene, task.object, start, handle=task.handle)
    return np.asarray(door.middle + _BEYOND_M * door.through)
