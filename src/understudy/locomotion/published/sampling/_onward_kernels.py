"""Compiled cost to go on an open floor: what it takes to walk on straight ahead, from every frame and heading.

A beam compares states by what they have cost and how far it is. Of two that are as far, one may lie at the beginning of
a long straight take and one just before its take's end: what the next metres will cost is known before any scene is.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted_inline
from understudy.locomotion.published.sampling._ending_kernels import TURNING_M
from understudy.locomotion.published.sampling.tables import Jumps
from understudy.typing import FloatArray

#: Turns of a jump that are looked at, over its range.
TURNS = (-1.0, 0.0, 1.0)


@uncounted_inline
def between(row: FloatArray, yaw: float) -> float:
    """A row of values at headings all round, between two of them."""
    count = len(row)
    u = yaw * count / (2.0 * math.pi)
    low = math.floor(u)
    share = u - low
    k = low % count
    return float((1.0 - share) * row[k] + share * row[k + 1 if k + 1 < count else 0])


@njit(cache=True, nogil=True)
def sweep(
    jumps: Jumps, steps: FloatArray, least: FloatArray, kept: float, rate: float, steer: float, dead: float,
    entered: FloatArray, playing: FloatArray,
) -> None:  # fmt: skip
    """Improve what it takes to go on, once for every frame from the last to the first.

    Args:
        jumps: The jumps.
        steps: ``(frames, 3)`` cost of the step to the next frame, and where it leads (x, z) in the take's axes [m].
        least: ``(frames, 3)`` the same of as many steps as lie between two jumps at least, faded.
        kept: What counts of the cost one frame later.
        rate: What a metre ahead is worth beyond itself.
        steer: Share of their ranges jumps may be turned by.
        dead: Cost where a take ends without a jump [m].
        entered: ``(frames, headings)`` cost to go where a frame was just jumped to; changed [m].
        playing: ``(frames, headings)`` and where it may be left; changed [m].
    """
    frames, headings = playing.shape
    faded, worth = kept**jumps.least, 1.0 + rate
    yaws = 2.0 * math.pi * np.arange(headings) / headings
    c, s = np.cos(yaws), np.sin(yaws)
    for f in range(frames):
        after = f + jumps.least
        for b in range(headings):
            rest = faded * playing[after, b] if jumps.takes[f] >= 0 and after <= jumps.stops[f] else dead
            entered[f, b] = least[f, 0] - worth * (c[b] * least[f, 2] - s[b] * least[f, 1]) + rest
    for f in range(frames - 1, -1, -1):
        on = f < jumps.stops[f]
        for b in range(headings):
            best = dead
            if on:
                best = steps[f, 0] - worth * (c[b] * steps[f, 2] - s[b] * steps[f, 1]) + kept * playing[f + 1, b]
            playing[f, b] = best
        for k in range(jumps.root_first[f], jumps.root_first[f + 1]):
            edge = jumps.roots[k]
            row = entered[jumps.into[edge]]
            for part in TURNS:
                turn = steer * part * abs(jumps.ranges[edge, 1 if part > 0.0 else 0])
                cost = jumps.costs[edge] + TURNING_M * abs(turn)
                for b in range(headings):
                    value = cost + between(row, yaws[b] + turn + jumps.transforms[edge, 2])
                    playing[f, b] = min(playing[f, b], value)


@uncounted_inline
def sector(yaw: float, headings: int) -> int:
    """Which of so many sectors all round a heading lies in."""
    return math.floor(yaw * headings / (2.0 * math.pi)) % headings


@njit(cache=True, nogil=True)
def leaving(jumps: Jumps, entered: FloatArray, steer: float) -> FloatArray:
    """``(frames, headings)`` the least that any jump and going on from where it leads take in a sector of headings [m].

    Rows are read along lines, so the least of a sector is at one of its ends or at a heading of the table within.
    Infinite where no jump leaves a frame.
    """
    frames, headings = entered.shape
    width, out = 2.0 * math.pi / headings, np.full((frames, headings), np.inf)
    for f in range(frames):
        for k in range(jumps.root_first[f], jumps.root_first[f + 1]):
            edge = jumps.roots[k]
            row, turned = entered[jumps.into[edge]], jumps.transforms[edge, 2]
            for part in TURNS:
                turn = steer * part * abs(jumps.ranges[edge, 1 if part > 0.0 else 0])
                cost = jumps.costs[edge] + TURNING_M * abs(turn)
                for b in range(headings):
                    low = b * width + turned + turn
                    within = row[(sector(low, headings) + 1) % headings]
                    out[f, b] = min(out[f, b], cost + min(between(row, low), between(row, low + width), within))
    return out


@uncounted_inline
def steered(row: FloatArray, yaw: float, low: float, high: float) -> tuple[float, float]:
    """By how much to turn a jump, not at all or as far as may be, and the least that turning and going on take [m]."""
    turn, least = 0.0, between(row, yaw)
    for far in (low, high):
        value = TURNING_M * abs(far) + between(row, yaw + far)
        if value < least:
            turn, least = far, value
    return turn, least
