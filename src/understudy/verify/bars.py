"""The bars a motion must clear (docs/verification.md), as numbers a caller may tighten."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from understudy.errors import OptionError

#: How far feet of recorded people slide in everyday life on a level floor (``tools/support_bars.py``); for motions
#: without evidence to compare with. Slide: the worst of 76 recordings; the 99th percentile of 51 is 20 mm, the worst of
#: the 25 held out 22 mm. Others: the 99th percentile of 51 recordings; none of the 25 held out is above it. Both ratios
#: count feet that swing low over the floor, so they are high for people who shuffle or walk sideways; the slide of feet
#: that bear weight does not, and says most.
CONTACT_SLIDE_MM = 23.0
STANCE_DRIFT_MM = 27.0
GMD_RATIO = 0.35
KIMODO_RATIO = 0.58
#: [m] how far outside people who stand, turn, bend, reach and step come: the 99th percentile of the worst moments of 29
#: recordings; none of 14 others that were held out is above it (``tools/support_bars.py``).
OUTSIDE_M = 0.11
#: [s] 1.5 times the longest time for which anybody is still in 86 recordings of everyday life; nobody is still for
#: longer than 0.033 s in 42 others that were held out (``tools/still_people.py``).
STILL_S = 0.125


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Largest values that pass.

    Attributes:
        penetration_s: Time spent overlapping by more than 1 mm beyond what is allowed [s].
        gmd: Foot skate ratio; a source's own is allowed where it is larger.
        gmd_alone: Foot skate ratio of a motion without evidence.
        kimodo_alone: Foot skate ratio of a motion without evidence.
        kimodo_added: Foot skate ratio above the evidence's own.
        stance_drift_alone_mm: Stance drift of a motion without evidence [mm].
        stance_drift_added_mm: Stance drift above the evidence's own [mm].
        contact_slide_mm: Way of a foot that slides while it carries the body [mm].
        unsupported_s: Time for which nothing carries the body though it does not fall [s].
        balance_m: Distance of the capture point of a slow body from what carries it [m].
        foot_slide_mm: Slide against the source's own foot while the source stands, for a motion with the source's
            frames [mm].
        limit_excess_rad: Joint-limit excess beyond the source's own [rad].
        velocity_ratio: Largest limb velocity over the source's 99.9th percentile.
        acceleration_ratio: Largest limb acceleration over the source's 99.9th percentile.
        jerk_ratio: Mean jerk over the source's.
        tremor_ratio: Largest tremor of a joint over the usual one.
        still_s: Longest time for which nothing moves between two movements [s].
        seams: Velocity jumps.
        goal_position_m: Floor goals [m].
        goal_heading_rad: Floor goals [rad].
        hand_position_m: Hand goals [m].
        hand_rotation_rad: Hand goals [rad].
        route_ratio: Travelled length over the shortest.
        rest_m: Gap between something that was put down and what carries it [m].
        ballistic_mm: Distance of a free object from its parabola [mm].
        momentum_error: Change of momentum where free objects meet [kg m/s].
        self_overlap_m: Overlap with itself that a recording without a source may show [m].
        own_ground_m: Depth below its own ground that a recording without a scene may show [m].
    """

    penetration_s: float = 0.0
    gmd: float = 0.0
    gmd_alone: float = GMD_RATIO
    kimodo_alone: float = KIMODO_RATIO
    kimodo_added: float = 0.0
    stance_drift_alone_mm: float = STANCE_DRIFT_MM
    stance_drift_added_mm: float = 5.0
    contact_slide_mm: float = CONTACT_SLIDE_MM
    unsupported_s: float = 0.0
    balance_m: float = OUTSIDE_M
    foot_slide_mm: float = 1.5
    limit_excess_rad: float = 0.0
    velocity_ratio: float = 1.5
    acceleration_ratio: float = 1.5
    jerk_ratio: float = 1.5
    tremor_ratio: float = 1.5
    still_s: float = STILL_S
    seams: int = 0
    goal_position_m: float = 0.01
    goal_heading_rad: float = math.radians(5.0)
    hand_position_m: float = 0.001
    hand_rotation_rad: float = math.radians(1.0)
    route_ratio: float = 1.10
    rest_m: float = 0.005
    ballistic_mm: float = 1.0
    momentum_error: float = 0.01
    self_overlap_m: float = 0.08
    own_ground_m: float = 0.05

    def __post_init__(self) -> None:
        """Reject bars that are negative or not numbers."""
        for item in fields(self):
            value = getattr(self, item.name)
            if not (isinstance(value, int | float) and value >= 0):
                raise OptionError(f"Bars.{item.name} is {value!r}; it must be zero or more")
