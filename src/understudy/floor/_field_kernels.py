"""Compiled potential field: distances to a goal by fast marching, descent, and straightening on cells."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True)
def _updated(values: FloatArray, blocked: BoolArray, iz: int, ix: int) -> float:
    """Distance [cells] at a cell from its lower neighbours: the smaller root of (v - a)^2 + (v - b)^2 = 1."""
    nz, nx = values.shape
    a = b = np.inf
    if ix > 0 and not blocked[iz, ix - 1]:
        a = values[iz, ix - 1]
    if ix + 1 < nx and not blocked[iz, ix + 1]:
        a = min(a, values[iz, ix + 1])
    if iz > 0 and not blocked[iz - 1, ix]:
        b = values[iz - 1, ix]
    if iz + 1 < nz and not blocked[iz + 1, ix]:
        b = min(b, values[iz + 1, ix])
    if abs(a - b) >= 1.0 or a == np.inf or b == np.inf:
        return min(a, b) + 1.0
    return 0.5 * (a + b + math.sqrt(2.0 - (a - b) ** 2))


@njit(cache=True)
def march(blocked: BoolArray, goal_z: int, goal_x: int, near: int) -> FloatArray:
    """Distance [cells] from every cell to the goal's around blocked ones; infinite where there is no way.

    Cells within ``near`` of the goal that see it get their true distance: the front is rounder for it.
    """
    nz, nx = blocked.shape
    values, done = np.full((nz, nx), np.inf), np.zeros((nz, nx), dtype=np.bool_)
    keys, items = np.empty(4 * nz * nx + 8), np.empty(4 * nz * nx + 8, dtype=np.int64)
    size = 0
    for iz in range(max(goal_z - near, 0), min(goal_z + near + 1, nz)):
        for ix in range(max(goal_x - near, 0), min(goal_x + near + 1, nx)):
            if cells_are_clear(blocked, goal_z, goal_x, iz, ix):
                values[iz, ix] = math.hypot(iz - goal_z, ix - goal_x)
                size = heap_push(keys, items, size, values[iz, ix], iz * nx + ix)
    while size > 0:
        key, cell, size = heap_pop(keys, items, size)
        iz, ix = cell // nx, cell % nx
        if done[iz, ix] or key > values[iz, ix]:
            continue
        done[iz, ix] = True
        for k in range(4):
            jz, jx = iz + (1, -1, 0, 0)[k], ix + (0, 0, 1, -1)[k]
            if jz < 0 or jx < 0 or jz >= nz or jx >= nx or blocked[jz, jx] or done[jz, jx]:
                continue
            value = _updated(values, blocked, jz, jx)
            if value < values[jz, jx]:
                values[jz, jx] = value
                size = heap_push(keys, items, size, value, jz * nx + jx)
    return values


@njit(cache=True)
def cells_are_clear(blocked: BoolArray, az: int, ax: int, bz: int, bx: int) -> bool:
    """Whether no cell that the line between two cells' centres passes through is blocked."""
    dz, dx = abs(bz - az), abs(bx - ax)
    step_z, step_x = 1 if bz > az else -1, 1 if bx > ax else -1
    iz, ix, error = az, ax, dx - dz
    for _ in range(dx + dz + 1):
        if blocked[iz, ix]:
            return False
        if iz == bz and ix == bx:
            return True
        if error > 0:
            ix += step_x
            error -= 2 * dz
        elif error < 0:
            iz += step_z
            error += 2 * dx
        else:
            # Exactly through a corner: both cells beside it count.
            if blocked[iz, ix + step_x] or blocked[iz + step_z, ix]:
                return False
            ix += step_x
            iz += step_z
            error += 2 * (dx - dz)
    return True


@njit(cache=True)
def descend(values: FloatArray, start_z: int, start_x: int) -> IntArray:
    """Cells ``(n, 2)`` (z, x) from a cell down to the goal, by the steepest of eight steps."""
    nz, nx = values.shape
    cells, size = np.empty((256, 2), dtype=np.int64), 0
    iz, ix = start_z, start_x
    while True:
        if size == cells.shape[0]:
            cells = np.concatenate((cells, cells))
        cells[size, 0], cells[size, 1] = iz, ix
        size += 1
        best, best_z, best_x = 0.0, -1, -1
        for jz in range(max(iz - 1, 0), min(iz + 2, nz)):
            for jx in range(max(ix - 1, 0), min(ix + 2, nx)):
                slant = jz != iz and jx != ix
                if slant and (values[iz, jx] == np.inf or values[jz, ix] == np.inf):
                    continue
                slope = (values[iz, ix] - values[jz, jx]) / (1.4142135623730951 if slant else 1.0)
                if slope > best:
                    best, best_z, best_x = slope, jz, jx
        if best_z < 0:
            return cells[:size].copy()
        iz, ix = best_z, best_x


@njit(cache=True)
def straighten(blocked: BoolArray, cells: IntArray) -> IntArray:
    """The few cells of a chain that suffice: each one sees the next."""
    out, size, at = np.empty((cells.shape[0], 2), dtype=np.int64), 1, 0
    out[0] = cells[0]
    while at < cells.shape[0] - 1:
        ahead = cells.shape[0] - 1
        while ahead > at + 1 and not cells_are_clear(
            blocked, cells[at, 0], cells[at, 1], cells[ahead, 0], cells[ahead, 1]
        ):
            ahead -= 1
        at = ahead
        out[size] = cells[at]
        size += 1
    return out[:size].copy()
