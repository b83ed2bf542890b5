"""Bringing a limb's end to a target in its own parameters, from many beginnings, keeping what is valid."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.limbs._nearest_kernels import nearest_pair
from understudy.limbs._pose_kernels import breaks_limits, grid_place, place_chain
from understudy.limbs.tables import Scratch, Setting, SpaceArrays
from understudy.rotations._kernels import qlog, qmul, qrot
from understudy.typing import FloatArray

#: [rad] largest change of a parameter in one step.
_STEP_RAD = 0.4
#: Damping of a step [m^2].
_DAMPING = 1e-7
#: [m] and [rad / 10] error at which a target counts as reached.
_REACHED = 1e-7
#: [m] what a limb's end that is on its target may miss it by, and the most steps to get there.
MET_M, _STEPS = 1e-5, 25
#: Steps after which this share of what was missing has to be left at most, or the target is out of reach.
_PATIENCE, _PROGRESS = 4, 0.7
#: [rad] postures that differ by less in every parameter count as one.
_ALIKE_RAD = 0.12
#: [m] that stand for a radian where both kinds of error are added.
_PER_RADIAN = 0.1


@njit(cache=True, forceinline=True, error_model="numpy")
def end_error(
    space: SpaceArrays,
    scratch: Scratch,
    clip: FloatArray,
    offset: FloatArray,
    target: FloatArray,
    turned: bool,
    out: FloatArray,
) -> None:
    """Write what is missing: position (3) [m] and, when ``turned``, rotation vector (3) times 0.1 m.

    ``clip (3 joints,)`` are the clip's own coordinates. ``target``: position (3) and rotation (4) in the limb's parent
    frame, and the point (3) in the end's frame.
    """
    spread, coordinates, turns, at = space.spread, scratch.coordinates, scratch.turned, scratch.at
    for i in range(clip.shape[0]):
        value = clip[i]
        for d in range(offset.shape[0]):
            value += spread[i, d] * offset[d]
        coordinates[i] = value
    place_chain(space, coordinates, at, turns)
    end = at.shape[0] - 1
    w, x, y, z = turns[end, 0], turns[end, 1], turns[end, 2], turns[end, 3]
    px, py, pz = qrot(w, x, y, z, target[7], target[8], target[9])
    out[0] = target[0] - at[end, 0] - px
    out[1] = target[1] - at[end, 1] - py
    out[2] = target[2] - at[end, 2] - pz
    if turned:
        qw, qx, qy, qz = qmul(target[3], target[4], target[5], target[6], w, -x, -y, -z)
        rx, ry, rz = qlog(qw, qx, qy, qz)
        out[3], out[4], out[5] = _PER_RADIAN * rx, _PER_RADIAN * ry, _PER_RADIAN * rz


@njit(cache=True, error_model="numpy")
def _solve(matrix: FloatArray, right: FloatArray, size: int) -> None:
    """Solve a small positive definite system in place by elimination."""
    for i in range(size):
        for k in range(i + 1, size):
            factor = matrix[k, i] / matrix[i, i]
            for j in range(i, size):
                matrix[k, j] -= factor * matrix[i, j]
            right[k] -= factor * right[i]
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, size):
            right[i] -= matrix[i, j] * right[j]
        right[i] /= matrix[i, i]


@njit(cache=True, error_model="numpy")
def polish(
    setting: Setting,
    scratch: Scratch,
    offset: FloatArray,
    t: float,
    target: FloatArray,
    turned: bool,
) -> float:
    """Damped least squares on the parameters until the target is met; returns what is missing [m]."""
    rows, dof, space = (6 if turned else 3), offset.shape[0], setting.space
    error, moved, clip = np.zeros(6), np.zeros(6), np.zeros(scratch.coordinates.shape[0])
    jacobian, matrix = np.zeros((6, dof)), np.zeros((6, 6))
    table = setting.window.coordinates
    cell, share = grid_place(setting.window, t)
    for i in range(clip.shape[0]):
        clip[i] = table[cell, i] + share * (table[cell + 1, i] - table[cell, i])
    earlier = math.inf
    for done in range(_STEPS):
        end_error(space, scratch, clip, offset, target, turned, error)
        missing = math.sqrt((error[:rows] ** 2).sum())
        if missing < _REACHED:
            return missing
        if done % _PATIENCE == 0:
            if missing > _PROGRESS * earlier:
                return missing
            earlier = missing
        for d in range(dof):
            kept = offset[d]
            offset[d] = kept + 1e-6
            end_error(space, scratch, clip, offset, target, turned, moved)
            offset[d] = kept
            for r in range(rows):
                jacobian[r, d] = (error[r] - moved[r]) / 1e-6
        for r in range(rows):
            for c in range(rows):
                value = _DAMPING if r == c else 0.0
                for d in range(dof):
                    value += jacobian[r, d] * jacobian[c, d]
                matrix[r, c] = value
            moved[r] = error[r]
        _solve(matrix, moved, rows)
        for d in range(dof):
            step = 0.0
            for r in range(rows):
                step += jacobian[r, d] * moved[r]
            offset[d] += min(max(step, -_STEP_RAD), _STEP_RAD)
    end_error(space, scratch, clip, offset, target, turned, error)
    return math.sqrt((error[:rows] ** 2).sum())


@njit(cache=True, error_model="numpy")
def _is_new(kept: FloatArray, count: int, offset: FloatArray) -> bool:
    """Whether an offset is unlike all kept ones."""
    for i in range(count):
        alike = True
        for d in range(offset.shape[0]):
            alike = alike and abs(kept[i, d] - offset[d]) < _ALIKE_RAD
        if alike:
            return False
    return True


@njit(cache=True, error_model="numpy")
def valid_postures(
    setting: Setting,
    scratch: Scratch,
    seeds: FloatArray,
    targets: FloatArray,
    turned: bool,
    t: float,
    clear_m: float,
    enough: int,
    out: FloatArray,
) -> tuple[int, FloatArray]:
    """Polish seeds ``(n, parameters)`` onto their ``targets (n, 10)`` and keep those within limits and free.

    ``out (n, parameters + 1)`` gets the offsets and their slack [m]; stops once ``enough`` are found.

    Returns:
        How many were kept, and ``(8,)`` how many missed, broke limits or touched, the least that was missing [m], and
        of those that touched the most room [m] with the kind and parties of what it touches.
    """
    dof, count = seeds.shape[1], 0
    why = np.array([0.0, 0.0, 0.0, math.inf, -math.inf, -1.0, -1.0, -1.0])
    offset = np.empty(dof)
    for i in range(seeds.shape[0]):
        offset[:] = seeds[i]
        missing = polish(setting, scratch, offset, t, targets[i], turned)
        why[3] = min(why[3], missing)
        if missing > MET_M:
            why[0] += 1
            continue
        if breaks_limits(setting, scratch, offset, t) >= 0:
            why[1] += 1
            continue
        if not _is_new(out, count, offset):
            continue
        slack, kind, first, second = nearest_pair(setting, scratch, offset, t, 0.05)
        if slack < clear_m:
            why[2] += 1
            if slack > why[4]:
                why[4], why[5], why[6], why[7] = slack, kind, first, second
            continue
        out[count, :dof], out[count, dof] = offset, slack
        count += 1
        if count >= enough:
            break
    return count, why


@njit(cache=True, error_model="numpy")
def follow(
    setting: Setting,
    scratch: Scratch,
    clips: FloatArray,
    start: FloatArray,
    times: FloatArray,
    goals: FloatArray,
    turned: bool,
    lenient: bool,
    out: FloatArray,
) -> int:
    """How many of some goals ``(n, 10)`` a limb's end meets one after the other; writes offsets ``(n, parameters)``.

    Each search begins with the posture before, the first with parameters ``start``; ``clips (n, parameters)`` are the
    clip's own. A ``lenient`` limb turns its end as it likes where it cannot meet a goal ``turned``.
    """
    before = start.copy()
    for k in range(times.shape[0]):
        met = False
        for free in range(2 if turned and lenient else 1):
            if not met:
                out[k] = before - clips[k]
                missing = polish(setting, scratch, out[k], times[k], goals[k], turned and free == 0)
                met = missing < MET_M and breaks_limits(setting, scratch, out[k], times[k]) < 0
        if not met:
            return k
        before[:] = clips[k] + out[k]
    return times.shape[0]
