"""Where frames lie while a library is built: in memory, or in files that are mapped into it.

A million frames of a skeleton with helper joints are some ten gigabytes of world transforms and 64-bit copies. Mapped
files keep them out of memory: the system writes them out when it needs the room, and :meth:`Scratch.release` lets go of
what is mapped between two stages. The files have no name from the moment they are made, so nothing is left behind,
however a build ends.
"""

from __future__ import annotations

import math
import mmap
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.errors import FormatError

#: Frames that are worked on at a time: some ten megabytes of transforms.
BLOCK = 8192
#: Bytes of one file, which arrays share since a file takes a handle; places in it are multiples of the second number.
_FILE_BYTES, _ALIGNED = 1 << 28, 64


@dataclass(eq=False)
class Scratch:
    """A place for large arrays.

    Attributes:
        folder: Of the mapped files; ``None`` keeps everything in memory.
    """

    folder: Path | None = None
    _maps: list[mmap.mmap] = field(default_factory=list, repr=False)
    _used: int = field(default=_FILE_BYTES, repr=False)

    def empty(self, shape: tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        """An array of any content, to be written to.

        Raises:
            FormatError: The folder has no room, or cannot be written to.
        """
        kind = np.dtype(dtype)
        size = math.prod(shape) * kind.itemsize
        if self.folder is None or size == 0:
            return np.empty(shape, dtype=kind)
        if self._used + size > _FILE_BYTES:
            self._maps.append(_mapped(self.folder, max(size, _FILE_BYTES)))
            self._used = 0
        at, self._used = self._used, -(-(self._used + size) // _ALIGNED) * _ALIGNED
        return np.frombuffer(self._maps[-1], dtype=kind, count=math.prod(shape), offset=at).reshape(shape)

    def kept(self, motion: Motion) -> Motion:
        """The same motion, its frames here."""
        if self.folder is None:
            return motion
        roots, turns = self.empty(motion.root_positions.shape), self.empty(motion.rotations.shape)
        roots[:], turns[:] = motion.root_positions, motion.rotations
        self.release()
        return replace(motion, root_positions=roots, rotations=turns)

    def release(self) -> None:
        """Let go of what is mapped; the next look at an array reads it again."""
        for mapped in self._maps:
            if hasattr(mmap, "MADV_DONTNEED"):
                mapped.madvise(mmap.MADV_DONTNEED)


def _mapped(folder: Path, size: int) -> mmap.mmap:
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.truncate(size)
            return mmap.mmap(file.fileno(), size)
    except OSError as error:
        raise FormatError(f"cannot keep frames here: {error.strerror or error}", path=folder) from error


#: Everything in memory.
MEMORY = Scratch()


def blocks(count: int, scratch: Scratch = MEMORY, *, size: int = BLOCK) -> Iterator[slice]:
    """Slices that cover so many frames; what was looked at in one is let go of before the next."""
    for first in range(0, count, size):
        yield slice(first, min(first + size, count))
        scratch.release()
