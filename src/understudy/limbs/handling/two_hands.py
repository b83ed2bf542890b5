"""Two hands on one object."""

from __future__ import annotations

from collections.abc import Iterator

from understudy.core.planning import Status, Watch
from understudy.limbs.handling.jobs import Job
from understudy.limbs.handling.options import HandlingOptions
from understudy.limbs.handling.play import Deed, Play, Refusal


def both_hands(play: Play, job: Job, options: HandlingOptions, watch: Watch) -> Iterator[Deed | Refusal]:
    """stub."""
    yield Refusal(status=Status.EXHAUSTED, reason="not yet")
