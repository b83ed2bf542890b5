"""Whitespace-separated decimal numbers in bytes, read fast and in bounded memory.

NumPy reads a text of numbers at once; whether it took every word for one number shows in how many there are. Where it
did not, words are looked at one by one.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy.errors import FormatError
from understudy.typing import FloatArray, IntArray

#: [bytes] Text taken at a time: columns of a chunk stay in the cache, and temporaries stay small.
_CHUNK = 1 << 18
# Each digit can match in one way only: a token of a million digits must not take a million squared steps.
_NUMBER = re.compile(rb"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_SPACE = re.compile(rb"[ \t\r\n\v\f]")

#: No recording holds larger lengths, angles or times; they would overflow when squared.
LARGEST_VALUE = 1e12


@dataclass(frozen=True, eq=False)
class NumberBlock:
    """Numbers and how they were laid out.

    Attributes:
        values: ``(numbers,)``.
        line_totals: How many numbers were complete at the end of each line that held any.
    """

    values: FloatArray
    line_totals: IntArray


def parse_number(token: str, *, path: Path, line: int) -> float:
    """One finite number.

    Raises:
        FormatError: The token is anything else.
    """
    raw = token.encode("utf-8", "replace")
    value = float(raw) if _NUMBER.fullmatch(raw) else float("nan")
    if not abs(value) <= LARGEST_VALUE:
        raise FormatError(f'"{_shown(raw)}" is not a finite number', path=path, line=line)
    return value


def line_of(data: bytes, offset: int) -> int:
    """Line number, from 1, of a byte; lines end with LF, CR LF or a lone CR."""
    lone = data.count(b"\r", 0, offset) - data.count(b"\r\n", 0, offset)
    return 1 + data.count(b"\n", 0, offset) + lone


def parse_numbers(data: bytes, start: int, *, path: Path) -> NumberBlock:
    """All numbers of ``data`` from byte ``start`` to the end.

    Commas separate numbers when white space follows them; decimal commas are not guessed at.

    Raises:
        FormatError: A token is not a finite number; names file and line.
    """
    end = len(data.rstrip(b"\x00\x1a \t\r\n\v\f"))
    comma = data.find(b",", start, end)
    if comma >= 0:
        data = _without_commas(data, start, end, path)
    values: list[FloatArray] = []
    totals: list[IntArray] = []
    count = 0
    for left, right in _chunks(data, start, end):
        found, starts, breaks = _chunk_numbers(data, left, right, path)
        values.append(found)
        totals.append(np.searchsorted(starts, breaks) + count)
        count += len(found)
    totals.append(np.array([count], dtype=np.int64))
    ends = np.unique(np.concatenate(totals))
    return NumberBlock(np.concatenate(values) if values else np.empty(0), ends[ends > 0])


def _chunks(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        space = _SPACE.search(data, min(start + _CHUNK, end), end)
        stop = space.start() if space else end
        yield start, stop
        start = stop


def _chunk_numbers(data: bytes, left: int, right: int, path: Path) -> tuple[FloatArray, IntArray, IntArray]:
    """Numbers of one chunk, where each starts, and where lines end (offsets within the chunk)."""
    text = np.frombuffer(data, np.uint8, right - left, left)
    spaced = np.ones(len(text) + 2, dtype=bool)
    spaced[1:-1] = (text == 32) | (text - np.uint8(9) < 5)
    edges = np.flatnonzero(spaced[1:] != spaced[:-1])
    starts, ends = edges[::2], edges[1::2]
    values = _at_once(data[left:right])
    if len(values) != len(starts) or not (np.abs(values) <= LARGEST_VALUE).all():
        values = np.array([_number(data, left + a, left + b, path) for a, b in zip(starts, ends, strict=True)])
    return values, starts, np.flatnonzero((text == 10) | (text == 13))


def _at_once(text: bytes) -> FloatArray:
    """Numbers as NumPy finds them; none where something else is among them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text, dtype=np.float64, sep=" ")
        except (DeprecationWarning, ValueError):
            return np.empty(0)


def _number(data: bytes, start: int, end: int, path: Path) -> float:
    raw = data[start:end]
    value = float(raw) if _NUMBER.fullmatch(raw) else float("nan")
    if not abs(value) <= LARGEST_VALUE:
        raise FormatError(f'"{_shown(raw)}" is not a finite number', path=path, line=line_of(data, start))
    return value


def _without_commas(data: bytes, start: int, end: int, path: Path) -> bytes:
    glued = re.compile(rb",(?![ \t\r\n\v\f])").search(data, start, end)
    if glued:
        raise FormatError(
            "a comma inside a number row; numbers need decimal points and white space between them",
            path=path,
            line=line_of(data, glued.start()),
        )
    return data[:start] + data[start:end].replace(b",", b" ")


def _shown(raw: bytes) -> str:
    text = raw[:24].decode("utf-8", "replace")
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    return shown + ("..." if len(raw) > 24 else "")
