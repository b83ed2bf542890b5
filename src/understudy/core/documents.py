"""The one reader of TOML and JSON: plain values out of files of strangers, within limits of size, depth and number."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from understudy.core.table_lines import line_of_double
from understudy.errors import FormatError

#: [bytes] far more than any file written by hand or saved with long tracks.
MOST_BYTES = 1 << 26
#: Tables in tables, far more than any document of ours has; everything that walks through values relies on it.
MOST_DEPTH = 64
#: Numbers, texts and tables in one document.
_MOST_VALUES = 5_000_000
#: A dotted key of more parts than tables may be deep; the standard reader takes quadratic time over it.
_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{MOST_DEPTH}}}""")


def file_bytes(path: Path, *, most_bytes: int = MOST_BYTES) -> bytes:
    """What is in a file.

    Raises:
        FormatError: It is missing, too large, or cannot be read.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(most_bytes + 1)
    except FileNotFoundError as error:
        raise FormatError("no such file", path=path) from error
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=path) from error
    if len(raw) > most_bytes:
        raise FormatError(f"is larger than {most_bytes >> 20} MiB", path=path)
    return raw


def decoded(raw: bytes, path: Path) -> str:
    """UTF-8 text.

    Raises:
        FormatError: It is something else; with the line.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8 text", path=path, line=raw[: error.start].count(b"\n") + 1) from error


def json_file(path: Path, what: str) -> dict[str, Any]:
    """The table in a JSON file.

    Raises:
        FormatError: It is missing, too large, too deep, or holds something else; with the line where known.
    """
    return table_of(json_values(decoded(file_bytes(path), path), path, what), path, what)


def table_of(values: Any, path: Path | None, what: str) -> dict[str, Any]:
    """Values that are a table.

    Raises:
        FormatError: They are something else.
    """
    if not isinstance(values, dict):
        raise FormatError(f"a {what} is a table of keys, not a {type(values).__name__}", path=path, line=1)
    return values


def json_values(text: str, path: Path | None, what: str, *, strict: bool = False) -> Any:
    """The values of a JSON text.

    Args:
        text: The text.
        path: Where it comes from, for messages.
        what: What it is, for messages.
        strict: Whether it is as other programs write it: keys may stand twice, and there are only finite numbers.

    Raises:
        FormatError: It is not valid, or beyond the limits.
    """
    _counted(text, path, what)
    try:
        if strict:
            values = json.loads(text, parse_constant=_refused)
        else:
            values = json.loads(text, object_pairs_hook=_no_doubles, parse_constant=float)
    except json.JSONDecodeError as error:
        raise FormatError(f"not valid JSON: {error.msg}", path=path, line=error.lineno) from error
    except _TwiceError as error:
        raise FormatError(str(error), path=path, line=line_of_double(text)) from None
    except RecursionError as error:
        raise _too_deep(path, what) from error
    except ValueError as error:
        raise FormatError(f"cannot be read: {error}", path=path) from error
    return _checked(values, path, what)


def toml_values(text: str, path: Path | None, what: str) -> dict[str, Any]:
    """The values of a TOML text.

    Raises:
        FormatError: It is not valid, or beyond the limits; with the line.
    """
    _counted(text, path, what)
    if _LONG_KEY.search(text):
        raise _too_deep(path, what)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        message = re.sub(r" \(at [^)]*\)$", "", str(error))
        raise FormatError(f"not valid TOML: {message}", path=path, line=line) from error
    except RecursionError as error:
        raise _too_deep(path, what) from error
    except ValueError as error:
        raise FormatError(f"cannot be read: {error}", path=path) from error
    return table_of(_checked(values, path, what), path, what)


def _counted(text: str, path: Path | None, what: str) -> None:
    if sum(text.count(sign) for sign in ",[{=") > _MOST_VALUES:
        raise FormatError(f"holds more than {_MOST_VALUES:,} values, too many for a {what}", path=path)


def _checked(values: Any, path: Path | None, what: str) -> Any:
    """Values that are not too deep, and whose texts can be written again."""
    level, depth = [values], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise _too_deep(path, what)
        below: list[Any] = []
        for one in level:
            if isinstance(one, str):
                _encodable(one, path)
            elif isinstance(one, list):
                below += one
            elif isinstance(one, dict):
                below += one.keys()
                below += one.values()
        level = below
    return values


def _encodable(text: str, path: Path | None) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise FormatError("holds half of a character (a lone surrogate), which is no text", path=path) from error


def _too_deep(path: Path | None, what: str) -> FormatError:
    return FormatError(f"is nested too deeply for a {what}: at most {MOST_DEPTH} levels are read", path=path)


class _TwiceError(ValueError):
    """A key stands twice in a table."""


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise _TwiceError(f'the key "{key}" is given twice in one table')
        values[key] = value
    return values


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
