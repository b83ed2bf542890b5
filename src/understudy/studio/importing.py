"""Files dropped on the page: clips, rigged characters, furniture, scenes."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from understudy.core.motion import Motion
from understudy.errors import FormatError, OptionError, SceneError
from understudy.formats import load_motion
from understudy.formats.glb_skin import OwnSkin, load_own_skin
from understudy.formats.gltf_characters import holds_character
from understudy.formats.gltf_document import load_document
from understudy.scene import load_mesh, load_scene
from understudy.scene.scene import Scene
from understudy.studio.modes.general import free_name
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf

_SCENES = (".toml", ".json")
_THINGS = (".obj", ".stl", ".ply")
_RIGGED = (".glb", ".gltf", ".vrm", ".fbx")


def imported(project: Project, name: str, content: bytes, shelf: Shelf) -> Project:
    """The project with a file added: a scene replaces the present one, a clip adds a character, a mesh a thing.

    Args:
        project: The project it is dropped on.
        name: The file's name; its ending says what it is.
        content: Its content.
        shelf: For people a scene leaves without motion.

    Raises:
        UnderstudyError: It cannot be read.
    """
    leaf = Path(name.replace("\\", "/")).name
    if not leaf or leaf.startswith("."):
        raise OptionError(f'cannot tell what "{name}" is without a file name')
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / leaf
        path.write_bytes(content)
        try:
            return opened(project, path, shelf)
        except (FormatError, SceneError) as error:
            # Where it was put for reading means nothing to whoever dropped it.
            raise OptionError(str(error).replace(f"{path.parent}/", "")) from error


def opened(project: Project, path: Path, shelf: Shelf) -> Project:
    """The project with a file of this machine in it; see :func:`imported`."""
    if path.suffix.lower() in _SCENES:
        return staged(load_scene(path), shelf)
    if _is_furniture(path):
        # Where the file was put for reading does not last; the mesh goes into the scene itself.
        thing = replace(load_mesh(path), file="")
        scene = project.scene.with_object(free_name(project.scene, _plain(path.stem)), thing)
        return replace(project, scene=scene).with_verdict(status="idle", text=f"{path.name} put into the scene")
    motion = load_motion(path)
    person = free_name(project.scene, _plain(path.stem))
    scene = project.scene.with_character(person, motion=motion)
    own, said = _own_skin(path, motion)
    skins = project.skins if own is None else {**project.skins, person: own}
    project = replace(project, scene=scene, mode="limbs", skins=skins)
    return project.with_verdict(status="idle", text=f"{path.name} imported{said}")


def _is_furniture(path: Path) -> bool:
    """Whether a file holds a mesh and nobody."""
    suffix = path.suffix.lower()
    return suffix in _THINGS or (suffix in _RIGGED and not holds_character(load_document(path)))


def _own_skin(path: Path, motion: Motion) -> tuple[OwnSkin | None, str]:
    """The mesh of a rigged character, and remarks about it."""
    if path.suffix.lower() not in _RIGGED:
        return None, ""
    try:
        own = load_own_skin(path, motion.skeleton)
    except FormatError as error:
        return None, f", without its mesh: {error.message}"
    return own, "" if own is None else " with its mesh"


def staged(scene: Scene, shelf: Shelf) -> Project:
    """A scene on the stage: whoever has no motion yet stands and waits."""
    for person in scene.characters:
        if person.motion is None:
            x, z = person.start or (0.0, 0.0)
            standing = shelf.standing_at(x, z, person.heading_rad or 0.0)
            kept = replace(person.performing(standing), library=person.library)
            people = tuple(kept if one.name == person.name else one for one in scene.characters)
            scene = replace(scene, characters=people)
    return Project(scene=scene)


def _plain(stem: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in stem) or "clip"
