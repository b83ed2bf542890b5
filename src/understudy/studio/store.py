"""Saving a project after every step: a folder with a scene file, the motions and the rest."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from understudy.core.motion import Motion
from understudy.errors import FormatError, UnderstudyError
from understudy.formats import ReadOptions, load_motion, save_motion
from understudy.formats.atomic import replacing
from understudy.formats.glb_skin import OwnSkin
from understudy.scene import load_scene, save_scene
from understudy.scene.characters import Character
from understudy.scene.file_writing import file_values
from understudy.scene.scene import Scene
from understudy.studio.project import MODES, Mark, Project, Verdict
from understudy.studio.skins import load_skin, save_skin, skin_name

#: Of the folder's layout; a later version reads older ones.
VERSION = 1
#: [s] without a change before it is saved, so that writing does not hold up a drag; and the longest work waits.
_CALM_S, _LONGEST_S = 0.3, 2.0


class Store:
    """A folder that always holds a whole project: motions and scene are written first, then what names them.

    The project names every file that was written for it. Only those are ever removed; whatever else is in the folder
    is somebody's own.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._waiting: tuple[Project, Callable[[str], None]] | None = None
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._saver: threading.Thread | None = None
        self._lock = threading.Lock()
        self._own: set[str] | None = None

    @property
    def exists(self) -> bool:
        """Whether a project is saved here."""
        return (self.folder / "project.json").is_file()

    def save(self, project: Project) -> None:
        """Write the project.

        Raises:
            FormatError: The folder cannot be written to.
        """
        with self._lock:
            try:
                (self.folder / "motions").mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise FormatError(f"cannot write here: {error.strerror or error}", path=self.folder) from error
            if self._own is None:
                self._own = self._written()
            document: dict[str, Any] = {
                "version": VERSION,
                "scene": self._scene_file(project.scene),
                "before": None if project.before is None else self._scene_file(project.before),
                "mode": project.mode,
                "ghosts": {name: self._motion_file(motion) for name, motion in project.ghosts.items()},
                "verdict": asdict(project.verdict),
                "marks": [asdict(mark) for mark in project.marks],
                "lines": list(project.lines),
                "settings": project.settings,
                "skins": {name: self._skin_file(own) for name, own in project.skins.items()},
            }
            document["files"] = sorted(self._own)
            with replacing(self.folder / "project.json") as temporary:
                temporary.write_text(json.dumps(document), encoding="utf-8")
            self._tidy(self._used(document, (project.scene, project.before)))

    def save_soon(self, project: Project, *, failed: Callable[[str], None]) -> None:
        """Write the project in a moment, unless a newer one comes first; never waits."""
        self._waiting = (project, failed)
        if self._saver is None:
            self._saver = threading.Thread(target=self._save_on, name="understudy-save", daemon=True)
            self._saver.start()
        self._wake.set()

    def close(self) -> None:
        """Write what waits and stop."""
        self._closing.set()
        self._wake.set()
        if self._saver is not None:
            self._saver.join()
            self._saver = None

    def load(self) -> Project:
        """Read the project back.

        Raises:
            FormatError: There is none, or it is damaged or of a newer version.
        """
        path = self.folder / "project.json"
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            if document["version"] > VERSION:
                raise FormatError(f"was saved by a newer version ({document['version']})", path=path)
            scene = load_scene(self.folder / document["scene"])
            before = document.get("before")
            stored = ReadOptions(ground="keep")
            ghosts = {
                name: load_motion(self.folder / file, options=stored) for name, file in document["ghosts"].items()
            }
            return Project(
                scene=scene,
                mode=document["mode"] if document["mode"] in MODES else MODES[0],
                ghosts=ghosts,
                verdict=_settled(document["verdict"]),
                marks=tuple(Mark(**mark) for mark in document["marks"]),
                lines=tuple(document["lines"]),
                settings=document["settings"],
                skins={name: load_skin(self.folder / file) for name, file in document.get("skins", {}).items()},
                before=None if before is None else load_scene(self.folder / before),
            )
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError("is not a studio project, or is damaged", path=path) from error

    def _save_on(self) -> None:
        while not (self._closing.is_set() and self._waiting is None):
            self._wake.wait()
            end = time.monotonic() + _LONGEST_S
            while not self._closing.is_set() and time.monotonic() < end:
                self._wake.clear()
                if not self._wake.wait(_CALM_S):
                    break
            self._wake.clear()
            waiting, self._waiting = self._waiting, None
            if waiting is None:
                continue
            project, failed = waiting
            try:
                self.save(project)
            except UnderstudyError as error:
                failed(str(error))

    def _scene_file(self, scene: Scene) -> str:
        """Write a scene under a name made from what is in it."""
        people = tuple(self._filed(person) for person in scene.characters)
        scene = replace(scene, characters=people)
        name = f"scene-{_digest(repr(scene).encode(), repr(file_values(scene, self.folder)).encode())}.toml"
        return self._kept(name, lambda path: save_scene(scene, path))

    def _filed(self, person: Character) -> Character:
        if person.motion is None:
            return person
        file = str(self.folder / self._motion_file(person.motion))
        return replace(person, motion_file=file, performed=None, library="")

    def _motion_file(self, motion: Motion) -> str:
        return self._kept(self._motion_name(motion), lambda path: save_motion(motion, path))

    def _motion_name(self, motion: Motion) -> str:
        # Made from everything that is saved: the same angles on another body are another motion.
        body = motion.skeleton
        about = repr((motion.name, motion.fps, motion.origin.made, body.names, sorted(body.humanoid.items())))
        bones = (body.parents, body.offsets, body.rest_rotations, body.tip_joints, body.tip_offsets)
        arrays = (*bones, motion.root_positions, motion.rotations)
        return f"motions/{_digest(about.encode(), *(one.tobytes() for one in arrays))}.npz"

    def _skin_file(self, own: OwnSkin) -> str:
        return self._kept(f"motions/{skin_name(own)}", lambda path: save_skin(own, path))

    def _kept(self, name: str, write: Callable[[Path], object]) -> str:
        """Write a file whose name says what is in it, unless it is there, and note that it is the project's."""
        if not (self.folder / name).is_file():
            write(self.folder / name)
            assert self._own is not None
            self._own.add(name)
        return name

    def _written(self) -> set[str]:
        """Files that earlier saves of the project in this folder have written."""
        try:
            files = json.loads((self.folder / "project.json").read_text(encoding="utf-8"))["files"]
            return {name for name in files if isinstance(name, str) and _is_own_name(name)}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return set()

    def _used(self, document: Mapping[str, Any], scenes: Iterable[Scene | None]) -> set[str]:
        people = [person for scene in scenes if scene is not None for person in scene.characters]
        named = {*document["ghosts"].values(), *document["skins"].values(), document["scene"], document["before"]}
        return named | {self._motion_name(one.motion) for one in people if one.motion is not None}

    def _tidy(self, used: set[str]) -> None:
        """Remove files of the project that nothing saved names any more."""
        assert self._own is not None
        for name in self._own - used:
            (self.folder / name).unlink(missing_ok=True)
        self._own &= used


def _is_own_name(name: str) -> bool:
    """Whether a file that a project names lies where projects write, so that a damaged one removes nothing else."""
    return re.fullmatch(r"scene-[0-9a-f]+\.toml|motions/(skin-)?[0-9a-f]+\.npz", name) is not None


def _settled(values: Mapping[str, Any]) -> Verdict:
    """A verdict as it was saved; planning that was going on has stopped."""
    verdict = Verdict(**{**values, "checks": tuple(values["checks"])})
    if verdict.status in ("planning", "judging"):
        return Verdict(status="idle", text="planning was interrupted; change anything to plan again")
    return verdict


def _digest(*blocks: bytes) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()
