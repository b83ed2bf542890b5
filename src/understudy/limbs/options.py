"""How to search for a limb's motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from understudy.core.planning import Options, limited


@dataclass(frozen=True, kw_only=True)
class LimbOptions(Options):
    """Options of :func:`understudy.correct` and :func:`understudy.reach`.

    Attributes:
        iterations: Samples per search.
        attempts: Searches per window, each with another seed.
        margin_m: Distance kept while searching [m].
        kept_m: Distance the result is certified to keep [m].
        near_share: Share of samples near the clip; the rest fill the sampling intervals.
        local_share: Share of samples near nodes found so far, for narrow places.
        near_rad: Largest offset of the samples near the clip [rad].
        speed_share: Share of the limb's speed bar that offsets from the clip may use.
        step_s: Longest edge a tree grows by [s].
        shortcuts: Attempts at shortening a path.
        style: Parameter name -> (low, high) [rad] to sample within, such as ``{"shoulder_raise": (-1.6, -0.5)}``:
            steers how a problem is solved, within the limits.
        spine: Whether the trunk may help an arm when the arm alone cannot.
        legs: Whether legs may be corrected.
    """

    iterations: int = limited(1000, low=1, high=1_000_000)
    attempts: int = limited(2, low=1, high=100)
    margin_m: float = limited(0.015, low=0.0, high=0.2, unit="m")
    kept_m: float = limited(0.001, low=0.0, high=0.1, unit="m")
    near_share: float = limited(0.5, low=0.0, high=1.0)
    local_share: float = limited(0.3, low=0.0, high=1.0)
    near_rad: float = limited(1.2, low=0.01, high=3.2, unit="rad")
    speed_share: float = limited(0.8, low=0.05, high=1.0)
    step_s: float = limited(0.35, low=0.02, high=5.0, unit="s")
    shortcuts: int = limited(90, low=0, high=100_000)
    style: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    spine: bool = True
    legs: bool = True
