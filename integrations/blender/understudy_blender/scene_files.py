"""A scene file and the meshes beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .things import Thing, obj_text


def write_scene(path: Path, things: Sequence[Thing], *, fps: float, character: str = "", tasks: str = "") -> Path:
    """Write a scene file and one OBJ file per thing.

    Args:
        path: Of the scene file; meshes go into a folder of the same name.
        things: What stands and moves.
        fps: Frames per second of moving things' places.
        character: Who does the tasks; nobody unless given.
        tasks: More of the scene file, as text.
    """
    meshes = path.with_suffix("")
    meshes.mkdir(parents=True, exist_ok=True)
    blocks = ['name = "from Blender"\n']
    for index, one in enumerate(things):
        file = meshes / f"{index}.obj"
        file.write_text(obj_text(one), encoding="utf-8")
        blocks.append(_block(one, f"{meshes.name}/{file.name}", fps))
    if character:
        blocks.append(f"[[character]]\nname = {_string(character)}\n")
    path.write_text("\n".join([*blocks, tasks]), encoding="utf-8")
    return path


def _block(one: Thing, file: str, fps: float) -> str:
    lines = ["[[object]]", f"name = {_string(one.name)}", f'shape = {{ kind = "mesh", file = {_string(file)} }}']
    if one.moves:
        times = np.arange(len(one.positions)) / fps
        lines += ["[object.track]", f"times = {_numbers(times)}"]
        lines += [f"positions = {_rows(one.positions)}", f"rotations = {_rows(one.rotations)}"]
    else:
        lines.append(f"at = {_numbers(one.positions[0])}")
    return "\n".join(lines) + "\n"


def _rows(values: np.ndarray) -> str:
    return f"[{', '.join(_numbers(row) for row in values)}]"


def _numbers(values: np.ndarray) -> str:
    return f"[{', '.join(f'{value + 0.0:.9f}' for value in values)}]"


def _string(text: str) -> str:
    # JSON escapes are TOML escapes, but for the delete character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
