"""Compiled steps of a hand that leaves its target: the posture that puts it a little farther away, and its pace."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.core.uncounted import uncounted
from understudy.limbs._ik_kernels import polish
from understudy.limbs._pose_kernels import breaks_limits, grid_place
from understudy.limbs.tables import Scratch, Setting
from understudy.rotations._kernels import qmul, qrot
from understudy.typing import FloatArray

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
def stepped_back(
    setting: Setting,
    scratch: Scratch,
    driven: FloatArray,
    absolute: FloatArray,
    span: tuple[float, float],
    there: FloatArray,
    point: FloatArray,
    end: int,
    turn: FloatArray,
    turned: bool,
    speeds: FloatArray,
    out: FloatArray,
) -> tuple[float, float]:
    """A step back from one time to another: :func:`moved_back`, its offset from the clip, and how long it takes.

    Args:
        setting: The limb in its window.
        scratch: Room.
        driven: ``(parameters, coordinates)``.
        absolute: ``(parameters,)`` where it begins [rad].
        span: When it begins and ends [s].
        there: ``(3,)`` where it leads [m].
        point: ``(3,)`` what of the end has to be there [m].
        end: The end's joint in the chain.
        turn: ``(4,)`` the end's rotation in the world.
        turned: Whether that is asked for.
        speeds: ``(joints,)`` [rad/s].
        out: ``(2, parameters)`` parameters found and their offset [rad].

    Returns:
        What is missing [m], and the seconds it takes at least.
    """
    missing = moved_back(setting, scratch, driven, absolute, span[1], there, point, end, turn, turned, out[0])
    clip_parameters(setting, driven, span[1], out[1])
    for d in range(out.shape[1]):
        out[1, d] = out[0, d] - out[1, d]
    return missing, least_seconds(setting, driven, absolute, out[0], span, speeds)
