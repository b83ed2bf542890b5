"""The ``understudy`` command: one file per command, each thin: parse, call the API, print, exit code."""

import gc
import os

# Our matrices are small: threads of the linear algebra would wait for each other. It reads this when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Importing makes a hundred thousand objects that stay: looking for cycles among them takes a tenth of a command's time.
gc.set_threshold(200_000)

from understudy.cli.app import main  # noqa: E402 - faster with these set

__all__ = ["main"]
