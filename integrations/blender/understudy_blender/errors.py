"""What the add-on says when something cannot be done."""

from __future__ import annotations


class JobError(Exception):
    """A job that cannot be done; its message is meant for the person at the screen."""


class CancelledError(JobError):
    """The person at the screen has had enough."""
