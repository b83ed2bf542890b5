"""What stands around a posture, and the gaps that must be kept (``tables``)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from understudy.collision import World
from understudy.collision.tables import BOX, CAPSULE, HALF_SPACE, SPHERE
from understudy.postures.tables import GAP, PlainSolids, Room, Solids, SpaceArrays
from understudy.typing import FloatArray

_PLAIN = (BOX, CAPSULE, HALF_SPACE, SPHERE)

#: [m] how much deeper than in a posture given, so that moves from it can be certified.
_OVERLAPPING_M = 2e-3


def new_room(space: SpaceArrays, solids: Solids | None = None) -> Room:
    """Scratch arrays for one caller."""
    joints, capsules = len(space.tree), len(space.carriers)
    rows = len(space.pairs) + (0 if solids is None else len(solids.rows) * capsules)
    return Room(joints=np.zeros((joints, 22)), capsules=np.zeros((capsules, 11)), near=np.zeros((rows, 8)))


def solids_of(world: World) -> Solids | None:
    """A world at rest for kernels, moving things where they begin; ``None`` for an empty one."""
    if not len(world):
        return None
    if np.isin(world.solids.kinds[:, 0], _PLAIN).all():
        return PlainSolids(rows=world.solids.rows, kinds=world.solids.kinds)
    return world.solids


def no_gaps(space: SpaceArrays, solids: Solids | None = None, allowed: Collection[tuple[int, int]] = ()) -> FloatArray:
    """Zero for every pair, minus infinity for those pairs (capsule, solid) that may touch."""
    keep = np.zeros(len(new_room(space, solids).near))
    for capsule, solid in allowed:
        keep[len(space.pairs) + solid * len(space.carriers) + capsule] = -np.inf
    return keep


def gaps_at(space: SpaceArrays, solids: Solids | None, q: FloatArray) -> FloatArray:
    """Every gap of a posture [m], in the order of ``keep``; infinite where a solid is far."""
    from understudy.postures._energy_kernels import measure
    from understudy.postures._placing_kernels import place

    room = new_room(space, solids)
    place(space, q, room)
    measure(space, solids, no_gaps(space, solids), room)
    return room.near[:, GAP].copy()


def kept(gaps: Sequence[FloatArray], wanted_m: float, share: float, allowed: FloatArray) -> FloatArray:
    """Gaps to keep: the wanted one, or ``share`` of what the nearest of some postures has itself.

    Parts that overlap in one of them may overlap as deep on the way.

    Args:
        gaps: Every gap of the postures.
        wanted_m: Gap to keep where they keep it too [m].
        share: In [0, 1].
        allowed: Minus infinity where a pair may touch.
    """
    least = np.min(gaps, axis=0)
    least = np.where(least < 0.0, least - _OVERLAPPING_M, share * least)
    return np.where(allowed == -np.inf, -np.inf, np.minimum(wanted_m, least))
