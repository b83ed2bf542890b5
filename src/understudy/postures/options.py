"""How to plan between postures."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.core.planning import Options, limited
from understudy.errors import OptionError

#: [s] longest motion.
_LONGEST_S = 600.0


@dataclass(frozen=True, kw_only=True)
class BetweenOptions(Options):
    """How to plan between postures, and how the motion is timed.

    Attributes:
        falloff: Exponent ``d`` of the repulsive energy; large values let only the nearest parts repel each other.
        beta: How far a deflected step bends downhill.
        safe_zone: Try a direct connection whenever the linking integrals differ by less than 0.3, as the paper does.
            It is always checked.
        steps: Most energy steps of one walk.
        nodes: Most postures of each tree of the last resort.
        clearance_m: Gap planned paths keep [m], or 0.8 of what the postures have themselves.
        smooth_clearance_m: Gap that shortcuts keep [m], in the same way.
        relax: Replace postures that touch or break a limit by the nearest that do not.
        relax_m: How far any joint may be moved by that [m]; postures that need more are refused.
        duration_s: Of the whole motion [s]; by default from how far the joints turn.
        speed_rad_s: Largest mean joint speed the duration is chosen for [rad/s].
        fps: Frames per second of the motion.
        legs_first: Move the legs before the arms where that is possible.
        spacetime: Refine the motion over all its frames, so that its momentum changes gently.
    """

    falloff: int = limited(3, low=2, high=5)
    beta: float = limited(0.2, low=0.0, high=2.0)
    safe_zone: bool = False
    steps: int = limited(3000, low=1, high=1_000_000)
    nodes: int = limited(4000, low=2, high=1_000_000)
    clearance_m: float = limited(0.002, low=0.0001, high=0.1, unit="m")
    smooth_clearance_m: float = limited(0.006, low=0.0001, high=0.1, unit="m")
    relax: bool = False
    relax_m: float = limited(0.05, low=0.0, high=1.0, unit="m")
    duration_s: float | None = None
    speed_rad_s: float = limited(2.0, low=0.05, high=50.0, unit="rad/s")
    fps: float = limited(120.0, low=12.0, high=1000.0, unit="Hz")
    legs_first: bool = False
    spacetime: bool = False

    def __post_init__(self) -> None:
        """Reject durations that are none."""
        super().__post_init__()
        if self.duration_s is not None and not 0.0 < self.duration_s <= _LONGEST_S:
            raise OptionError(
                f"BetweenOptions.duration_s is {self.duration_s}; allowed: above 0 up to {_LONGEST_S:g} s"
            )
