"""The folder of the user's caches, and names of the package's files as they are.

What is kept there is named after everything that could change it: what was asked for, and the package's files that make
it. Another version never reads it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

#: Names another folder; empty for none at all.
VARIABLE = "UNDERSTUDY_CACHE"
#: [bytes] files of one kind are kept up to this, whatever version they are of; those used longest ago go first.
_MOST_BYTES = 128_000_000
_SUFFIXES = (".py", ".npz", ".json", ".toml")


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
