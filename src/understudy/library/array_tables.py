"""Tables of arrays in a library's file: each array's type and shape is declared once, for writing and for reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from understudy.errors import FormatError
from understudy.formats.npz_archive import Array, NpzArchive

#: Array -> its type, and its shape, in which a letter stands for one length throughout; ``"n+1"`` for one more.
Types: TypeAlias = Mapping[str, tuple[str, tuple[str | int, ...]]]
#: [m, rad] numbers of people on a floor; kernels turn them into numbers of cells and samples.
MOST = 1e5


def beyond(values: Array) -> bool:
    """Whether some of the numbers are not finite, or no place where anybody walks."""
    return not (np.abs(values) <= MOST).all()


def arrays_of(holder: object, name: str, types: Types) -> Iterator[tuple[str, Array]]:
    """Names and arrays to write."""
    for key, (kind, _) in types.items():
        yield f"{name}_{key}", getattr(holder, key).astype(kind, copy=False)


def arrays_in(archive: NpzArchive, name: str, types: Types, **lengths: int) -> dict[str, Array]:
    """A table's arrays, mapped from the disk.

    Raises:
        FormatError: One is missing, damaged or of another type, or their lengths do not fit each other or those given.
    """
    found, known = {}, {key + more: length + bool(more) for key, length in lengths.items() for more in ("", "+1")}
    for key, (kind, shape) in types.items():
        wanted = tuple(known.get(side) if isinstance(side, str) else side for side in shape)
        found[key] = archive.array(f"{name}_{key}", kinds=np.dtype(kind).kind, shape=wanted)
        if found[key].dtype != np.dtype(kind):
            raise FormatError(f'array "{name}_{key}" is of type {found[key].dtype}, not {kind}', path=archive.path)
        for side, length in zip(shape, found[key].shape, strict=True):
            if isinstance(side, str) and "+" not in side:
                known |= {side: length, f"{side}+1": length + 1}
    return found


def settings_array(name: str, version: int, *numbers: int) -> tuple[str, Array]:
    """The array that says that there is a table of this name."""
    return f"{name}_settings", np.array([version, *numbers], dtype="<i8")


def settings_in(archive: NpzArchive, name: str, version: int, count: int, what: str) -> list[int] | None:
    """A table's numbers; ``None`` where a file has no such table.

    Raises:
        FormatError: It was written by another version.
    """
    if f"{name}_settings" not in archive:
        return None
    found, *numbers = archive.array(f"{name}_settings", kinds="i", shape=(1 + count,)).tolist()
    if found != version:
        said = f"its {what} are of version {found}; this Understudy reads version {version}. Make them again"
        raise FormatError(said, path=archive.path)
    return [int(number) for number in numbers]


def undamaged(table: Any, fault: str, what: str, archive: NpzArchive) -> Any:
    """The table.

    Raises:
        FormatError: It has a fault.
    """
    if fault:
        raise FormatError(f"its {what} are damaged: {fault} cannot be", path=archive.path)
    return table
