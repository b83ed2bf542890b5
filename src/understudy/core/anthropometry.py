"""Body segments of an average adult: where they lie, how thick and how heavy they are.

Mass shares, centres of mass and radii of gyration follow Winter, *Biomechanics and Motor Control of Human Movement*
(table 4.1); thicknesses are those of a slim 1.75 m adult and scale with stature.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from understudy.core.humanoid import mirrored_role

REFERENCE_STATURE_M = 1.75
BODY_MASS_INDEX = 22.5  # [kg/m^2] gives the whole body's mass from its stature


@dataclass(frozen=True, kw_only=True)
class Segment:
    """One rigid part of the body.

    Attributes:
        name: Such as ``"left_thigh"``.
        role: The joint that carries it.
        end_role: Where it ends; ``""`` when it ends at a tip or at a place of its own.
        radius_m: Capsule radius at the reference stature [m].
        mass_share: Share of the whole body's mass.
        com_share: Centre of mass along the segment from its start.
        gyration: Radius of gyration about the centre of mass over the segment's length.
    """

    name: str
    role: str
    end_role: str
    radius_m: float
    mass_share: float
    com_share: float = 0.5
    gyration: float = 0.3

    def mirrored(self) -> Segment:
        """The same segment on the other side."""
        return replace(
            self,
            name=self.name.replace("left_", "right_"),
            role=mirrored_role(self.role),
            end_role=mirrored_role(self.end_role),
        )


_MIDDLE = (
    Segment(name="pelvis", role="hips", end_role="", radius_m=0.105, mass_share=0.142, gyration=0.5),
    Segment(name="abdomen", role="spine", end_role="chest", radius_m=0.105, mass_share=0.139, gyration=0.5),
    Segment(name="ribs", role="chest", end_role="", radius_m=0.105, mass_share=0.0),
    Segment(name="chest", role="upperChest", end_role="", radius_m=0.11, mass_share=0.216, gyration=0.5),
    Segment(name="neck", role="neck", end_role="head", radius_m=0.052, mass_share=0.012, gyration=0.4),
    Segment(name="head", role="head", end_role="", radius_m=0.092, mass_share=0.069, gyration=0.5),
)

_LEFT = (
    Segment(name="left_shoulder", role="leftShoulder", end_role="leftUpperArm", radius_m=0.05, mass_share=0.0),
    Segment(
        name="left_upper_arm",
        role="leftUpperArm",
        end_role="leftLowerArm",
        radius_m=0.046,
        mass_share=0.028,
        com_share=0.436,
        gyration=0.322,
    ),
    Segment(
        name="left_forearm",
        role="leftLowerArm",
        end_role="leftHand",
        radius_m=0.037,
        mass_share=0.016,
        com_share=0.430,
        gyration=0.303,
    ),
    Segment(
        name="left_hand",
        role="leftHand",
        end_role="",
        radius_m=0.032,
        mass_share=0.006,
        com_share=0.506,
        gyration=0.297,
    ),
    Segment(
        name="left_thigh",
        role="leftUpperLeg",
        end_role="leftLowerLeg",
        radius_m=0.072,
        mass_share=0.100,
        com_share=0.433,
        gyration=0.323,
    ),
    Segment(
        name="left_shank",
        role="leftLowerLeg",
        end_role="leftFoot",
        radius_m=0.048,
        mass_share=0.0465,
        com_share=0.433,
        gyration=0.302,
    ),
    Segment(
        name="left_foot",
        role="leftFoot",
        end_role="leftToes",
        radius_m=0.034,
        mass_share=0.0125,
        gyration=0.475,
    ),
    Segment(name="left_toes", role="leftToes", end_role="", radius_m=0.024, mass_share=0.002),
)


def segments() -> Iterator[Segment]:
    """All segments, trunk first; their mass shares add up to one."""
    yield from _MIDDLE
    for segment in _LEFT:
        yield segment
        yield segment.mirrored()
