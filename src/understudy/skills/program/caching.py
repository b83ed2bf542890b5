"""What was planned before is not planned again: tasks done in a snapshot, kept by what they depend on.

The key is the content of everything a skill looks at: the snapshot with its objects and holds, how somebody stands,
the task and those that follow, the seed and the options. Times of the whole program are not in it, nor is what other
people do, so that changing one task leaves all others that do not depend on it alone.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError
from understudy.formats.atomic import replacing
from understudy.formats.stored_values import read_value, write_value
from understudy.scene.tasks import Task
from understudy.skills.program.doing import Doing, Means
from understudy.skills.program.here import Here

#: Raised when what skills make changes: older files are no longer read.
_VERSION = 2
#: Kinds whose skills are known not to look at later tasks, but for where a door leads.
_KNOWN = (
    "walk_to",
    "follow",
    "place",
    "touch",
    "reach",
    "press",
    "carry",
    "drop",
    "pour",
    "point",
    "kick",
    "open_door",
)
#: Entries kept in memory, and bytes kept in a folder.
_ENTRIES, _BYTES = 256, 512 * 1024 * 1024


class Cache:
    """Tasks that were done, by content.

    Args:
        folder: Where they are kept between runs; only in memory unless given.
        most_bytes: Size of the folder beyond which the files used longest ago are deleted.
    """

    def __init__(self, folder: Path | None = None, *, most_bytes: int = _BYTES) -> None:
        self.folder, self.most_bytes = folder, most_bytes
        self.hits, self.misses = 0, 0
        self._known: dict[str, Doing] = {}

    def get(self, key: str, skeleton: Skeleton) -> Doing | None:
        """What is known under a key, for somebody with a skeleton."""
        found = self._known.get(key)
        if found is None and self.folder is not None:
            found = self._read(self.folder / f"{key}.task", skeleton)
            if found is not None:
                self._known[key] = found
        self.hits, self.misses = self.hits + (found is not None), self.misses + (found is None)
        return found

    def put(self, key: str, doing: Doing, skeleton: Skeleton) -> None:
        """Keep something."""
        while len(self._known) >= _ENTRIES:
            self._known.pop(next(iter(self._known)))
        self._known[key] = doing
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise FormatError(f"cannot make the folder: {error.strerror or error}", path=self.folder) from error
            with replacing(self.folder / f"{key}.task") as target:
                write_value(target, doing, {"skeleton": skeleton})
            self._trim()

    def _read(self, path: Path, skeleton: Skeleton) -> Doing | None:
        try:
            doing = read_value(path, Doing, {"skeleton": skeleton})
            path.touch()
        except (FormatError, OSError):  # it is planned again
            return None
        return doing

    def _trim(self) -> None:
        assert self.folder is not None
        files = sorted(self.folder.glob("*.task"), key=lambda one: one.stat().st_mtime)
        total = sum(one.stat().st_size for one in files)
        for one in files:
            if total <= self.most_bytes:
                break
            total -= one.stat().st_size
            one.unlink(missing_ok=True)


def key_of(here: Here, task: Task, means: Means) -> str:
    """The key of a task somebody is about to do."""
    digest = hashlib.sha256(str(_VERSION).encode())
    options = {
        item.name: getattr(means.options, item.name)
        for item in dataclasses.fields(means.options)
        if item.name not in ("cancel", "progress", "deadline_s")
    }
    last = None if here.before is None else here.before.frames(len(here.before) - 2, len(here.before))
    # Moments are given in everybody's time; a task without one does not depend on when it is done.
    when = means.start_s if task.at_s is not None or task.by_s is not None else None
    parts = (here.scene, here.play.allow, last, here.footing, here.skeleton.names, here.skeleton.offsets, task)
    for part in (*parts, _looked_ahead(task, means), options, means.legs.seed, means.legs.fps, means.legs.style, when):
        _feed(digest, part)
    return digest.hexdigest()


def _looked_ahead(task: Task, means: Means) -> tuple[Any, ...]:
    """What skills look at of later tasks: whether one pours from what is taken, where one goes behind a door."""
    if task.do == "grab":
        return tuple((one.do, one.object) for one in means.later[:3] if one.do == "pour")
    if task.do in _KNOWN:
        return tuple(means.later[:1]) if task.do == "open_door" else ()
    # Skills of others may look at anything.
    return tuple(means.later)


def _feed(digest: Any, value: Any) -> None:
    """Add a value's content to a digest."""
    digest.update(type(value).__name__.encode())
    if isinstance(value, np.ndarray):
        digest.update(str(value.shape).encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, Motion):
        _feed(digest, (value.fps, value.root_positions[-2:], value.rotations[-2:]))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for item in dataclasses.fields(value):
            if not item.name.startswith("_"):
                digest.update(item.name.encode())
                _feed(digest, getattr(value, item.name))
    elif isinstance(value, Mapping):
        for name in sorted(value, key=str):
            digest.update(str(name).encode())
            _feed(digest, value[name])
    elif isinstance(value, tuple | list):
        digest.update(str(len(value)).encode())
        for one in value:
            _feed(digest, one)
    else:
        digest.update(repr(value).encode())
