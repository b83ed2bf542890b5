"""What a saved project has to look like: every value of its document is checked before anything uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from typing_extensions import TypedDict

from understudy.core.documents import json_file
from understudy.errors import FormatError
from understudy.studio.project import MODES, Line, Mark, ModeName, Verdict

#: Of the document; older ones are read.
VERSION = 1
#: Names under which projects write, so that a damaged one reads and removes nothing else.
_SceneName = Annotated[str, Field(pattern=r"^scene-[0-9a-f]+\.toml$")]
_ArraysName = Annotated[str, Field(pattern=r"^motions/(skin-)?[0-9a-f]+\.npz$")]
_Point = tuple[float, float]


class _Aim(TypedDict, total=False):
    start: _Point
    goal: _Point
    heading_deg: float
    goal_heading_deg: float
    via: list[_Point]


class _Walk(TypedDict, total=False):
    character: str
    method: str
    aims: dict[str, _Aim]


class _Own(TypedDict):
    root: tuple[float, float, float]
    rotations: list[tuple[float, float, float, float]]


class _Postures(TypedDict, total=False):
    character: str
    keys: list[str]
    pins: list[str]
    falloff: Annotated[int, Field(ge=2, le=5)]
    spacetime: bool
    editing: Annotated[int, Field(ge=0)]
    own: dict[str, _Own]


class _Limbs(TypedDict, total=False):
    character: str
    reach: dict[str, Any]


class _Interaction(TypedDict, total=False):
    play: str
    parts: list[str]
    holds: list[dict[str, str | float]]


class _Tasks(TypedDict, total=False):
    done: list[dict[str, str]]


class _Settings(TypedDict, total=False):
    walk: _Walk
    limbs: _Limbs
    postures: _Postures
    interaction: _Interaction
    tasks: _Tasks


class Document(BaseModel):
    """A project as it lies in its folder; motions, meshes and scenes are files beside it."""

    model_config = ConfigDict(allow_inf_nan=False)

    version: int = VERSION
    scene: _SceneName
    before: _SceneName | None = None
    mode: Annotated[ModeName, BeforeValidator(lambda mode: mode if mode in MODES else MODES[0])]
    ghosts: dict[str, _ArraysName]
    verdict: Verdict
    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]
    settings: _Settings
    skins: dict[str, _ArraysName] = {}
    files: list[_SceneName | _ArraysName] = []


def read_document(path: Path) -> Document:
    """A project's document.

    Raises:
        FormatError: There is none, or it is damaged or of a newer version.
    """
    values = json_file(path, "studio project")
    version = values.get("version")
    if type(version) is int and version > VERSION:
        raise FormatError(f"was saved by a newer version ({version})", path=path)
    try:
        return Document.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        said = f"is not a studio project, or is damaged: {place}: {fault['msg']}"
        raise FormatError(said, path=path) from error
