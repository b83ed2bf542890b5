"""How an edit ends, and a state that can be gone back to."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.core.planning import Status
from understudy.interaction.clashes import Clash
from understudy.interaction.editing import Pin
from understudy.interaction.play import Play
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How an edit ended.

    Attributes:
        status: ``SOLVED`` when every contact is at rest and every pin where it should be.
        steps: Steps taken.
        contacts_m: Largest miss of a contact that is left [m].
        left_m: Farthest a handle still is from where it was to go [m].
        reason: What stopped it, naming contact or pin; empty when nothing did.
        clashes: Contacts that nobody asked for.
    """

    status: Status
    steps: int
    contacts_m: float
    left_m: float
    reason: str = ""
    clashes: tuple[Clash, ...] = ()

    def __bool__(self) -> bool:
        """Whether it is solved."""
        return bool(self.status)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything an edit can change."""

    play: Play
    unknowns: FloatArray
    pins: tuple[Pin, ...]
