"""Acclaim motion files (.amc): per frame, one line of values for every bone that moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from understudy.errors import FormatError, nearest_name
from understudy.formats.asf import AsfSkeleton
from understudy.formats.number_text import parse_number
from understudy.typing import FloatArray


def parse_amc(text: str, skeleton: AsfSkeleton, *, path: Path) -> tuple[list[FloatArray], bool | None]:
    """Values of every bone over time.

    Returns:
        For each bone ``(frames, its degrees of freedom)`` as written, and whether the file says its angles are
        degrees (``None``: it does not say).

    Raises:
        FormatError: Unknown bones, missing or wrong values, no frames; names file and line.
    """
    columns, width = {}, 0
    for bone in skeleton.bones:
        columns[bone.name] = (width, len(bone.dof))
        width += len(bone.dof)
    degrees: bool | None = None
    rows: list[list[str]] = []
    row: list[str] = []
    filled, frame_line = 0, 0
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].startswith(":"):
            if words[0].upper() in (":DEGREES", ":RADIANS"):
                degrees = words[0].upper() == ":DEGREES"
            continue
        if len(words) == 1 and words[0].isdigit():
            _check_complete(rows, filled, width, path, frame_line)
            row, filled, frame_line = [""] * width, 0, number
            rows.append(row)
            continue
        start, count = _bone_columns(words, columns, path, number)
        if not rows:
            raise FormatError("values before the first frame number", path=path, line=number)
        if any(row[start : start + count]):
            raise FormatError(f'bone "{words[0]}" occurs twice in a frame', path=path, line=number)
        row[start : start + count] = words[1:]
        filled += count
    _check_complete(rows, filled, width, path, frame_line)
    if not rows or width == 0:
        raise FormatError("there are no frames", path=path, line=len(lines))
    values = _as_numbers(rows, lines, path)
    return [values[:, start : start + count] for start, count in columns.values()], degrees


def _bone_columns(words: list[str], columns: dict[str, tuple[int, int]], path: Path, line: int) -> tuple[int, int]:
    if words[0] not in columns:
        hint = nearest_name(words[0][:40], columns)
        raise FormatError(f'unknown bone "{words[0][:40]}"; {hint}', path=path, line=line)
    start, count = columns[words[0]]
    if len(words) - 1 != count:
        raise FormatError(f'bone "{words[0]}" needs {count} values, got {len(words) - 1}', path=path, line=line)
    return start, count


def _check_complete(rows: list[list[str]], filled: int, width: int, path: Path, line: int) -> None:
    if rows and filled != width:
        raise FormatError(
            f"frame {len(rows)} has {filled} of {width} values; the file seems cut off", path=path, line=line
        )


def _as_numbers(rows: list[list[str]], lines: list[str], path: Path) -> FloatArray:
    try:
        values = np.array(rows, dtype=np.float64)
        fine = bool(np.isfinite(values).all()) and bool((np.abs(values) < 1e12).all())
    except ValueError:
        fine, values = False, np.empty(0)
    if not fine:
        for number, line in enumerate(lines, start=1):
            words = line.split()
            if words and words[0][0] not in "#:":
                for word in words[1:]:
                    parse_number(word, path=path, line=number)
        raise FormatError("holds values that are not numbers", path=path)
    return values
