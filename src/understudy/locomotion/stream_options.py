"""What a streamed walk is searched with."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.core.planning import limited
from understudy.locomotion.options import SearchOptions


@dataclass(frozen=True, kw_only=True)
class StreamOptions(SearchOptions):
    """How a walk is searched that is handed out in chunks, or walked with others; see also :class:`SearchOptions`.

    Attributes:
        clips: Clips in a chunk.
        width: States kept in a bucket of the beam.
        aside_m: How far to the right of the path one keeps where there is room, so that people can pass each other, or
            to its left where it is negative [m].
        patience_s: How long somebody who walks with others waits at one place at most [s].
        longest_s: A walk that takes longer ends there [s].
        deadline_s: Most time spent on searching [s]; time between chunks does not count.
    """

    clips: int = limited(1, low=1, high=20)
    width: int = limited(6, low=1, high=1000)
    aside_m: float = limited(0.0, low=-5.0, high=5.0, unit="m")
    patience_s: float = limited(45.0, low=0.0, high=3600.0, unit="s")
    longest_s: float = limited(300.0, low=1.0, high=36000.0, unit="s")
