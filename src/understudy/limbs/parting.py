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
_SHORTEST_S = 0.15
#: [s] how long before and after a contact a hand may still touch what it touches.
_AROUND_S = 0.15
#: [s] who has less time than this before the motion ends has none to take a hand back.
_STAYS_S = 0.8


def contact_s(time_s: float, last_s: float, stay_s: float = 0.0) -> dict[str, float]:
    """When a hand that is at something at a time, and stays a while, may touch it: ``start_s`` and ``end_s`` [s].

    Args:
        time_s: When the hand is there.
        last_s: When the motion ends.
        stay_s: How long before and after that it stays.
    """
    end_s = last_s if last_s - time_s - stay_s < _STAYS_S else time_s + stay_s
    return {"start_s": time_s - stay_s - _AROUND_S, "end_s": end_s + _AROUND_S}


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
    root = np.array([*leg.end, leg.end_s] if sign < 0 else [*leg.start, leg.start_s])
    for k, row in enumerate(rows[: leg.window.reached(np.vstack([root, rows]), leg.window.margin(NEAR_M))]):
        offset, when = row[:-1], float(row[-1])
        if min(when - leg.start_s, leg.end_s - when) < _SHORTEST_S:
            continue
        if whole.nearest(offset, when, within_m=2.0 * _CLEAR_M)[0] < _CLEAR_M:
            continue
        if sign < 0:
            last = int(np.ceil((when - start) * fps - 1e-6))
            window = window_of(strict, leg.window.space, leg.window.first, last)
            far = replace(leg, window=window, end_s=when, end=offset, arriving=rows[k + 1 :], soft=True)
            near = np.vstack([rows[: k + 1][::-1], [*leg.end, leg.end_s]])
            return [far, replace(leg, start_s=when, start=offset, arriving=None, path=near)]
        first = int(np.floor((when - start) * fps + 1e-6))
        window = window_of(strict, leg.window.space, first, leg.window.last)
        near = np.vstack([[*leg.start, leg.start_s], rows[: k + 1]])
        far = replace(leg, window=window, start_s=when, start=offset, leaving=rows[k + 1 :])
        return [replace(leg, end_s=when, end=offset, leaving=None, soft=True, path=near), far]
    return [leg]
