"""What a walk is searched with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from understudy.core.planning import Options, limited
from understudy.errors import OptionError, nearest_name

Method = Literal["auto", "beam", "maps", "channel", "astar", "tight", "sample", "decoupled", "steps"]
METHODS: tuple[Method, ...] = ("auto", "beam", "maps", "channel", "astar", "tight", "sample", "decoupled", "steps")

#: Methods that can be told which clips to use.
CHOOSING: tuple[Method, ...] = ("auto", "beam")


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Options):
    """How any walk is searched, alone or with others.

    Attributes:
        clearance_m: Distance the path keeps from obstacles where there is room [m].
        margin_m: Distance the body's shadow keeps from obstacles [m].
        apart_m: Distance it keeps from what moves, other walkers included [m].
        width: States kept in a bucket of the beam.
        bucket_m: Length of a bucket along the path [m].
        deviation_m: Largest distance from the path [m].
        early_deviation_m: The same where a walk begins facing elsewhere than along the path [m].
        past_m: How far from the goal a branch may end before its transitions are turned to reach it [m].
        goal_m: Largest distance from the goal [m].
        goal_rad: Largest heading error, where a heading is asked for [rad].
        max_states: Most states of one search.
        tries: Most motions judged before giving up.
    """

    clearance_m: float = limited(0.4, low=0.05, high=5.0, unit="m")
    margin_m: float = limited(0.02, low=0.0, high=1.0, unit="m")
    apart_m: float = limited(0.05, low=0.0, high=2.0, unit="m")
    width: int = limited(8, low=1, high=1000)
    bucket_m: float = limited(0.25, low=0.02, high=5.0, unit="m")
    deviation_m: float = limited(0.4, low=0.05, high=10.0, unit="m")
    early_deviation_m: float = limited(1.2, low=0.05, high=10.0, unit="m")
    past_m: float = limited(0.5, low=0.05, high=3.0, unit="m")
    goal_m: float = limited(0.005, low=1e-4, high=1.0, unit="m")
    goal_rad: float = limited(0.04, low=1e-4, high=3.2, unit="rad")
    max_states: int = limited(200_000, low=100, high=20_000_000)
    tries: int = limited(6, low=1, high=1000)


@dataclass(frozen=True, kw_only=True)
class WalkOptions(SearchOptions):
    """How a walk is searched; see also :class:`SearchOptions`.

    Attributes:
        method: ``"auto"`` is ``"beam"``, and where that finds no walk ``"steps"``, then ``"tight"``. ``"beam"`` keeps
            the best few states along the path; ``"steps"`` makes every step from the gait model, from one stand to
            another; ``"maps"`` follows it with motion maps, which are computed first when the library has none;
            ``"channel"`` and ``"astar"`` are the thesis's A* with the channel and with collision tests;
            ``"tight"``, ``"sample"`` and ``"decoupled"`` choose path and motion together, with the whole body
            (:mod:`understudy.locomotion.published.sampling`); only ``understudy.walk`` knows them.
        labels: Clips to walk with, by the library's labels; any when empty. Clips that stop and start count as well
            where the walk stops or starts.
        style: Clips to walk with, by the names of their takes; ``*`` stands for anything, ``""`` for any.
        speed_mps: Slowest and fastest clip to walk with [m/s]; ``None`` for any.
        stop: Whether the walk ends standing still.
    """

    method: Method = "auto"
    labels: tuple[str, ...] = ()
    style: str = ""
    speed_mps: tuple[float, float] | None = None
    stop: bool = False

    def __post_init__(self) -> None:
        """Reject every value outside its range."""
        super().__post_init__()
        if self.method not in METHODS:
            raise OptionError(f'method is "{self.method}"; {nearest_name(str(self.method), METHODS)}')
        if self.speed_mps is not None:
            low, high = self.speed_mps
            if not 0.0 <= low < high < np.inf:
                raise OptionError(f"speed_mps is {self.speed_mps}; it must be (slowest, fastest), such as (0.5, 1.5)")
        if isinstance(self.labels, str):
            raise OptionError(f'labels is "{self.labels}"; it must be a tuple such as ("{self.labels}",)')
        if self.method not in CHOOSING and (self.names_clips or (self.stop and self.method != "steps")):
            raise OptionError(f'labels, style, speed_mps and stop need method "auto" or "beam", not "{self.method}"')

    @property
    def aimed_rad(self) -> float:
        """How far a path may end off the goal's heading and still be followed before detours [rad].

        Beams search backwards from a heading, so they need none; other methods need to come in along the path.
        """
        return np.pi if self.method in CHOOSING else math.radians(40.0)

    @property
    def names_clips(self) -> bool:
        """Whether somebody says which clips to walk with."""
        return bool(self.labels or self.style or self.speed_mps is not None)

    @property
    def chooses(self) -> bool:
        """Whether some clips only may be used."""
        return self.names_clips or self.stop
