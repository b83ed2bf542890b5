"""The MOTION part of a BVH file: frame count, frame time and the rows of numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy.errors import FormatError
from understudy.formats.number_text import NumberBlock, line_of, parse_number, parse_numbers
from understudy.typing import FloatArray

_MOTION = re.compile(rb"(?:^|[\r\n}])[ \t]*MOTION[ \t]*:?[ \t]*(?=[\r\n]|\Z)", re.IGNORECASE)
_LINE_END = re.compile(rb"\r\n|\r|\n|\Z")
_SETTING = re.compile(rb"[ \t]*(frames|frame[ \t]*time)[ \t]*:?([^\r\n]*)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class MotionHeader:
    """The lines between MOTION and the first row of numbers.

    Attributes:
        declared_frames: ``None`` when the file does not say.
        frame_time_s: ``None`` when the file does not say; may be zero or negative.
        time_line: Line of the frame time, or of MOTION.
        data_start: Byte where the rows begin.
    """

    declared_frames: int | None
    frame_time_s: float | None
    time_line: int
    data_start: int


def find_motion(data: bytes) -> tuple[int, int] | None:
    """Bytes where the MOTION line begins and ends; ``None`` when there is none."""
    match = _MOTION.search(data)
    return (match.start(), match.end()) if match else None


def parse_motion_header(data: bytes, start: int, *, path: Path) -> MotionHeader:
    """The lines after MOTION up to the first row of numbers, in any order."""
    frames: int | None = None
    time_s: float | None = None
    line = time_line = line_of(data, start)
    at = start
    while at < len(data):
        end = _LINE_END.search(data, at)
        text = data[at : end.start() if end else len(data)]
        setting = _SETTING.fullmatch(text)
        if text.strip() and not setting:
            break
        if setting and setting[1].lower() == b"frames":
            frames = _frame_count(setting[2].decode("ascii", "replace").strip(), path, line)
        elif setting:
            time_s = parse_number(setting[2].decode("ascii", "replace").strip(), path=path, line=line)
            time_line = line
        at = end.end() if end and end.end() > at else len(data)
        line += 1
    if frames is None and time_s is None and at >= len(data):
        raise FormatError("the MOTION part is empty; the file seems cut off", path=path, line=line)
    return MotionHeader(declared_frames=frames, frame_time_s=time_s, time_line=time_line, data_start=min(at, len(data)))


def _frame_count(text: str, path: Path, line: int) -> int:
    value = parse_number(text, path=path, line=line)
    if value < 0 or value != int(value):
        raise FormatError(f"Frames: {text} is not a whole number of frames", path=path, line=line)
    return int(value)


def parse_rows(data: bytes, header: MotionHeader, channels: int, *, path: Path) -> FloatArray:
    """All frames that are really there, ``(frames, channels)``.

    A frame may be wrapped over several lines.

    Raises:
        FormatError: No frames, a token that is not a number, or a row with too few or too many numbers.
    """
    block = parse_numbers(data, header.data_start, path=path)
    count = len(block.values)
    if count == 0:
        declared = header.declared_frames
        said = f"{declared} frames are declared but" if declared else "the motion is empty:"
        raise FormatError(f"{said} there are no rows of numbers", path=path, line=line_of(data, len(data)))
    if channels == 0:
        raise FormatError("the hierarchy has no channels, so its frames cannot be read", path=path, line=1)
    if not _rows_fit(block, channels):
        raise _row_fault(data, header.data_start, block, channels, path)
    return block.values.reshape(-1, channels)


def _row_lengths(block: NumberBlock) -> FloatArray:
    return np.diff(block.line_totals, prepend=0)


def _rows_fit(block: NumberBlock, channels: int) -> bool:
    lengths = _row_lengths(block)
    if (lengths == channels).all():
        return True
    if len(block.values) % channels:
        return False
    # Wrapped rows: every frame ends at a line end, or lines have nothing to do with frames at all.
    frame_ends = np.arange(channels, len(block.values) + 1, channels)
    aligned = np.isin(frame_ends, block.line_totals).all()
    return bool(aligned) or bool((lengths == channels).mean() < 0.5)


def _row_fault(data: bytes, start: int, block: NumberBlock, channels: int, path: Path) -> FormatError:
    lengths = _row_lengths(block)
    usual = (lengths == channels).mean() >= 0.5
    odd = np.flatnonzero(lengths != channels)
    row = int(odd[0]) if usual or (lengths == lengths[0]).all() else len(lengths) - 1
    line = _line_of_row(data, start, row)
    if row == len(lengths) - 1 and lengths[row] % channels:
        got = int(lengths[row] if usual else len(block.values) % channels)
        message = f"the last frame has {got} of {channels} numbers; the file seems cut off"
    else:
        message = f"this row has {int(lengths[row])} numbers; the hierarchy has {channels} channels"
    return FormatError(message, path=path, line=line)


def _line_of_row(data: bytes, start: int, row: int) -> int:
    """Line number of the ``row``-th line that holds numbers."""
    seen = -1
    first = line_of(data, start)
    for index, line in enumerate(data[start:].splitlines()):
        if line.strip(b" \t\v\f,\x00\x1a"):
            seen += 1
            if seen == row:
                return first + index
    return first
