"""A* over where somebody stands, faces, how far the door is open, and which hand holds it.

A state is (mode, opening, heading, z, x) on a grid; modes: free before, left hand holds, right hand holds, free after.
Costs are seconds, with what is awkward or tight counted longer.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.skills.door._geometry_kernels import (
    Ground,
    Leaf,
    Walker,
    floor_clearance,
    leaf_clearance,
    reach_cost,
)
from understudy.typing import BoolArray, FloatArray, IntArray

#: Cosine of the widest angle between where somebody faces and the leaf when taking hold.
_FACING = 0.64
BEFORE, LEFT, RIGHT, AFTER = 0, 1, 2, 3


@njit(cache=True)
def _tight(clear_m: float, easy_m: float, weight: float) -> float:
    """How much longer a place counts for being tight."""
    return max(0.0, (easy_m - clear_m) / easy_m) ** 2 * weight


@njit(cache=True)
def search(
    ground: Ground,
    leaf: Leaf,
    walker: Walker,
    shape: IntArray,
    origin: FloatArray,
    seeds: FloatArray,
    blocked: BoolArray,
    options: FloatArray,
    states: IntArray,
) -> tuple[int, int, float]:
    """Fill ``states (n, 5)`` (mode, opening, heading, iz, ix) from seed to end.

    Args:
        ground: What does not move.
        leaf: The door.
        walker: Who.
        shape: Openings, headings, cells along z and x.
        origin: x, z of cell (0, 0) and the cell's width [m].
        seeds: ``(n, 4)`` x, z, heading [rad] and seconds to get there.
        blocked: ``(openings, headings, nz, nx)`` states that were tried in vain.
        options: Margin [m], least opening to pass [rad], most expansions, hands allowed (1 left, 2 right, 3 both),
            metres beyond the door at which it ends, most opening while the hand holds [rad].
        states: Room for the answer.

    Returns:
        Number of states (0 when there is no way), expansions, and the cost [s].
    """
    openings, headings, nz, nx = shape[0], shape[1], shape[2], shape[3]
    total = 4 * openings * headings * nz * nx
    cost = np.full(total, np.inf, dtype=np.float32)
    parent = np.full(total, -1, dtype=np.int32)
    floor_m = np.full(headings * nz * nx, np.nan, dtype=np.float32)
    limit = int(options[2])
    keys = np.empty(64 * limit + 4096)
    items = np.empty(64 * limit + 4096, dtype=np.int64)
    size = 0
    turn = 2.0 * math.pi / headings
    for k in range(seeds.shape[0]):
        ix = round((seeds[k, 0] - origin[0]) / origin[2])
        iz = round((seeds[k, 1] - origin[1]) / origin[2])
        h = round(seeds[k, 2] / turn) % headings
        if not (0 <= ix < nx and 0 <= iz < nz):
            continue
        s = ((0 * headings + h) * nz + iz) * nx + ix
        if seeds[k, 3] < cost[s]:
            cost[s] = seeds[k, 3]
            size = heap_push(keys, items, size, seeds[k, 3] + _left_s(ground, walker, seeds[k, 0], seeds[k, 1]), s)
    expanded = 0
    plane = openings * headings * nz * nx
    moves = _moves()
    while size > 0 and expanded < limit:
        key, s, size = heap_pop(keys, items, size)
        mode = s // plane
        rest = s % plane
        th = rest // (headings * nz * nx)
        h = (rest // (nz * nx)) % headings
        iz, ix = (rest // nx) % nz, rest % nx
        x, z = origin[0] + ix * origin[2], origin[1] + iz * origin[2]
        g = cost[s]
        if key > g + _left_s(ground, walker, x, z) + 1e-3:
            continue
        expanded += 1
        beyond = (x - leaf.middle[0]) * leaf.through[0] + (z - leaf.middle[1]) * leaf.through[1]
        if mode == AFTER and beyond > options[4]:
            return _told(parent, s, shape, states), expanded, float(g)
        opening = th * leaf.step_rad
        # Taking hold and letting go.
        facing = leaf.into[0] * math.sin(h * turn) + leaf.into[1] * math.cos(h * turn)
        if mode == BEFORE and facing > _FACING:
            for hand in range(2):
                if (int(options[3]) >> hand) & 1:
                    awkward = reach_cost(leaf, walker, hand, x, z, h * turn, opening)
                    if awkward < 2.5:
                        to = s + (hand + 1) * plane
                        size = _relax(
                            cost, parent, keys, items, size, s, to, g + 0.3 + 0.4 * awkward, ground, walker, x, z
                        )
        elif mode != BEFORE and mode != AFTER and opening >= options[1]:
            on = min(th + leaf.swing, openings - 1)
            swung = leaf_clearance(leaf, walker, x, z, h * turn, on * leaf.step_rad)
            if swung >= options[0]:
                to = ((AFTER * openings + on) * headings + h) * nz * nx + iz * nx + ix
                size = _relax(cost, parent, keys, items, size, s, to, g + 0.25, ground, walker, x, z)
        for m in range(moves.shape[0]):
            jx, jz = ix + moves[m, 0], iz + moves[m, 1]
            if not (0 <= jx < nx and 0 <= jz < nz):
                continue
            length = math.sqrt(moves[m, 0] ** 2 + moves[m, 1] ** 2) * origin[2]
            if mode != BEFORE and mode != AFTER and length > 1.5 * origin[2]:
                continue
            for dh in range(-1, 2):
                if length == 0.0 and dh == 0 and (mode in (BEFORE, AFTER)):
                    continue
                k = (h + dh) % headings
                to_x, to_z = origin[0] + jx * origin[2], origin[1] + jz * origin[2]
                at = (k * nz + jz) * nx + jx
                if math.isnan(floor_m[at]):
                    floor_m[at] = floor_clearance(ground, walker, to_x, to_z, k * turn)
                if floor_m[at] < options[0]:
                    continue
                seconds = _move_s(moves[m, 0], moves[m, 1], length, (h + 0.5 * dh) * turn, mode, walker.speeds)
                seconds = max(seconds, abs(dh) * turn / 1.6) + 0.05 * abs(dh)
                for dt in range(4 if (mode in (LEFT, RIGHT)) else 1):
                    nt = th + dt
                    if mode == AFTER and leaf.falls_shut and length > 0.0:
                        nt = max(th - 1, 0)
                    if dt > 0 and nt * leaf.step_rad > options[5]:
                        continue
                    if nt >= openings or (length == 0.0 and dh == 0 and dt == 0):
                        continue
                    if blocked[nt, k, jz, jx]:
                        continue
                    clear = leaf_clearance(leaf, walker, to_x, to_z, k * turn, nt * leaf.step_rad)
                    if clear < options[0]:
                        continue
                    spent = max(seconds, dt * leaf.step_rad / walker.speeds[3])
                    spent *= 1.0 + _tight(clear, 0.12, 5.0) + _tight(floor_m[at], 0.2, 10.0)
                    if mode in (LEFT, RIGHT):
                        awkward = reach_cost(leaf, walker, mode - 1, to_x, to_z, k * turn, nt * leaf.step_rad)
                        if not awkward < 4.0:
                            continue
                        spent *= 1.0 + 0.35 * awkward
                        spent += 0.02
                    to = ((mode * openings + nt) * headings + k) * nz * nx + jz * nx + jx
                    size = _relax(cost, parent, keys, items, size, s, to, g + spent, ground, walker, to_x, to_z)
        if size > keys.shape[0] - 2048:
            break
    return 0, expanded, np.inf


@njit(cache=True)
def _relax(
    cost: FloatArray,
    parent: IntArray,
    keys: FloatArray,
    items: IntArray,
    size: int,
    s: int,
    to: int,
    value: float,
    ground: Ground,
    walker: Walker,
    x: float,
    z: float,
) -> int:
    if value < cost[to] - 1e-6:
        cost[to] = value
        parent[to] = s
        left = _left_s(ground, walker, x, z)
        if left < np.inf:
            return heap_push(keys, items, size, value + left, to)
    return size


@njit(cache=True)
def _left_s(ground: Ground, walker: Walker, x: float, z: float) -> float:
    """Least time left to the goal [s]."""
    nz, nx = ground.to_goal_m.shape
    i = round((x - ground.frame[0]) / ground.frame[2])
    j = round((z - ground.frame[1]) / ground.frame[2])
    if i < 0 or j < 0 or i >= nx or j >= nz:
        return np.inf
    return ground.to_goal_m[j, i] / walker.speeds[0]


@njit(cache=True)
def _moves() -> IntArray:
    """Steps over the grid: on the spot, to the 8 neighbours, and a knight's moves."""
    out = np.zeros((17, 2), dtype=np.int64)
    n = 1
    for dz in range(-2, 3):
        for dx in range(-2, 3):
            far = abs(dx) + abs(dz)
            if (max(abs(dx), abs(dz)) == 1) or far == 3:
                out[n, 0], out[n, 1] = dx, dz
                n += 1
    return out


