"""Legs of a ball's way in project files: a kind, and the leg's own fields, some of them under another name."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from understudy.errors import PlanningInputError
from understudy.interaction.events import End, Hold, Knock, Leg, Start, Touch
from understudy.interaction.project_models import LegTable

#: What a leg's kind is called in files, and the keys of those of its fields that are not called as in Python.
_KINDS: dict[str, tuple[type[Leg], dict[str, str]]] = {
    "start": (Start, {"position": "start"}),
    "hold": (Hold, {"part": "hold", "grip": "point"}),
    "touch": (Touch, {"part": "touch"}),
    "knock": (Knock, {"other": "knock", "position": "point"}),
    "end": (End, {"position": "end"}),
}


def leg_of(table: LegTable, ball: str) -> Leg:
    """A leg as a file has it.

    Raises:
        PlanningInputError: It is of no kind or of several, or lacks something.
    """
    found = [name for name in _KINDS if getattr(table, name) is not None]
    if len(found) != 1:
        raise PlanningInputError(f'ball "{ball}": a leg is one of {", ".join(_KINDS)}; got {found or "none"}')
    kind, keys = _KINDS[found[0]]
    given: dict[str, Any] = {}
    for one in fields(kind):
        key = keys.get(one.name, one.name)
        value = getattr(table, key)
        if value is not None:
            given[one.name] = np.array(value, dtype=np.float64) if isinstance(value, list) else value
        elif one.default is MISSING and one.default_factory is MISSING:
            raise PlanningInputError(f'ball "{ball}": its {found[0]} needs {key}')
    return kind(**given)


def leg_values(leg: Leg) -> dict[str, Any]:
    """A leg for a file: plain values, those left out that it would have anyway."""
    keys = next(keys for kind, keys in _KINDS.values() if isinstance(leg, kind))
    values = {keys.get(one.name, one.name): getattr(leg, one.name) for one in fields(leg)}
    plain = {
        key: np.asarray(one).tolist() if isinstance(one, np.ndarray | tuple) else one for key, one in values.items()
    }
    return {key: one for key, one in plain.items() if one is not None and one is not False}
