"""The version of scene files, and how older ones are brought up to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

VERSION = 1
#: Version -> what turns a file's values into those of the next version.
UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def upgraded(values: dict[str, Any]) -> dict[str, Any]:
    """Values of an older file as this version has them; a file that does not say is of version 1."""
    version = values.get("version", 1)
    while isinstance(version, int) and version < VERSION and version in UPGRADES:
        values = {**UPGRADES[version](values), "version": version + 1}
        version += 1
    return values


def version_fault(version: int) -> str:
    """What is wrong with a version after upgrades; empty when nothing is."""
    if version == VERSION:
        return ""
    newer = "written by a newer Understudy; " if version > VERSION else ""
    return f"version {version} of scene files: {newer}this one reads versions 1 to {VERSION}"
