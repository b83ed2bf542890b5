"""Compiled steps of a hand that leaves its target: the posture that puts it a little farther away, and its pace."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.limbs._edge_kernels import edge_reaches, set_edge
from understudy.limbs._ik_kernels import polish
from understudy.limbs._pose_kernels import breaks_limits, grid_place
from understudy.limbs.tables import FREE, Margin, Scratch, Setting
from understudy.rotations._kernels import qmul, qrot
from understudy.typing import FloatArray

#: [m] how far back, and [m/s^2] how fast at most: a hand sets out gently and arrives gently.
DISTANCES_M = (0.005, 0.015, 0.03, 0.06, 0.1, 0.15, 0.2)
_GENTLY = 2.5
#: Times the least time a step may take; and share of the way to where it leads after which to stop.
_LEISURE, _FARTHEST = 1.3, 0.6
#: Times the length of a step is adjusted to what it takes.
_SETTLED = 4
#: [m] an end that misses its place by less has met it.
MET_M = 1e-4
_ITERATIONS = 20


@uncounted
def clip_parameters(setting: Setting, driven: FloatArray, t: float, out: FloatArray) -> None:
    """Parameters ``(n,)`` [rad] of the clip at a time."""
    table = setting.window.coordinates
    cell, share = grid_place(setting.window, t)
    for d in range(out.shape[0]):
        value = 0.0
        for i in range(driven.shape[1]):
            value += driven[d, i] * (table[cell, i] + share * (table[cell + 1, i] - table[cell, i]))
        out[d] = value


@njit(cache=True, error_model="numpy")
def moved_back(
    setting: Setting,
    scratch: Scratch,
    driven: FloatArray,
    absolute: FloatArray,
    t: float,
    there: FloatArray,
    point: FloatArray,
    end: int,
    turn: FloatArray,
    turned: bool,
    out: FloatArray,
) -> float:
    """Parameters near given ones that put the end at a point in the world, turned as asked if the limits allow that.

    Args:
        setting: The limb in its window.
        scratch: Room.
        driven: ``(parameters, coordinates)`` parameters of coordinates.
        absolute: ``(parameters,)`` to begin with [rad].
        t: When [s].
        there: ``(3,)`` the point [m].
        point: ``(3,)`` what of the end has to be there, in its frame [m].
        end: The end's joint in the chain.
        turn: ``(4,)`` the end's rotation in the world.
        turned: Whether that is asked for.
        out: ``(parameters,)`` what was found [rad].

    Returns:
        What is missing [m].
    """
    base = setting.window.base
    cell, share = grid_place(setting.window, t)
    row = base[cell] + share * (base[cell + 1] - base[cell])
    length = math.sqrt(row[3] ** 2 + row[4] ** 2 + row[5] ** 2 + row[6] ** 2)
    qw, qx, qy, qz = row[3] / length, -row[4] / length, -row[5] / length, -row[6] / length
    goal = np.empty(10)
    goal[0], goal[1], goal[2] = qrot(qw, qx, qy, qz, there[0] - row[0], there[1] - row[1], there[2] - row[2])
    goal[3], goal[4], goal[5], goal[6] = qmul(qw, qx, qy, qz, turn[0], turn[1], turn[2], turn[3])
    goal[7:] = point
    clip = np.empty(absolute.shape[0])
    clip_parameters(setting, driven, t, clip)
    missing = math.inf
    for attempt in range(0 if turned else 1, 2):
        offset = absolute - clip
        missing = polish(setting, scratch, offset, t, end, goal, attempt == 0, _ITERATIONS)
        for d in range(out.shape[0]):
            out[d] = clip[d] + offset[d]
        if missing < MET_M and breaks_limits(setting, scratch, offset, t) < 0:
            break
    return missing


@njit(cache=True, error_model="numpy")
def least_seconds(
    setting: Setting,
    driven: FloatArray,
    start: FloatArray,
    end: FloatArray,
    span: tuple[float, float],
    speeds: FloatArray,
) -> float:
    """How long a limb takes at least from one posture to another, parameters ``(n,)`` [rad].

    What counts is how fast the offset from the clip turns joints, and the clip moves meanwhile.
    """
    spread = setting.space.spread
    before, after = np.empty(start.shape[0]), np.empty(start.shape[0])
    clip_parameters(setting, driven, span[0], before)
    clip_parameters(setting, driven, span[1], after)
    longest = 0.0
    for j in range(speeds.shape[0]):
        square = 0.0
        for i in range(3 * j, 3 * j + 3):
            turn = 0.0
            for d in range(start.shape[0]):
                turn += spread[i, d] * (end[d] - start[d] - after[d] + before[d])
            square += turn * turn
        longest = max(longest, math.sqrt(square) / speeds[j])
    return longest


@njit(cache=True, error_model="numpy")
def _place(places: FloatArray, every_s: float, seconds: float, out: FloatArray) -> None:
    """Write where a target is some seconds from the moment, by ``places (n, 3)`` every so often; straight on beyond."""
    k = min(int(seconds / every_s), places.shape[0] - 2)
    share = seconds / every_s - k
    for d in range(3):
        out[d] = places[k, d] + share * (places[k + 1, d] - places[k, d])


@njit(cache=True, error_model="numpy")
def way_back(
    setting: Setting,
    scratch: Scratch,
    driven: FloatArray,
    offset: FloatArray,
    clock: tuple[float, float, float, int],
    places: FloatArray,
    every_s: float,
    away: FloatArray,
    point: FloatArray,
    end: int,
    turn: FloatArray,
    turned: bool,
    speeds: FloatArray,
    out: FloatArray,
) -> int:
    """Offsets and times on the way back from a posture, a little farther away each; how many were found.

    Args:
        setting: The limb in its window.
        scratch: Room.
        driven: ``(parameters, coordinates)``.
        offset: ``(parameters,)`` of the posture [rad].
        clock: Its moment, where the window begins and ends [s], and 1 for leaving or -1 for arriving.
        places: ``(n, 3)`` [m] where the target is then and later, or earlier.
        every_s: How long after each other [s].
        away: ``(3,)`` [m] to where the way leads.
        point: ``(3,)`` what of the end has to be there [m].
        end: The end's joint in the chain.
        turn: ``(4,)`` the end's rotation in the world.
        turned: Whether that is kept as long as it can be.
        speeds: ``(joints,)`` [rad/s].
        out: ``(DISTANCES_M, parameters + 1)``.
    """
    time_s, low, high, sign = clock
    dof, length = offset.shape[0], math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2)
    clip, before, moved, there = np.empty(dof), np.empty(dof), np.empty(dof), np.empty(3)
    clip_parameters(setting, driven, time_s, clip)
    for d in range(dof):
        before[d] = clip[d] + offset[d]
    when, gone = time_s, 0.0
    for row in range(len(DISTANCES_M)):
        distance = DISTANCES_M[row]
        if distance > _FARTHEST * length:
            return row
        step_s = math.sqrt(2.0 * distance / _GENTLY) - math.sqrt(2.0 * gone / _GENTLY)
        began, later, missing = min(max(when, low), high), when, math.inf
        for _ in range(_SETTLED):
            later = when + sign * step_s
            inside = min(max(later, low), high)
            _place(places, every_s, abs(later - time_s), there)
            for d in range(3):
                there[d] += away[d] / length * distance
            missing = moved_back(setting, scratch, driven, before, inside, there, point, end, turn, turned, moved)
            needed = least_seconds(setting, driven, before, moved, (began, inside), speeds)
            if _LEISURE * needed <= step_s:
                break
            step_s = 1.1 * _LEISURE * needed
        if missing > MET_M or not low < later < high:
            return row
        clip_parameters(setting, driven, later, clip)
        for d in range(dof):
            out[row, d] = moved[d] - clip[d]
            before[d] = moved[d]
        out[row, dof] = later
        when, gone = later, distance
    return len(DISTANCES_M)


@njit(cache=True, error_model="numpy")
def _free_rows(
    setting: Setting, scratch: Scratch, margin: Margin, offset: FloatArray, time_s: float, rows: FloatArray, count: int
) -> int:
    """How many of the rows from a posture on can be reached without meeting anything."""
    dof = offset.shape[0]
    for k in range(count):
        before, then = (offset, time_s) if k == 0 else (rows[k - 1], rows[k - 1, dof])
        if rows[k, dof] > then:
            set_edge(scratch, before, rows[k])
        else:
            set_edge(scratch, rows[k], before)
        low, high = min(rows[k, dof], then), max(rows[k, dof], then)
        if edge_reaches(setting, scratch, low, high, margin, 0)[1] != FREE:
            return k
    return count


@njit(cache=True, error_model="numpy")
def clearest_way_back(
    setting: Setting,
    scratch: Scratch,
    driven: FloatArray,
    margin: Margin,
    offset: FloatArray,
    clock: tuple[float, float, float, int],
    places: FloatArray,
    every_s: float,
    ways: FloatArray,
    point: FloatArray,
    end: int,
    turn: FloatArray,
    turned: bool,
    speeds: FloatArray,
    out: FloatArray,
) -> int:
    """:func:`way_back` by the first of some ``ways (n, 3)`` unless something is in it, or by the one free longest."""
    best, reached = 0, -1
    rows = np.empty_like(out)
    for k in range(ways.shape[0]):
        count = way_back(
            setting, scratch, driven, offset, clock, places, every_s, ways[k], point, end, turn, turned, speeds, rows
        )
        free = _free_rows(setting, scratch, margin, offset, clock[0], rows, count)
        if free > reached:
            best, reached = count, free
            out[:count] = rows[:count]
        # Stopped by something, not by the limb's reach or pace.
        if free == len(DISTANCES_M) or (k == 0 and free == count):
            break
    return best
