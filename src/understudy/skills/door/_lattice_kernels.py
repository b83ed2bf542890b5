"""Ways of somebody with a width, a stride and a heading over a floor: from one place to every place and heading."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.skills.door._geometry_kernels import Ground, Leaf, Walker, floor_clearance, leaf_clearance
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def rooms(
    ground: Ground, leaf: Leaf, walker: Walker, frame: FloatArray, shape: tuple[int, int, int], opening: float
) -> FloatArray:
    """Room ``(headings, nz, nx)`` of a walker everywhere [m]; the leaf stands at an opening [rad], or is not there."""
    headings, nz, nx = shape
    out = np.empty(shape)
    for h in range(headings):
        heading = 2.0 * math.pi * h / headings
        for j in range(nz):
            for i in range(nx):
                x, z = frame[0] + i * frame[2], frame[1] + j * frame[2]
                room = floor_clearance(ground, walker, x, z, heading)
                if opening >= 0.0 and room > 0.0:
                    room = min(room, leaf_clearance(leaf, walker, x, z, heading, opening))
                out[h, j, i] = room
    return out


@njit(cache=True)
def spread(
    room: FloatArray, moves: FloatArray, seeds: FloatArray, cell: tuple[int, int], limits: FloatArray, back: bool
) -> tuple[FloatArray, IntArray]:
    """Time [s] of the easiest way from a cell, in any heading, to every place and heading, and where each came from.

    Args:
        room: ``(headings, nz, nx)`` [m].
        moves: ``(headings, n, 3)`` steps along x and z in cells and their time [s]; those with none are left out.
        seeds: ``(headings,)`` time with which the way begins in each heading [s].
        cell: Where it begins (z, x).
        limits: Least room and easy room [m], time of a turn by one heading [s].
        back: Whether ways lead to the cell instead of from it.

    Returns:
        Times and parents, both ``(headings, nz, nx)``; infinite and -1 where nobody gets.
    """
    headings, nz, nx = room.shape
    least, easy, turn = limits[0], limits[1], limits[2]
    out, parent = np.full(room.shape, np.inf), np.full(room.shape, -1, dtype=np.int64)
    keys = np.empty(16 * room.size + 16)
    items = np.empty(16 * room.size + 16, dtype=np.int64)
    size = 0
    for h in range(headings):
        if room[h, cell[0], cell[1]] >= least:
            out[h, cell[0], cell[1]] = seeds[h]
            size = heap_push(keys, items, size, seeds[h], (h * nz + cell[0]) * nx + cell[1])
    sign = -1 if back else 1
    while size > 0:
        key, item, size = heap_pop(keys, items, size)
        h, j, i = item // (nz * nx), item // nx % nz, item % nx
        if key > out[h, j, i]:
            continue
        for k in range(moves.shape[1] + 2):
            if k < moves.shape[1]:
                if moves[h, k, 2] <= 0.0:
                    continue
                g, b, a = h, j + sign * int(moves[h, k, 1]), i + sign * int(moves[h, k, 0])
                took = moves[h, k, 2]
            else:
                g, b, a, took = (h + (1 if k == moves.shape[1] else -1)) % headings, j, i, turn
            if not (0 <= b < nz and 0 <= a < nx) or room[g, b, a] < least:
                continue
            to = key + took * (1.0 + 2.0 * max(0.0, (easy - room[g, b, a]) / easy))
            if to < out[g, b, a] - 1e-12:
                out[g, b, a] = to
                parent[g, b, a] = item
                size = heap_push(keys, items, size, to, (g * nz + b) * nx + a)
    return out, parent
