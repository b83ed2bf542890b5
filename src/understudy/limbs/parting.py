"""Legs to and from something that is touched: lenient along the way straight out, strict from where that is clear.

A hand lies on what it takes, and what is carried is planned as capsules that are larger than it is: where it rests
they are in what it rests on. Planning has to allow both at the moment itself. Farther away it must not, or hands and
things would be dragged along surfaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy.limbs.legs import Leg
from understudy.limbs.stage import Stage
from understudy.limbs.window import window_of

#: [m] room at which an object counts as clear.
_CLEAR_M = 0.008
#: [m] room that is kept beside what an object rests on.
NEAR_M = 0.0012
#: [s] shortest leg.
_SHORTEST_S = 0.1


def parted(legs: Sequence[Leg], strict: Stage, sign: int) -> list[Leg]:
    """Legs of which the one with a planted way is cut where that way is clear.

    Args:
        legs: As planned so far.
        strict: The stage without leniency.
        sign: -1 for legs that arrive, 1 for legs that leave.
    """
    found: list[Leg] = []
    for leg in legs:
        rows = leg.arriving if sign < 0 else leg.leaving
        found += [leg] if rows is None or len(rows) == 0 else _cut(leg, rows, strict, sign)
    return found


def _cut(leg: Leg, rows: np.ndarray, strict: Stage, sign: int) -> list[Leg]:
    fps, start = strict.motion.fps, strict.start_s
    whole = window_of(strict, leg.window.space, leg.window.first, leg.window.last)
    for k, row in enumerate(rows[: _followed(leg, rows, sign)]):
        offset, when = row[:-1], float(row[-1])
        if min(when - leg.start_s, leg.end_s - when) < _SHORTEST_S:
            continue
        if whole.nearest(offset, when, within_m=2.0 * _CLEAR_M)[0] < _CLEAR_M:
            continue
        if sign < 0:
            last = int(np.ceil((when - start) * fps - 1e-6))
            window = window_of(strict, leg.window.space, leg.window.first, last)
            far = replace(leg, window=window, end_s=when, end=offset, arriving=rows[k + 1 :], soft=True)
            near = replace(leg, start_s=when, start=offset, arriving=rows[:k], margin_m=NEAR_M)
            return [far, near]
        first = int(np.floor((when - start) * fps + 1e-6))
        window = window_of(strict, leg.window.space, first, leg.window.last)
        near = replace(leg, end_s=when, end=offset, leaving=rows[:k], soft=True, margin_m=NEAR_M)
        return [near, replace(leg, window=window, start_s=when, start=offset, leaving=rows[k + 1 :])]
    return [leg]


def _followed(leg: Leg, rows: np.ndarray, sign: int) -> int:
    """How many of a planted way's rows can be followed from the aim without touching anything."""
    root = np.array([*leg.end, leg.end_s] if sign < 0 else [*leg.start, leg.start_s])
    chain = np.vstack([root, rows])
    faults = np.zeros((1, 3), dtype=np.int64)
    for k in range(len(rows)):
        edge = chain[k : k + 2] if sign > 0 else chain[[k + 1, k]]
        if leg.window.faults(edge[:, :-1], edge[:, -1], leg.window.margin(NEAR_M), faults, all_frames=False) >= 0:
            return k
    return len(rows)
