"""A clip of the built-in performer, asked for by name in a scene file instead of a motion file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Performed:
    """What the built-in performer is asked for; see :func:`understudy.performer.performance`.

    Attributes:
        clip: Name of the clip.
        duration_s: Instead of the clip's own [s].
        speed_mps: Instead of the clip's own [m/s].
        style: ``"calm"``, ``"brisk"`` or ``"tired"``.
        seed: Another seed, other steps.
    """

    clip: str
    duration_s: float | None = None
    speed_mps: float | None = None
    style: str = "calm"
    seed: int = 0
