"""The ``understudy`` command: one file per command, each thin: parse, call the API, print, exit code."""

import os

# Our matrices are small: threads of the linear algebra would wait for each other. It reads this when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from understudy.cli.app import main

__all__ = ["main"]
