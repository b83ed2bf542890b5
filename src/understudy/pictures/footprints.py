"""Where feet stand: each stance as one print on the floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from understudy.pictures.stage import Actor
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.inspection.contacts import FootContacts


@dataclass(frozen=True, eq=False)
class Footprint:
    """One foot's stance.

    Attributes:
        side: ``"left"`` or ``"right"``.
        heel: ``(2,)`` floor point (x, z) below the ankle [m].
        toe: ``(2,)`` floor point (x, z) below the ball of the foot [m].
        start_s: When it comes down [s].
    """

    side: str
    heel: FloatArray
    toe: FloatArray
    start_s: float


def footprints(actor: Actor, *, contacts: FootContacts | None = None) -> list[Footprint]:
    """All stances of both feet in order of time; none for a character that is not a humanoid.

    Args:
        actor: Whose feet.
        contacts: When they stand; found from the motion when not given.
    """
    from understudy.inspection.contacts import foot_contacts

    motion = actor.motion
    if not motion.skeleton.is_humanoid:
        return []
    found = contacts or foot_contacts(motion)
    prints: list[Footprint] = []
    for side in ("left", "right"):
        ball = f"{side}Toes" if f"{side}Toes" in motion.skeleton.humanoid else f"{side}Foot"
        paths = actor.joint_paths([f"{side}Foot", ball], motion.times_s)[:, :, [0, 2]]
        for first, stop in found.stances(side):
            heel, toe = np.median(paths[first:stop], axis=0)
            prints.append(Footprint(side, heel, toe, first / motion.fps))
    return sorted(prints, key=lambda print_: (print_.start_s, print_.side))
