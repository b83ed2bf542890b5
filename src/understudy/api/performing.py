"""``understudy.perform``: a scene's whole list of tasks, judged.

One engine does all tasks (``skills.engine``). A skill is a function from a turn (a task, and everything done so far) to
ways of doing it. Characters with a motion are changed on top of it; characters with a start and no motion perform
programs, from one place to the next. A planner of another room joins in by ``perform(..., skills={...})``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from understudy.api.evidence import Evidence
from understudy.api.handling_judge import HandlingJudge
from understudy.api.performing_programs import SKILLS, door_skill, libraries_of, performs_program, program_of
from understudy.api.performing_result import PerformResult, concluded
from understudy.api.performing_walks import WALKS, Walking
from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.errors import PlanningInputError, nearest_name
from understudy.limbs.handling import KINDS, HandlingOptions, Play
from understudy.limbs.handling.manners import MANNERS
from understudy.limbs.handling.two_holds import held_by_two
from understudy.scene.putting_back import with_places
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.engine import Engine, Outcome, Skill, label
from understudy.skills.on_motion import Correcting, Hands
from understudy.skills.program.caching import Cache
from understudy.skills.program.compiling import HIGHER, compiled, gathered
from understudy.verify.bars import Bars

#: [s] after which tasks are given up unless options say otherwise: at any rate, and for each task.
DEADLINE_S, TASK_DEADLINE_S = 120.0, 30.0
#: [s] how long the built-in performer stands around after the last moment asked for, and at least.
_LINGERS_S, _SHORTEST_S = 3.0, 8.0
#: Tasks that give a character a motion of its own.
_MOVING = (*WALKS, "open_door")
#: How often an earlier task may be done in another way while everything is tried briefly.
_BRIEF_BACKTRACKS = 6


def perform(
    scene: Scene,
    *,
    motions: Mapping[str, Motion] | None = None,
    bars: Bars | None = None,
    options: HandlingOptions | None = None,
    skills: Mapping[str, Callable[..., Iterator[Any]]] | None = None,
    cache: str | Path | Cache | None = None,
) -> PerformResult:
    """Do all tasks of a scene.

    Args:
        scene: Objects, characters and tasks.
        motions: Other motions for some characters, by name, where they stand in the world.
        bars: Bars to clear; the judge's own unless given.
        options: How to search. Without a ``deadline_s`` of their own it is two minutes and 30 s more for each task;
            ``math.inf`` is none.
        skills: More kinds of tasks, or other ways of doing them: functions of a :class:`understudy.skills.engine.Turn`
            for characters that have a motion; of who is where, the task and the means in programs (docs/programs.md).
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
    scene, given, more = with_places(scene), motions or {}, skills or {}
    actors = {task.character: None for task in scene.tasks if performs_program(scene, task, given)}
    play = opened(scene, given, leave=actors)
    _check(scene, actors, more)
    evidence = Evidence(scene, play.sources, libraries_of(scene))
    # Who has a motion already moves whatever the others do, so that is planned first.
    order = sorted(range(len(scene.tasks)), key=lambda index: scene.tasks[index].character in actors)
    made = compiled([scene.tasks[index] for index in order], scene=play.scene)
    kept_in = cache if isinstance(cache, Cache) else Cache(None if cache is None else Path(cache))
    program = program_of(play, evidence, bars, options, watch, kept_in)
    doers = {**SKILLS, "open_door": door_skill(play, evidence, bars), **more}
    judge = HandlingJudge(evidence, bars)

    def engine(chosen: HandlingOptions) -> Engine:
        upon = _on_motion(scene, judge, chosen, more)

        def skill_of(task: Task) -> Skill:
            return program.skill(doers[task.do]) if task.character in actors else upon[task.do]

        return engine_of(made.steps, play, skill_of, chosen, watch)

    outcome = gathered(searched(engine, options, watch), [scene.tasks[index] for index in order], made)
    watch.stage("close")
    outcome = replace(
        outcome,
        play=program.closed(outcome.play, actors),
        done=tuple(one for _, one in sorted(zip(order, outcome.done, strict=True), key=lambda pair: pair[0])),
    )
    return concluded(outcome, evidence, bars, watch, tasks=scene.tasks, standing=actors)


def engine_of(
    tasks: Sequence[Task], play: Play, skill_of: Callable[[Task], Skill], options: HandlingOptions, watch: Watch
) -> Engine:
    """The engine with what options say of it."""
    moving = [person.name for person in play.scene.characters if person.motion is not None]
    return Engine(
        tasks=tasks,
        first=play,
        skill_of=skill_of,
        watch=watch,
        backtracks=options.backtracks,
        orders=options.orders,
        moving=moving,
    )


def searched(engine: Callable[[HandlingOptions], Engine], options: HandlingOptions, watch: Watch) -> Outcome:
    """What an engine comes to; where only hands act, several tasks are tried briefly before any is tried thoroughly."""
    thorough = engine(options)
    alone = all(task.do in (*KINDS, "correct") and task.character in thorough.moving for task in thorough.tasks)
    if len(thorough.tasks) > 2 and options.attempts > 1 and alone:
        # What is tried thoroughly with a poor grip takes long: other grips are tried briefly before that.
        brief = replace(options, attempts=1, orders=1, backtracks=min(options.backtracks, _BRIEF_BACKTRACKS))
        outcome = engine(brief).run()
        if outcome.status or watch.interrupted() is not None:
            return outcome
    return thorough.run()


def _with_deadline(options: HandlingOptions, scene: Scene) -> HandlingOptions:
    if options.deadline_s is not None:
        return options
    return replace(options, deadline_s=DEADLINE_S + TASK_DEADLINE_S * len(scene.tasks))


def _on_motion(
    scene: Scene, judge: HandlingJudge, options: HandlingOptions, more: Mapping[str, Callable[..., Iterator[Any]]]
) -> dict[str, Skill]:
    """Kind of task -> the skill that does it on top of a motion."""
    return {
        **dict.fromkeys(KINDS, Hands(judge=judge, options=options)),
        "correct": Correcting(judge=lambda play, name: judge.report(play, name).violations, options=options),
        **dict.fromkeys(WALKS, Walking(scene=scene, options=options, bars=judge.bars)),
        **more,
    }


def _check(scene: Scene, actors: Collection[str], more: Mapping[str, Callable[..., Iterator[Any]]]) -> None:
    """Every task has a skill, and a manner somebody knows.

    Raises:
        PlanningInputError: One has not.
    """
    for index, task in enumerate(scene.tasks):
        acts = task.character in actors
        known = {*more, *((*HIGHER, *SKILLS, "open_door") if acts else (*KINDS, "correct", *WALKS))}
        where = label(scene.tasks, index)
        if task.do not in known:
            raise PlanningInputError(f'{where}: nobody here can do "{task.do}" yet; known: {", ".join(sorted(known))}')
        if acts and task.until_s is not None:
            raise PlanningInputError(f'{where}: "until" is not known in programs; "hold" says how long a hand stays')
        if task.style and task.do in (*KINDS, "correct") and task.style not in MANNERS:
            raise PlanningInputError(f'{where}: unknown style "{task.style}"; {nearest_name(task.style, MANNERS)}')


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
