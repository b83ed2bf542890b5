"""Who holds what and when, in one list: attachments and what characters carry from the start."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from understudy.scene.attachments import Attachment, Grip, Release
from understudy.scene.characters import Character


@dataclass(frozen=True, kw_only=True)
class Hold:
    """One object following one holder; like an attachment, but may have begun before all times.

    Attributes:
        object: The object that follows.
        to: Its holder, see :class:`Attachment`.
        start_s: From when [s]; minus infinity for what a character carries from the start.
        end_s: Until when [s].
        grip: See :class:`Attachment`.
        release: See :class:`Attachment`.
        source: Where it was said: ``("attachment", n)`` or ``("character", n, "carry", k)``.
    """

    object: str
    to: str
    start_s: float
    end_s: float
    grip: Grip
    release: Release
    source: tuple[str | int, ...]


def all_holds(attachments: Iterable[Attachment], characters: Iterable[Character]) -> tuple[Hold, ...]:
    """Attachments and carried objects, ordered by when they begin."""
    holds = [
        Hold(
            object=carry.object,
            to=f"{person.name}.{carry.hand}_hand",
            start_s=-math.inf,
            end_s=carry.until_s,
            grip=carry.grip,
            release="stay",
            source=("character", n, "carry", k),
        )
        for n, person in enumerate(characters)
        for k, carry in enumerate(person.carry)
    ]
    holds += [
        Hold(
            object=one.object,
            to=one.to,
            start_s=one.start_s,
            end_s=one.end_s,
            grip=one.grip,
            release=one.release,
            source=("attachment", n),
        )
        for n, one in enumerate(attachments)
    ]
    return tuple(sorted(holds, key=lambda hold: hold.start_s))
