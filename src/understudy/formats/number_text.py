"""Whitespace-separated decimal numbers in bytes, read fast and in bounded memory.

Plain decimals (``-12.3456``) are read for all tokens at once, one character column after another from the
right; whatever else is a number (``7.6e-016``) goes through ``float`` one by one. Mantissas are exact integers,
so results equal ``float(token)`` up to 15 digits and are within one unit in the last place up to 18.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from understudy.errors import FormatError
from understudy.typing import FloatArray, IntArray

#: [bytes] Text taken at a time: columns of a chunk stay in the cache, and temporaries stay small.
_CHUNK = 1 << 18
_MOST_DIGITS = 18
_LONGEST_PLAIN = _MOST_DIGITS + 2
_POWERS = 10.0 ** np.arange(_MOST_DIGITS + 1)
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
    values, plain = _plain_decimals(text, starts, ends)
    for token in np.flatnonzero(~plain):
        raw = data[left + starts[token] : left + ends[token]]
        value = float(raw) if _NUMBER.fullmatch(raw) else float("nan")
        if not abs(value) <= LARGEST_VALUE:
            _refuse(data, left + int(starts[token]), raw, path)
        values[token] = value
    large = np.flatnonzero(np.abs(values) > LARGEST_VALUE)
    if len(large):
        first = large[0]
        _refuse(data, left + int(starts[first]), data[left + starts[first] : left + ends[first]], path)
    return values, starts, np.flatnonzero((text == 10) | (text == 13))


def _plain_decimals(
    text: npt.NDArray[np.uint8], starts: IntArray, ends: IntArray
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Values of tokens made of a sign, digits and one point, and which tokens are such."""
    count = len(starts)
    lengths = ends - starts
    mantissas = np.zeros(count, dtype=np.int64)
    scales = np.ones(count, dtype=np.int64)
    digits = np.zeros(count, dtype=np.int64)
    decimals = np.zeros(count, dtype=np.int64)
    points = np.zeros(count, dtype=np.int64)
    for column in range(min(int(lengths.max(initial=0)), _LONGEST_PLAIN)):
        letters = text[np.maximum(ends - 1 - column, 0)]
        inside = lengths > column
        is_digit = (letters - np.uint8(48) < 10) & inside
        is_point = (letters == 46) & inside
        mantissas += np.where(is_digit, (letters - np.uint8(48)) * scales, 0)
        np.multiply(scales, 10, out=scales, where=is_digit & (digits < _MOST_DIGITS))
        np.copyto(decimals, digits, where=is_point)
        digits += is_digit
        points += is_point
    first = text[starts]
    signed = (first == 43) | (first == 45)
    plain = (digits + points + signed == lengths) & (points <= 1) & (digits >= 1) & (digits <= _MOST_DIGITS)
    values = mantissas / _POWERS[np.minimum(decimals, _MOST_DIGITS)]
    np.negative(values, out=values, where=first == 45)
    return values, plain


def _without_commas(data: bytes, start: int, end: int, path: Path) -> bytes:
    glued = re.compile(rb",(?![ \t\r\n\v\f])").search(data, start, end)
    if glued:
        raise FormatError(
            "a comma inside a number row; numbers need decimal points and white space between them",
            path=path,
            line=line_of(data, glued.start()),
        )
    return data[:start] + data[start:end].replace(b",", b" ")


def _refuse(data: bytes, offset: int, raw: bytes, path: Path) -> None:
    raise FormatError(f'"{_shown(raw)}" is not a finite number', path=path, line=line_of(data, offset))


def _shown(raw: bytes) -> str:
    text = raw[:24].decode("utf-8", "replace")
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    return shown + ("..." if len(raw) > 24 else "")
