"""One task of a batch: what to do with which values and seed, and the digest that names it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from understudy import __version__
from understudy.errors import FormatError

#: Raise it when the same task would give another clip or record than before.
FORMAT = 1
_SCENE_ENDINGS = (".toml", ".json")


@dataclass(frozen=True, kw_only=True)
class Item:
    """A task with every value settled.

    Attributes:
        job: The job of the task file it belongs to.
        do: What to do.
        values: The job's values; files are named relative to the task file.
        seed: Seed of everything random.
        files: SHA-256 of each file the task reads, by the name it is given in ``values``.
    """

    job: str
    do: str
    values: Mapping[str, Any]
    seed: int
    files: Mapping[str, str]

    @property
    def digest(self) -> str:
        """SHA-256 of everything the result depends on: task, seed, the content of its files, and our version."""
        content = {
            "format": FORMAT,
            "understudy": __version__,
            "do": self.do,
            "values": dict(self.values),
            "seed": self.seed,
            "files": dict(self.files),
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True, allow_nan=False).encode()).hexdigest()

    @property
    def name(self) -> str:
        """A file name's stem, the same for the same task wherever and whenever it runs."""
        return f"{self.job}-{self.digest[:16]}"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "job": self.job,
            "do": self.do,
            "values": dict(self.values),
            "seed": self.seed,
            "files": dict(self.files),
        }


def digest_of(path: Path) -> str:
    """SHA-256 of a file and, for a scene, of every file it names.

    Raises:
        FormatError: There is no such file.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    own, named = _content(path, status.st_mtime_ns, status.st_size)
    if not named:
        return own
    return hashlib.sha256("".join([own, *(digest_of(one) for one in named)]).encode()).hexdigest()


@lru_cache(maxsize=4096)
def _content(path: Path, _changed_ns: int, _size: int) -> tuple[str, tuple[Path, ...]]:
    """A file's own digest and the files it names; read again only when it has changed."""
    with path.open("rb") as stream:
        own = hashlib.file_digest(stream, "sha256").hexdigest()
    return own, tuple(sorted(set(_named_files(path)))) if path.suffix.lower() in _SCENE_ENDINGS else ()


def _named_files(path: Path) -> Iterator[Path]:
    from understudy.core.table_text import read_text

    for text in _strings(read_text(path).values):
        # Names of objects are strings too; only files beside the scene count, and never another scene.
        named = path.parent / text
        if named.suffix and named.suffix.lower() not in _SCENE_ENDINGS and len(text) < 1024 and named.is_file():
            yield named


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
