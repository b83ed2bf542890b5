"""Named arrays in a file with a digest of all of them: what comes back is what was written, or an error."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from understudy.errors import FormatError
from understudy.formats.npz_archive import Array, opened, write_arrays

Arrays = dict[str, Array]
_DIGEST = "digest"


def write_checked(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays and their digest."""
    write_arrays(path, [*arrays.items(), (_DIGEST, _digest(arrays))])


def read_checked(path: Path) -> Arrays:
    """Read all arrays back.

    Raises:
        FormatError: The file is missing or damaged.
    """
    try:
        with opened(path) as archive:
            arrays = {key: archive.array(key, kinds="biufU", shape=None) for key in archive.keys}
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    if not np.array_equal(arrays.pop(_DIGEST, np.empty(0)), _digest(arrays)):
        raise FormatError("is damaged: its digest does not match", path=path)
    return arrays


def _digest(arrays: Mapping[str, Array]) -> Array:
    digest = hashlib.sha256()
    for key in sorted(arrays):
        digest.update(f"{key} {arrays[key].dtype} {arrays[key].shape}\n".encode())
        digest.update(np.ascontiguousarray(arrays[key]).tobytes())
    return np.frombuffer(digest.digest(), dtype=np.uint8)
