"""A project as the page sees it: plain values, with everything large replaced by the name of an asset."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from understudy.core.motion import Motion
from understudy.pictures.palette import hex_of
from understudy.scene.characters import Character
from understudy.scene.objects import SceneObject
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.scene.tessellation import triangles_of
from understudy.studio.assets import Assets
from understudy.studio.messages import Clip, Keys, Person, TaskView, Thing, View
from understudy.studio.project import Project

#: Keys a second of things that move.
TRACK_FPS = 30.0


def view(project: Project, assets: Assets) -> View:
    """The state of the page."""
    scene = project.scene
    duration = max([scene.duration_s, *(motion.duration_s for motion in project.ghosts.values())])
    return {
        "name": scene.name,
        "mode": project.mode,
        "duration_s": duration,
        "verdict": asdict(project.verdict),
        "people": [_person(one, project, assets) for one in scene.characters],
        "things": [_thing(scene, one, duration, assets) for one in scene.objects],
        "tasks": [_task(one) for one in scene.tasks],
        "marks": [asdict(mark) for mark in project.marks],
        "lines": list(project.lines),
        "settings": {mode: dict(values) for mode, values in project.settings.items()},
    }


def _task(task: Task) -> TaskView:
    given = {name: value for name, value in task.given().items() if isinstance(value, str | float | tuple)}
    return {"do": task.do, "character": task.character, "name": task.name, "at_s": task.at_s, "given": given}


def _person(person: Character, project: Project, assets: Assets) -> Person:
    moving = person.motion is not None
    ghost, own = project.ghosts.get(person.name), project.skins.get(person.name)
    return {
        "name": person.name,
        "start_s": person.start_s,
        "skin": assets.skin(person, own) if moving else None,
        "clip": _clip(person.world_motion, assets) if moving else None,
        "ghost": _clip(ghost, assets) if moving and ghost is not None else None,
        "joints": _roles(person.world_motion) if moving else {},
    }


def _clip(motion: Motion, assets: Assets) -> Clip:
    joints = len(motion.skeleton)
    return {"asset": assets.clip(motion), "frames": len(motion), "fps": motion.fps, "joints": joints}


def _roles(motion: Motion) -> dict[str, int]:
    """Joints by the role they play in a humanoid, or by their names."""
    skeleton = motion.skeleton
    return {skeleton.roles.get(k, name): k for k, name in enumerate(skeleton.names)}


def _thing(scene: Scene, thing: SceneObject, duration_s: float, assets: Assets) -> Thing:
    vertices, faces = triangles_of(thing.shape)
    positions, rotations = scene.object_track(thing.name, [0.0])
    return {
        "name": thing.name,
        "mesh": assets.mesh(vertices, faces),
        "color": hex_of(np.array(thing.color)),
        "position": positions[0].tolist(),
        "rotation": rotations[0].tolist(),
        "track": _track(scene, thing.name, duration_s, assets),
        "handles": [{"name": one.name, "at": one.at} for one in thing.handles],
    }


def _track(scene: Scene, name: str, duration_s: float, assets: Assets) -> Keys | None:
    moving = {scene.objects[k].name for k in scene.moving_objects().tolist()}
    if name not in moving or duration_s <= 0:
        return None
    times = np.arange(int(duration_s * TRACK_FPS) + 2) / TRACK_FPS
    poses = np.concatenate(scene.object_track(name, times), axis=1)
    return {"asset": assets.floats(poses), "keys": len(times), "fps": TRACK_FPS}


def named_assets(state: View) -> list[str]:
    """Assets a state names, in the order a page needs them."""
    parts: list[str | Clip | Keys | None] = []
    for person in state["people"]:
        parts += [person["skin"], person["clip"], person["ghost"]]
    for thing in state["things"]:
        parts += [thing["mesh"], thing["track"]]
    named = [part if isinstance(part, str) else part["asset"] for part in parts if part]
    return list(dict.fromkeys(named))
