"""A stand-in for a batch's worker that is killed by one of its tasks, as when memory runs out."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from understudy.batch.item import Item


def work(item: Item, folder: Path, out: Path) -> dict[str, Any]:
    if item.values.get("style") == "tired":
        os.kill(os.getpid(), signal.SIGKILL)
    return {"name": item.name, "status": "solved", "reason": "", "seconds": 0.0, "retry": False}
