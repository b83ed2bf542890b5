"""Scenes with some of their entries replaced, so that one scene file stands for a family of scenes."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from understudy.core.table_text import TableText, read_text
from understudy.errors import FormatError, nearest_name
from understudy.scene.scene import Scene
from understudy.scene.scene_file import scene_of_text


def varied_scene(path: Path, changes: Mapping[str, Any]) -> Scene:
    """A scene file's scene with entries replaced before it is checked.

    Args:
        path: The scene file.
        changes: New values by place: ``"object.table.position"`` is the ``position`` of the object called ``table``;
            entries without a name go by number, as in ``"task.0.at"``.

    Raises:
        FormatError: There is no such place.
        SceneError: The scene is wrong, before or after.
    """
    text = read_text(path)
    if not changes:
        return scene_of_text(text)
    values = copy.deepcopy(text.values)
    for place, value in changes.items():
        _replace(values, place, value, path)
    return scene_of_text(TableText(text.path, text.text, values))


def _replace(values: dict[str, Any], place: str, value: Any, path: Path) -> None:
    steps = place.split(".")
    inner: Any = values
    for n, step in enumerate(steps[:-1]):
        inner = _entry(inner, step, ".".join(steps[: n + 1]), path)
    last = steps[-1]
    if isinstance(inner, list) and last.isdigit() and int(last) < len(inner):
        inner[int(last)] = value
    elif isinstance(inner, dict):
        inner[last] = value
    else:
        raise FormatError(f'"{place}" is not a place in the scene', path=path)


def _entry(inner: Any, step: str, place: str, path: Path) -> Any:
    if isinstance(inner, dict):
        if step in inner:
            return inner[step]
        raise FormatError(f'the scene has no "{place}"; {nearest_name(step, list(inner))}', path=path)
    if isinstance(inner, list):
        names = [str(one.get("name", n)) if isinstance(one, dict) else str(n) for n, one in enumerate(inner)]
        if step in names:
            return inner[names.index(step)]
        if step.isdigit() and int(step) < len(inner):
            return inner[int(step)]
        raise FormatError(f'the scene has no "{place}"; {nearest_name(step, names)}', path=path)
    raise FormatError(f'the scene has no "{place}"', path=path)
