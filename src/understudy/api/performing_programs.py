"""Programs: characters without a motion of their own walk, take, carry, put down and act, one task after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from understudy.api.evidence import Evidence
from understudy.api.handling_judge import HandlingJudge
from understudy.api.performing_judges import leg_judge
from understudy.api.performing_libraries import library_of, recorded_walks, skeletons_of
from understudy.api.performing_result import PerformResult, concluded
from understudy.api.skills import door_judge
from understudy.api.task_goals import opened_goal
from understudy.core.planning import Watch
from understudy.errors import PlanningInputError, nearest_name
from understudy.library import Library
from understudy.limbs.handling import KINDS, HandlingOptions, Outcome, Play
from understudy.limbs.handling.manners import MANNERS
from understudy.performer.person import Person
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.program.acting import doer
from understudy.skills.program.caching import Cache
from understudy.skills.program.compiling import HIGHER, compiled, gathered
from understudy.skills.program.displacing import displace
from understudy.skills.program.doing import Doer, Means
from understudy.skills.program.doors import door_doer
from understudy.skills.program.engine import Engine, label
from understudy.skills.program.hands import handle
from understudy.skills.program.legs import Legs
from understudy.skills.program.pointing import kick, point
from understudy.skills.program.pouring import pour
from understudy.skills.program.walks import follow, walk
from understudy.verify.bars import Bars

#: Kind of task -> the skill that does it in a program.
DOERS: dict[str, Doer] = {
    **dict.fromkeys(KINDS, handle),
    "displace": displace,
    "follow": follow,
    "kick": doer(kick),
    "point": doer(point),
    "pour": doer(pour),
    "walk_to": walk,
}


def programmed(scene: Scene, task: Task, motions: Mapping[str, object], runners: Mapping[str, object]) -> bool:
    """Whether a task belongs to a program: its character has a start, but no motion and no other runner.

    Who has a library and only walks is walked through all places at once.

    Raises:
        PlanningInputError: A door is to be opened by somebody who has a motion already, or nowhere to start from.
    """
    person = scene.character(task.character)
    if person.motion is not None or task.character in motions or person.start is None:
        if task.do == "open_door" and task.do not in runners:
            raise PlanningInputError(
                f'{task.label}: a door is opened on the way from the character\'s "start", before it has a motion'
            )
        return False
    mine = [one for one in scene.tasks if one.character == task.character]
    if person.library and all(one.do in ("walk_to", "follow") for one in mine):
        return False
    return not any(one.do in runners or one.do == "correct" for one in mine)


def checked(tasks: Sequence[Task], skills: Mapping[str, Doer]) -> None:
    """Every task of a program has a skill, and a manner somebody knows.

    Raises:
        PlanningInputError: One has not.
    """
    known = {*HIGHER, *DOERS, "open_door", *skills}
    for index, task in enumerate(tasks):
        if task.do not in known:
            raise PlanningInputError(
                f'{label(tasks, index)}: nobody here can do "{task.do}" yet; known: {", ".join(sorted(known))}'
            )
        if task.until_s is not None:
            raise PlanningInputError(
                f'{label(tasks, index)}: "until" is not known in programs; "hold" says how long a hand stays'
            )
        if task.style and task.do in KINDS and task.style not in MANNERS:
            hint = nearest_name(task.style, MANNERS)
            raise PlanningInputError(f'{label(tasks, index)}: unknown style "{task.style}"; {hint}')


def after(
    first: PerformResult | Play,
    tasks: Sequence[Task],
    own: Sequence[Task],
    bars: Bars | None,
    options: HandlingOptions,
    watch: Watch,
    skills: Mapping[str, Doer],
    cache: Cache | None = None,
) -> PerformResult:
    """Programs, after everything that is done on top of motions."""
    before = first if isinstance(first, Play) else first.play
    given = dict(before.sources)
    evidence = Evidence(replace(before.scene, tasks=tuple(tasks)), given, libraries_of(before.scene))
    outcome = run_programs(before, tuple(own), evidence, bars, options, watch, doers=skills, cache=cache)
    done = {} if isinstance(first, Play) else {id(one.task): one for one in first.tasks}
    done |= {id(one.task): one for one in outcome.done}
    whole = replace(outcome, done=tuple(done[id(task)] for task in tasks if id(task) in done))
    standing = {task.character for task in own}
    return concluded(whole, evidence, bars, watch, tasks=tasks, standing=standing)


def evidence_for(scene: Scene, play: Play) -> Evidence:
    """Everybody's evidence before anything is planned: what they were given, or what they walk with."""
    return Evidence(scene, play.sources, libraries_of(scene))


def libraries_of(scene: Scene) -> dict[str, Library]:
    """Libraries of those who walk with one, by name."""
    return {one.name: library_of(one.library) for one in scene.characters if one.library}


def run_programs(
    play: Play,
    tasks: tuple[Task, ...],
    evidence: Evidence,
    bars: Bars | None,
    options: HandlingOptions,
    watch: Watch,
    *,
    doers: Mapping[str, Doer] | None = None,
    cache: Cache | None = None,
) -> Outcome:
    """Do the tasks of programs."""
    means = Means(
        legs=Legs(
            judge=leg_judge(evidence, bars),
            seed=options.seed,
            recorded=recorded_walks(play.scene, bars, options.seed, Legs.fps),
        ),
        judge=lambda first: HandlingJudge(evidence, bars),
        options=options,
        watch=watch,
    )
    made = compiled(tasks, scene=play.scene)
    engine = Engine(
        doers={
            **DOERS,
            "open_door": door_doer(
                lambda task: door_judge(
                    evidence, hinge=opened_goal(play.scene, task.object, task.angle_rad, task.character), bars=bars
                )
            ),
            **(doers or {}),
        },
        means=means,
        skeleton=Person().skeleton(),
        skeletons=skeletons_of(play.scene),
        tasks=made.steps,
        first=play,
        cache=Cache() if cache is None else cache,
    )
    outcome = gathered(engine.run(), tasks, made)
    watch.stage("close")
    return replace(outcome, play=engine.closed(outcome.play))
