"""Jumps inside a library's file: arrays mapped from the disk, checked once when they are opened."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from understudy.errors import FormatError
from understudy.formats.npz_archive import Array, NpzArchive
from understudy.library.footage import Footage
from understudy.library.jump_table import TYPES, JumpTable, fault_in

VERSION = 1
#: Array of version and fewest frames between jumps; a file without it has no jumps.
SETTINGS_KEY = "jump_settings"


def jump_arrays(table: JumpTable) -> Iterator[tuple[str, Array]]:
    """Names and arrays to write."""
    yield SETTINGS_KEY, np.array([VERSION, table.least], dtype="<i8")
    for name, (kind, _) in TYPES.items():
        yield f"jump_{name}", getattr(table, name).astype(kind, copy=False)


def read_jumps(archive: NpzArchive, footage: Footage) -> JumpTable | None:
    """The jumps of a library's file; ``None`` when it has none.

    Raises:
        FormatError: They are cut off, contradict themselves or their footage, or were written by another version.
    """
    if SETTINGS_KEY not in archive:
        return None
    version, least = archive.array(SETTINGS_KEY, kinds="i", shape=(2,)).tolist()
    if version != VERSION:
        raise FormatError(
            f"its jumps are of version {version}; this Understudy reads version {VERSION}. Find them again",
            path=archive.path,
        )
    count = len(archive.array("jump_out", kinds="i", shape=(None,)))
    sizes: dict[str | int, int] = {"j": count, "f": len(footage)}
    parts = {
        name: archive.array(
            f"jump_{name}",
            kinds=np.dtype(kind).kind,
            shape=tuple(sizes.get(side, side) for side in shape),  # type: ignore[arg-type]
        )
        for name, (kind, shape) in TYPES.items()
    }
    table = JumpTable(least=int(least), **parts)
    fault = fault_in(table, len(footage), footage.starts)
    if fault:
        raise FormatError(f"its jumps are damaged: {fault} cannot be", path=archive.path)
    return table
