"""Where feet stand: planted spells of each foot as prints on the floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from understudy.pictures.stage import Actor
from understudy.typing import BoolArray, FloatArray

#: A ball of the foot slower and lower than this stands [m/s], [m].
_STILL_M_S = 0.25
_LOW_M = 0.06
#: [s] shorter spells are noise, shorter gaps do not part two spells.
_SPELL_S, _GAP_S = 0.10, 0.06


class Contacts(Protocol):
    """Which foot is planted in which frame, such as ``inspection.foot_contacts`` finds."""

    @property
    def left(self) -> BoolArray:
        """``(frames,)`` for the left foot."""

    @property
    def right(self) -> BoolArray:
        """``(frames,)`` for the right foot."""


@dataclass(frozen=True, eq=False)
class Footprint:
    """One foot's stand.

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


def footprints(actor: Actor, *, contacts: Contacts | None = None) -> list[Footprint]:
    """All stands of both feet in order of time; none for a skeleton without feet."""
    motion = actor.motion
    prints: list[Footprint] = []
    for side in ("left", "right"):
        ankle, ball = f"{side}Foot", f"{side}Toes"
        if ankle not in motion.skeleton.humanoid:
            continue
        if ball not in motion.skeleton.humanoid:
            ball = ankle
        paths = actor.joint_paths([ankle, ball], motion.times_s)
        planted = _planted(paths[:, 1], motion.fps) if contacts is None else np.asarray(getattr(contacts, side), bool)
        for first, last in _spells(planted[: len(motion)], motion.fps):
            heel, toe = paths[first : last + 1][:, :, [0, 2]].mean(axis=0)
            prints.append(Footprint(side, heel, toe, first / motion.fps))
    return sorted(prints, key=lambda print_: (print_.start_s, print_.side))


def _planted(ball: FloatArray, fps: float) -> BoolArray:
    if len(ball) < 2:
        return np.ones(len(ball), dtype=bool)
    speed = np.linalg.norm(np.gradient(ball, axis=0), axis=1) * fps
    return np.asarray((speed < _STILL_M_S) & (ball[:, 1] < np.quantile(ball[:, 1], 0.05) + _LOW_M))


def _spells(planted: BoolArray, fps: float) -> list[tuple[int, int]]:
    """First and last frames of planted spells, short gaps closed and short spells dropped."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], planted.astype(np.int8), [0]])))
    spells: list[tuple[int, int]] = []
    for first, last in zip(edges[::2], edges[1::2] - 1, strict=True):
        if spells and first - spells[-1][1] - 1 <= _GAP_S * fps:
            spells[-1] = (spells[-1][0], int(last))
        else:
            spells.append((int(first), int(last)))
    return [(a, b) for a, b in spells if b - a + 1 >= min(_SPELL_S * fps, len(planted))]
