"""Holding pins: rows of the linearised constraint ``K dq = -error`` and projection onto them ([Postures], Alg. 2).

Deviation from the paper: pins are hard. Steps are taken out of ``K``'s row space, and Newton steps bring every posture
back until each pin is within ``PIN_M``.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.postures._limit_kernels import clamp, slide
from understudy.postures._placing_kernels import place
from understudy.postures.tables import (
    AT,
    AXIS,
    CENTRE,
    PARENT,
    PIN_FIRST,
    PIN_JOINT,
    PIN_LAST,
    PIN_M,
    PIN_POINT,
    PIN_TURN,
    PIN_TURNED,
    TURNED,
    PinArrays,
    Room,
    SpaceArrays,
)
from understudy.rotations._kernels import qlog, qmul, qrot
from understudy.typing import FloatArray


@njit(cache=True)
def _curve_error(pins: PinArrays, n: int, p: FloatArray, out: FloatArray, along: FloatArray) -> None:
    """Vector from a pin's nearest curve point to ``p``; ``along``: the curve's direction there, zero at its ends."""
    first, last = pins.indices[n, PIN_FIRST], pins.indices[n, PIN_LAST]
    best = math.inf
    along[:] = 0.0
    if last - first == 1:
        for m in range(3):
            out[m] = p[m] - pins.curve[first, m]
        return
    for k in range(first, last - 1):
        ux, uy, uz = (
            pins.curve[k + 1, 0] - pins.curve[k, 0],
            pins.curve[k + 1, 1] - pins.curve[k, 1],
            pins.curve[k + 1, 2] - pins.curve[k, 2],
        )
        wx, wy, wz = p[0] - pins.curve[k, 0], p[1] - pins.curve[k, 1], p[2] - pins.curve[k, 2]
        length = ux * ux + uy * uy + uz * uz
        s = min(max((wx * ux + wy * uy + wz * uz) / length, 0.0), 1.0)
        x, y, z = wx - s * ux, wy - s * uy, wz - s * uz
        d = x * x + y * y + z * z
        if d < best:
            best = d
            out[0], out[1], out[2] = x, y, z
            size = math.sqrt(length)
            inside = 1.0 if 0.0 < s < 1.0 else 0.0
            along[0], along[1], along[2] = inside * ux / size, inside * uy / size, inside * uz / size


@njit(cache=True)
def pin_rows(space: SpaceArrays, pins: PinArrays, room: Room, rows: FloatArray, error: FloatArray) -> int:
    """Fill the Jacobian ``rows`` and errors of all pins of a placed posture; how many rows there are."""
    count = 0
    p, miss, along = np.empty(3), np.empty(3), np.empty(3)
    for n in range(pins.indices.shape[0]):
        j = pins.indices[n, PIN_JOINT]
        if j == CENTRE:
            _centre_rows(space, pins, n, room, rows[count : count + 3], error[count : count + 3])
            count += 3
            continue
        row, own = room.joints[j], pins.numbers[n]
        w, x, y, z = row[TURNED], row[TURNED + 1], row[TURNED + 2], row[TURNED + 3]
        p[0], p[1], p[2] = qrot(w, x, y, z, own[PIN_POINT], own[PIN_POINT + 1], own[PIN_POINT + 2])
        for m in range(3):
            p[m] += row[AT + m]
        _curve_error(pins, n, p, miss, along)
        turned = pins.indices[n, PIN_TURNED] == 1
        size = 6 if turned else 3
        rows[count : count + size] = 0.0
        for m in range(3):
            error[count + m] = miss[m]
            rows[count + m, m] = 1.0
        if turned:
            # World rotation vector from the wanted turn to the present one.
            t = own[PIN_TURN:]
            error[count + 3], error[count + 4], error[count + 5] = qlog(*qmul(w, x, y, z, t[0], -t[1], -t[2], -t[3]))
        while j >= 0:
            row = room.joints[j]
            ax, ay, az = p[0] - row[AT], p[1] - row[AT + 1], p[2] - row[AT + 2]
            for k in range(3):
                c = 3 + 3 * j + k
                ux, uy, uz = row[AXIS + 3 * k], row[AXIS + 3 * k + 1], row[AXIS + 3 * k + 2]
                rows[count, c], rows[count + 1, c], rows[count + 2, c] = (
                    uy * az - uz * ay,
                    uz * ax - ux * az,
                    ux * ay - uy * ax,
                )
                if turned:
                    rows[count + 3, c], rows[count + 4, c], rows[count + 5, c] = ux, uy, uz
            j = space.tree[j, PARENT]
        _free_along(rows, count, along)
        for r in range(count, count + size):
            for c in range(rows.shape[1]):
                rows[r, c] *= space.movable[c]
        count += size
    return count


@njit(cache=True)
def _centre_rows(space: SpaceArrays, pins: PinArrays, n: int, room: Room, rows: FloatArray, error: FloatArray) -> None:
    """The three rows of a centre of mass that stays above a level curve; the row of its height is zero."""
    joints = space.tree.shape[0]
    # Mass that hangs on each joint, and its moment.
    below = np.zeros((joints, 4))
    for j in range(joints - 1, -1, -1):
        row, own = room.joints[j], pins.masses[j]
        p = qrot(row[TURNED], row[TURNED + 1], row[TURNED + 2], row[TURNED + 3], own[1], own[2], own[3])
        below[j, 0] += own[0]
        for m in range(3):
            below[j, 1 + m] += own[0] * (row[AT + m] + p[m])
        parent = space.tree[j, PARENT]
        if parent >= 0:
            below[parent] += below[j]
    centre, along = below[0, 1:].copy(), np.empty(3)
    centre[1] = 0.0
    _curve_error(pins, n, centre, error, along)
    rows[:] = 0.0
    for m in (0, 2):
        rows[m, m] = 1.0
    for j in range(joints):
        row = room.joints[j]
        ax = below[j, 1] - below[j, 0] * row[AT]
        ay = below[j, 2] - below[j, 0] * row[AT + 1]
        az = below[j, 3] - below[j, 0] * row[AT + 2]
        for k in range(3):
            c = 3 + 3 * j + k
            ux, uy, uz = row[AXIS + 3 * k], row[AXIS + 3 * k + 1], row[AXIS + 3 * k + 2]
            rows[0, c], rows[2, c] = uy * az - uz * ay, ux * ay - uy * ax
    _free_along(rows, 0, along)
    for m in range(3):
        for c in range(rows.shape[1]):
            rows[m, c] *= space.movable[c]


@njit(cache=True)
def _free_along(rows: FloatArray, count: int, along: FloatArray) -> None:
    """A pin on a curve may move along it: take that direction out of its three rows."""
    for c in range(rows.shape[1]):
        rate = along[0] * rows[count, c] + along[1] * rows[count + 1, c] + along[2] * rows[count + 2, c]
        for m in range(3):
            rows[count + m, c] -= along[m] * rate


@njit(cache=True)
def solved_rows(rows: FloatArray, count: int, right: FloatArray, out: FloatArray) -> None:
    """Least-norm ``out`` with ``rows out = right`` in the sense of damped least squares."""
    gram = np.empty((count, count))
    y = right[:count].copy()
    trace = 1e-12
    for i in range(count):
        for j in range(i + 1):
            total = 0.0
            for c in range(rows.shape[1]):
                total += rows[i, c] * rows[j, c]
            gram[i, j] = total
        trace += gram[i, i]
    for i in range(count):
        gram[i, i] += 1e-8 * trace
    for i in range(count):
        for j in range(i + 1):
            total = gram[i, j]
            for k in range(j):
                total -= gram[i, k] * gram[j, k]
            gram[i, j] = math.sqrt(max(total, 1e-300)) if i == j else total / gram[j, j]
    for i in range(count):
        for k in range(i):
            y[i] -= gram[i, k] * y[k]
        y[i] /= gram[i, i]
    for i in range(count - 1, -1, -1):
        for k in range(i + 1, count):
            y[i] -= gram[k, i] * y[k]
        y[i] /= gram[i, i]
    out[:] = 0.0
    for i in range(count):
        for c in range(rows.shape[1]):
            out[c] += rows[i, c] * y[i]


@njit(cache=True)
def without_pins(rows: FloatArray, count: int, step: FloatArray) -> None:
    """Take out of a step what would move the pins."""
    if count == 0:
        return
    right, out = np.empty(count), np.empty(step.shape[0])
    for i in range(count):
        right[i] = 0.0
        for c in range(step.shape[0]):
            right[i] += rows[i, c] * step[c]
    solved_rows(rows, count, right, out)
    for c in range(step.shape[0]):
        step[c] -= out[c]


@njit(cache=True)
def hold_pins(space: SpaceArrays, pins: PinArrays, q: FloatArray, room: Room) -> float:
    """Newton steps that bring a posture back onto its pins, within limits; the largest error left [m or rad]."""
    size = 6 * pins.indices.shape[0]
    rows, error, out, probe = np.empty((size, q.shape[0])), np.empty(size), np.empty(q.shape[0]), np.empty(q.shape[0])
    worst = math.inf
    for _ in range(12):
        place(space, q, room)
        count = pin_rows(space, pins, room, rows, error)
        worst = 0.0
        for i in range(count):
            worst = max(worst, abs(error[i]))
        if worst < 0.1 * PIN_M:
            break
        solved_rows(rows, count, error, out)
        # A limit that is reached cannot help: leave its coordinates out and solve again.
        for c in range(q.shape[0]):
            probe[c] = -out[c]
        slide(space.tree, space.joints, q, probe)
        for c in range(q.shape[0]):
            if probe[c] != -out[c]:
                for i in range(count):
                    rows[i, c] = 0.0
        solved_rows(rows, count, error, out)
        for c in range(q.shape[0]):
            q[c] -= out[c]
        clamp(space.tree, space.joints, q)
    return worst
