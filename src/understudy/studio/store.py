"""Saving a project after every step: a folder with a scene file, the motions and the rest."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any, cast

from understudy.core.motion import Motion
from understudy.errors import FormatError, SceneError, UnderstudyError
from understudy.formats import ReadOptions, load_motion, save_motion
from understudy.formats.atomic import held, replacing
from understudy.formats.glb_skin import OwnSkin
from understudy.scene import load_scene, save_scene
from understudy.scene.characters import Character
from understudy.scene.file_writing import file_values
from understudy.scene.scene import Scene
from understudy.studio.documents import VERSION, read_document
from understudy.studio.project import Project, Verdict
from understudy.studio.skins import load_skin, save_skin, skin_name

#: The project's own folder in the one that the user names, and what says that it is one.
FOLDER, _DOCUMENT = "understudy-project", "project.json"
#: [s] without a change before it is saved, so that writing does not hold up a drag; and the longest work waits.
_CALM_S, _LONGEST_S = 0.3, 2.0


class Store:
    """A folder that always holds a whole project: motions and scene are written first, then what names them.

    The project lies in a folder of its own inside. It names every file that was written for it, and only those are ever
    removed; whatever else is there is somebody's own.

    Args:
        folder: Where the user wants the work to be.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER
        self._older = folder / _DOCUMENT
        self._waiting: tuple[Project, Callable[[str], None]] | None = None
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._saver: threading.Thread | None = None
        self._lock = threading.Lock()
        self._own: set[str] | None = None

    @property
    def exists(self) -> bool:
        """Whether a project is saved here."""
        return self._found.is_file()

    @property
    def _found(self) -> Path:
        """The document to read: earlier versions had no folder of their own."""
        own = self.folder / _DOCUMENT
        return self._older if self._older.is_file() and not own.is_file() else own

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other studios out.

        Raises:
            FormatError: The folder cannot be written to.
            UnderstudyError: Another studio works here.
        """
        self._make_folder()
        with held(self.folder, "another studio works in this folder; name another one with --folder"):
            yield

    def set_aside(self) -> None:
        """Keep the project that is here under another name, for the next one takes its place.

        Raises:
            FormatError: The folder cannot be written to.
        """
        if not (self.folder / _DOCUMENT).is_file():
            return
        spare = next(one for k in count(2) if not (one := self.folder.with_name(f"{FOLDER}-{k}")).exists())
        try:
            spare.mkdir()
            for one in list(self.folder.iterdir()):
                if one.name != ".lock":
                    one.replace(spare / one.name)
        except OSError as error:
            raise FormatError(f"cannot write here: {error.strerror or error}", path=self.folder) from error

    def save(self, project: Project) -> None:
        """Write the project.

        Raises:
            FormatError: The folder cannot be written to.
        """
        with self._lock:
            self._make_folder()
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
            with replacing(self.folder / _DOCUMENT) as temporary:
                temporary.write_text(json.dumps(document, allow_nan=False), encoding="utf-8")
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
        path = self._found
        document, folder = read_document(path), path.parent
        stored = ReadOptions(ground="keep", bones="keep")
        try:
            return Project(
                scene=load_scene(folder / document.scene),
                mode=document.mode,
                ghosts={name: load_motion(folder / file, options=stored) for name, file in document.ghosts.items()},
                verdict=_settled(document.verdict),
                marks=document.marks,
                lines=document.lines,
                settings=cast("dict[str, dict[str, Any]]", document.settings),
                skins={name: load_skin(folder / file) for name, file in document.skins.items()},
                before=None if document.before is None else load_scene(folder / document.before),
            )
        except SceneError as error:
            raise FormatError(f"its scene is damaged: {error}", path=path) from error

    def _make_folder(self) -> None:
        try:
            (self.folder / "motions").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(f"cannot write here: {error.strerror or error}", path=self.folder) from error

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
            except Exception as error:  # a fault of ours must not end all saving
                failed(f"{type(error).__name__}: {error}")

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
            return set(read_document(self.folder / _DOCUMENT).files)
        except FormatError:
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


def _settled(verdict: Verdict) -> Verdict:
    """A verdict as it was saved; planning that was going on has stopped."""
    if verdict.status in ("planning", "judging"):
        return Verdict(status="idle", text="planning was interrupted; change anything to plan again")
    return verdict


def _digest(*blocks: bytes) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()
