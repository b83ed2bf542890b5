"""Limbs mode: see where a clip touches something, repair it with one click, drag a hand to a place at a time.

Every repair and reach starts from the clip as it was; that clip stays beside the result as a ghost.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from understudy.api.limbs import correct, reach
from understudy.api.limbs import report_on as limb_report
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.errors import OptionError
from understudy.limbs import LimbOptions, LimbTrace
from understudy.scene.scene import Scene
from understudy.studio.edits import Arguments, Outcome, edit
from understudy.studio.jobs import Change, Job
from understudy.studio.judging import collision_marks, verdict_of
from understudy.studio.modes.replanning import REPLAN
from understudy.studio.project import Mark, Project
from understudy.studio.shelf import Shelf
from understudy.verify.judge import verify

#: Ways to raise the arm, as intervals of the shoulder [rad]; an empty one is the planner's choice.
STYLES: dict[str, dict[str, tuple[float, float]]] = {
    "any": {},
    "low": {"shoulder_raise": (-1.7, -0.6)},
    "high": {"shoulder_raise": (-0.4, 1.4)},
}

Plan = Callable[[Motion, Scene, LimbOptions], Result[LimbTrace]]


class WhoArguments(Arguments):
    """Whose limbs."""

    character: str


@edit("limbs.check", WhoArguments)
def check(project: Project, wanted: WhoArguments, shelf: Shelf) -> Outcome:
    """Mark where the motion touches anything."""
    person = project.scene.character(wanted.character)
    if person.motion is None:
        raise OptionError(f"{person.name} has no motion yet")
    project = project.with_setting("limbs", {**project.setting("limbs"), "character": person.name})
    project = project.with_verdict(status="judging", text="looking for collisions")
    return Outcome(project=project, job=_checking(project, person.name))


class CorrectArguments(WhoArguments):
    """Which limbs to repair; all of them unless given."""

    limbs: list[str] | None = None


@edit("limbs.correct", CorrectArguments)
def repair(project: Project, wanted: CorrectArguments, shelf: Shelf) -> Outcome:
    """Repair the collisions of limbs."""
    name = wanted.character

    def plan(source: Motion, scene: Scene, options: LimbOptions) -> Result[LimbTrace]:
        return correct(source, scene, limbs=wanted.limbs, character=name, options=options)

    return _planned(project, name, f"Correct {name}", plan)


class ReachArguments(WhoArguments):
    """Where a hand should be, and when."""

    hand: Literal["left", "right"] = "right"
    target: tuple[float, float, float] | str
    at: float
    style: Literal["any", "low", "high"] = "any"


@edit("limbs.reach", ReachArguments)
def bring(project: Project, wanted: ReachArguments, shelf: Shelf) -> Outcome:
    """Bring a hand to a place, or to a thing, at a time."""
    name = wanted.character

    def plan(source: Motion, scene: Scene, options: LimbOptions) -> Result[LimbTrace]:
        chosen = replace(options, style=STYLES[wanted.style])
        return reach(
            source, scene, hand=wanted.hand, target=wanted.target, at=wanted.at, character=name, options=chosen
        )

    kept = {**project.setting("limbs"), "reach": wanted.model_dump()}
    return _planned(project.with_setting("limbs", kept), name, f"Reach with {name}'s {wanted.hand} hand", plan)


@edit("limbs.restore", WhoArguments)
def restore(project: Project, wanted: WhoArguments, shelf: Shelf) -> Outcome:
    """Go back to the clip as it was."""
    source = _source(project, wanted.character)
    scene = project.scene.with_motion(wanted.character, source)
    ghosts = {name: motion for name, motion in project.ghosts.items() if name != wanted.character}
    setting = {key: value for key, value in project.setting("limbs").items() if key != "reach"}
    project = replace(project, scene=scene, ghosts=ghosts, marks=(), lines=()).with_setting("limbs", setting)
    return Outcome(
        project=project.with_verdict(status="judging", text="looking for collisions"),
        title=f"Restore {wanted.character}",
        job=_checking(project, wanted.character),
    )


def _recheck(project: Project, shelf: Shelf) -> Job | None:
    """When the stage has changed: look again where the clip touches it."""
    name = project.setting("limbs").get("character", "")
    names = [person.name for person in project.scene.characters if person.motion is not None]
    return _checking(project, name) if name in names else None


REPLAN["limbs"] = _recheck


def _source(project: Project, name: str) -> Motion:
    """The clip a person's motion was made from."""
    person = project.scene.character(name)
    if person.motion is None:
        raise OptionError(f"{name} has no motion yet")
    return project.ghosts.get(name, person.world_motion)


def _checking(project: Project, name: str) -> Job:
    scene = project.scene
    people = [(one.name, one.world_motion) for one in scene.characters if one.motion is not None]

    def work(job: Job) -> Change:
        started = time.perf_counter()
        report = verify(people, scene)
        marks = tuple(mark for mark in collision_marks(report) if mark.track == name)
        touching = f"{len(marks)} collision{'s' if len(marks) != 1 else ''}" if marks else ""
        verdict = verdict_of(report, seconds=time.perf_counter() - started, reason=touching)
        return lambda project: replace(project, verdict=verdict, marks=marks)

    return Job(title="looking for collisions", work=work, kernels="limbs")


def _planned(project: Project, name: str, title: str, plan: Plan) -> Outcome:
    source = _source(project, name)
    scene = project.scene.with_motion(name, source)
    project = project.with_setting("limbs", {**project.setting("limbs"), "character": name})

    def work(job: Job) -> Change:
        options = LimbOptions(cancel=job.cancel, progress=job.progress)
        result = plan(source, scene, options)
        return _shown(name, source, scene, result)

    job = Job(title=f"planning {name}'s limbs", work=work, kernels="limbs")
    return Outcome(project=project.with_verdict(status="planning", text=job.title), title=title, job=job)


def _shown(name: str, source: Motion, scene: Scene, result: Result[LimbTrace]) -> Change:
    trace, motion = result.trace, result.motion
    reason = "" if result.status else result.reason or result.status.value
    if trace is None or motion is None:
        return lambda project: project.with_verdict(status="failed", text=reason, seconds=result.stats.seconds)
    report = limb_report(motion, source, scene, trace)
    verdict = verdict_of(report, seconds=result.stats.seconds, reason=reason)
    marks = [
        Mark(
            track=f"{name}.{one.limb}",
            kind="planned" if one.status else "collision",
            start_s=one.start_s,
            end_s=one.end_s,
            text=one.reason or "; ".join(str(touch) for touch in one.because) or "planned",
        )
        for one in trace.changes
    ]
    marks += [
        Mark(track=f"{name}.{one.limb}", kind="collision", start_s=one.start_s, end_s=one.end_s, text=str(one))
        for one in trace.left
    ]
    if trace.hand:
        what = f"{trace.hand} hand at its target"
        at = trace.time_s
        marks.append(Mark(track=f"{name}.{trace.hand}_arm", kind="constraint", start_s=at, end_s=at, text=what))

    def change(project: Project) -> Project:
        return replace(
            project,
            scene=project.scene.with_motion(name, motion),
            ghosts={**project.ghosts, name: source},
            marks=tuple(marks),
            verdict=verdict,
        )

    return change
