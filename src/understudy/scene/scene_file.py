"""Scene files: TOML or JSON in the vocabulary of ``file_models``."""

from __future__ import annotations

from pathlib import Path

from understudy.core.table_text import TableText, checked_suffix, json_text, read_text, toml_text
from understudy.errors import FormatError, SceneError
from understudy.scene.checks import Fault
from understudy.scene.file_version import upgraded
from understudy.scene.scene import Scene
from understudy.timing import timed
from understudy.typing import PathLike


@timed("load")
def load_scene(path: PathLike) -> Scene:
    """Read a scene file; meshes and motions it names are read too, relative to the file.

    Args:
        path: A ``.toml`` or ``.json`` file.

    Raises:
        FormatError: The file is missing or no valid TOML or JSON.
        SceneError: Something in it is wrong; ``faults`` lists everything, each with file, line and nearest name.
    """
    return scene_of_text(read_text(Path(path)))


def scene_of_text(text: TableText) -> Scene:
    """The scene a file's values describe.

    Raises:
        SceneError: Something in them is wrong; see :func:`load_scene`.
    """
    from understudy.scene.file_reading import Reading

    reading = Reading(upgraded(text.values), text.path.parent)
    if reading.faults:
        raise _error(text, reading.faults)
    parts = reading.parts
    return Scene(
        name=reading.name,
        objects=tuple(parts.objects),
        characters=tuple(parts.characters),
        tasks=tuple(parts.tasks),
        attachments=tuple(parts.attachments),
        allowed_contacts=tuple(parts.contacts),
        floor=parts.floor,
    )


def save_scene(scene: Scene, path: PathLike) -> Path:
    """Write a scene file; it appears whole or not at all.

    Meshes that came from files are named, not copied. Loading the file gives an equal scene; angles that no number
    of degrees stands for exactly may differ in the last bit.

    Args:
        scene: What to write.
        path: A ``.toml`` or ``.json`` file.

    Raises:
        SceneError: A character's motion is in no file.
        FormatError: The ending is another one, or the folder cannot be written to.
    """
    from understudy.formats.atomic import replacing
    from understudy.scene.file_writing import file_values

    target = Path(path)
    checked_suffix(target)
    values = file_values(scene, target.parent)
    text = toml_text(values) if target.suffix.lower() == ".toml" else json_text(values)
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError("a name holds characters that cannot be written as text", path=target) from error
    with replacing(target) as temporary:
        temporary.write_bytes(encoded)
    return target


def _error(text: TableText, faults: list[Fault]) -> SceneError:
    lines = [(text.line(fault.where), fault.message) for fault in faults]
    lines.sort(key=lambda one: one[0] or 0)
    told = [f"{text.path}:{line}: {message}" if line else f"{text.path}: {message}" for line, message in lines]
    count = "1 fault" if len(told) == 1 else f"{len(told)} faults"
    return SceneError(f"{text.path}: {count}", faults=told)
