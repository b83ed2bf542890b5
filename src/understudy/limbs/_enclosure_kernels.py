"""Whether a thin arm could lead from one point to another at all: cells of space, the nearest to the goal first."""

from __future__ import annotations

import heapq
import math

import numpy as np

from understudy.collision._placing_kernels import place_moving
from understudy.collision.tables import BOUND, CENTRE, SolidArrays
from understudy.compiling.kernel import njit
from understudy.limbs._gap_kernels import solid_within
from understudy.limbs.tables import Scratch, Setting
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def _in_the_way(solids: SolidArrays, rows: FloatArray, hard: BoolArray, points: FloatArray, c: int, need: float) -> int:
    """The first solid nearer than ``need`` [m] to point ``c`` of ``points (n, 9)``, or -1."""
    for s in range(rows.shape[0]):
        if not hard[s]:
            continue
        x, y, z = points[c, 0] - rows[s, CENTRE], points[c, 1] - rows[s, CENTRE + 1], points[c, 2] - rows[s, CENTRE + 2]
        if math.sqrt(x * x + y * y + z * z) - rows[s, BOUND] >= need:
            continue
        if solid_within(solids, rows, s, points, c, max(need, 0.0) + 1e-9) < need:
            return s
    return -1


@njit(cache=True, error_model="numpy")
def free_places(
    solids: SolidArrays, rows: FloatArray, hard: BoolArray, points: FloatArray, need: float, free: BoolArray
) -> None:
    """Which of ``points (n, 9)``, each three times over, have ``need`` [m] of room from the ``hard`` solids."""
    for c in range(points.shape[0]):
        free[c] = _in_the_way(solids, rows, hard, points, c, need) < 0


@njit(cache=True)
def cells_a_side(radius: float, step: float) -> int:
    """How many cells of ``step`` [m] a cube around a ball has along each side."""
    return math.ceil(2.0 * radius / step) + 3


@njit(cache=True)
def cell_of(point: FloatArray, ball: FloatArray, step: float) -> int:
    """The number of the cell that holds a point, among those around ``ball`` (centre and radius [m]); -1 outside."""
    side, found = cells_a_side(ball[3], step), 0
    for i in range(3):
        cell = math.floor((point[i] - ball[i]) / step + 0.5 * side)
        if not 0 <= cell < side:
            return -1
        found = found * side + cell
    return found


@njit(cache=True, error_model="numpy")
def is_walled_in(
    setting: Setting,
    scratch: Scratch,
    start: FloatArray,
    goal: FloatArray,
    ball: FloatArray,
    need: float,
    step: float,
    t: float,
    hard: BoolArray,
    most: int,
    longest: float,
    blame: IntArray,
) -> tuple[bool, np.ndarray]:
    """Whether no curve with ``need`` [m] of room at the middle of every cell leads from ``start`` to ``goal``.

    Cells of ``step`` [m] within ``ball`` (centre and radius [m]) that a curve of ``longest`` [m] from start to goal can
    pass are looked at, at most ``most`` of them: after that there is no proof. ``hard (solids,)`` says which solids
    count, ``blame (solids,)`` counts what stopped it. Gives whether that is proved, and cell by cell 2 where it can be
    reached and 1 where it cannot, as far as that was looked at.
    """
    rows = scratch.rows
    place_moving(setting.tracks, t, rows)
    side = cells_a_side(ball[3], step)
    seen = np.zeros(side**3, dtype=np.int8)
    low = np.array([ball[0], ball[1], ball[2]]) - 0.5 * step * side
    point, cell = np.zeros((1, 9)), np.zeros(3, dtype=np.int64)
    first = cell_of(start, ball, step)
    if first < 0:
        return False, seen
    seen[first] = 2
    heap = [(0.0, first)]
    looked = 0
    while len(heap) > 0:
        _, here = heapq.heappop(heap)
        cell[0], cell[1], cell[2] = here // (side * side), (here // side) % side, here % side
        away = 0.0
        for i in range(3):
            away = max(away, abs(low[i] + (cell[i] + 0.5) * step - goal[i]))
        if away <= step:
            return False, seen
        for axis in range(3):
            for move in (-1, 1):
                there = cell[axis] + move
                if there < 0 or there >= side:
                    continue
                index = here + move * (side * side if axis == 0 else side if axis == 1 else 1)
                if seen[index] != 0:
                    continue
                seen[index] = 1
                outside, far, back = 0.0, 0.0, 0.0
                for i in range(3):
                    value = low[i] + ((there if i == axis else cell[i]) + 0.5) * step
                    point[0, i], point[0, 3 + i], point[0, 6 + i] = value, value, value
                    outside += (value - ball[i]) ** 2
                    far += (value - goal[i]) ** 2
                    back += (value - start[i]) ** 2
                if outside > ball[3] * ball[3] or math.sqrt(far) + math.sqrt(back) > longest:
                    continue
                looked += 1
                if looked > most:
                    return False, seen
                found = _in_the_way(setting.solids, rows, hard, point, 0, need)
                if found >= 0:
                    blame[found] += 1
                else:
                    seen[index] = 2
                    heapq.heappush(heap, (far, index))
    return True, seen
