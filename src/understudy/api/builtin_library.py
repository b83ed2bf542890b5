"""The library of the built-in walks, kept between processes in a folder of the user's caches.

Making the clips, comparing them and looking for jumps takes seconds; reading the file a hundredth of one. A file is
named after everything in the package that could change it, so another version never reads it. A wheel with compiled
kernels brings the file along. Where no file can be written or read, the library is made anew.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from understudy.compiling import shipped
from understudy.core.user_cache import content_digest, fingerprint, keep_within, user_folder
from understudy.errors import UnderstudyError
from understudy.library import Library, build_library, load_library, save_library
from understudy.timing import timed

#: Rooms that the library is made by.
_ROOMS = ("collision", "core", "inspection", "kinematics", "library", "performer", "rotations", "scene")


@timed("load")
def builtin_library() -> Library:
    """The library of the built-in walks, with its jumps where they were ever found."""
    for path in (_path(), _shipped()):
        if path is not None and path.is_file():
            with contextlib.suppress(UnderstudyError):
                found = load_library(path)
                with contextlib.suppress(OSError):
                    os.utime(path)
                return found
    from understudy.performer import builtin_clips

    library = build_library(builtin_clips("walk"))
    keep_builtin(library)
    return library


def keep_builtin(library: Library) -> None:
    """Keep the library of the built-in walks for later processes, where that can be done."""
    path = _path()
    if path is None:
        return
    with contextlib.suppress(UnderstudyError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_library(library, path)
        keep_within(path.parent, "builtin-walks-*.usl")


def shipped_name() -> str:
    """The name of the file in a wheel that brings it along."""
    return f"builtin-walks-{content_digest(*_ROOMS)}.usl"


def _shipped() -> Path | None:
    folder = shipped.folder()
    return folder / shipped_name() if folder.is_dir() else None


def _path() -> Path | None:
    folder = user_folder()
    return None if folder is None else folder / f"builtin-walks-{fingerprint()}.usl"
