"""Where a leg must stay as it is: while its foot stands."""

from __future__ import annotations

from understudy.inspection.contacts import ContactOptions, FootContacts, foot_contacts
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Touch

#: A foot this slow and this low stands.
_STANDING = ContactOptions(speed_mps=0.2, height_m=0.03)


def stances(stage: Stage, limb: str) -> tuple[tuple[int, int], ...]:
    """``(first, stop)`` frames in which the foot of a leg stands in the source; none for arms."""
    side, _, kind = limb.partition("_")
    if kind != "leg":
        return ()

    def find() -> FootContacts:
        return foot_contacts(stage.source, options=_STANDING)

    return tuple((first, stop) for first, stop in stage.shared(("stances",), find).stances(side))


def stands_in(stage: Stage, touch: Touch) -> bool:
    """Whether the foot of a leg stands while it touches what it must not: a step the leg alone cannot take."""
    return any(first < touch.last and touch.first < stop - 1 for first, stop in stances(stage, touch.limb))
