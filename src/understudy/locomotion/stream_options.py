"""What a streamed walk is searched with."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.core.planning import Options, limited


@dataclass(frozen=True, kw_only=True)
class StreamOptions(Options):
    """How a walk is searched while it is played.

    Attributes:
        clearance_m: Distance the path keeps from obstacles [m].
        margin_m: Distance the body's shadow keeps from obstacles [m].
        apart_m: Distance it keeps from what moves, other walkers included [m].
        horizon_m: How far ahead a piece is searched before its first clips are handed out [m].
        horizon_s: A plan that is safe for so long will do, too, however far it comes [s].
        first_m: The same for the very first piece, which has to be quick [m].
        final_m: From how far before the goal the rest is searched whole, so that it ends exactly there [m].
        clips: Clips in a chunk.
        width: States kept in a bucket of the beam.
        bucket_m: Length of a bucket along the path [m].
        deviation_m: Largest distance from the path [m].
        early_deviation_m: The same where a search begins off the path's direction [m].
        aside_m: How far to the right of the path one keeps where there is room, so that people can pass each other, or
            to its left where it is negative [m].
        past_m: How far from the goal a branch may end before its transitions are turned to reach it [m].
        goal_m: Largest distance from the goal [m].
        goal_rad: Largest heading error, where a heading is asked for [rad].
        tries: Most plans that are checked before one of them is handed out.
        patience_s: How long somebody who walks with others waits at one place at most [s].
        longest_s: A walk that takes longer ends there [s].
        deadline_s: Most time spent on searching [s]; time between chunks does not count.
    """

    clearance_m: float = limited(0.4, low=0.05, high=5.0, unit="m")
    margin_m: float = limited(0.02, low=0.0, high=1.0, unit="m")
    apart_m: float = limited(0.05, low=0.0, high=2.0, unit="m")
    horizon_m: float = limited(4.0, low=1.0, high=50.0, unit="m")
    horizon_s: float = limited(4.0, low=0.5, high=60.0, unit="s")
    first_m: float = limited(1.5, low=0.5, high=50.0, unit="m")
    final_m: float = limited(6.0, low=2.0, high=50.0, unit="m")
    clips: int = limited(1, low=1, high=20)
    width: int = limited(6, low=1, high=1000)
    bucket_m: float = limited(0.25, low=0.02, high=5.0, unit="m")
    deviation_m: float = limited(0.4, low=0.05, high=10.0, unit="m")
    early_deviation_m: float = limited(1.2, low=0.05, high=10.0, unit="m")
    aside_m: float = limited(0.0, low=-5.0, high=5.0, unit="m")
    past_m: float = limited(0.5, low=0.05, high=3.0, unit="m")
    goal_m: float = limited(0.005, low=1e-4, high=1.0, unit="m")
    goal_rad: float = limited(0.04, low=1e-4, high=3.2, unit="rad")
    tries: int = limited(6, low=1, high=1000)
    patience_s: float = limited(45.0, low=0.0, high=3600.0, unit="s")
    longest_s: float = limited(300.0, low=1.0, high=36000.0, unit="s")
