"""Feet and the floor: clips whose feet stand below it, or never come near it."""

from __future__ import annotations

from understudy.core.motion import Motion
from understudy.inspection.contacts import FootContacts
from understudy.inspection.problem import Kind, Problem

#: [m] feet that rest this far below the floor are not a matter of shoe soles.
BELOW_M = 0.03
#: [m] feet that rest this far above it stand on nothing a clip alone can show.
ABOVE_M = 0.30


def floor_problems(motion: Motion, contacts: FootContacts) -> list[Problem]:
    """Whether the feet rest clearly below or above the floor ``y = 0``."""
    height = contacts.ground_m
    if -BELOW_M <= height <= ABOVE_M:
        return []
    kind: Kind = "below_floor" if height < 0 else "floating"
    where = "below" if height < 0 else "above"
    return [
        Problem(
            kind=kind,
            message=f"the feet rest {100 * abs(height):.0f} cm {where} the floor",
            joint=None,
            first_frame=0,
            last_frame=len(motion) - 1,
            severity="warning",
        )
    ]
