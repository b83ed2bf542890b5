"""The output folder of a batch: clips, a record per finished task, a log of what it cost.

A task is done when its record is there and its clips have the sizes it says. The record is written last, and every
file by renaming, so a kill at any moment leaves a task either whole or not done. Nothing in clips and records depends
on the machine, the time or the engine; what does is in the log.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.batch.index import NAME, record_in, require_readable
from understudy.errors import FormatError
from understudy.formats.atomic import held, replacing, sweep

#: Statuses after which trying again gives the same answer.
FINAL = frozenset({"solved", "infeasible_start", "infeasible_goal", "exhausted", "rejected"})


@dataclass(frozen=True)
class Ledger:
    """Where a batch keeps its results."""

    folder: Path

    @property
    def clips(self) -> Path:
        """Folder of the motions."""
        return self.folder / "clips"

    @property
    def records(self) -> Path:
        """Folder of the records."""
        return self.folder / "records"

    def open(self) -> None:
        """Make the folders and clear away what an earlier run left half-written.

        Raises:
            FormatError: The folder cannot be made.
        """
        try:
            for folder in (self.clips, self.records):
                folder.mkdir(parents=True, exist_ok=True)
                # Workers outlive a killed run by a moment; what they are still writing is theirs.
                sweep(folder)
        except OSError as error:
            raise FormatError(f"cannot make the folder: {error.strerror or error}", path=self.folder) from error

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder for one run; the lock goes with the process, however it ends.

        Raises:
            UnderstudyError: Another run holds it.
            FormatError: It holds a newer Understudy's list.
        """
        require_readable(self.folder)
        self.open()
        with held(self.folder, "another batch is writing into this folder"):
            yield

    def record(self, name: str) -> dict[str, Any] | None:
        """A task's record; ``None`` when there is none, or a clip is missing or has another size than it says."""
        found = record_in(self.folder, name)
        with contextlib.suppress(OSError):
            # Reading every clip again would take long where there are many; SHA-256 is there for whoever wants to.
            if found and all((self.clips / clip["file"]).stat().st_size == clip["bytes"] for clip in found["clips"]):
                return found
        return None

    def done(self, name: str) -> bool:
        """Whether a task need not be tried again."""
        record = self.record(name)
        return record is not None and record.get("status") in FINAL

    def write(self, name: str, record: dict[str, Any]) -> None:
        """Write a task's record, last of all its files."""
        self._document(self.records / f"{name}.json", record)

    def write_index(self, document: dict[str, Any]) -> None:
        """Write the list of all tasks."""
        self._document(self.folder / NAME, document)

    def log(self, entry: dict[str, Any]) -> None:
        """Add a line about what a task cost; one short write, so lines of a killed run are whole or missing."""
        line = json.dumps(entry, sort_keys=True) + "\n"
        handle = os.open(self.folder / "log.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)

    @staticmethod
    def _document(path: Path, values: dict[str, Any]) -> None:
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(values, indent=2, sort_keys=True, allow_nan=False) + "\n", encoding="utf-8")


def sha256_of(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
