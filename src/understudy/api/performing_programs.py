"""Programs: characters without a motion of their own walk, take, carry, put down and act, one task after the other."""

from __future__ import annotations

from collections.abc import Mapping

from understudy.api.evidence import Evidence
from understudy.api.handling_judge import HandlingJudge
from understudy.api.performing_judges import leg_judge
from understudy.api.performing_libraries import library_of, recorded_walks, skeletons_of
from understudy.api.performing_walks import WALKS
from understudy.api.skills import door_judge
from understudy.api.task_goals import opened_goal
from understudy.core.planning import Watch
from understudy.errors import PlanningInputError
from understudy.library import Library
from understudy.limbs.handling import KINDS, HandlingOptions, Play
from understudy.performer.person import Person
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.door.planning import Judge
from understudy.skills.program.acting import doer
from understudy.skills.program.caching import Cache
from understudy.skills.program.displacing import displace
from understudy.skills.program.doing import Doer, Means
from understudy.skills.program.doors import door_doer
from understudy.skills.program.hands import handle
from understudy.skills.program.legs import Legs
from understudy.skills.program.pointing import kick, point
from understudy.skills.program.pouring import pour
from understudy.skills.program.program import Program
from understudy.skills.program.walks import follow, walk
from understudy.verify.bars import Bars

#: Kind of task -> the skill that does it in a program.
SKILLS: dict[str, Doer] = {
    **dict.fromkeys(KINDS, handle),
    "displace": displace,
    "follow": follow,
    "kick": doer(kick),
    "point": doer(point),
    "pour": doer(pour),
    "walk_to": walk,
}


def performs_program(scene: Scene, task: Task, motions: Mapping[str, object]) -> bool:
    """Whether a task belongs to a program: its character has a start, but no motion.

    Who has a library and only walks is walked through all places at once; so is who has limbs freed after a walk.

    Raises:
        PlanningInputError: A door is to be opened by somebody who has a motion already, or nowhere to start from.
    """
    person = scene.character(task.character)
    if person.motion is not None or task.character in motions or person.start is None:
        if task.do == "open_door":
            raise PlanningInputError(
                f'{task.label}: a door is opened on the way from the character\'s "start", before it has a motion'
            )
        return False
    mine = [one for one in scene.tasks if one.character == task.character]
    if person.library and all(one.do in WALKS for one in mine):
        return False
    return not any(one.do == "correct" for one in mine)


def libraries_of(scene: Scene) -> dict[str, Library]:
    """Libraries of those who walk with one, by name."""
    return {one.name: library_of(one.library) for one in scene.characters if one.library}


def program_of(
    play: Play, evidence: Evidence, bars: Bars | None, options: HandlingOptions, watch: Watch, cache: Cache
) -> Program:
    """What the skills of a scene's programs share."""
    legs = Legs(
        judge=leg_judge(evidence, bars),
        seed=options.seed,
        recorded=recorded_walks(play.scene, bars, options.seed, Legs.fps),
    )
    judge = HandlingJudge(evidence, bars)
    return Program(
        means=Means(legs=legs, judge=judge, options=options, watch=watch),
        skeleton=Person().skeleton(),
        skeletons=skeletons_of(play.scene),
        cache=cache,
    )


def door_skill(play: Play, evidence: Evidence, bars: Bars | None) -> Doer:
    """The skill that opens doors, judged."""

    def judge(task: Task) -> Judge:
        hinge = opened_goal(play.scene, task.object, task.angle_rad, task.character)
        return door_judge(evidence, hinge=hinge, bars=bars)

    return door_doer(judge)
