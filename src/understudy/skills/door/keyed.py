"""A door opened along a way that is given pose by pose in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy.skills.door.passing import BEFORE_S, HANDS, STEP_S, Passage, Search
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.skills.door._geometry_kernels import Walker

#: [m] room that is left after corners are rounded.
ROUNDED_M = 0.005


def roomy(search: Search, walker: Walker, keys: FloatArray) -> bool:
    """Whether a walker has room on the floor all along ``(n, 4)`` keys: time [s], x, z [m] and heading [rad]."""
    from understudy.skills.door._geometry_kernels import floor_clearance

    room = min(floor_clearance(search.ground, walker, x, z, h) for _, x, z, h in keys[::3].tolist())
    return room >= ROUNDED_M


def opened_along(
    search: Search, walker: Walker, keys: FloatArray, hand: int, *, row: FloatArray, until: int, count: int
) -> Passage | None:
    """The passage along keys with the leaf swung as is best on it; ``None`` when no swing goes with it.

    Args:
        search: The door, the ground and how leaves are swung.
        walker: Who.
        keys: ``(n, 4)`` time from taking hold [s], x, z [m] and heading [rad].
        hand: Which of ``HANDS``.
        row: Numbers of the way, for the passage.
        until: Step by which the handle is let go.
        count: Steps that are looked at.
    """
    from understudy.skills.door._swing_kernels import swung

    before = round(BEFORE_S / STEP_S)
    at = -BEFORE_S + STEP_S * np.arange(count)
    path = np.ascontiguousarray(np.stack([np.interp(at, keys[:, 0], keys[:, k]) for k in (1, 2, 3)], axis=1))
    profile = np.empty(count)
    swing = search.swing._replace(margin_m=ROUNDED_M)
    cost, release = swung(
        search.ground, search.leaf, walker, path, (before, until), hand, swing, search.openings, profile
    )
    if not np.isfinite(cost):
        return None
    split = int(np.searchsorted(keys[:, 0], 0.0))
    return Passage(
        row=row,
        hand=HANDS[hand],
        profile=profile,
        release_s=(release - before) * STEP_S,
        before=keys[: split + 1, 1:3],
        after=keys[split:, 1:3],
        cost_s=cost,
        keys=keys,
    )
