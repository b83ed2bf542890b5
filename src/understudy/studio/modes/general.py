"""Edits every mode shares: which mode, things on the stage, people on the stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
from pydantic import Field

from understudy import rotations as rot
from understudy.errors import OptionError, SceneError
from understudy.scene.placements import Track
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Capsule, Cylinder, Shape, Sphere
from understudy.studio.edits import Arguments, Outcome, edit
from understudy.studio.modes.replanning import replanned
from understudy.studio.modes.tasks import before_tasks
from understudy.studio.project import ModeName, Project
from understudy.studio.shelf import Shelf


class ModeArguments(Arguments):
    """Which mode."""

    mode: ModeName


@edit("mode", ModeArguments)
def choose_mode(project: Project, wanted: ModeArguments, shelf: Shelf) -> Outcome:
    """Switch the working mode; nothing to undo."""
    return Outcome(project=replace(project, mode=wanted.mode))


class ThingArguments(Arguments):
    """Which thing."""

    name: str


class PlaceArguments(ThingArguments):
    """Where a thing is put."""

    position: tuple[float, float, float] | None = None
    yaw_deg: float | None = None


@edit("thing.place", PlaceArguments)
def place_thing(project: Project, wanted: PlaceArguments, shelf: Shelf) -> Outcome:
    """Put a thing elsewhere, or turn it; a thing on a track takes its whole track along."""
    project = before_tasks(project)
    thing = project.scene.object(wanted.name)
    turn = None
    if wanted.yaw_deg is not None:
        turn = rot.from_yaw(np.radians(wanted.yaw_deg))
    if isinstance(thing.placement, Track):
        scene = _shifted_track(project.scene, wanted)
    else:
        scene = project.scene.moved(wanted.name, position=wanted.position, rotation=turn)
    return replanned(replace(project, scene=scene), f"Move {wanted.name}", shelf)


class NewThingArguments(Arguments):
    """A thing of simple shape."""

    kind: Literal["box", "cylinder", "sphere", "capsule"] = "box"
    at: tuple[float, float] = (0.0, 0.0)
    size: tuple[float, float, float] = Field(default=(0.6, 0.8, 0.6))


@edit("thing.add", NewThingArguments)
def add_thing(project: Project, wanted: NewThingArguments, shelf: Shelf) -> Outcome:
    """Stand a new thing on the floor."""
    width, height, depth = wanted.size
    if min(wanted.size) < 0.01 or max(wanted.size) > 50.0:
        raise OptionError(f"size {wanted.size} m: every side must be between 0.01 and 50 m")
    shapes: dict[str, Callable[[], Shape]] = {
        "box": lambda: Box(size_m=(width, height, depth)),
        "cylinder": lambda: Cylinder(radius_m=width / 2, height_m=height),
        "sphere": lambda: Sphere(radius_m=height / 2),
        "capsule": lambda: Capsule(radius_m=width / 2, length_m=max(height - width, 0.01)),
    }
    project = before_tasks(project)
    name = free_name(project.scene, wanted.kind)
    scene = project.scene.with_object(name, shapes[wanted.kind](), position=(wanted.at[0], height / 2, wanted.at[1]))
    return replanned(replace(project, scene=scene), f"Add {name}", shelf)


@edit("remove", ThingArguments)
def remove(project: Project, wanted: ThingArguments, shelf: Shelf) -> Outcome:
    """Take a thing or a person off the stage."""
    project = before_tasks(project)
    scene = project.scene.without(wanted.name)
    ghosts = {name: motion for name, motion in project.ghosts.items() if name != wanted.name}
    marks = tuple(mark for mark in project.marks if mark.track.split(".")[0] != wanted.name)
    return replanned(replace(project, scene=scene, ghosts=ghosts, marks=marks), f"Remove {wanted.name}", shelf)


class NewPersonArguments(Arguments):
    """A character to add."""

    at: tuple[float, float] = (0.0, 0.0)
    heading_deg: float = 0.0


@edit("person.add", NewPersonArguments)
def add_person(project: Project, wanted: NewPersonArguments, shelf: Shelf) -> Outcome:
    """A standing person from the performer."""
    project = before_tasks(project)
    name = free_name(project.scene, "person")
    motion = shelf.standing_at(*wanted.at, float(np.radians(wanted.heading_deg)))
    scene = project.scene.with_character(name, motion=motion)
    return Outcome(project=replace(project, scene=scene), title=f"Add {name}")


def free_name(scene: Scene, stem: str) -> str:
    """A name nothing on the stage has: the stem, or the stem and a number."""
    taken = {thing.name for thing in scene.objects} | {person.name for person in scene.characters}
    if stem not in taken:
        return stem
    return next(name for k in range(2, len(taken) + 3) if (name := f"{stem}{k}") not in taken)


def _shifted_track(scene: Scene, wanted: PlaceArguments) -> Scene:
    track = scene.object(wanted.name).placement
    assert isinstance(track, Track)
    if wanted.position is None:
        raise SceneError(f'object "{wanted.name}" moves along a track; it can be shifted, not turned')
    positions = np.asarray(track.positions, dtype=np.float64)
    shift = np.asarray(wanted.position) - positions[0]
    return scene.placed(wanted.name, replace(track, positions=positions + shift))
