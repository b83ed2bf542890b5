"""How fast recorded people turn their limbs: what the judge and planners take as usual (docs/pace.md).

The numbers are made by ``tools/everyday_pace.py`` and ``tools/everyday_tremor.py`` from recordings. Do not edit them
by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from understudy.core.humanoid import LIMB_ROLES
from understudy.errors import OptionError

#: A limb's angular velocity [rad/s], acceleration [rad/s^2] and jerk [rad/s^3], low-passed at 6 Hz.
LimbPace = tuple[float, float, float]

# made: begin
_EVERYDAY: dict[str, LimbPace] = {
    "arm": (11.3, 219.0, 6500.0),
    "leg": (9.5, 217.0, 8560.0),
    "torso": (4.0, 50.6, 2250.0),
}
_SPORT: dict[str, LimbPace] = {
    "arm": (16.1, 285.0, 10100.0),
    "leg": (15.6, 353.0, 13500.0),
    "torso": (7.54, 76.8, 2250.0),
}
# made: end

# tremor: begin
_EVERYDAY_TREMOR = {"torso": 0.436, "arm": 0.857, "leg": 0.719, "foot": 1.03, "toes": 1.58}
_SPORT_TREMOR = {"torso": 0.749, "arm": 1.62, "leg": 1.7, "foot": 2.07, "toes": 2.3}
# tremor: end


def part_of(limb: str) -> str:
    """The row of the table that a limb is in: both arms are ``arm``, both legs ``leg``."""
    return limb.removeprefix("left_").removeprefix("right_")


def _by_limb(rows: Mapping[str, LimbPace]) -> Mapping[str, LimbPace]:
    """Rows by limb. A creature without roles is one limb, which may do what any limb does."""
    velocity, acceleration, jerk = (max(column) for column in zip(*rows.values(), strict=True))
    return MappingProxyType(
        {**{limb: rows[part_of(limb)] for limb in LIMB_ROLES}, "body": (velocity, acceleration, jerk)}
    )


#: People who walk, stand, sit down, get up, climb stairs, reach, lift, carry and gesture.
EVERYDAY: Mapping[str, LimbPace] = _by_limb(_EVERYDAY)
#: People who run, jump, throw, kick, swing and tumble. Never slower than in everyday life.
SPORT: Mapping[str, LimbPace] = _by_limb(_SPORT)

ACTIVITIES: Mapping[str, Mapping[str, LimbPace]] = MappingProxyType({"everyday": EVERYDAY, "sport": SPORT})


def usual_pace(limb: str, activity: str = "everyday") -> LimbPace:
    """How fast recorded people turn a limb.

    Args:
        limb: A name in ``LIMB_ROLES``, or ``body`` for a creature without roles.
        activity: ``everyday`` or ``sport``.

    Raises:
        OptionError: No such activity.
    """
    if activity not in ACTIVITIES:
        raise OptionError(f"activity must be one of {', '.join(ACTIVITIES)}, not {activity!r}")
    return ACTIVITIES[activity][limb]


def tremor_part(role: str) -> str:
    """The row of the tremor's table that a joint is in: ``torso``, ``arm``, ``leg``, ``foot`` or ``toes``."""
    for ending in ("Foot", "Toes"):
        if role.endswith(ending):
            return ending.lower()
    return next((part_of(limb) for limb, roles in LIMB_ROLES.items() if role in roles), "torso")


def usual_tremor(role: str, activity: str = "everyday") -> float:
    """How much recorded people's joints tremble: angular velocity between 3.5 and 12 Hz, kept up for 0.6 s [rad/s].

    Args:
        role: A humanoid role.
        activity: ``everyday`` or ``sport``.
    """
    return (_SPORT_TREMOR if activity == "sport" else _EVERYDAY_TREMOR)[tremor_part(role)]
