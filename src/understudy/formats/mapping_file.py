"""Mapping files: a person's word on which joint plays which humanoid role."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from understudy.core.humanoid import ROLES
from understudy.errors import FormatError, nearest_name
from understudy.typing import PathLike

#: A mapping has a few dozen short lines; more than this is another kind of file.
_MAX_BYTES = 1 << 20


def load_mapping(path: PathLike) -> dict[str, str]:
    """Read a TOML or JSON file of lines ``role = "joint name"``.

    Args:
        path: A ``.toml`` or ``.json`` file.

    Returns:
        VRM role -> joint name, in the order of the file.

    Raises:
        FormatError: The file is missing, malformed, or names an unknown role; with its line where known.
    """
    file = Path(path)
    text = _text(file)
    pairs = _pairs(file, text)
    for role, name in pairs.items():
        if role not in ROLES:
            raise FormatError(
                f'unknown humanoid role "{role}"; {nearest_name(role, ROLES)}',
                path=file,
                line=_line_of(role, text),
            )
        if not isinstance(name, str):
            raise FormatError(
                f'role "{role}" needs a joint name in quotes, not {type(name).__name__}',
                path=file,
                line=_line_of(role, text),
            )
    return pairs


def _text(file: Path) -> str:
    if file.suffix.lower() not in (".toml", ".json"):
        raise FormatError(f'a mapping file ends in .toml or .json, not "{file.suffix}"', path=file)
    try:
        with file.open("rb") as stream:
            raw = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=file) from error
    if len(raw) > _MAX_BYTES:
        raise FormatError("is larger than 1 MiB; a mapping file holds one line per role", path=file)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FormatError("is not UTF-8 text", path=file, line=line) from error


def _pairs(file: Path, text: str) -> dict[str, Any]:
    try:
        if file.suffix.lower() == ".toml":
            return tomllib.loads(text)
        found = json.loads(text, object_pairs_hook=lambda pairs: _without_doubles(file, text, pairs))
    except json.JSONDecodeError as error:
        raise FormatError(f"not valid JSON: {error.msg}", path=file, line=error.lineno) from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        message = re.sub(r" \(at [^)]*\)$", "", str(error))
        raise FormatError(f"not valid TOML: {message}", path=file, line=line) from error
    except (RecursionError, ValueError) as error:
        # Deep nesting, or an integer too long for Python to convert.
        raise FormatError(
            'holds values that do not belong in a mapping; write role = "joint name"', path=file
        ) from error
    if not isinstance(found, dict):
        raise FormatError(f"needs an object of role: joint name, not {type(found).__name__}", path=file, line=1)
    return found


def _without_doubles(file: Path, text: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: set[str] = set()
    for role, _ in pairs:
        if role in seen:
            raise FormatError(f'role "{role}" is given twice', path=file, line=_line_of(role, text))
        seen.add(role)
    return dict(pairs)


def _line_of(role: str, text: str) -> int | None:
    """The last line whose key is ``role``."""
    key = re.compile(rf"""["'\[{{,\s]*{re.escape(role)}["'\]]?\s*(?:[=:.\]]|$)""")
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if key.match(line)]
    return lines[-1] if lines else None
