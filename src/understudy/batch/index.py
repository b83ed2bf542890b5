"""The list of a batch's tasks, ``index.json``: written at the end of a run, read back by whoever uses the clips.

It says its version. One of an older version is brought up to date when it is read, with what the records beside it say;
one of a newer version is refused, also by a batch that would overwrite it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from understudy.core.documents import json_file
from understudy.errors import FormatError
from understudy.typing import PathLike

#: 2: tasks say their seed, and clips their size and SHA-256, where version 1 had file names alone.
INDEX_VERSION = 2
NAME = "index.json"

Document = dict[str, Any]
#: A task's record by the task's name; ``None`` when there is none.
Records = Callable[[str], Mapping[str, Any] | None]

_FileName = Annotated[str, Field(pattern=r"^[^/\\\x00]+$")]


class _Read(BaseModel):
    """What has to be in a table for it to be read; more may be."""

    model_config = ConfigDict(strict=True)


class _Clip(_Read):
    file: _FileName
    bytes: int | None
    sha256: str | None


class _Task(_Read):
    seed: int | None


class _Record(_Read):
    status: str
    reason: str
    task: _Task
    clips: list[_Clip]


class _Entry(_Read):
    name: _FileName
    job: str
    status: str
    reason: str
    seed: int | None
    clips: list[_Clip]


class _Index(_Read):
    total: int
    counts: dict[str, int]
    tasks: list[_Entry]


class _OldEntry(_Read):
    name: _FileName
    clips: list[_FileName]


class _OldIndex(_Read):
    tasks: list[_OldEntry]


def index_of(tasks: Sequence[tuple[str, str]], records: Records, failed: Mapping[str, str]) -> Document:
    """The list of tasks.

    Args:
        tasks: Name and job of every task, in the task file's order.
        records: What became of them.
        failed: Reasons of those that ended in an error.
    """
    entries = []
    for name, job in tasks:
        record = records(name)
        entry = {"name": name, "job": job, "status": "failed", "reason": failed.get(name, "")}
        if record is not None:
            entry |= {"status": record["status"], "reason": record["reason"]}
        entries.append({**entry, **_from_record(record)})
    counts = dict(sorted(Counter(entry["status"] for entry in entries).items()))
    return {"version": INDEX_VERSION, "total": len(entries), "counts": counts, "tasks": entries}


def load_index(folder: PathLike) -> Document:
    """Read the list of a batch's tasks.

    Args:
        folder: The batch's output folder.

    Returns:
        ``version``, ``total``, ``counts`` by status, and ``tasks``: each with ``name``, ``job``, ``status``,
        ``reason``, ``seed`` and ``clips`` (``file``, ``bytes``, ``sha256``; files are in the folder's ``clips``).

    Raises:
        FormatError: There is none, it is damaged, or of a version this Understudy does not read.
    """
    path = Path(folder) / NAME
    if not path.exists():
        raise FormatError("no such file: no batch has finished in this folder", path=path)
    document = json_file(path, "list of tasks")
    return _upgraded(document, path) if _version(document, path) < INDEX_VERSION else _checked(document, path)


def require_readable(folder: Path) -> None:
    """Refuse a folder whose list is of a version this Understudy would destroy by writing its own.

    Raises:
        FormatError: It is from a newer version. A missing or damaged index is not an error: it is written again.
    """
    path = folder / NAME
    try:
        document = json_file(path, "list of tasks")
    except FormatError:
        return
    if "version" in document:
        _version(document, path)


def record_in(folder: Path, name: str) -> Document | None:
    """A task's record out of a batch's folder; ``None`` when there is none, or it is damaged."""
    path = folder / "records" / f"{name}.json"
    try:
        found = json_file(path, "record")
        _Record.model_validate(found)
    except (FormatError, ValidationError):
        return None
    return found


def _version(document: Document, path: Path) -> int:
    version = document.get("version")
    if type(version) is not int or not 1 <= version <= INDEX_VERSION:
        newer = "written by a newer Understudy; " if type(version) is int and version > INDEX_VERSION else ""
        reason = f"is of version {version!r} of batches' lists: {newer}this one reads 1 to {INDEX_VERSION}"
        raise FormatError(reason, path=path)
    return version


def _upgraded(document: Document, path: Path) -> Document:
    """An index of version 1 completed from the records; tasks without a readable record keep their entries."""
    _check(_OldIndex, document, path)
    tasks = []
    for task in document["tasks"]:
        bare = [{"file": file, "bytes": None, "sha256": None} for file in task["clips"]]
        record = record_in(path.parent, task["name"])
        tasks.append({**task, **(_from_record(record) if record is not None else {"seed": None, "clips": bare})})
    return _checked({**document, "version": INDEX_VERSION, "tasks": tasks}, path)


def _from_record(record: Mapping[str, Any] | None) -> dict[str, Any]:
    if record is None:
        return {"seed": None, "clips": []}
    clips = [{key: clip[key] for key in ("file", "bytes", "sha256")} for clip in record["clips"]]
    return {"seed": record["task"]["seed"], "clips": clips}


def _checked(document: Document, path: Path) -> Document:
    _check(_Index, document, path)
    return {key: document[key] for key in ("version", "total", "counts", "tasks")}


def _check(kind: type[_Read], document: Document, path: Path) -> None:
    try:
        kind.model_validate(document)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        raise FormatError(f"is damaged: {place}: {fault['msg']}", path=path) from error
