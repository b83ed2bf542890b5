"""Frozen dataclasses as plain values for JSON, and back, by their type hints; every wrong value is named."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from understudy.errors import UnderstudyError
from understudy.typing import FloatArray, IntArray

Made = TypeVar("Made")
#: What JSON has no numbers for.
_ENDLESS = {"inf": math.inf, "-inf": -math.inf}


class ValueFaultError(UnderstudyError):
    """A plain value is not what it should be; says where."""


def plain(value: Any) -> Any:
    """A value as Python's own numbers, strings, lists and tables. Members of unions say their kind."""
    match value:
        case np.ndarray() | np.generic():
            return plain(value.tolist())
        case bool() | int() | str() | None:
            return value
        case float():
            return value if math.isfinite(value) else next(key for key, one in _ENDLESS.items() if one == value)
        case Mapping():
            return {str(key): plain(one) for key, one in value.items()}
        case list() | tuple():
            return [plain(one) for one in value]
    if not is_dataclass(value):
        raise TypeError(f"cannot write a {type(value).__name__} as plain values")
    return {item.name: plain(getattr(value, item.name)) for item in fields(value)} | _kind(type(value))


def made(kind: type[Made], value: Any, where: str, known: Mapping[str, Any] | None = None) -> Made:
    """A dataclass from plain values.

    Args:
        kind: Which.
        value: What JSON holds.
        where: Its place, for messages.
        known: Types by name that its module does not import.

    Raises:
        ValueFaultError: Something is missing, unknown or of another type.
    """
    return _Maker(known or {}).of(kind, value, where)


def _kind(kind: type) -> dict[str, str]:
    """Goals of several kinds stand in one list; each says which it is."""
    name = kind.__name__
    return {"kind": name.removesuffix("Goal").lower()} if name.endswith("Goal") else {}


class _Maker:
    def __init__(self, known: Mapping[str, Any]) -> None:
        self._known = tuple(sorted(known.items()))

    def of(self, hint: Any, value: Any, where: str) -> Any:
        if hint is Any:
            return value
        if hint in (FloatArray, IntArray):
            return self._array(hint, value, where)
        origin, inner = get_origin(hint), get_args(hint)
        if origin in (Union, UnionType):
            return self._one_of(inner, value, where)
        if origin is tuple:
            return self._tuple(inner, value, where)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {key: self.of(inner[1], one, f"{where}.{key}") for key, one in self._table(value, where).items()}
        if isinstance(hint, type) and is_dataclass(hint):
            return self._dataclass(hint, value, where)
        return self._single(hint, origin, inner, value, where)

    def _single(self, hint: Any, origin: Any, inner: tuple[Any, ...], value: Any, where: str) -> Any:
        if origin is not None:  # a Literal
            if value not in inner:
                raise ValueFaultError(f"{where} is {value!r:.40}; it must be one of {', '.join(map(str, inner))}")
            return value
        if hint is float:
            value = _ENDLESS.get(value, value) if isinstance(value, str) else value
            if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
                raise ValueFaultError(f"{where} is {value!r:.40}; it must be a number")
            return float(value)
        if type(value) is not hint:
            raise ValueFaultError(f"{where} is {value!r:.40}; it must be of type {hint.__name__}")
        return value

    def _one_of(self, kinds: tuple[Any, ...], value: Any, where: str) -> Any:
        if value is None and NoneType in kinds:
            return None
        kinds = tuple(kind for kind in kinds if kind is not NoneType)
        if len(kinds) == 1:
            return self.of(kinds[0], value, where)
        said = self._table(value, where).get("kind")
        chosen = next((kind for kind in kinds if _kind(kind).get("kind") == said), None)
        if chosen is None:
            raise ValueFaultError(
                f"{where}.kind is {said!r:.40}; known: {', '.join(_kind(kind)['kind'] for kind in kinds)}"
            )
        return self.of(chosen, value, where)

    def _tuple(self, inner: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueFaultError(f"{where} is {value!r:.40}; it must be a list")
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(self.of(inner[0], one, f"{where}[{k}]") for k, one in enumerate(value))
        if len(value) != len(inner):
            raise ValueFaultError(f"{where} must hold {len(inner)} values, not {len(value)}")
        return tuple(
            self.of(kind, one, f"{where}[{k}]") for k, (kind, one) in enumerate(zip(inner, value, strict=True))
        )

    def _dataclass(self, kind: type, value: Any, where: str) -> Any:
        values = dict(self._table(value, where))
        hints = _hints(kind, self._known)
        if _kind(kind) and values.pop("kind", None) != _kind(kind)["kind"]:
            raise ValueFaultError(f"{where} is of another kind")
        wanted = {item.name: item for item in fields(kind)}
        unknown = [key for key in values if key not in wanted]
        if unknown:
            raise ValueFaultError(f'{where}: unknown key "{unknown[0]:.40}"')
        for name, item in wanted.items():
            if name not in values and item.default is MISSING and item.default_factory is MISSING:
                raise ValueFaultError(f'{where}: lacks "{name}"')
        found = {name: self.of(hints[name], one, f"{where}.{name}") for name, one in values.items()}
        try:
            return kind(**found)
        except UnderstudyError as error:
            raise ValueFaultError(f"{where}: {error}") from error

    def _array(self, hint: Any, value: Any, where: str) -> np.ndarray:
        if not isinstance(value, list):
            raise ValueFaultError(f"{where} is {value!r:.40}; it must be a list of numbers")
        try:
            array = np.array(value)
        except ValueError as error:
            raise ValueFaultError(f"{where}: its rows are not equally long") from error
        whole = hint is IntArray or hint == IntArray
        if array.size and array.dtype.kind not in ("i" if whole else "if"):
            raise ValueFaultError(f"{where} must hold {'whole ' if whole else ''}numbers only")
        return array.astype(np.int64 if whole else np.float64)

    def _table(self, value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueFaultError(f"{where} is {value!r:.40}; it must be a table")
        return value


@lru_cache(maxsize=64)
def _hints(kind: type, known: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return get_type_hints(kind, localns=dict(known))
