"""What sampling is done with."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Literal

from understudy.core.planning import Options, limited
from understudy.errors import OptionError, nearest_name

SampleMethod = Literal["tight", "sample", "decoupled"]
SAMPLE_METHODS: tuple[SampleMethod, ...] = ("tight", "sample", "decoupled")


@dataclass(frozen=True, kw_only=True)
class SampleOptions(Options):
    """How a motion is sampled.

    Attributes:
        method: ``"tight"`` is the body-aware beam; ``"sample"`` the paper's joint optimisation (EMS) and
            ``"decoupled"`` its path finding and following (PFF), both by Monte-Carlo search.
        margin_m: Distance the body keeps from obstacles while it is searched [m].
        growths_m: What obstacles are grown by in the beam's potential fields, and from the second round on in
            ``"sample"`` [m].
        width: States kept in a bucket of the beam.
        evaluations: Sequences a Monte-Carlo chain scores at most.
        rounds: How often all beams or chains are run before giving up.
        chains: Monte-Carlo chains, each with its own random numbers.
        candidates: Best sequences that are mutated in an iteration.
        mutations: Mutations tried on each of them.
        demote: Whether mutations may replace an edge by a finer one of its tree.
        way_step_m: Distance of the decoupled method's waypoints [m].
        travel_weight: Weight of the way's extra length.
        collide_weight: Weight of a frame's share of the body inside obstacles.
        goal_m: Largest distance from the goal [m].
        goal_rad: Largest heading error, where a heading is asked for [rad].
        past_m: How far from the goal a sequence may end before its jumps are turned to reach it [m].
        tries: Most motions made and judged before giving up.
        threads: Cores to use.
    """

    method: SampleMethod = "tight"
    margin_m: float = limited(0.025, low=0.0, high=1.0, unit="m")
    growths_m: tuple[float, ...] = (0.0, 0.15, 0.25, 0.32)
    width: int = limited(8, low=1, high=1000)
    evaluations: int = limited(4500, low=10, high=100_000_000)
    rounds: int = limited(10, low=1, high=1000)
    chains: int = limited(4, low=1, high=1000)
    candidates: int = limited(3, low=1, high=100)
    mutations: int = limited(24, low=1, high=10_000)
    demote: bool = True
    way_step_m: float = limited(0.3, low=0.05, high=5.0, unit="m")
    travel_weight: float = limited(12.0, low=0.0, high=1000.0)
    collide_weight: float = limited(5.0, low=0.0, high=1000.0)
    goal_m: float = limited(0.005, low=1e-4, high=1.0, unit="m")
    goal_rad: float = limited(0.04, low=1e-4, high=math.pi, unit="rad")
    past_m: float = limited(0.5, low=0.05, high=3.0, unit="m")
    tries: int = limited(12, low=1, high=1000)
    threads: int = limited(os.cpu_count() or 1, low=1, high=1024)

    def __post_init__(self) -> None:
        """Reject every value outside its range."""
        super().__post_init__()
        if self.method not in SAMPLE_METHODS:
            raise OptionError(f'method is "{self.method}"; {nearest_name(str(self.method), SAMPLE_METHODS)}')
        if not self.growths_m or any(not 0.0 <= growth <= 2.0 for growth in self.growths_m):
            raise OptionError(f"growths_m is {self.growths_m}; allowed: one or more of 0..2 m")
