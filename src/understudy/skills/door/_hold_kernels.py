"""Somebody who holds a handle and goes along with its leaf: places, headings and openings, searched together."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.skills.door._geometry_kernels import Ground, Leaf, Walker, leaf_clearance
from understudy.skills.door._swing_kernels import Swing, held_cost
from understudy.typing import FloatArray, IntArray


class Holds(NamedTuple):
    """Places, headings and openings in which a handle may be held.

    Attributes:
        frame: Origin (x, z) and cell [m].
        room: ``(headings, nz, nx)`` room before everything but the leaf [m].
        arrival: ``(headings, nz, nx)`` cost of getting to each pose with the leaf closed.
        moves: ``(headings, n, 3)`` steps in cells (x, z) and their times [s]; those with none are left out.
        openings: How many there are.
        stride: Steps of the swing's between two of them.
        least_m: Least room [m].
        turn_s: Time of a turn by one heading [s].
        open_s: Time of one opening [s].
        begins: Discomfort in which a handle is taken at most.
    """

    frame: FloatArray
    room: FloatArray
    arrival: FloatArray
    moves: FloatArray
    openings: int
    stride: int
    least_m: float
    turn_s: float
    open_s: float
    begins: float


@njit(cache=True)
def _rate(
    things: tuple[Ground, Leaf, Walker],
    holds: Holds,
    hand: int,
    swing: Swing,
    cell: tuple[int, int, int, int],
    at: FloatArray,
) -> float:
    """What a second of holding the leaf in a cell (opening, heading, z, x) costs; infinite where nobody does."""
    ground, leaf, walker = things
    opening, h, j, i = cell
    at[0], at[1] = holds.frame[0] + i * holds.frame[2], holds.frame[1] + j * holds.frame[2]
    at[2] = 2.0 * math.pi * h / holds.room.shape[0]
    k = opening * holds.stride
    room = leaf_clearance(leaf, walker, at[0], at[1], at[2], k * swing.step_rad)
    return held_cost(ground, leaf, walker, at, hand, swing, k, room) / swing.dt_s


@njit(cache=True)
def _stepped(holds: Holds, cell: tuple[int, int, int, int], k: int) -> tuple[int, int, int, int, float]:
    """The cell a move leads to and the time it takes [s]; 0 for those nobody makes."""
    o, h, j, i = cell
    headings, nz, nx = holds.room.shape
    count = holds.moves.shape[1]
    if k < count:
        j, i, took = j + int(holds.moves[h, k, 1]), i + int(holds.moves[h, k, 0]), holds.moves[h, k, 2]
    elif k < count + 2:
        h, took = (h + (1 if k == count else -1)) % headings, holds.turn_s
    else:
        o, took = o + 1, holds.open_s
    if o >= holds.openings or j < 0 or i < 0 or j >= nz or i >= nx or holds.room[h, j, i] < holds.least_m:
        took = 0.0
    return o, h, j, i, took


@njit(cache=True)
def along(things: tuple[Ground, Leaf, Walker], holds: Holds, hand: int, swing: Swing) -> tuple[FloatArray, IntArray]:
    """Cost of the easiest way from taking hold to every place, heading and opening, and where each came from.

    Args:
        things: What does not move, the door and who holds it.
        holds: Where it may be held.
        hand: 0 left, 1 right.
        swing: How leaves move.

    Returns:
        Costs and parents, both ``(openings, headings, nz, nx)``; infinite and -1 where nobody gets; -2 where it begins.
    """
    headings, nz, nx = holds.room.shape
    one = headings * nz * nx
    shape = (holds.openings, headings, nz, nx)
    out, parent, rate = np.full(shape, np.inf), np.full(shape, -1, dtype=np.int64), np.full(shape, np.nan)
    keys, items = np.empty(6 * out.size + 16), np.empty(6 * out.size + 16, dtype=np.int64)
    at, size = np.empty(3), 0
    for item in range(one):
        h, j, i = item // (nz * nx), item // nx % nz, item % nx
        if holds.arrival[h, j, i] < np.inf:
            rate[0, h, j, i] = _rate(things, holds, hand, swing, (0, h, j, i), at)
            if rate[0, h, j, i] < holds.begins:
                out[0, h, j, i] = holds.arrival[h, j, i] + rate[0, h, j, i]
                parent[0, h, j, i] = -2
                size = heap_push(keys, items, size, out[0, h, j, i], item)
    while size > 0:
        key, item, size = heap_pop(keys, items, size)
        o, h, j, i = item // one, item % one // (nz * nx), item // nx % nz, item % nx
        if key > out[o, h, j, i]:
            continue
        for k in range(holds.moves.shape[1] + 3):
            p, g, b, a, took = _stepped(holds, (o, h, j, i), k)
            if took <= 0.0:
                continue
            if math.isnan(rate[p, g, b, a]):
                rate[p, g, b, a] = _rate(things, holds, hand, swing, (p, g, b, a), at)
            to = key + took * (1.0 + rate[p, g, b, a])
            if to < out[p, g, b, a] - 1e-12 and size < keys.shape[0]:
                out[p, g, b, a], parent[p, g, b, a] = to, item
                size = heap_push(keys, items, size, to, p * one + (g * nz + b) * nx + a)
    return out, parent
