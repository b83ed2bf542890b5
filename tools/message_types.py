"""Make the page's types from the server's: ``python tools/message_types.py`` writes ``web/src/protocol.ts``."""

from __future__ import annotations

import dataclasses
import types
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin

from pydantic import BaseModel
from typing_extensions import get_type_hints, is_typeddict

from understudy.studio import app, messages  # noqa: F401 - the application registers all edits
from understudy.studio.edits import edit_arguments

TARGET = Path(__file__).resolve().parents[1] / "web" / "src" / "protocol.ts"
_HEAD = """\
// What the server says and what it understands. Made from the Python types by tools/message_types.py: do not edit.

export type Vec3 = [number, number, number];
export type Floor = [number, number];
export type Quaternion = [number, number, number, number];
"""
_TAIL = "export type EditName = keyof Edits;"
_PLAIN = {str: "string", float: "number", int: "number", bool: "boolean", type(None): "null", Any: "unknown"}
_TUPLES = {2: "Floor", 3: "Vec3", 4: "Quaternion"}
#: Python's name -> the page's, where they differ.
_NAMES = {"TaskView": "Task", "ExampleView": "Example"}
_ROOTS = (messages.State, messages.Live, messages.Message, messages.ExampleView, messages.Posture, messages.KindOfTask)


def typescript() -> str:
    """The text of the file."""
    made: dict[str, str] = {}
    for root in _ROOTS:
        _named(root, made)
    edits = [f'  "{name}": {_arguments(kind, made)};' for name, kind in edit_arguments().items()]
    modes = f"export type ModeName = {_choice(messages.ModeName)};"
    body = [_HEAD + modes, *made.values(), "\n".join(["export interface Edits {", *edits, "}"]), _TAIL]
    return "\n\n".join(body) + "\n"


def _named(kind: Any, made: dict[str, str]) -> str:
    """The name of an interface, which is made first where it is new."""
    name = _NAMES.get(kind.__name__, kind.__name__)
    if name not in made:
        made[name] = ""
        fields = _fields(kind, made)
        about = (kind.__doc__ or "").splitlines()[0]
        made[name] = "\n".join([f"// {about}", f"export interface {name} {{", *(f"  {one};" for one in fields), "}"])
        made[name] = made.pop(name)  # after everything it is made of
    return name


def _fields(kind: Any, made: dict[str, str]) -> list[str]:
    hints = get_type_hints(kind, include_extras=True)
    if dataclasses.is_dataclass(kind):
        return [f"{name}: {_type(hint, made)}" for name, hint in hints.items()]
    optional = getattr(kind, "__optional_keys__", frozenset())
    may_lack = {name for name, hint in hints.items() if name in optional or get_origin(hint) is NotRequired}
    return [f"{name}{'?' if name in may_lack else ''}: {_type(hint, made)}" for name, hint in hints.items()]


def _arguments(kind: type[BaseModel], made: dict[str, str]) -> str:
    parts = []
    for name, field in kind.model_fields.items():
        mark = "" if field.is_required() else "?"
        parts.append(f"{name}{mark}: {_type(field.annotation, made)}")
    return "{ " + "; ".join(parts) + " }" if parts else "Record<string, never>"


def _type(hint: Any, made: dict[str, str]) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_typeddict(hint) or dataclasses.is_dataclass(hint):
        return _named(hint, made)
    if origin is Annotated:
        return _type(inner[1], made)
    if origin is NotRequired:
        return _type(inner[0], made)
    if origin is Literal:
        return "ModeName" if hint == messages.ModeName else _choice(hint)
    if origin in (Union, types.UnionType):
        return " | ".join(_type(one, made) for one in inner)
    if origin is dict:
        return f"Record<{_type(inner[0], made)}, {_type(inner[1], made)}>"
    if origin is list or (origin is tuple and inner[-1] is ...):
        item = _type(inner[0], made)
        return f"({item})[]" if "|" in item else f"{item}[]"
    if origin is tuple and set(inner) == {float}:
        return _TUPLES[len(inner)]
    raise TypeError(f"no TypeScript for {hint!r}")


def _choice(hint: Any) -> str:
    return " | ".join(f'"{one}"' for one in get_args(hint))


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
