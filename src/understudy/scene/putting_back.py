"""Tasks that put something back: known by where it stood before it was taken."""

from __future__ import annotations

from dataclasses import replace

from understudy import rotations as rot
from understudy.scene.scene import Scene
from understudy.scene.tasks import Target
from understudy.scene.tessellation import triangles_of


def with_places(scene: Scene) -> Scene:
    """The scene with every ``put_back`` as a ``place``: where its object was put last, or stood in the beginning."""
    if not any(task.do == "put_back" for task in scene.tasks):
        return scene
    last: dict[str, Target | None] = {}
    tasks = []
    for task in scene.tasks:
        if task.do == "put_back":
            task = replace(task, do="place", target=last.get(task.object) or _stood(scene, task.object))
        if task.do in ("place", "displace"):
            last[task.object] = task.target
        tasks.append(task)
    return replace(scene, tasks=tuple(tasks))


def _stood(scene: Scene, name: str) -> tuple[float, float, float]:
    """Where something stands with its base in the beginning (x, y, z) [m]."""
    places, turns = scene.object_track(name, [0.0])
    vertices, _ = triangles_of(scene.object(name).shape)
    x, y, z = (float(value) for value in places[0])
    return x, y + float(rot.rotate(turns[0], vertices)[:, 1].min()), z
