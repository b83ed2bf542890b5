"""``understudy.perform``: a scene's whole list of tasks, judged.

Tasks are done one after the other, each on top of everything before it. Hands' tasks (``limbs.handling.KINDS``) are
searched with back-tracking; every other kind has a runner in :data:`RUNNERS`, a function from what has been done so far
to ways of doing the task, best first. A planner of another room joins in by another entry there, or by
``perform(..., runners={...})``. Characters with a start and no motion perform programs: ``performing_programs``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from understudy.api.handling_judge import HandlingJudge
from understudy.api.performing_programs import after, checked, evidence_for, programmed
from understudy.api.performing_result import PerformResult, concluded
from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.errors import PlanningInputError, nearest_name
from understudy.limbs.handling import (
    KINDS,
    Deed,
    HandlingOptions,
    Notes,
    Play,
    Refusal,
    Times,
    in_sequence,
)
from understudy.limbs.handling.grips import Orientation
from understudy.limbs.handling.manners import MANNERS
from understudy.limbs.handling.sequence import Runner
from understudy.limbs.handling.two_holds import held_by_two
from understudy.scene.putting_back import with_places
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.program.caching import Cache
from understudy.skills.program.doing import Doer
from understudy.verify.bars import Bars

#: [s] after which tasks are given up unless options say otherwise: at any rate, and for each task.
DEADLINE_S, TASK_DEADLINE_S = 120.0, 30.0
#: [s] how long the built-in performer stands around after the last moment asked for, and at least.
_LINGERS_S, _SHORTEST_S = 3.0, 8.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Setting:
    """What runners are given beside the play.

    Attributes:
        scene: The scene as it was handed in, with its tasks.
        judge: Says why a deed will not do.
        options: How to search.
        bars: Bars to clear.
    """

    scene: Scene
    judge: HandlingJudge
    options: HandlingOptions
    bars: Bars | None = None


#: Tasks that give a character a motion of its own.
_MOVING = ("walk_to", "follow", "open_door")

#: Makes the runner of one kind of task.
MakesRunner = Callable[[Setting], Runner]


def perform(
    scene: Scene,
    *,
    motions: Mapping[str, Motion] | None = None,
    bars: Bars | None = None,
    options: HandlingOptions | None = None,
    runners: Mapping[str, MakesRunner] | None = None,
    skills: Mapping[str, Doer] | None = None,
    cache: str | Path | Cache | None = None,
) -> PerformResult:
    """Do all tasks of a scene.

    Args:
        scene: Objects, characters and tasks.
        motions: Other motions for some characters, by name, where they stand in the world.
        bars: Bars to clear; the judge's own unless given.
        options: How to search. Without a ``deadline_s`` of their own it is two minutes and 30 s more for each task;
            ``math.inf`` is none.
        runners: More kinds of tasks on top of motions, or other ways of doing them.
        skills: More kinds of tasks in programs, or other ways of doing them; see docs/skills.md.
        cache: A folder in which tasks of programs that were done are kept; what did not change is not planned again.

    Returns:
        ``SOLVED`` only when everything is done and judged; otherwise what could be done, and what failed and why.

    Raises:
        PlanningInputError: The scene asks for something that makes no sense.
    """
    options = _with_deadline(options or HandlingOptions(), scene)
    watch = options.watch()
    watch.stage("prepare")
    if not scene.tasks:
        raise PlanningInputError("the scene has no tasks; there is nothing to perform")
    scene, given = with_places(scene), motions or {}
    own = [task for task in scene.tasks if programmed(scene, task, given, runners or {})]
    if not own:
        return _on_motions(scene, given, bars, options, runners, watch)
    checked(own, skills or {})
    names = {task.character for task in own}
    rest = replace(scene, tasks=tuple(task for task in scene.tasks if task.character not in names))
    first: PerformResult | Play = opened(rest, given, leave=names)
    if rest.tasks:
        first = _on_motions(rest, given, bars, options, runners, watch, leave=names)
    if isinstance(first, PerformResult) and not first.status:
        return first
    kept_in = cache if cache is None or isinstance(cache, Cache) else Cache(Path(cache))
    return after(first, scene.tasks, own, bars, options, watch, skills or {}, kept_in)


def _with_deadline(options: HandlingOptions, scene: Scene) -> HandlingOptions:
    if options.deadline_s is not None:
        return options
    return replace(options, deadline_s=DEADLINE_S + TASK_DEADLINE_S * len(scene.tasks))


def _on_motions(
    scene: Scene,
    motions: Mapping[str, Motion],
    bars: Bars | None,
    options: HandlingOptions,
    runners: Mapping[str, MakesRunner] | None,
    watch: Watch,
    *,
    leave: Collection[str] = (),
) -> PerformResult:
    """Tasks on top of motions that are there, or of one walk."""
    play = opened(scene, motions, leave=leave)
    evidence = evidence_for(scene, play)
    judge = HandlingJudge(evidence, bars)
    makers = {**RUNNERS, **(runners or {})}
    _check_kinds(scene, makers)

    setting = Setting(scene=scene, judge=judge, options=options, bars=bars)
    outcome = in_sequence(
        play,
        [_mannered(task) for task in scene.tasks],
        judge,
        options,
        watch,
        orientations=_orientations(scene.tasks),
        runners={kind: make(setting) for kind, make in makers.items()},
    )
    return concluded(outcome, evidence, bars, watch, tasks=scene.tasks)


def opened(scene: Scene, motions: Mapping[str, Motion], *, leave: Collection[str] = ()) -> Play:
    """The play before anything is done: everybody has a motion but those who are still to walk, or are left out.

    Raises:
        PlanningInputError: A motion is for nobody in the scene.
    """
    names = [person.name for person in scene.characters]
    for name in motions:
        if name not in names:
            raise PlanningInputError(f'a motion is for "{name}"; {nearest_name(name, names) or "the scene has nobody"}')
    staged = replace(scene, tasks=())
    sources: dict[str, Motion] = {}
    for person in scene.characters:
        if person.name in leave:
            continue
        motion = motions.get(person.name)
        walks = any(task.character == person.name and task.do in _MOVING for task in scene.tasks)
        if motion is None and person.motion is None:
            if walks:
                continue
            motion = _standing(scene, person.name)
        if motion is not None:
            placed = replace(person, motion=motion, motion_file="", performed=None, library="", body=None)
            motion = placed.world_motion
        else:
            motion = person.world_motion
        staged = staged.with_motion(person.name, motion, start_s=person.start_s)
        sources[person.name] = _source(motion)
    return Play(scene=staged, sources=sources, spans=held_by_two(staged))


def _source(motion: Motion) -> Motion:
    """The clip that only limbs of a motion were changed in: what they go back to. The motion itself without one."""
    for clip in motion.evidence:
        same = clip.fps == motion.fps and clip.skeleton.names == motion.skeleton.names
        if same and np.array_equal(clip.root_positions, motion.root_positions):
            return clip
    return motion


def _standing(scene: Scene, name: str) -> Motion:
    """The built-in performer standing until everything is done."""
    from understudy.performer import performance

    asked = [time for task in scene.tasks for time in (task.at_s, task.by_s, task.until_s) if time is not None]
    return performance("idle", duration_s=max([_SHORTEST_S, *(time + _LINGERS_S for time in asked)])).motion


def _check_kinds(scene: Scene, runners: Mapping[str, MakesRunner]) -> None:
    known = (*KINDS, *runners)
    for task in scene.tasks:
        if task.do not in known:
            raise PlanningInputError(
                f'{task.label}: nobody here can do "{task.do}" yet; known: {", ".join(sorted(known))}'
            )


def _mannered(task: Task) -> Task:
    """The task, with its manner known.

    Raises:
        PlanningInputError: Nobody knows the manner.
    """
    if task.style and task.do in (*KINDS, "correct") and task.style not in MANNERS:
        raise PlanningInputError(f'{task.label}: unknown style "{task.style}"; {nearest_name(task.style, MANNERS)}')
    return task


def _orientations(tasks: tuple[Task, ...]) -> dict[int, Orientation]:
    return {
        index: Orientation(fingers=task.fingers, palm=task.palm)
        for index, task in enumerate(tasks)
        if task.fingers is not None or task.palm is not None
    }


def _correcting(setting: Setting) -> Runner:
    """Free limbs from what they touch (``limbs.correct``)."""

    def run(play: Play, task: Task, times: Times, notes: Notes, watch: Watch) -> Iterator[Deed]:
        from understudy.limbs import correct
        from understudy.limbs.trace import LimbTrace

        name = task.character

        def after(motion: Motion, trace: LimbTrace) -> Play:
            scene = play.scene.with_motion(name, motion, start_s=play.scene.character(name).start_s)
            return play.done(scene, limbs=trace.planned, character=name)

        def judged(motion: Motion, trace: LimbTrace) -> str:
            return setting.judge.of_character(after(motion, trace), name)

        wanted = replace(setting.options, style={**setting.options.style, **MANNERS.get(task.style, {})})
        limbs = task.limbs or None
        result = correct(play.motion(name), play.scene, limbs=limbs, character=name, judge=judged, options=wanted)
        if not result.status or result.motion is None or result.trace is None:
            notes.add(Refusal(status=result.status, reason=result.reason))
            return
        changes = result.trace.changes
        yield Deed(
            kind=task.do,
            character=name,
            hands=(),
            object="",
            time_s=changes[0].start_s if changes else play.scene.character(name).start_s,
            marks=(),
            limbs=result.trace.planned,
            changes=changes,
            rules=(),
            play=after(result.motion, result.trace),
        )

    return run


def _walking(setting: Setting) -> Runner:
    """Walk to the last goal of a character by way of its earlier ones (``understudy.walk``)."""
    from understudy.api.performing_walks import walking_runner

    return walking_runner(setting.scene, setting.bars, setting.options)


#: Kind of task -> who does it, beside what hands do.
RUNNERS: dict[str, MakesRunner] = {
    "correct": _correcting,
    "follow": _walking,
    "walk_to": _walking,
}
