"""The family of ways past a door that are looked at: places, directions and steps, as rows of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from understudy.locomotion.footsteps.pathing import wrapped
from understudy.skills.door.layout import Door
from understudy.typing import FloatArray

#: [m] how far beyond the wall the last point of a way lies, and the stretch before the handle that is straight.
_BEYOND_M, _RUN_M = 0.95, 0.9


def rows_for(door: Door, start: FloatArray, goal: FloatArray, *, narrow: bool = False) -> FloatArray:
    """``(n, 13)`` all ways that are looked at: the usual ones, or those between whose ends one winds one's way."""
    across = door.latch_side
    heading = float(np.arctan2(*door.through))
    # Plane angles are counted the other way round than headings: from the doorway's normal towards the latch.
    turn = 1.0 if wrapped(float(np.arctan2(*across)) - heading) > 0 else -1.0
    grip, pivot = door.grip[[0, 2]], door.pivot
    run = 0.0 if narrow else float(np.clip(_far(start - grip) - 0.8, 0.25, _RUN_M))
    out = []
    if narrow:
        options = _narrow_pushes() if door.pushed else _narrow_pulls()
    else:
        options = _pushes() if door.pushed else _pulls()
    for aside, off, facing, back, sideways, facing_then, stand, latch, beyond, away in options:
        at = grip + aside * across - off * door.through
        then = at + sideways * across - back * door.through
        middle = pivot + (door.width_m - latch) * across + 0.02 * door.through
        last = middle + beyond * across + away * door.through
        onward = float(np.arctan2(*(0.5 * (last - middle) + 0.35 * (goal - last) / max(_far(goal - last), 0.3))))
        out.append(
            [
                *at,
                heading + turn * facing,
                *then,
                heading + turn * facing_then,
                *middle,
                *last,
                onward,
                stand,
                run,
            ]
        )
    return np.array(out)


#: Aside, off and facing at the handle; back, aside and facing at the end of the hold; seconds of standing; distance
#: from the latch in the doorway; how far aside and beyond the wall it leads on.
_Way = tuple[float, ...]


def _pushes() -> list[_Way]:
    places = list(product((-0.25, -0.1, 0.05, 0.2), (0.44, 0.52, 0.60, 0.68), (-0.3, 0.0, 0.3)))
    return _pushed(places, list(product((0.33, 0.39, 0.45), (-0.05, 0.15, 0.35), (_BEYOND_M,))))


def _narrow_pushes() -> list[_Way]:
    places = list(product((-0.35, -0.2, -0.05, 0.1, 0.25), (0.36, 0.43, 0.50, 0.57), (-0.8, -0.4, 0.0, 0.4, 0.8, 1.2)))
    return _pushed(places, list(product((0.27, 0.34, 0.41, 0.48), (-0.45, -0.2, 0.05, 0.3), (0.3, 0.6))))


def _pushed(places: Sequence[_Way], leaves: Sequence[_Way]) -> list[_Way]:
    return [(a, o, f, 0.0, 0.0, f, 0.0, *leave) for a, o, f in places for leave in leaves]


def _pulls() -> list[_Way]:
    places = list(product((-0.05, 0.1, 0.25, 0.4), (0.48, 0.58, 0.68), (-0.5, -0.2, 0.1)))
    holds = list(product((0.15, 0.35, 0.55), (-0.12, 0.08), (-0.25, 0.1)))
    return _pulled(places, holds, [(0.36, -0.3, _BEYOND_M), (0.36, 0.0, _BEYOND_M), (0.44, -0.15, _BEYOND_M)])


def _narrow_pulls() -> list[_Way]:
    places = list(product((-0.1, 0.05, 0.2, 0.35, 0.5), (0.44, 0.54, 0.66), (-0.9, -0.55, -0.2, 0.15)))
    holds = list(product((0.0, 0.2, 0.4, 0.55), (-0.12, 0.08), (-0.3, 0.05, 0.4)))
    return _pulled(places, holds, [(0.36, -0.3, 0.35), (0.36, 0.1, 0.35), (0.44, -0.1, 0.5)])


def _pulled(places: Sequence[_Way], holds: Sequence[_Way], leaves: Sequence[_Way]) -> list[_Way]:
    return [
        (a, o, f, back, side, f + turn, 1.7 if back < 0.3 else 2.0, *leave)
        for a, o, f in places
        for back, side, turn in holds
        for leave in leaves
    ]


def _far(away: FloatArray) -> float:
    return float(np.hypot(*away))
