"""Walk mode: a start, a goal, points on the way; the walk follows whatever is dragged.

A walk is shown as soon as it is found and marked as not judged yet; the judge's word follows. Where the judge refuses
it, the planner searches on with the judge at its side.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from understudy.api.walking import report_on
from understudy.api.walking import walk as judged_walk
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.core.violations import Violation
from understudy.locomotion import WalkOptions, WalkTrace
from understudy.locomotion import walk as plan_walk
from understudy.locomotion.published.maps.trace import map_trace
from understudy.scene.scene import Scene
from understudy.studio.edits import Arguments, Outcome, edit
from understudy.studio.jobs import Change, Job
from understudy.studio.judging import collision_marks, verdict_of
from understudy.studio.modes.replanning import REPLAN, replanned
from understudy.studio.project import Line, Mark, Project, Vec3, Verdict
from understudy.studio.shelf import Shelf
from understudy.verify.report import Report

#: Branches of a search shown at most.
_MOST_BRANCHES = 400
#: Cells of motion maps shown at most.
_MOST_CELLS = 600


class AimArguments(Arguments):
    """Whose walk, and what to change; values that are not given stay."""

    character: str
    start: tuple[float, float] | None = None
    heading_deg: float | None = None
    goal: tuple[float, float] | None = None
    goal_heading_deg: float | None = None
    any_goal_heading: bool = False
    via: list[tuple[float, float]] | None = None


@edit("walk.aim", AimArguments)
def aim(project: Project, wanted: AimArguments, shelf: Shelf) -> Outcome:
    """Move the start, the goal or the points on the way."""
    person = project.scene.character(wanted.character)
    setting = project.setting("walk")
    aims: dict[str, Any] = dict(setting.get("aims", {}))
    own = {"via": [], **aims.get(person.name, {}), **wanted.model_dump(exclude_none=True, exclude={"character"})}
    if own.pop("any_goal_heading", False):
        own.pop("goal_heading_deg", None)
    own.setdefault("start", list(_stand(project.scene, person.name)))
    aims[person.name] = own
    project = project.with_setting("walk", {**setting, "aims": aims, "character": person.name})
    title = f"Aim {person.name}'s walk"
    if own.get("goal") is None:
        heading = float(np.radians(own.get("heading_deg", 0.0)))
        x, z = own["start"]
        standing = shelf.standing_at(x, z, heading)
        return Outcome(project=replace(project, scene=project.scene.with_motion(person.name, standing)), title=title)
    project = project.with_verdict(status="planning", text="planning a walk")
    return Outcome(project=project, title=title, job=_job(project, person.name, shelf))


class SearchArguments(Arguments):
    """How walks are searched: see :class:`understudy.WalkOptions`."""

    method: Literal["auto", "maps", "channel", "astar"]


@edit("walk.search", SearchArguments)
def choose_search(project: Project, wanted: SearchArguments, shelf: Shelf) -> Outcome:
    """Search walks another way, and the last one again."""
    project = project.with_setting("walk", {**project.setting("walk"), "method": wanted.method})
    return replanned(project, f"Search by {wanted.method}", shelf)


def _replan(project: Project, shelf: Shelf) -> Job | None:
    """The walk of whoever was aimed last, if there is one."""
    setting = project.setting("walk")
    name = setting.get("character", "")
    names = [person.name for person in project.scene.characters]
    if name not in names or setting.get("aims", {}).get(name, {}).get("goal") is None:
        return None
    return _job(project, name, shelf)


REPLAN["walk"] = _replan


def _job(project: Project, name: str, shelf: Shelf) -> Job:
    aims = project.settings["walk"]["aims"][name]
    method = project.settings["walk"].get("method", "auto")
    library = project.scene.character(name).library
    stage = _surroundings(project.scene, name)

    def work(job: Job) -> Change:
        started = time.perf_counter()
        known = shelf.library(library)
        reports: list[Report] = []
        took_s: list[float] = []

        def judge(motion: Motion, trace: WalkTrace) -> Sequence[Violation]:
            took_s.append(time.perf_counter() - started)
            job.show(_shown(name, motion, trace, took_s[-1]))
            job.let_look()
            reports.append(report_on(known, stage, motion, trace))
            return reports[-1].violations

        start, goal = spot_of(aims, "start", "heading_deg"), spot_of(aims, "goal", "goal_heading_deg")
        options = WalkOptions(method=method, cancel=job.cancel, progress=job.progress)
        result = plan_walk(known, stage, start=start, goal=goal, via=aims["via"], judge=judge, options=options)
        if result.status:
            return _judged(verdict_of(reports[-1], seconds=took_s[-1]), ())
        result = judged_walk(known, stage, start=start, goal=goal, via=aims["via"], options=options)
        seconds = time.perf_counter() - started
        if result.motion is None or result.trace is None:
            return _failed(result, seconds)
        report = report_on(known, stage, result.motion, result.trace)
        verdict = verdict_of(report, seconds=seconds, reason="" if result.status else result.reason)
        shown = _shown(name, result.motion, result.trace, seconds)
        judged = _judged(verdict, tuple(collision_marks(report)))
        return lambda project: judged(shown(project))

    kernels = "walk" if method == "auto" else "methods"
    return Job(title=f"planning {name}'s walk", work=work, kernels=kernels)


def _shown(name: str, motion: Motion, trace: WalkTrace, seconds: float) -> Change:
    """The walk on the stage, its corridor on the floor, not judged yet."""
    lines = tuple(floor_lines(trace))

    def change(project: Project) -> Project:
        scene = project.scene.with_motion(name, motion)
        return replace(project, scene=scene, lines=lines, marks=()).with_verdict(
            status="judging", text="found; the judge is looking", seconds=seconds
        )

    return change


def _judged(verdict: Verdict, marks: tuple[Mark, ...]) -> Change:
    return lambda project: replace(project, verdict=verdict, marks=marks)


def _failed(result: Result[WalkTrace], seconds: float) -> Change:
    lines = tuple(floor_lines(result.trace)) if result.trace is not None else ()
    reason = result.reason or result.status.value
    return lambda project: replace(project, lines=lines).with_verdict(status="failed", text=reason, seconds=seconds)


def floor_lines(trace: WalkTrace) -> list[Line]:
    """What the search saw, as curves on the floor: path, channel, triangulation, branches, cells of motion maps."""
    lines: list[Line] = []
    if trace.path is not None:
        lines.append({"kind": "path", "points": _flat(trace.path.sample(0.05))})
    if trace.channel is not None:
        lines += [{"kind": "channel", "points": _flat(corners), "closed": True} for corners in trace.channel.outlines]
    mesh = trace.floor.triangulation.mesh
    corners = mesh.points[mesh.corners[mesh.free]]
    lines.append({"kind": "triangles", "points": _flat(corners.reshape(-1, 2)), "each": 3})
    if len(trace.branches):
        branches = trace.branches[:: max(len(trace.branches) // _MOST_BRANCHES, 1)]
        lines.append({"kind": "branches", "points": _flat(branches.reshape(-1, 2)), "each": 2})
    if trace.followed is not None:
        cells = map_trace(trace.followed).cells
        cells = cells[:: max(len(cells) // _MOST_CELLS, 1)]
        lines.append({"kind": "cells", "points": _flat(cells.reshape(-1, 2)), "each": 4})
    return lines


def _flat(points: np.ndarray) -> list[Vec3]:
    return [(round(float(x), 3), 0.0, round(float(z), 3)) for x, z in points]


def _surroundings(scene: Scene, name: str) -> Scene:
    """The scene as obstacles for one person: everything in it but people without a walk of their own."""
    return scene.without(name)


def spot_of(aims: dict[str, Any], place: str, heading: str) -> tuple[float, ...]:
    """One of a character's start, via and goal points in the planner's form, with the facing if given."""
    x, z = aims[place]
    return (x, z) if aims.get(heading) is None else (x, z, aims[heading])


def _stand(scene: Scene, name: str) -> tuple[float, float]:
    person = scene.character(name)
    if person.motion is None:
        return person.start or (0.0, 0.0)
    root = person.world_motion.root_positions[0]
    return float(root[0]), float(root[2])
