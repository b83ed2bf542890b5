"""Turning what pydantic found wrong into sentences in the words of the scene file."""

from __future__ import annotations

import types
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from understudy.errors import nearest_name
from understudy.scene.checks import Fault, Where

#: pydantic's error type -> what the value must be instead.
_EXPECTED = {
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "text in quotes",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "model_type": "a table of keys",
    "model_attributes_type": "a table of keys",
    "finite_number": "finite",
    "string_too_short": "longer than nothing",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
    "too_short": "a list of at least {min_length} (it has {actual_length})",
    "too_long": "a list of at most {max_length} (it has {actual_length})",
}


def entry_faults(error: ValidationError, model: type[BaseModel], raw: Any, *, label: str, where: Where) -> list[Fault]:
    """Every fault of one entry.

    Args:
        error: What pydantic raised.
        model: The entry's model.
        raw: The entry as it stands in the file.
        label: What to call the entry in messages.
        where: The entry's place in the file.
    """
    faults: list[Fault] = []
    wrong_values: dict[Where, list[dict[str, Any]]] = {}
    for one in error.errors(include_url=False):
        place = _in_file(one["loc"], raw)
        message = _key_sentence(dict(one), place, model)
        if message:
            faults.append(Fault(f"{label}: {message}", (*where, *place)))
        else:
            # A value that fits no member of a union is reported once, not once per member.
            wrong_values.setdefault(place, []).append(dict(one))
    for place, errors in wrong_values.items():
        faults.append(Fault(f"{label}: {_value_sentence(errors, place, raw)}", (*where, *place)))
    return faults


def salvaged(error: ValidationError, raw: dict[str, Any]) -> dict[str, Any] | None:
    """The entry without its unknown keys and words, so that the rest of it can be checked too."""
    copy = deepcopy(raw)
    for one in error.errors(include_url=False):
        place = _in_file(one["loc"], raw)
        if one["type"] not in ("extra_forbidden", "literal_error") or not place or isinstance(place[-1], int):
            return None
        table: Any = copy
        for step in place[:-1]:
            table = table[step]
        table.pop(place[-1], None)
    return copy


def keys_of(model: type[BaseModel]) -> list[str]:
    """The keys an entry may have, as files spell them."""
    return [info.alias or name for name, info in model.model_fields.items()]


def _in_file(loc: tuple[str | int, ...], raw: Any) -> Where:
    """The part of pydantic's path that exists in the file; names of union members are left out."""
    place: list[str | int] = []
    value = raw
    for n, step in enumerate(loc):
        if (isinstance(value, dict) and step in value) or (isinstance(value, list) and _indexes(value, step)):
            value = value[step]  # type: ignore[index]
            place.append(step)
        elif n == len(loc) - 1 and isinstance(step, str) and isinstance(value, dict):
            # A missing key stands nowhere; its table does.
            continue
    return tuple(place)


def _indexes(values: list[Any], step: str | int) -> bool:
    return isinstance(step, int) and 0 <= step < len(values)


def _key_sentence(one: dict[str, Any], place: Where, model: type[BaseModel]) -> str:
    """What is wrong with the keys of a table; empty when it is a value that is wrong."""
    kind, context, spelled = one["type"], one.get("ctx", {}), _spelled(place)
    if kind == "extra_forbidden":
        known = keys_of(_model_at(model, one["loc"][:-1]) or model)
        return f'unknown key "{spelled}"; {nearest_name(str(place[-1] if place else ""), known)}'
    if kind == "missing" and isinstance(one["loc"][-1], str):
        return f'needs "{_spelled((*place, one["loc"][-1]))}"'
    if kind == "union_tag_invalid":
        known = [tag.strip(" '") for tag in context["expected_tags"].split(",")]
        return f'{spelled or "it"}: unknown kind "{context["tag"]}"; {nearest_name(context["tag"], known)}'
    if kind == "union_tag_not_found":
        return f"{spelled or 'it'}: needs a {context['discriminator'].strip(chr(39))}"
    if kind == "value_error":
        message = str(one["msg"]).removeprefix("Value error, ")
        return f"{spelled}: {message}" if spelled else message
    return ""


def _value_sentence(errors: list[dict[str, Any]], place: Where, raw: Any) -> str:
    """One sentence for all the ways in which a value does not fit."""
    value = raw
    for step in place:
        value = value[step]
    expected: list[str] = []
    hint = ""
    for one in errors:
        kind, context = one["type"], one.get("ctx", {})
        if kind == "literal_error":
            words = [word.strip(" '") for word in context["expected"].replace(" or ", ", ").split(",")]
            expected.append(" or ".join(f'"{word}"' for word in words))
            near = nearest_name(value, words) if isinstance(value, str) else ""
            hint = f"; {near}" if near.startswith("did") else ""
        elif kind == "missing":
            expected.append(f"a list of more values (it has {len(value)})")
        elif kind in _EXPECTED:
            expected.append(_EXPECTED[kind].format(**context))
        else:
            expected.append(str(one["msg"]))
    return f"{_spelled(place) or 'it'} is {_shown(value)}; it must be {' or '.join(dict.fromkeys(expected))}{hint}"


def _spelled(place: Where) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer too long for Python to print
        text = "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _model_at(model: type[BaseModel], loc: tuple[str | int, ...]) -> type[BaseModel] | None:
    """The model that rules over a place, following keys and names of union members."""
    current: Any = model
    for step in loc:
        if isinstance(step, int):
            continue
        members = list(_models(current))
        fields = {info.alias or name: info.annotation for one in members for name, info in one.model_fields.items()}
        if step in fields:
            current = fields[step]
        else:
            tagged = [one for one in members if step in (one.__name__, *_tags(one))]
            current = tagged[0] if tagged else current
    return next(_models(current), None)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) in (Union, types.UnionType, list, tuple) or hasattr(annotation, "__metadata__"):
        for part in get_args(annotation):
            yield from _models(part)


def _tags(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(
        tag
        for key in ("kind", "do")
        if key in model.model_fields
        for tag in get_args(model.model_fields[key].annotation)
    )
