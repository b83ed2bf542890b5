"""What a person would like to see of planning between postures."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.postures.faults import PostureFaults
from understudy.postures.space import PostureSpace
from understudy.postures.spacetime import Refined
from understudy.typing import FloatArray

#: How a way was found that a recording shows.
RECORDED = "recorded"
#: How a way was made on which feet step.
STEPPED = "stepped"


@dataclass(frozen=True, eq=False, kw_only=True)
class Leg:
    """From one posture to the next, key postures and stations on the way alike.

    Attributes:
        how: Which method found the way (``planner.Way``), ``"recorded"`` or ``"stepped"``.
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


@dataclass(frozen=True, kw_only=True)
class Borne:
    """A stretch of the motion in which the same parts bear the body.

    Attributes:
        supports: Which parts: feet and hands that stay where they are, or the trunk that rolls; empty when nobody asked
            (pins, no floor).
        start_s: From when [s].
        end_s: Until when [s].
    """

    supports: tuple[str, ...]
    start_s: float
    end_s: float


@dataclass(frozen=True, kw_only=True)
class Relaxed:
    """How far a key posture was moved to be valid.

    Attributes:
        posture: Its number among the keys.
        joint: The joint that moved farthest.
        moved_m: How far it moved [m].
        joints_m: Every joint that moved by a millimetre or more, and how far [m].
    """

    posture: int
    joint: str
    moved_m: float
    joints_m: dict[str, float]

    def __str__(self) -> str:
        """One sentence."""
        return f"posture {self.posture}: {self.joint} moved by {1000.0 * self.moved_m:.0f} mm"


@dataclass(frozen=True, eq=False, kw_only=True)
class BetweenTrace:
    """The search from posture to posture.

    Attributes:
        space: Coordinates of the keys.
        keys: ``(keys, size)`` the key postures, after relaxing.
        faults: What was wrong with the postures given.
        relaxed: How far postures with faults were moved.
        legs: One for each pair of successive postures that was joined, stations on the way included.
        stances: What bears the body when.
        key_times_s: ``(keys,)`` when the motion is at its keys [s].
        least_gap_m: Least gap of the motion's frames [m].
        floor: Whether ``y = 0`` is solid ground.
        refined: What the spacetime stage did, stance by stance; empty without it.
    """

    space: PostureSpace
    keys: FloatArray
    faults: tuple[PostureFaults, ...] = ()
    relaxed: tuple[Relaxed, ...] = ()
    legs: tuple[Leg, ...] = ()
    stances: tuple[Borne, ...] = ()
    key_times_s: FloatArray | None = None
    least_gap_m: float = 0.0
    floor: bool = False
    refined: tuple[Refined, ...] = ()
