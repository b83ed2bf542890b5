"""Arrays that take seconds to make and never change, kept in the user's caches.

Files hold plain arrays and a digest. Where none can be written, or one is damaged, things are made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from understudy.core.user_cache import fingerprint, keep_within, user_folder
from understudy.errors import FormatError
from understudy.formats.atomic import replacing
from understudy.formats.checked_arrays import Arrays, read_checked, write_checked


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
    with contextlib.suppress(OSError, FormatError):
        found = read_checked(path)
        os.utime(path)
        return found
    made = {name: np.asarray(value) for name, value in make().items()}
    with contextlib.suppress(OSError, FormatError):
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            write_checked(part, made)
        keep_within(folder, f"{kind}-*.npz")
    return made
