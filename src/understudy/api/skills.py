"""``understudy.open_door``: the door skill, judged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from understudy.api.evidence import Evidence
from understudy.api.task_goals import opened_goal
from understudy.api.verdict import Verdict
from understudy.core.planning import Result
from understudy.core.skeleton import Skeleton
from understudy.core.violations import Violation
from understudy.locomotion.query import spot
from understudy.performer.person import Person
from understudy.scene.scene import Scene
from understudy.skills.door.making import Opened
from understudy.skills.door.options import DoorOptions
from understudy.skills.door.planning import DoorTrace, Judge, Wish
from understudy.skills.door.planning import open_door as plan
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim, made_claim
from understudy.verify.goals import FloorGoal, Goal, HingeGoal
from understudy.verify.judge import verify


def open_door(
    scene: Scene,
    door: str,
    *,
    start: Sequence[float] | npt.ArrayLike,
    goal: Sequence[float] | npt.ArrayLike,
    person: Person | Skeleton | None = None,
    character: str = "performer",
    handle: str = "",
    angle_rad: float | None = None,
    bars: Bars | None = None,
    options: DoorOptions | None = None,
) -> Result[DoorTrace]:
    """Walk up to a door, open it, pass it and walk on.

    Args:
        scene: The scene with its closed door: a hinged object with a handle on each side.
        door: Its name.
        start: ``(x, z)`` [m] or ``(x, z, degrees)``.
        goal: ``(x, z)`` [m] on the other side.
        person: Proportions, or any humanoid skeleton; the built-in performer's unless given.
        character: Name of the character in the scene.
        handle: Which handle; the one on this side unless given.
        angle_rad: The hinge's angle in the end [rad]; as far as is needed unless given.
        bars: Bars to clear; the judge's own unless given.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion the judge has passed. ``trace.scene`` is the scene with the door in motion.
    """
    begin, end = spot(start, "start"), spot(goal, "goal")
    skeleton = person if isinstance(person, Skeleton) else _skeleton(person or Person())
    wish = Wish(
        scene=scene,
        door=door,
        skeleton=skeleton,
        start=begin.point,
        goal=end.point,
        start_heading_rad=begin.heading_rad,
        character=character,
        handle=handle,
        angle_rad=angle_rad,
    )
    evidence = Evidence(scene, {}, {})
    hinge = opened_goal(scene, door, angle_rad, character)
    result = plan(wish, judge=door_judge(evidence, goal=end.point, hinge=hinge, bars=bars), options=options)
    trace = result.trace
    if not result.status or trace is None or trace.opened is None or trace.scene is None:
        return result
    claim = claim_of(trace.opened, trace.scene, evidence, goal=end.point, hinge=hinge, bars=bars)
    return Verdict(lambda motion, _: claim).settled(result)


def door_judge(
    evidence: Evidence,
    *,
    goal: npt.ArrayLike | None = None,
    hinge: HingeGoal | None = None,
    bars: Bars | None = None,
) -> Judge:
    """The judge of opened doors: says what is wrong with one, or nothing."""

    def judge(made: Opened, scene: Scene) -> Sequence[Violation]:
        return verify(claim_of(made, scene, evidence, goal=goal, hinge=hinge, bars=bars)).violations

    return judge


def claim_of(
    made: Opened,
    scene: Scene,
    evidence: Evidence,
    *,
    goal: npt.ArrayLike | None = None,
    hinge: HingeGoal | None = None,
    bars: Bars | None = None,
) -> Claim:
    """What an opened door claims: who opens it arrives, and it ends where it should."""
    name, goals = made.motion.name, list[Goal]([] if hinge is None else [hinge])
    if goal is not None:
        x, z = (float(value) for value in np.asarray(goal))
        goals.append(FloorGoal(position=(x, z), character=name))
    return made_claim(
        name, made.motion, scene, evidence=evidence.of(name, made.motion), goals=goals, contacts=made.rules, bars=bars
    )


@lru_cache(maxsize=16)
def _skeleton(person: Person) -> Skeleton:
    return person.skeleton()
