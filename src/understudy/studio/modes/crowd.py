"""Walk mode's crowds: several people walk at once and keep out of each other's way."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import Field

from understudy.api.together import TOGETHER, Together, walk_together
from understudy.errors import OptionError
from understudy.studio.edits import Arguments, Outcome, edit
from understudy.studio.jobs import Change, Job
from understudy.studio.judging import collision_marks, verdict_of
from understudy.studio.modes.general import free_name
from understudy.studio.modes.walk import floor_lines, spot_of
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf

#: [m] between neighbours on the circle a new crowd stands on, and its smallest radius.
_APART_M, _LEAST_RADIUS_M = 1.6, 3.0


class CrowdArguments(Arguments):
    """How many people come, and around which point."""

    count: int = Field(default=5, ge=2, le=20)
    centre: tuple[float, float] = (0.0, 0.0)


@edit("walk.crowd", CrowdArguments)
def add_crowd(project: Project, wanted: CrowdArguments, shelf: Shelf) -> Outcome:
    """People on a circle, each on the way to the other side; all are planned together."""
    scene = project.scene
    aims: dict[str, Any] = dict(project.setting("walk").get("aims", {}))
    radius = max(_LEAST_RADIUS_M, wanted.count * _APART_M / (2 * np.pi))
    for angle in 2 * np.pi * np.arange(wanted.count) / wanted.count:
        name = free_name(scene, "person")
        start = np.array(wanted.centre) + radius * np.array([np.sin(angle), np.cos(angle)])
        goal = 2 * np.array(wanted.centre) - start
        heading = float(angle + np.pi)
        scene = scene.with_character(name, motion=shelf.standing_at(float(start[0]), float(start[1]), heading))
        aims[name] = {
            "start": start.round(3).tolist(),
            "heading_deg": round(float(np.degrees(heading)) % 360.0, 1),
            "goal": goal.round(3).tolist(),
            "via": [],
        }
    setting = {**project.setting("walk"), "aims": aims}
    project = replace(project, scene=scene).with_setting("walk", setting)
    return _planned(project, f"Add {wanted.count} people", shelf)


@edit("walk.together", Arguments)
def together(project: Project, wanted: Arguments, shelf: Shelf) -> Outcome:
    """Plan everybody who has a goal, at once."""
    return _planned(project, "Walk together", shelf)


def _planned(project: Project, title: str, shelf: Shelf) -> Outcome:
    names = _walkers(project)
    if len(names) < 2:
        raise OptionError("a crowd needs at least two people with goals; click the floor for each of them first")
    project = project.with_verdict(status="planning", text=f"planning {len(names)} walks")
    return Outcome(project=project, title=title, job=_job(project, names, shelf))


def _walkers(project: Project) -> list[str]:
    aims = project.setting("walk").get("aims", {})
    return [one.name for one in project.scene.characters if aims.get(one.name, {}).get("goal") is not None]


def _job(project: Project, names: list[str], shelf: Shelf) -> Job:
    aims = project.setting("walk")["aims"]
    scene = project.scene
    walks = {name: (spot_of(aims[name], "start", "heading_deg"), spot_of(aims[name], "goal", "")) for name in names}

    def work(job: Job) -> Change:
        started = time.perf_counter()
        libraries = {name: shelf.library(scene.character(name).library) for name in names}
        options = replace(TOGETHER, cancel=job.cancel, progress=job.progress)
        result = walk_together(libraries, scene, walks, options=options)
        return _shown(result, time.perf_counter() - started)

    return Job(title=f"planning {len(names)} walks", work=work, kernels="together")


def _shown(result: Together, seconds: float) -> Change:
    lines = tuple(
        line
        for one in result.results.values()
        if one.trace is not None
        for line in floor_lines(one.trace)
        if line["kind"] == "path"
    )

    def change(project: Project) -> Project:
        scene = project.scene
        for name, motion in result.motions.items():
            scene = scene.with_motion(name, motion)
        project = replace(project, scene=scene, lines=lines, marks=())
        if result.report is None:
            return project.with_verdict(status="failed", text=result.reason or result.status.value, seconds=seconds)
        verdict = verdict_of(result.report, seconds=seconds, reason="" if result.status else result.reason)
        return replace(project, verdict=verdict, marks=tuple(collision_marks(result.report)))

    return change
