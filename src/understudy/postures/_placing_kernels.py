"""From coordinates to joints, the axes they turn about, and capsules."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.postures.tables import (
    AT,
    AXES,
    AXIS,
    CARRIES,
    KIND,
    LEFT,
    MIDDLE,
    OFFSET,
    PARENT,
    RADIUS,
    RIGHT,
    ROOT,
    SUPPORT,
    TURNED,
    Room,
    SpaceArrays,
)
from understudy.rotations._kernels import qexp, qmul, qrot
from understudy.typing import FloatArray, IntArray

#: [m] how softly the lowest of several points carries the body.
SOFT_M = 0.003


@njit(cache=True)
def left_jacobian(x: float, y: float, z: float, k: int) -> tuple[float, float, float]:
    """Column ``k`` of the exponential map's left Jacobian: the axis a rotation vector's k-th number turns about."""
    t2 = x * x + y * y + z * z
    if t2 < 1e-8:
        a, b = 0.5 - t2 / 24.0, 1.0 / 6.0 - t2 / 120.0
    else:
        t = math.sqrt(t2)
        a, b = (1.0 - math.cos(t)) / t2, (t - math.sin(t)) / (t2 * t)
    # J e = e + a v x e + b (v (v . e) - e v . v)
    if k == 0:
        return 1.0 + b * (x * x - t2), a * z + b * x * y, -a * y + b * x * z
    if k == 1:
        return -a * z + b * x * y, 1.0 + b * (y * y - t2), a * x + b * y * z
    return a * y + b * x * z, -a * x + b * y * z, 1.0 + b * (z * z - t2)


@njit(cache=True)
def own_turn(kind: int, x: float, y: float, z: float, row: FloatArray) -> tuple[float, float, float, float]:
    """The turn a joint's three numbers make; writes the axes they turn about into its row of the room."""
    if kind == AXES:
        cx, sx, cy, sy = math.cos(0.5 * x), math.sin(0.5 * x), math.cos(0.5 * y), math.sin(0.5 * y)
        w0, x0, y0, z0 = cx * cy, sx * cy, cx * sy, sx * sy
        row[AXIS], row[AXIS + 1], row[AXIS + 2] = 1.0, 0.0, 0.0
        row[AXIS + 3], row[AXIS + 4], row[AXIS + 5] = qrot(cx, sx, 0.0, 0.0, 0.0, 1.0, 0.0)
    else:
        last = z if kind == ROOT else 0.0
        w0, x0, y0, z0 = qexp(x, y, last)
        for k in range(3 if kind == ROOT else 2):
            row[AXIS + 3 * k], row[AXIS + 3 * k + 1], row[AXIS + 3 * k + 2] = left_jacobian(x, y, last, k)
        if kind == ROOT:
            return w0, x0, y0, z0
    row[AXIS + 6], row[AXIS + 7], row[AXIS + 8] = qrot(w0, x0, y0, z0, 0.0, 0.0, 1.0)
    return qmul(w0, x0, y0, z0, math.cos(0.5 * z), 0.0, 0.0, math.sin(0.5 * z))


@njit(cache=True)
def place(space: SpaceArrays, q: FloatArray, room: Room) -> None:
    """Put joints, axes and capsules of a posture into ``room``."""
    joints = room.joints
    for j in range(joints.shape[0]):
        p = space.tree[j, PARENT]
        own, row = space.joints[j], joints[j]
        w, x, y, z = own[LEFT], own[LEFT + 1], own[LEFT + 2], own[LEFT + 3]
        if p < 0:
            row[AT], row[AT + 1], row[AT + 2] = q[0], q[1], q[2]
        else:
            above = joints[p]
            pw, px, py, pz = above[TURNED], above[TURNED + 1], above[TURNED + 2], above[TURNED + 3]
            dx, dy, dz = qrot(pw, px, py, pz, own[OFFSET], own[OFFSET + 1], own[OFFSET + 2])
            row[AT], row[AT + 1], row[AT + 2] = above[AT] + dx, above[AT + 1] + dy, above[AT + 2] + dz
            w, x, y, z = qmul(pw, px, py, pz, w, x, y, z)
        c = 3 + 3 * j
        ow, ox, oy, oz = own_turn(space.tree[j, KIND], q[c], q[c + 1], q[c + 2], row)
        for k in range(AXIS, AXIS + 9, 3):
            row[k], row[k + 1], row[k + 2] = qrot(w, x, y, z, row[k], row[k + 1], row[k + 2])
        ow, ox, oy, oz = qmul(w, x, y, z, ow, ox, oy, oz)
        row[TURNED], row[TURNED + 1], row[TURNED + 2], row[TURNED + 3] = qmul(
            ow, ox, oy, oz, own[RIGHT], own[RIGHT + 1], own[RIGHT + 2], own[RIGHT + 3]
        )
    _place_capsules(space.carriers, space.capsules, joints, room.capsules)
    if space.grounded:
        _ground(space.capsules, q[1], joints, room.capsules)


@njit(cache=True)
def _place_capsules(carriers: IntArray, capsules: FloatArray, joints: FloatArray, out: FloatArray) -> None:
    for c in range(carriers.shape[0]):
        row = joints[carriers[c]]
        w, x, y, z = row[TURNED], row[TURNED + 1], row[TURNED + 2], row[TURNED + 3]
        for e in (0, 3):
            dx, dy, dz = qrot(w, x, y, z, capsules[c, e], capsules[c, e + 1], capsules[c, e + 2])
            out[c, e], out[c, e + 1], out[c, e + 2] = row[AT] + dx, row[AT + 1] + dy, row[AT + 2] + dz
        for i in range(3):
            out[c, MIDDLE + i] = 0.5 * (out[c, i] + out[c, 3 + i])


@njit(cache=True)
def _ground(capsules: FloatArray, height: float, joints: FloatArray, out: FloatArray) -> None:
    """Move the body so that its softly lowest point is ``height`` above the floor; keep who carries it."""
    lowest = math.inf
    for c in range(out.shape[0]):
        if capsules[c, CARRIES] > 0.0:
            lowest = min(lowest, out[c, 1] - capsules[c, RADIUS], out[c, 4] - capsules[c, RADIUS])
    total = 0.0
    for c in range(out.shape[0]):
        for e in range(2):
            share = capsules[c, CARRIES] * math.exp(
                min(-(out[c, 1 + 3 * e] - capsules[c, RADIUS] - lowest) / SOFT_M, 0.0)
            )
            out[c, SUPPORT + e] = share
            total += share
    shift = height - (lowest - SOFT_M * math.log(total))
    for c in range(out.shape[0]):
        out[c, SUPPORT] /= total
        out[c, SUPPORT + 1] /= total
        out[c, 1] += shift
        out[c, 4] += shift
        out[c, MIDDLE + 1] += shift
    for j in range(joints.shape[0]):
        joints[j, AT + 1] += shift
