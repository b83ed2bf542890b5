"""Ways straight to a posture that is known to be free, and straight back: tried before anything is searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from understudy.limbs.legs import Leg
from understudy.limbs.options import LimbOptions
from understudy.limbs.speeds import needed_s
from understudy.typing import FloatArray

#: Shares of the time for which a posture is known to be free that it is held, before and after the middle, in the order
#: in which they are tried: what is carried may meet something long before it would be touched, or long after.
_SHARES = ((1.0, 1.0), (0.5, 0.5), (0.0, 0.0), (2.5, 1.0), (1.0, 2.5))
#: Times the offset of such a posture is halved, or not, to bring it nearer to the clip.
_HALVINGS = 4


def led(leg: Leg, speeds: FloatArray, options: LimbOptions) -> Leg:
    """A leg that leaves its start by the first straight way past one of its hints to its end that is free.

    Args:
        leg: Given back where it has no hints, or says how to leave.
        speeds: ``(joints,)`` [rad/s] limits of the offset's speed.
        options: How to search.
    """
    if leg.hints is None or not len(leg.hints) or leg.leaving is not None:
        return leg
    margin, (start, goal) = leg.margin(options.margin_m), leg.ends

    def free(past: FloatArray) -> bool:
        way = np.vstack([start, past, goal])
        steps = np.diff(way, axis=0)
        slow = (needed_s(leg.window.space, steps[:, :-1], speeds) <= steps[:, -1]).all()
        return bool(slow) and leg.window.reached(way, margin) == len(way) - 1

    for past in _passes(leg.hints):
        if past[0, -1] > leg.start_s and past[-1, -1] < leg.end_s and free(past):
            return replace(leg, leaving=_nearer(past, free))
    return leg


def _nearer(past: FloatArray, free: Callable[[FloatArray], bool]) -> FloatArray:
    """Rows as near to the clip as they stay free."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if free(past * np.array([*np.full(past.shape[1] - 1, middle), 1.0])):
            high = middle
        else:
            low = middle
    return past * np.array([*np.full(past.shape[1] - 1, high), 1.0])


def _passes(hints: FloatArray) -> Iterator[FloatArray]:
    """Rows of hints ``(n, parameters + 1)``: every posture for as long as it is known to be free, or about so long."""
    changes = np.flatnonzero(np.any(np.diff(hints[:, :-1], axis=0) != 0.0, axis=1)) + 1
    postures = np.split(hints, changes)
    for shares in _SHARES:
        for rows in postures:
            past = rows[[0, -1]] if max(shares) > 0.0 and len(rows) > 1 else rows[:1].copy()
            middle = 0.5 * (rows[0, -1] + rows[-1, -1])
            past[:, -1] = middle + np.array(shares)[: len(past)] * (past[:, -1] - middle)
            yield past
