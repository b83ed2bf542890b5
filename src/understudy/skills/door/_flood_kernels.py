"""Walking times over a floor's grid from one point to all others."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def flood(clear_m: FloatArray, cell_m: float, iz: int, ix: int, least_m: float, easy_m: float) -> FloatArray:
    """Length of the easiest way [m] from a cell to every cell; infinite where there is none.

    Cells nearer than ``least_m`` to an obstacle are closed; nearer than ``easy_m`` they count up to three times.
    """
    nz, nx = clear_m.shape
    out = np.full((nz, nx), np.inf)
    keys = np.empty(9 * nz * nx + 16)
    items = np.empty(9 * nz * nx + 16, dtype=np.int64)
    out[iz, ix] = 0.0
    size = heap_push(keys, items, 0, 0.0, iz * nx + ix)
    while size > 0:
        key, item, size = heap_pop(keys, items, size)
        z, x = item // nx, item % nx
        if key > out[z, x]:
            continue
        for dz in range(-1, 2):
            for dx in range(-1, 2):
                j, i = z + dz, x + dx
                if (dz == 0 and dx == 0) or not (0 <= j < nz and 0 <= i < nx) or clear_m[j, i] < least_m:
                    continue
                tight = max(0.0, (easy_m - clear_m[j, i]) / easy_m)
                to = key + cell_m * math.sqrt(dz * dz + dx * dx) * (1.0 + 2.0 * tight)
                if to < out[j, i] - 1e-12:
                    out[j, i] = to
                    size = heap_push(keys, items, size, to, j * nx + i)
    return out


@njit(cache=True)
def downhill(field_m: FloatArray, iz: int, ix: int) -> IntArray:
    """Cells ``(n, 2)`` (z, x) of the way from a cell down to where a field is 0."""
    nz, nx = field_m.shape
    path = np.empty((nz * nx, 2), dtype=np.int64)
    path[0, 0], path[0, 1] = iz, ix
    count = 1
    while field_m[iz, ix] > 0.0:
        best, bz, bx = field_m[iz, ix], iz, ix
        for dz in range(-1, 2):
            for dx in range(-1, 2):
                j, i = iz + dz, ix + dx
                if 0 <= j < nz and 0 <= i < nx and field_m[j, i] < best:
                    best, bz, bx = field_m[j, i], j, i
        if bz == iz and bx == ix:
            break
        iz, ix = bz, bx
        path[count, 0], path[count, 1] = iz, ix
        count += 1
    return path[:count].copy()
