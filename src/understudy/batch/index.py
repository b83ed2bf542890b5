"""The list of a batch's tasks, ``index.json``: written at the end of a run, read back by whoever uses the clips.

It says its version. One of an older version is brought up to date when it is read, with what the records beside it say;
one of a newer version is refused, also by a batch that would overwrite it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from understudy.errors import FormatError
from understudy.typing import PathLike

#: 2: tasks say their seed, and clips their size and SHA-256, where version 1 had file names alone.
INDEX_VERSION = 2
NAME = "index.json"

Document = dict[str, Any]
#: A task's record by the task's name; ``None`` when there is none.
Records = Callable[[str], Mapping[str, Any] | None]


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
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise FormatError("no such file: no batch has finished in this folder", path=path) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is damaged: {error}", path=path) from error
    version = _version(document, path)
    try:
        return _upgraded(document, path.parent) if version < INDEX_VERSION else _checked(document)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"is damaged: {error} is missing or of the wrong type", path=path) from error


def require_readable(folder: Path) -> None:
    """Refuse a folder whose list is of a version this Understudy would destroy by writing its own.

    Raises:
        FormatError: It is from a newer version. A missing or damaged index is not an error: it is written again.
    """
    path = folder / NAME
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return
    if isinstance(document, dict) and "version" in document:
        _version(document, path)


def _version(document: Any, path: Path) -> int:
    version = document.get("version") if isinstance(document, dict) else None
    if type(version) is not int or not 1 <= version <= INDEX_VERSION:
        newer = "written by a newer Understudy; " if type(version) is int and version > INDEX_VERSION else ""
        reason = f"is of version {version!r} of batches' lists: {newer}this one reads 1 to {INDEX_VERSION}"
        raise FormatError(reason, path=path)
    return version


def _upgraded(document: Document, folder: Path) -> Document:
    """An index of version 1 completed from the records; tasks without a readable record keep their entries."""

    def known(name: str) -> Mapping[str, Any] | None:
        try:
            found = json.loads((folder / "records" / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    tasks = []
    for task in document["tasks"]:
        bare = [{"file": file, "bytes": None, "sha256": None} for file in task["clips"]]
        record = known(str(task["name"]))
        tasks.append({**task, **(_from_record(record) if record is not None else {"seed": None, "clips": bare})})
    return _checked({**document, "version": INDEX_VERSION, "tasks": tasks})


def _from_record(record: Mapping[str, Any] | None) -> dict[str, Any]:
    if record is None:
        return {"seed": None, "clips": []}
    clips = [{key: clip[key] for key in ("file", "bytes", "sha256")} for clip in record["clips"]]
    return {"seed": record["task"]["seed"], "clips": clips}


def _checked(document: Document) -> Document:
    for task in document["tasks"]:
        for key in ("name", "job", "status", "reason", "seed"):
            task[key]
        for clip in task["clips"]:
            clip["file"]
    return {key: document[key] for key in ("version", "total", "counts", "tasks")}
