"""Compiled thinning of discs: few that cover many."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray


@njit(cache=True)
def uncovered(discs: FloatArray, slack: float) -> FloatArray:
    """Few discs that cover all of these ``(n, 3)`` (x, z, radius), grown by at most ``slack`` [m]."""
    order = discs[np.argsort(-discs[:, 2], kind="mergesort")]
    kept, grown, count = np.empty((len(discs), 3)), np.zeros(len(discs)), 0
    for k in range(len(order)):
        nearest, least = -1, np.inf
        for j in range(count):
            dx, dz = order[k, 0] - kept[j, 0], order[k, 1] - kept[j, 1]
            gap = math.sqrt(dx * dx + dz * dz) + order[k, 2] - kept[j, 2]
            if gap < least:
                nearest, least = j, gap
        if least > slack:
            kept[count] = order[k]
            count += 1
        else:
            grown[nearest] = max(grown[nearest], least)
    out = kept[:count].copy()
    out[:, 2] += grown[:count]
    return out
