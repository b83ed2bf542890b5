"""What collision queries answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Contact:
    """The nearest or deepest pair of something.

    Attributes:
        distance_m: Signed distance of the surfaces [m]; negative: how deep.
        capsule: Part of the body.
        other: Obstacle, or the other part of the body.
        on_capsule: ``(3,)`` [m] nearest point on the capsule.
        on_other: ``(3,)`` [m] nearest point on the other.
        normal: ``(3,)`` unit vector from the other to the capsule.
    """

    distance_m: float
    capsule: str
    other: str
    on_capsule: FloatArray
    on_other: FloatArray
    normal: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Distances:
    """Nearest pair of a pose per category; ``None`` where there is nothing to be near to."""

    scene: Contact | None
    others: Contact | None
    own: Contact | None

    @property
    def least_m(self) -> float:
        """Smallest signed distance [m]; infinite when there is nothing at all."""
        found = [contact.distance_m for contact in (self.scene, self.others, self.own) if contact is not None]
        return min(found, default=float("inf"))


class NearPairs(NamedTuple):
    """All near pairs of a pose, in the rows of ``_distance_kernels``.

    Attributes:
        own: ``(n, 14)`` pairs of the body's capsules.
        world: ``(m, 14)`` capsule and solid.
    """

    own: FloatArray
    world: FloatArray


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Whether a move is free.

    Attributes:
        free: Certified: at no moment is any pair nearer than the clearance.
        contact: Where in [0, 1] of the move contact was met, if it was.
        pair: What met: part of the body, and obstacle or other part.
        checks: Poses looked at.
    """

    free: bool
    contact: float | None = None
    pair: tuple[str, str] | None = None
    checks: int = 0

    def __bool__(self) -> bool:
        """Whether the move is free."""
        return self.free
