"""Programs: characters without a motion of their own walk, take, carry, put down and act, one task after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from understudy.api.handling_judge import HandlingJudge
from understudy.api.performing_judges import final_faults, leg_judge
from understudy.api.performing_libraries import recorded_walks, skeletons_of
from understudy.api.performing_result import PerformResult, kept
from understudy.api.skills import judge_for
from understudy.core.planning import Status, Watch
from understudy.errors import PlanningInputError, nearest_name
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
    """
    person = scene.character(task.character)
    if person.motion is not None or task.character in motions or person.start is None:
        return False
    mine = [one for one in scene.tasks if one.character == task.character]
    if person.library and all(one.do in ("walk_to", "follow") for one in mine):
        return False
    # Doors alone have a runner of their own.
    only_doors = all(one.do in ("open_door", "walk_to") for one in mine) and any(one.do == "open_door" for one in mine)
    return not only_doors and not any(one.do in runners or one.do == "correct" for one in mine)


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
    outcome, fault = run_programs(before, tuple(own), bars, options, watch, doers=skills, cache=cache)
    done = {} if isinstance(first, Play) else {id(one.task): one for one in first.tasks}
    done |= {id(one.task): one for one in outcome.done}
    watch.report(1.0)
    return PerformResult(
        status=Status.EXHAUSTED if outcome.status and fault else outcome.status,
        scene=kept(outcome.play),
        tasks=tuple(done[id(task)] for task in tasks if id(task) in done),
        play=outcome.play,
        reason=outcome.reason or fault,
        stats=watch.stats(backtracks=outcome.backtracks, orders=1, ways=sum(one.tried for one in outcome.done)),
    )


def run_programs(
    play: Play,
    tasks: tuple[Task, ...],
    bars: Bars | None,
    options: HandlingOptions,
    watch: Watch,
    *,
    doers: Mapping[str, Doer] | None = None,
    cache: Cache | None = None,
) -> tuple[Outcome, str]:
    """Do the tasks of programs; the outcome, and what the judge says of everybody in the end.

    Deeds are first judged by what they change, as everything is judged in the end; where that finds fault they are
    done again, each judged as a whole.
    """
    asked = (play, tasks, bars, options, watch, dict(doers or {}))
    outcome, fault = _run(asked, Cache() if cache is None else cache, changes_only=True)
    if outcome.status and fault and watch.interrupted() is None:
        again, found = _run(asked, Cache(), changes_only=False)
        if again.status and not found:
            return again, found
    return outcome, fault


#: A play, tasks, bars, options, a watch and skills of one's own.
_Asked = tuple[Play, tuple[Task, ...], Bars | None, HandlingOptions, Watch, dict[str, Doer]]


def _run(asked: _Asked, cache: Cache, *, changes_only: bool) -> tuple[Outcome, str]:
    play, tasks, bars, options, watch, doers = asked
    means = Means(
        legs=Legs(
            judge=leg_judge(bars),
            seed=options.seed,
            recorded=recorded_walks(play.scene, bars, options.seed, Legs.fps),
        ),
        judge=lambda first: HandlingJudge(first, bars, changes_only=changes_only),
        options=options,
        watch=watch,
    )
    made = compiled(tasks, scene=play.scene)
    engine = Engine(
        doers={**DOERS, "open_door": door_doer(lambda goal: judge_for(goal, bars=bars)), **doers},
        means=means,
        skeleton=Person().skeleton(),
        skeletons=skeletons_of(play.scene),
        tasks=made.steps,
        first=play,
        cache=cache,
    )
    outcome = gathered(engine.run(), tasks, made)
    watch.stage("close")
    outcome = replace(outcome, play=engine.closed(outcome.play))
    if not outcome.status:
        return outcome, ""
    watch.stage("judge")
    found = final_faults(outcome.play, bars)
    return outcome, "; ".join(f'the judge did not pass "{name}": {said}' for name, said in found.items())
