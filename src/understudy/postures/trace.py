"""What a person would like to see of planning between postures."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.postures.faults import PostureFaults
from understudy.postures.space import PostureSpace
from understudy.postures.spacetime import Refined
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Leg:
    """From one key posture to the next.

    Attributes:
        how: Which method found the way (``planner.Way``).
        steps: Energy steps made.
        raw: ``(n, size)`` the way as it was found.
        path: ``(m, size)`` the shortened way.
        straight_rad: Distance of the two postures [rad].
        raw_rad: Length of the way as found [rad].
        length_rad: Length of the shortened way [rad].
    """

    how: str
    steps: int
    raw: FloatArray
    path: FloatArray
    straight_rad: float
    raw_rad: float
    length_rad: float


@dataclass(frozen=True, eq=False, kw_only=True)
class BetweenTrace:
    """The search from posture to posture.

    Attributes:
        space: Coordinates of the arrays below.
        keys: ``(keys, size)`` the key postures, after relaxing.
        faults: What was wrong with the postures given.
        legs: One for each pair of successive keys that was joined.
        key_times_s: ``(keys,)`` when the motion is at its keys [s].
        least_gap_m: Least gap of the motion's frames [m].
        floor: Whether ``y = 0`` is solid ground.
        refined: What the spacetime stage did; ``None`` without it.
    """

    space: PostureSpace
    keys: FloatArray
    faults: tuple[PostureFaults, ...] = ()
    legs: tuple[Leg, ...] = ()
    key_times_s: FloatArray | None = None
    least_gap_m: float = 0.0
    floor: bool = False
    refined: Refined | None = None
