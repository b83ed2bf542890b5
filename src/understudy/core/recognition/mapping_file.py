"""Mapping files: a person's word on which joint plays which humanoid role."""

from __future__ import annotations

from pathlib import Path

from understudy.core.humanoid import ROLES
from understudy.core.table_text import read_text
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
    text = read_text(Path(path), "mapping", most_bytes=_MAX_BYTES)
    for role, name in text.values.items():
        fault = ""
        if role not in ROLES:
            fault = f'unknown humanoid role "{role}"; {nearest_name(role, ROLES)}'
        elif not isinstance(name, str):
            fault = f'role "{role}" needs a joint name in quotes, not {type(name).__name__}'
        if fault:
            raise FormatError(fault, path=text.path, line=text.line((role,)))
    return text.values
