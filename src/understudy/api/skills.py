"""``understudy.open_door``: the door skill, judged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from understudy.api.performer_sources import performer_clips
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.core.skeleton import Skeleton
from understudy.limbs.space import limb_space
from understudy.limbs.speeds import FACTOR, UNHURRIED, judged_limbs, limb_turns, usual_turns
from understudy.locomotion.query import spot
from understudy.performer.clip_kinds import SETS
from understudy.performer.person import Person
from understudy.scene.scene import Scene
from understudy.skills.door.making import Opened
from understudy.skills.door.options import DoorOptions
from understudy.skills.door.planning import DoorTrace, Judge, Wish
from understudy.skills.door.planning import open_door as plan
from understudy.verify.bars import Bars
from understudy.verify.goals import FloorGoal
from understudy.verify.judge import verify
from understudy.verify.report import Report

#: Bars that arms may break where they only reach as fast as a person without haste does.
_PACES = frozenset({"velocity", "acceleration"})


def open_door(
    scene: Scene,
    door: str,
    *,
    start: Sequence[float] | npt.ArrayLike,
    goal: Sequence[float] | npt.ArrayLike,
    person: Person | Skeleton | None = None,
    character: str = "performer",
    handle: str = "",
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
    )
    return plan(wish, judge=judge_for(end.point, bars=bars), options=options)


def judge_for(goal: npt.ArrayLike | None = None, *, bars: Bars | None = None) -> Judge:
    """The judge of opened doors: says why one will not do, or nothing."""

    def judge(made: Opened, scene: Scene) -> str:
        report = report_on(made, scene, goal=goal, bars=bars)
        return "; ".join(faults(report, made))

    return judge


def report_on(made: Opened, scene: Scene, *, goal: npt.ArrayLike | None = None, bars: Bars | None = None) -> Report:
    """The judge's report; the sources are the performer's walks and the walk that was made for this door."""
    goals = []
    name = made.motion.name
    if goal is not None:
        x, z = (float(value) for value in np.asarray(goal))
        goals.append(FloorGoal(position=(x, z), character=name))
    sources = [*walks_of(made.motion.skeleton), made.walk]
    return verify([(name, made.motion)], scene, source={name: sources}, goals=goals, bars=bars)


def faults(report: Report, made: Opened) -> list[str]:
    """What is broken, as sentences; arms that reach without haste are not blamed for walking clips' slower ones."""
    out = []
    for bar in report.broken:
        if bar == "seams" and not _new_seams(made):
            # A step's landing looks like a jump beside other takes; the same frame of the same walk tells.
            continue
        if bar == "penetration":
            worst = report.penetration.worst
            where = "" if worst is None else f": {worst.a} in {worst.b} at {worst.time_s:.2f} s"
            out.append(f"penetration{where}")
        elif bar in _PACES:
            out += _too_fast(made, bar, report)
        else:
            out.append(f"{bar} broken")
    return out


def _new_seams(made: Opened) -> bool:
    """Whether anything jumps that does not jump in the walk alone."""
    return "seams" in verify(made.motion, source=made.walk).broken


def _too_fast(made: Opened, bar: str, report: Report) -> list[str]:
    sources = [*walks_of(made.motion.skeleton), made.walk]
    from understudy.core.body_fit import fit_body

    column = 0 if bar == "velocity" else 1
    smooth = report.characters[0].smoothness
    bars = (report.bars.velocity_ratio, report.bars.acceleration_ratio)
    arms: dict[str, tuple[int, ...]] = {}
    for side in ("left", "right"):
        arms |= judged_limbs(limb_space(fit_body(made.motion.skeleton), f"{side}_arm"))
    out = []
    for name, ratios in smooth.limbs.items():
        if ratios[column] <= bars[column]:
            continue
        if name in arms:
            most = FACTOR * max(UNHURRIED[column], usual_turns(sources, arms[name])[column])
            if float(np.max(limb_turns(made.motion, arms[name])[column])) <= most:
                continue
        out.append(f"{name}: {bar} {ratios[column]:.2f} times its sources'")
    return out


@lru_cache(maxsize=8)
def walks_of(skeleton: Skeleton) -> tuple[Motion, ...]:
    """The built-in performer's walks on a skeleton."""
    return performer_clips(SETS["walk"], skeleton)


@lru_cache(maxsize=16)
def _skeleton(person: Person) -> Skeleton:
    return person.skeleton()
