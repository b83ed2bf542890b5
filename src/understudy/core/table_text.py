"""Files of tables, TOML or JSON: read into plain values, with the line of each, and written from them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from understudy.core.documents import MOST_BYTES, decoded, file_bytes, json_values, table_of, toml_values
from understudy.core.table_lines import Place, json_lines, line_of, toml_lines
from understudy.errors import FormatError, nearest_name

SUFFIXES: tuple[str, ...] = (".toml", ".json")

_WIDTH = 110


@dataclass(frozen=True)
class TableText:
    """A file's values and where they stand."""

    path: Path
    text: str
    values: dict[str, Any]

    @cached_property
    def _lines(self) -> dict[Place, int]:
        return toml_lines(self.text) if self.path.suffix.lower() == ".toml" else json_lines(self.text)

    def line(self, place: Place) -> int | None:
        """The line of an entry, counted from 1, or of the nearest entry around it."""
        return line_of(self._lines, place)


def read_text(path: Path, what: str = "scene", *, most_bytes: int = MOST_BYTES) -> TableText:
    """Read and parse a file.

    Args:
        path: A ``.toml`` or ``.json`` file.
        what: What it holds, for messages.
        most_bytes: Larger files are refused.

    Raises:
        FormatError: It is missing, too large, not UTF-8, or not valid TOML or JSON; with the line where known.
    """
    checked_suffix(path, what)
    text = decoded(file_bytes(path, most_bytes=most_bytes), path)
    if path.suffix.lower() == ".toml":
        values = toml_values(text, path, what)
    else:
        values = table_of(json_values(text, path, what), path, what)
    return TableText(path, text, values)


def checked_suffix(path: Path, what: str = "scene") -> None:
    """Raise a :class:`FormatError` unless the name ends like that of a file of tables."""
    if path.suffix.lower() not in SUFFIXES:
        hint = nearest_name(path.suffix, SUFFIXES)
        raise FormatError(f'{what} files end in .toml or .json, not "{path.suffix}"; {hint}', path=path)


def plain(value: Any) -> Any:
    """A value made of Python's own numbers, strings, lists and tables; numpy's scalars and arrays become these.

    Raises:
        FormatError: It is something that a scene file cannot say.
    """
    match value:
        case np.generic() | np.ndarray():
            return value.tolist()
        case dict():
            return {key: plain(one) for key, one in value.items()}
        case list() | tuple():
            return [plain(one) for one in value]
        case bool() | int() | float() | str():
            return value
    raise FormatError(f"a scene file cannot hold a {type(value).__name__}")


def json_text(values: dict[str, Any]) -> str:
    """Values as indented JSON."""
    return json.dumps(plain(values), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def toml_text(values: dict[str, Any]) -> str:
    """Values as TOML: top-level lists of tables as ``[[blocks]]``, short tables inline, long ones below."""
    values = plain(values)
    above = {key: value for key, value in values.items() if not _is_tables(value)}
    blocks = ["".join(f"{_key(key)} = {_value(value)}\n" for key, value in above.items())]
    for key, tables in values.items():
        if _is_tables(tables):
            blocks += [_block(key, table) for table in tables]
    return "\n".join(block for block in blocks if block)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _block(name: str, table: dict[str, Any]) -> str:
    lines, below = [f"[[{name}]]\n"], []
    for key, value in table.items():
        line = f"{_key(key)} = {_value(value)}\n"
        if isinstance(value, dict) and len(line) > _WIDTH:
            inside = "".join(f"{_key(one)} = {_wrapped(value[one])}\n" for one in value)
            below.append(f"\n[{name}.{_key(key)}]\n{inside}")
        else:
            lines.append(line)
    return "".join([*lines, *below])


def _wrapped(value: Any) -> str:
    text = _value(value)
    if not isinstance(value, list) or len(text) <= _WIDTH:
        return text
    return "[\n" + "".join(f"    {line},\n" for line in _packed(_value(one) for one in value)) + "]"


def _packed(items: Iterable[str]) -> Iterable[str]:
    line = ""
    for item in items:
        if line and len(line) + len(item) + 2 > _WIDTH - 8:
            yield line
            line = ""
        line = f"{line}, {item}" if line else item
    if line:
        yield line


def _value(value: Any) -> str:
    writers: dict[type, Callable[[Any], str]] = {
        bool: lambda flag: "true" if flag else "false",
        str: _string,
        list: lambda items: f"[{', '.join(_value(item) for item in items)}]",
        dict: lambda table: f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in table.items())} }}",
    }
    return writers.get(type(value), repr)(value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _string(key)


def _string(text: str) -> str:
    # JSON escapes are TOML escapes; TOML also wants the delete character escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
