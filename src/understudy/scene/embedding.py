"""A scene as one table of plain values, without any file beside it, and back.

Motions are left out: whoever embeds a scene keeps them elsewhere and puts them in again.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from understudy.core.table_text import TableText, plain
from understudy.errors import SceneError
from understudy.scene.characters import Character
from understudy.scene.file_writing import file_values
from understudy.scene.objects import SceneObject
from understudy.scene.scene import Scene
from understudy.scene.scene_file import scene_of_text
from understudy.scene.shapes import Mesh


def embedded(scene: Scene) -> dict[str, Any]:
    """A scene's values: meshes with all their triangles, characters without motions and libraries."""
    alone = replace(
        scene,
        objects=tuple(_self_contained(thing) for thing in scene.objects),
        characters=tuple(_motionless(person) for person in scene.characters),
    )
    values: dict[str, Any] = plain(file_values(alone, Path()))
    return values


def unembedded(values: dict[str, Any]) -> Scene:
    """The scene of such values.

    Raises:
        SceneError: Something in them is wrong, or they name a file.
    """
    named = [one for one in _tables(values, "character") if "library" in one or "motion" in one]
    shapes = [one["shape"] for one in _tables(values, "object") if isinstance(one.get("shape"), dict)]
    if named or any("file" in shape for shape in shapes):
        raise SceneError("an embedded scene must not name files")
    return scene_of_text(TableText(Path("scene.json"), "", values))


def _tables(values: dict[str, Any], key: str) -> list[dict[str, Any]]:
    entries = values.get(key, [])
    return [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []


def _self_contained(thing: SceneObject) -> SceneObject:
    if not isinstance(thing.shape, Mesh):
        return thing
    return replace(thing, shape=replace(thing.shape, file="", scale=1.0))


def _motionless(person: Character) -> Character:
    bare = replace(person, motion=None, motion_file="", performed=None, library="", body=None)
    # Where a motion stands is in the motion once it is in the world.
    return bare if person.motion is None else replace(bare, start=None, heading_rad=None)
