"""Values of the package as data files: frozen dataclasses, mappings, tuples and arrays, without any code in the file.

A file is an archive of arrays. One of them is a JSON document of *things*, each of which names only things before it:
what is shared stays shared, and nothing can hold itself. Only dataclasses that the wanted type's hints lead to are
made, by their own constructors, and every field has to be of the type its hint says. Another array is a digest of all
others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from understudy.core.documents import json_values, table_of
from understudy.errors import FormatError, UnderstudyError
from understudy.formats.checked_arrays import read_checked, write_checked
from understudy.formats.npz_archive import Array

Made = TypeVar("Made")
_PLAIN = (bool, int, float, str, NoneType)


def write_value(path: Path, value: object, given: Mapping[str, object]) -> None:
    """Write a value.

    Args:
        path: Where to.
        value: A dataclass.
        given: Things that are named in the file instead of written; the reader has them, too.
    """
    writer = _Writer(given)
    root = writer.of(value)
    text = json.dumps({"things": writer.things, "root": root}, separators=(",", ":"))
    arrays = {"document": np.frombuffer(text.encode(), dtype=np.uint8)}
    arrays |= {f"a{k}": one for k, one in enumerate(writer.arrays)}
    write_checked(path, arrays)


def read_value(path: Path, kind: type[Made], given: Mapping[str, object]) -> Made:
    """Read a value back.

    Raises:
        FormatError: The file is missing or damaged, or holds something else.
    """
    try:
        arrays = {key: np.array(one) for key, one in read_checked(path).items()}
        document = table_of(json_values(arrays["document"].tobytes().decode(), path, "value"), path, "value")
        found = _Reader(arrays, given, _kinds(cast(Any, kind))).all(document)
    except FormatError:
        raise
    except (UnderstudyError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise FormatError(f"is damaged: {error}", path=path) from error
    if not isinstance(found, kind):
        raise FormatError(f"holds no {kind.__name__}", path=path)
    return found


class _Writer:
    def __init__(self, given: Mapping[str, object]) -> None:
        self.things: list[list[Any]] = []
        self.arrays: list[Array] = []
        self._known: dict[int, dict[str, Any]] = {id(value): {"given": name} for name, value in given.items()}
        self._alive = list(given.values())

    def of(self, value: Any) -> Any:
        """A plain value, or where the thing is."""
        if type(value) in _PLAIN and not (isinstance(value, float) and not math.isfinite(value)):
            return value
        if id(value) not in self._known:
            self._alive.append(value)  # or another value might get its address
            thing = self._thing(value)
            self._known[id(value)] = {"at": len(self.things)}
            self.things.append(thing)
        return self._known[id(value)]

    def _thing(self, value: Any) -> list[Any]:
        match value:
            case float():
                return ["float", repr(value)]
            case np.ndarray() | np.generic():
                self.arrays.append(np.array(value))
                return ["array" if isinstance(value, np.ndarray) else "number", len(self.arrays) - 1]
            case Path():
                return ["path", str(value)]
            case Enum():
                return ["enum", type(value).__name__, value.name]
            case Mapping():
                kind = "frozen" if isinstance(value, MappingProxyType) else "dict"
                return [kind, *([self.of(key), self.of(one)] for key, one in value.items())]
            case list() | tuple():
                return [type(value).__name__, *map(self.of, value)]
        if not is_dataclass(value):
            raise TypeError(f"cannot store a {type(value).__name__}")
        held = {item.name: self.of(getattr(value, item.name)) for item in fields(value) if item.init}
        return ["made", type(value).__name__, held]


class _Reader:
    def __init__(self, arrays: Mapping[str, Array], given: Mapping[str, object], kinds: Mapping[str, Any]) -> None:
        self._arrays, self._given, self._kinds = arrays, given, kinds
        self._things: list[Any] = []

    def all(self, document: dict[str, Any]) -> Any:
        """The root, once all things are made."""
        for thing in document["things"]:
            self._things.append(self._made(*thing))
        return self._of(document["root"])

    def _of(self, place: Any) -> Any:
        if not isinstance(place, dict):
            return place
        if "given" in place:
            return self._given[place["given"]]
        number = place["at"]
        if type(number) is not int or not 0 <= number < len(self._things):
            raise ValueError("a thing names one that comes after it")
        return self._things[number]

    def _made(self, kind: str, *parts: Any) -> Any:
        match kind:
            case "float":
                return float(parts[0])
            case "array":
                array = self._arrays[f"a{parts[0]}"]
                array.flags.writeable = False
                return array
            case "number":
                return self._arrays[f"a{parts[0]}"][()]
            case "path":
                return Path(parts[0])
            case "enum":
                return self._kinds[parts[0]][0][parts[1]]
            case "dict" | "frozen":
                found = {self._of(key): self._of(value) for key, value in parts}
                return MappingProxyType(found) if kind == "frozen" else found
            case "list":
                return [self._of(one) for one in parts]
            case "tuple":
                return tuple(self._of(one) for one in parts)
            case "made":
                made, hints = self._kinds[parts[0]]
                values = {name: self._of(one) for name, one in parts[1].items()}
                for name, value in values.items():
                    if not _suits(value, hints[name]):
                        raise ValueError(f"{parts[0]}.{name} is a {type(value).__name__}")
                return made(**values)
        raise ValueError(f"nothing is a {kind!r:.20}")


def _suits(value: Any, hint: Any) -> bool:
    """Whether a value is of the type a hint says."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_suits(value, one) for one in inner)
    if origin is Literal:
        return value in inner
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if len(inner) == 2 and inner[1] is Ellipsis:
            return all(_suits(one, inner[0]) for one in value)
        return len(value) == len(inner) and all(map(_suits, value, inner))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(_suits(k, inner[0]) and _suits(v, inner[1]) for k, v in value.items())
    if isinstance(origin, type) and origin.__module__ == "collections.abc":
        return isinstance(value, list | tuple) and all(_suits(one, inner[0]) for one in value)
    if hint is float:
        return isinstance(value, float | int | np.floating) and not isinstance(value, bool)
    kind = origin or hint
    return not isinstance(kind, type) or isinstance(value, kind)


@cache
def _kinds(root: Any) -> dict[str, tuple[type, dict[str, Any]]]:
    """Dataclasses and enumerations that a type's hints lead to, by name, with the hints of their fields."""
    found: dict[str, tuple[type, dict[str, Any]]] = {}
    waiting: list[Any] = [root]
    while waiting:
        hint = waiting.pop()
        waiting += get_args(hint)
        if not isinstance(hint, type) or hint.__name__ in found:
            continue
        if issubclass(hint, Enum):
            found[hint.__name__] = (hint, {})
        elif is_dataclass(hint):
            hints = get_type_hints(hint)
            found[hint.__name__] = (hint, hints)
            waiting += hints.values()
    return found
