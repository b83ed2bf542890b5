"""Compiled leg IK: an ankle brought to its place by bending the knee about its hinge and swinging the thigh.

The least change of a leg: with the place it has already, it stays as it is. A knee bent backwards comes out bent
forwards by as much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from understudy.compiling.kernel import njit
from understudy.library.tables import LegTable
from understudy.rotations._kernels import qexp, qmul, qnormalize, qrot
from understudy.typing import FloatArray

Quaternion = Sequence[float] | FloatArray
Vector = Sequence[float]

#: A thigh that points the other way than wanted, to rounding: no smallest turn exists.
_OPPOSITE = -1.0 + 1e-9


@njit(cache=True, forceinline=True)
def leg_world(legs: LegTable, side: int, root: FloatArray, turns: FloatArray, out: FloatArray) -> None:
    """World transforms along one leg.

    Args:
        legs: Both legs.
        side: 0 left, 1 right.
        root: ``(3,)`` [m].
        turns: ``(joints, 4)`` local rotations.
        out: ``(5, 7)`` written: turn and place of the hip, the knee's parent, the knee, the ankle's parent, the ankle.
    """
    w, x, y, z = turns[0, 0], turns[0, 1], turns[0, 2], turns[0, 3]
    px, py, pz = root[0], root[1], root[2]
    hip, knee, ankle = legs.knees[side, 0], legs.knees[side, 1], legs.knees[side, 2]
    for k in range(legs.chains.shape[1]):
        joint = legs.chains[side, k]
        if joint < 0:
            break
        if joint == knee:
            out[1] = (w, x, y, z, px, py, pz)
        if joint == ankle:
            out[3] = (w, x, y, z, px, py, pz)
        dx, dy, dz = qrot(w, x, y, z, legs.offsets[joint, 0], legs.offsets[joint, 1], legs.offsets[joint, 2])
        px, py, pz = px + dx, py + dy, pz + dz
        w, x, y, z = qmul(w, x, y, z, turns[joint, 0], turns[joint, 1], turns[joint, 2], turns[joint, 3])
        if joint == hip:
            out[0] = (w, x, y, z, px, py, pz)
        if joint == knee:
            out[2] = (w, x, y, z, px, py, pz)
    out[4] = (w, x, y, z, px, py, pz)


@njit(cache=True, forceinline=True)
def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, forceinline=True)
def _from(a: FloatArray, b: FloatArray) -> Vector:
    """From one transform's place ``(7,)`` to another's."""
    return b[4] - a[4], b[5] - a[5], b[6] - a[6]


@njit(cache=True, forceinline=True)
def _bend(u: Vector, v: Vector, n: Vector, reach: float) -> float:
    """Turn of the lower leg ``v`` about ``n`` after which ``u + v`` is ``reach`` long, or as near as it gets [rad]."""
    shared = _dot(u, n) * _dot(v, n)
    along = _dot(u, v) - shared
    across = n[0] * (v[1] * u[2] - v[2] * u[1])
    across += n[1] * (v[2] * u[0] - v[0] * u[2]) + n[2] * (v[0] * u[1] - v[1] * u[0])
    wanted = 0.5 * (reach * reach - _dot(u, u) - _dot(v, v)) - shared
    size = math.sqrt(along * along + across * across)
    if size < 1e-12:
        return 0.0
    return math.atan2(across, along) + math.acos(min(max(wanted / size, -1.0), 1.0))


@njit(cache=True, forceinline=True)
def lacking(work: FloatArray, target: FloatArray, share: float) -> float:
    """How far the root has to come down before a foot reaches its place [m]; negative when it need not.

    Args:
        work: ``(5, 7)`` of the leg.
        target: Place of the ankle [m].
        share: Of the straight leg that may be used, unless more of it was used before.
    """
    thigh, shank, own = _from(work[0], work[2]), _from(work[2], work[4]), _from(work[0], work[4])
    bones = math.sqrt(_dot(thigh, thigh)) + math.sqrt(_dot(shank, shank))
    far2 = max((share * bones) ** 2, _dot(own, own))
    dx, dz = work[0, 4] - target[0], work[0, 6] - target[2]
    return work[0, 5] - target[1] - math.sqrt(max(far2 - dx * dx - dz * dz, 0.0))


@njit(cache=True, forceinline=True)
def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    return qmul(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])


@njit(cache=True, forceinline=True)
def _inverse(a: Quaternion) -> Quaternion:
    return a[0], -a[1], -a[2], -a[3]


@njit(cache=True, forceinline=True)
def _between(a: Vector, b: Vector, sizes: float) -> Quaternion:
    """The smallest turn from one direction to another; half a turn about some axis when they are opposite."""
    cosine = _dot(a, b) / sizes
    if cosine < _OPPOSITE:
        return qnormalize(0.0, -a[1], a[0], 0.0) if abs(a[2]) < 0.9 else qnormalize(0.0, 0.0, -a[2], a[1])
    return qnormalize(
        1.0 + cosine,
        (a[1] * b[2] - a[2] * b[1]) / sizes,
        (a[2] * b[0] - a[0] * b[2]) / sizes,
        (a[0] * b[1] - a[1] * b[0]) / sizes,
    )


@njit(cache=True, forceinline=True)
def _write(turns: FloatArray, joint: int, q: Quaternion) -> None:
    """Write a rotation with the sign nearest to what was there, so that motions stay continuous."""
    old = turns[joint]
    sign = 1.0 if old[0] * q[0] + old[1] * q[1] + old[2] * q[2] + old[3] * q[3] >= 0.0 else -1.0
    for i in range(4):
        old[i] = sign * q[i]


@njit(cache=True, forceinline=True)
def placed_leg(
    legs: LegTable, side: int, turns: FloatArray, place: FloatArray, turn: FloatArray, work: FloatArray
) -> float:
    """Bring one ankle to a place, turned as wanted.

    Args:
        legs: Both legs.
        side: 0 left, 1 right.
        turns: ``(joints, 4)`` local rotations, changed in place.
        place: ``(3,)`` for the ankle [m].
        turn: ``(4,)`` for the ankle, in the world.
        work: ``(5, 7)`` of the leg, from :func:`leg_world`.

    Returns:
        By how much it misses [m].
    """
    hip, knee, ankle = legs.knees[side, 0], legs.knees[side, 1], legs.knees[side, 2]
    above, hinge, start = work[1], legs.hinges[side], work[0]
    n = qrot(above[0], above[1], above[2], above[3], hinge[0], hinge[1], hinge[2])
    u, v = _from(work[0], work[2]), _from(work[2], work[4])
    want = place[0] - start[4], place[1] - start[5], place[2] - start[6]
    reach = math.sqrt(_dot(want, want))
    bent = _bend(u, v, n, reach)
    bend = qexp(bent * n[0], bent * n[1], bent * n[2])
    lower = qrot(bend[0], bend[1], bend[2], bend[3], v[0], v[1], v[2])
    end = u[0] + lower[0], u[1] + lower[1], u[2] + lower[2]
    length = math.sqrt(_dot(end, end))
    swing = _between(end, want, max(length * reach, 1e-12))
    # The thigh swings, the knee keeps its bend below it, the ankle faces where it should.
    base = _product(work[0], _inverse(turns[hip]))
    _write(turns, hip, _product(_inverse(base), _product(swing, work[0])))
    _write(turns, knee, _product(_inverse(above), _product(bend, work[2])))
    shank = _product(swing, _product(bend, work[3]))
    _write(turns, ankle, _product(_inverse(shank), turn))
    return abs(length - reach)
