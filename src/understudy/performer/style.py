"""Styles of moving, as sets of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from understudy.core.planning import Options, limited
from understudy.errors import OptionError, nearest_name


@dataclass(frozen=True, kw_only=True)
class Style(Options):
    """One manner of moving.

    Attributes:
        arm_swing: Factor of arm motion.
        arm_asymmetry: The livelier arm swings by this share more, the other by as much less.
        elbow_rad: More bend of the elbows [rad].
        twist: Factor of trunk and pelvis turning.
        bob: Factor of the pelvis' rise and fall.
        sway: Factor of the pelvis' side-to-side motion.
        lean_rad: Trunk leaning ahead [rad].
        head_rad: Head bowed [rad].
        neck_rad: Neck leaning ahead, under a head that stays as it is [rad].
        shoulders_rad: Shoulders raised [rad].
        knees_m: Pelvis lowered by soft knees, for a leg of 0.9 m [m].
        pace: Factor of stride frequency at equal speed: above one means shorter, quicker steps.
        speed: Factor of every clip's speed.
        width_m: Wider stance [m].
        toe_out_rad: Feet turned outwards [rad].
        lift: Factor of the swinging foot's height.
        variation: Size of the differences from step to step; 0 for none.
        breath_hz: Breaths per second while standing.
        breath_rad: How far breathing moves the chest [rad].
    """

    arm_swing: float = limited(1.12, low=0.0, high=3.0)
    arm_asymmetry: float = limited(0.10, low=0.0, high=0.9)
    elbow_rad: float = limited(0.0, low=-0.3, high=1.5, unit="rad")
    twist: float = limited(1.1, low=0.0, high=3.0)
    bob: float = limited(1.0, low=0.0, high=2.0)
    sway: float = limited(1.0, low=0.0, high=3.0)
    lean_rad: float = limited(0.0, low=-0.3, high=0.6, unit="rad")
    head_rad: float = limited(-0.07, low=-0.4, high=0.7, unit="rad")
    neck_rad: float = limited(0.0, low=-0.8, high=0.8, unit="rad")
    shoulders_rad: float = limited(0.0, low=-0.3, high=0.3, unit="rad")
    knees_m: float = limited(0.0, low=0.0, high=0.15, unit="m")
    pace: float = limited(1.0, low=0.7, high=1.4)
    speed: float = limited(1.0, low=0.4, high=1.6)
    width_m: float = limited(0.036, low=0.0, high=0.2, unit="m")
    toe_out_rad: float = limited(0.15, low=-0.3, high=0.6, unit="rad")
    lift: float = limited(1.0, low=0.3, high=2.0)
    variation: float = limited(1.0, low=0.0, high=3.0)
    breath_hz: float = limited(0.24, low=0.05, high=1.0, unit="1/s")
    breath_rad: float = limited(0.018, low=0.0, high=0.1, unit="rad")


STYLES: MappingProxyType[str, Style] = MappingProxyType(
    {
        "calm": Style(),
        "brisk": Style(
            arm_swing=1.35,
            elbow_rad=0.12,
            twist=1.25,
            bob=1.08,
            lean_rad=0.02,
            head_rad=-0.1,
            pace=1.05,
            speed=1.2,
            variation=0.8,
            breath_hz=0.3,
        ),
        "tired": Style(
            arm_swing=0.62,
            arm_asymmetry=0.18,
            elbow_rad=-0.06,
            twist=0.75,
            bob=0.85,
            sway=1.25,
            lean_rad=0.13,
            head_rad=0.18,
            shoulders_rad=-0.06,
            knees_m=0.012,
            pace=0.94,
            speed=0.72,
            width_m=0.05,
            toe_out_rad=0.2,
            lift=0.9,
            variation=1.5,
            breath_hz=0.28,
            breath_rad=0.03,
        ),
    }
)


def style_named(style: str | Style) -> Style:
    """A style by name, or the given one.

    Raises:
        OptionError: No such style, naming the nearest.
    """
    if isinstance(style, Style):
        return style
    if style not in STYLES:
        raise OptionError(f'unknown style "{style}"; {nearest_name(style, STYLES)}')
    return STYLES[style]
