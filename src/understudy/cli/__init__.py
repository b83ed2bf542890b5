"""The ``understudy`` command: one file per command, each thin: parse, call the API, print, exit code."""

from understudy.cli.app import main

__all__ = ["main"]
