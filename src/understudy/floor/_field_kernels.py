"""Compiled potential field: costs to a goal by fast marching, descent, and straightening on cells."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True)
def _updated(values: FloatArray, slow: FloatArray, iz: int, ix: int) -> float:
    """Cost at a cell from its lower neighbours: the smaller root of (v - a)^2 + (v - b)^2 = slow^2."""
    nz, nx = values.shape
    a = b = np.inf
    if ix > 0:
        a = values[iz, ix - 1]
    if ix + 1 < nx:
        a = min(a, values[iz, ix + 1])
    if iz > 0:
        b = values[iz - 1, ix]
    if iz + 1 < nz:
        b = min(b, values[iz + 1, ix])
    cost = slow[iz, ix]
    if abs(a - b) >= cost or a == np.inf or b == np.inf:
        return min(a, b) + cost
    return 0.5 * (a + b + math.sqrt(2.0 * cost * cost - (a - b) ** 2))


@njit(cache=True)
def march(slow: FloatArray, goal_z: int, goal_x: int, near: int) -> FloatArray:
    """Cost of the cheapest way from every cell to the goal's; infinite where there is none.

    Cells within ``near`` of the goal that see it get that of the straight way: the front is rounder for it.

    Args:
        slow: ``(nz, nx)`` what crossing a cell costs; infinite for blocked ones.
        goal_z: The goal's cell.
        goal_x: The goal's cell.
        near: Half the width of the square around it [cells].
    """
    nz, nx = slow.shape
    blocked = np.isinf(slow)
    values, done = np.full((nz, nx), np.inf), np.zeros((nz, nx), dtype=np.bool_)
    keys, items = np.empty(4 * nz * nx + 8), np.empty(4 * nz * nx + 8, dtype=np.int64)
    size = 0
    for iz in range(max(goal_z - near, 0), min(goal_z + near + 1, nz)):
        for ix in range(max(goal_x - near, 0), min(goal_x + near + 1, nx)):
            if cells_are_clear(blocked, goal_z, goal_x, iz, ix):
                mean = 0.5 * (slow[iz, ix] + slow[goal_z, goal_x])
                values[iz, ix] = mean * math.hypot(iz - goal_z, ix - goal_x)
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
            value = _updated(values, slow, jz, jx)
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
def _below(values: FloatArray, iz: int, ix: int) -> tuple[int, int]:
    """The cell (z, x) that the steepest of eight steps leads down to; (-1, -1) at the goal."""
    nz, nx = values.shape
    best, best_z, best_x = 0.0, -1, -1
    for jz in range(max(iz - 1, 0), min(iz + 2, nz)):
        for jx in range(max(ix - 1, 0), min(ix + 2, nx)):
            slant = jz != iz and jx != ix
            if slant and (values[iz, jx] == np.inf or values[jz, ix] == np.inf):
                continue
            slope = (values[iz, ix] - values[jz, jx]) / (1.4142135623730951 if slant else 1.0)
            if slope > best:
                best, best_z, best_x = slope, jz, jx
    return best_z, best_x


@njit(cache=True)
def descend(values: FloatArray, start_z: int, start_x: int) -> IntArray:
    """Cells ``(n, 2)`` (z, x) from a cell down to the goal, by the steepest of eight steps."""
    cells, size = np.empty((256, 2), dtype=np.int64), 0
    iz, ix = start_z, start_x
    while iz >= 0:
        if size == cells.shape[0]:
            cells = np.concatenate((cells, cells))
        cells[size, 0], cells[size, 1] = iz, ix
        size += 1
        iz, ix = _below(values, iz, ix)
    return cells[:size].copy()


@njit(cache=True)
def _blended(values: FloatArray, z: float, x: float) -> tuple[float, float, float]:
    """Value between cells' centres and its slopes in z and x; an infinite value beside blocked cells."""
    iz, ix = math.floor(z), math.floor(x)
    if iz < 0 or ix < 0 or iz + 1 >= values.shape[0] or ix + 1 >= values.shape[1]:
        return np.inf, 0.0, 0.0
    a, b, c, d = values[iz, ix], values[iz, ix + 1], values[iz + 1, ix], values[iz + 1, ix + 1]
    if max(max(a, b), max(c, d)) == np.inf:
        return np.inf, 0.0, 0.0
    u, v = x - ix, z - iz
    low, high = a + u * (b - a), c + u * (d - c)
    return low + v * (high - low), high - low, (1.0 - v) * (b - a) + v * (d - c)


@njit(cache=True)
def streamline(values: FloatArray, start_z: float, start_x: float, step: float) -> FloatArray:
    """Points ``(n, 2)`` (z, x) [cells] down the gradient from a point to the goal's cell.

    Beside blocked cells, where there is no gradient, it goes from centre to centre.
    """
    points, size = np.empty((256, 2)), 0
    z, x, lowest = start_z, start_x, np.inf
    while True:
        if size == points.shape[0]:
            points = np.concatenate((points, points))
        points[size, 0], points[size, 1] = z, x
        size += 1
        value, slope_z, slope_x = _blended(values, z, x)
        steep = math.hypot(slope_z, slope_x)
        if value < np.inf and steep > 0.0:
            to_z, to_x = z - step * slope_z / steep, x - step * slope_x / steep
            if _blended(values, to_z, to_x)[0] < value:
                z, x, lowest = to_z, to_x, min(lowest, value)
                continue
        iz, ix = _below(values, math.floor(z + 0.5), math.floor(x + 0.5))
        while iz >= 0 and values[iz, ix] >= lowest:
            iz, ix = _below(values, iz, ix)
        if iz < 0:
            return points[:size].copy()
        z, x, lowest = float(iz), float(ix), values[iz, ix]


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
