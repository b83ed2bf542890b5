"""The library of the built-in walks, kept between processes in a folder of the user's caches.

Making the clips, comparing them and looking for jumps takes seconds; reading the file a hundredth of one. A file is
named after everything in the package that could change it, so another version never reads it. A wheel with compiled
kernels brings the file along. Where no file can be written or read, the library is made anew.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from understudy.compiling import shipped
from understudy.core.user_cache import content_digest, fingerprint, user_folder
from understudy.errors import UnderstudyError
from understudy.library import Library, build_library, load_library, save_library
from understudy.timing import timed

#: Rooms that the library is made by.
_ROOMS = ("collision", "core", "inspection", "kinematics", "library", "performer", "rotations", "scene")

#: [s] after which the library of another version is removed: four weeks.
_OLD_S = 28 * 86_400.0


@timed("load")
def builtin_library() -> Library:
    """The library of the built-in walks, with its jumps where they were ever found."""
    for path in (_path(), _shipped()):
        if path is not None and path.is_file():
            with contextlib.suppress(UnderstudyError):
                return load_library(path)
    from understudy.performer import builtin_clips

    library = build_library(builtin_clips("walk"))
    keep_builtin(library)
    return library


def keep_builtin(library: Library) -> None:
    """Keep the library of the built-in walks for later processes, where that can be done.

    Libraries of other versions are removed when they are old, not before: several checkouts share the folder.
    """
    path = _path()
    if path is None:
        return
    with contextlib.suppress(UnderstudyError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_library(library, path)
        for other in path.parent.glob("builtin-walks-*.usl"):
            if other != path and other.stat().st_mtime < time.time() - _OLD_S:
                other.unlink()


def shipped_name() -> str:
    """The name of the file in a wheel that brings it along."""
    return f"builtin-walks-{content_digest(*_ROOMS)}.usl"


def _shipped() -> Path | None:
    folder = shipped.folder()
    return folder / shipped_name() if folder.is_dir() else None


def _path() -> Path | None:
    folder = user_folder()
    return None if folder is None else folder / f"builtin-walks-{fingerprint()}.usl"
