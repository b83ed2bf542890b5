"""Tables of world joint positions, for spreadsheets and plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from understudy import kinematics
from understudy.core.motion import Motion
from understudy.errors import FormatError
from understudy.formats.atomic import replacing
from understudy.formats.options import WriteOptions
from understudy.typing import FloatArray

#: Frames turned into text at a time, so that a long motion needs little memory.
_CHUNK_FRAMES = 4096


def write(motions: Sequence[Motion], path: Path, options: WriteOptions) -> None:
    """Write ``frame,time_s,<joint>.x,<joint>.y,<joint>.z,...``, one row per frame.

    Numbers are written with as many digits as it takes to read the same number back.

    Args:
        motions: Exactly one motion.
        path: Where to.
        options: ``unit_m`` and ``up`` of the positions; the header does not repeat them. Props are not written.

    Raises:
        FormatError: There are several motions, or the file cannot be written.
    """
    if len(motions) != 1:
        raise FormatError(f"a CSV table holds one character; got {len(motions)}", path=path)
    motion = motions[0]
    header = ["frame", "time_s", *(f"{name}.{axis}" for name in motion.skeleton.names for axis in "xyz")]
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        stream.write(",".join(map(_quoted, _encodable(header, path))) + "\n")
        for row in _rows(motion, options):
            stream.write(",".join(map(repr, row)) + "\n")


def _rows(motion: Motion, options: WriteOptions) -> Iterator[list[float]]:
    times = motion.times_s
    for start in range(0, len(motion), _CHUNK_FRAMES):
        frames = slice(start, start + _CHUNK_FRAMES)
        positions, _ = kinematics.forward(motion.skeleton, motion.root_positions[frames], motion.rotations[frames])
        values = _in_file_axes(positions, options).reshape(len(positions), -1)
        for offset, row in enumerate(values.tolist()):
            yield [start + offset, float(times[start + offset]), *row]


def _in_file_axes(positions: FloatArray, options: WriteOptions) -> FloatArray:
    scaled = positions / options.unit_m
    if options.up == "z":
        # (x, y, z) -> (x, -z, y), a quarter turn about X.
        return np.stack([scaled[..., 0], -scaled[..., 2], scaled[..., 1]], axis=-1)
    return scaled


def _quoted(cell: str) -> str:
    """A cell as RFC 4180 wants it; the standard library's writer leaves a lone carriage return bare."""
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in ',"\r\n') else cell


def _encodable(header: list[str], path: Path) -> list[str]:
    try:
        "".join(header).encode()
    except UnicodeEncodeError as error:
        raise FormatError(
            f"a joint name holds a character that cannot be written as text: {error.reason}", path=path
        ) from error
    return header
