"""Cached results that take seconds to make and never change, in a folder of the user's caches.

Files are named after everything that could change them: what was asked for, and the package's files that make it.
Another version never reads them. They hold plain arrays, nothing that could run. Where none can be written or read,
things are made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

#: Names another folder; empty for none at all.
VARIABLE = "UNDERSTUDY_CACHE"
#: [bytes] files of one kind are kept up to this, whatever version they are of; those used longest ago go first.
_MOST_BYTES = 128_000_000
_SUFFIXES = (".py", ".npz", ".json", ".toml")

Arrays = dict[str, np.ndarray[Any, Any]]


def user_folder() -> Path | None:
    """The folder, whether or not it is there; ``None`` when nothing is to be kept."""
    named = os.environ.get(VARIABLE)
    if named == "":
        return None
    return Path(named) if named else _caches() / "understudy"


@cache
def fingerprint(*rooms: str) -> str:
    """A short name of all files of the package as they are, or of some of its rooms."""
    found = hashlib.sha256()
    package = Path(__file__).parents[1]
    for top in [package / room for room in rooms] or [package]:
        for path in _package_files(top):
            state = path.stat()
            found.update(f"{path.parent.name}/{path.name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return found.hexdigest()[:16]


@cache
def content_digest(*rooms: str) -> str:
    """A short name of what is in the files of some rooms, the same on every machine."""
    found = hashlib.sha256()
    package = Path(__file__).parents[1]
    for room in rooms:
        for path in _package_files(package / room):
            found.update(f"{path.parent.name}/{path.name}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _package_files(top: Path) -> Iterator[Path]:
    for folder, below, names in os.walk(top):
        below[:] = sorted(name for name in below if name != "__pycache__")
        yield from (Path(folder) / name for name in sorted(names) if name.endswith(_SUFFIXES))


def kept_arrays(kind: str, key: bytes, make: Callable[[], Mapping[str, Any]], *, rooms: tuple[str, ...]) -> Arrays:
    """Arrays that were made before for the same key, or made now and kept.

    Args:
        kind: What they are, the beginning of the file's name.
        key: Everything that was asked for.
        make: Makes them.
        rooms: Rooms of the package whose files decide what is made.
    """
    folder = user_folder()
    if folder is None:
        return {name: np.asarray(value) for name, value in make().items()}
    path = folder / f"{kind}-{fingerprint(*rooms)}-{hashlib.sha256(key).hexdigest()[:24]}.npz"
    with contextlib.suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        with np.load(path, allow_pickle=False) as stored:
            found = {name: stored[name] for name in stored.files}
        os.utime(path)
        return found
    made = {name: np.asarray(value) for name, value in make().items()}
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        with part.open("wb") as file:
            np.savez(file, allow_pickle=False, **made)
        part.replace(path)
        keep_within(folder, f"{kind}-*.npz")
    return made


def keep_within(folder: Path, pattern: str) -> None:
    """Remove the least recently used files of a kind, also those of other versions, if there is too much of it."""
    total = 0
    for path in sorted(folder.glob(pattern), key=lambda path: -path.stat().st_mtime_ns):
        total += path.stat().st_size
        if total > _MOST_BYTES:
            path.unlink()


def _caches() -> Path:
    """Where this system keeps what can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