@njit(cache=True)
def _move_s(dx: int, dz: int, length: float, heading: float, mode: int, speeds: FloatArray) -> float:
    """Seconds of a step: ahead is easy, aside and back are not."""
    if length == 0.0:
        return 0.12
    along = math.atan2(float(dx), float(dz)) - heading
    off = abs(math.atan2(math.sin(along), math.cos(along)))
    speed = speeds[0] if (mode in (BEFORE, AFTER)) else speeds[1]
    slower = 1.0
    if off > 0.45:
        slower = 1.6 if off < 2.2 else 1.8
        if mode in (BEFORE, AFTER):
            slower = 3.0
    return length / speed * slower * (1.0 + 0.25 * min(off, 0.45))


@njit(cache=True)
def _told(parent: IntArray, s: int, shape: IntArray, states: IntArray) -> int:
    openings, headings, nz, nx = shape[0], shape[1], shape[2], shape[3]
    plane = openings * headings * nz * nx
    count = 0
    at = s
    while at >= 0 and count < states.shape[0]:
        rest = at % plane
        states[count, 0] = at // plane
        states[count, 1] = rest // (headings * nz * nx)
        states[count, 2] = (rest // (nz * nx)) % headings
        states[count, 3], states[count, 4] = (rest // nx) % nz, rest % nx
        count += 1
        at = parent[at]
    for k in range(count // 2):
        for c in range(5):
            states[k, c], states[count - 1 - k, c] = states[count - 1 - k, c], states[k, c]
    return count
