"""What has been measured so far, a line of JSON per case: a run that is stopped goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: What one case came to.
Record = dict[str, Any]


class Ledger:
    """Records of cases by key, kept in a file if there is one.

    Args:
        path: The file; nothing is kept without one.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.records: dict[str, Record] = {}
        if path is not None and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    entry = json.loads(line)
                except json.JSONDecodeError:
                    continue  # the line that was being written when the run was stopped
                self.records[entry["key"]] = entry["record"]

    def measured(self, key: str, measure: Callable[[], Record]) -> Record:
        """The record of a case, measured unless it is known."""
        if key not in self.records:
            self.records[key] = measure()
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(
                        json.dumps({"key": key, "record": self.records[key]}, default=lambda value: value.item()) + "\n"
                    )
        return self.records[key]
