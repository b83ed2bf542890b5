"""The library of the built-in walks, kept between processes in a folder of the user's caches.

Making the clips, comparing them and looking for jumps takes seconds; reading the file a hundredth of one. A file is
named after everything in the package that could change it, so another version never reads it. Where no file can be
written or read, the library is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from functools import cache
from pathlib import Path

from understudy.errors import UnderstudyError
from understudy.library import Library, build_library, load_library, save_library

#: Names another folder; empty for none at all.
VARIABLE = "UNDERSTUDY_CACHE"
_SUFFIXES = (".py", ".npz", ".json", ".toml")


def builtin_library() -> Library:
    """The library of the built-in walks, with its jumps where they were ever found."""
    from understudy.performer import builtin_clips

    path = _path()
    if path is not None and path.is_file():
        with contextlib.suppress(UnderstudyError):
            return load_library(path)
    library = build_library(builtin_clips("walk"))
    keep_builtin(library)
    return library


def keep_builtin(library: Library) -> None:
    """Keep the library of the built-in walks for later processes, where that can be done; older ones are removed."""
    path = _path()
    if path is None:
        return
    with contextlib.suppress(UnderstudyError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_library(library, path)
        for other in path.parent.glob("builtin-walks-*.usl"):
            if other != path:
                other.unlink()


def _path() -> Path | None:
    named = os.environ.get(VARIABLE)
    if named == "":
        return None
    folder = Path(named) if named else _caches() / "understudy"
    return folder / f"builtin-walks-{_fingerprint()}.usl"


def _caches() -> Path:
    """Where this system keeps what can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@cache
def _fingerprint() -> str:
    """A short name of all files of the package as they are."""
    found = hashlib.sha256()
    for folder, below, names in os.walk(Path(__file__).parents[1]):
        below[:] = sorted(name for name in below if name != "__pycache__")
        for name in sorted(names):
            if name.endswith(_SUFFIXES):
                state = (Path(folder) / name).stat()
                found.update(f"{Path(folder).name}/{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return found.hexdigest()[:16]
