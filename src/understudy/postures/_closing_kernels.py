"""How soon a step of the coordinates would close a gap, at the present rates."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.postures.tables import (
    APART,
    AT,
    AXIS,
    FORCE,
    GAP,
    MOMENT,
    NORMAL,
    PARENT,
    POINT,
    SUPPORT,
    Room,
    SpaceArrays,
)
from understudy.typing import FloatArray, IntArray

#: The columns of forces and moments hold angular velocities and velocities here.
SPIN, SPEED = FORCE, MOMENT


@njit(cache=True)
def _velocities(tree: IntArray, joints: FloatArray, step: FloatArray) -> None:
    """Angular velocity and velocity of every joint for a step of the coordinates per unit of time."""
    for j in range(joints.shape[0]):
        row, p = joints[j], tree[j, PARENT]
        if p < 0:
            for m in range(3):
                row[SPIN + m], row[SPEED + m] = 0.0, step[m]
        else:
            above = joints[p]
            x, y, z = row[AT] - above[AT], row[AT + 1] - above[AT + 1], row[AT + 2] - above[AT + 2]
            row[SPEED] = above[SPEED] + above[SPIN + 1] * z - above[SPIN + 2] * y
            row[SPEED + 1] = above[SPEED + 1] + above[SPIN + 2] * x - above[SPIN] * z
            row[SPEED + 2] = above[SPEED + 2] + above[SPIN] * y - above[SPIN + 1] * x
            for m in range(3):
                row[SPIN + m] = above[SPIN + m]
        for k in range(3):
            for m in range(3):
                row[SPIN + m] += row[AXIS + 3 * k + m] * step[3 + 3 * j + k]


@njit(cache=True)
def _carried_speed(carriers: IntArray, capsules: FloatArray, joints: FloatArray) -> float:
    """Upward speed of the points that carry the body."""
    carried = 0.0
    for c in range(carriers.shape[0]):
        row = joints[carriers[c]]
        for e in range(2):
            x, z = capsules[c, 3 * e] - row[AT], capsules[c, 3 * e + 2] - row[AT + 2]
            carried += capsules[c, SUPPORT + e] * (row[SPEED + 1] + row[SPIN + 2] * x - row[SPIN] * z)
    return carried


@njit(cache=True)
def _rate(row: FloatArray, near: FloatArray, shift: float) -> float:
    """Speed along a row's normal of its first point (moved by ``-shift`` along it), fixed to a joint."""
    nx, ny, nz = near[NORMAL], near[NORMAL + 1], near[NORMAL + 2]
    x = near[POINT] - shift * nx - row[AT]
    y = near[POINT + 1] - shift * ny - row[AT + 1]
    z = near[POINT + 2] - shift * nz - row[AT + 2]
    return (
        nx * (row[SPEED] + row[SPIN + 1] * z - row[SPIN + 2] * y)
        + ny * (row[SPEED + 1] + row[SPIN + 2] * x - row[SPIN] * z)
        + nz * (row[SPEED + 2] + row[SPIN] * y - row[SPIN + 1] * x)
    )


@njit(cache=True)
def closing_share(space: SpaceArrays, keep: FloatArray, room: Room, step: FloatArray) -> float:
    """Share of ``step`` after which, at the present rate, the first pair has used up its gap; infinite if none does.

    The posture must have been measured.
    """
    joints, near = room.joints, room.near
    _velocities(space.tree, joints, step)
    if space.grounded:
        rise = step[1] - _carried_speed(space.carriers, room.capsules, joints)
        for j in range(joints.shape[0]):
            joints[j, SPEED + 1] += rise
    pairs, capsules = space.pairs.shape[0], space.carriers.shape[0]
    share = math.inf
    for k in range(near.shape[0]):
        if k < pairs:
            first, second = space.carriers[space.pairs[k, 0]], space.carriers[space.pairs[k, 1]]
            rate = _rate(joints[first], near[k], 0.0) - _rate(joints[second], near[k], near[k, APART])
        elif near[k, GAP] == math.inf:
            continue
        else:
            rate = _rate(joints[space.carriers[(k - pairs) % capsules]], near[k], 0.0)
        if rate < 0.0:
            share = min(share, max(near[k, GAP] - keep[k], 0.0) / -rate)
    return share
