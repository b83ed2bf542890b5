"""The repulsive energy of a posture and its gradient, summed over the tree in one pass ([Postures]).

``E = sum over pairs of 1 / gap^d`` with ``gap`` the distance of two capsules' surfaces, over the body's own pairs and
over capsules and solids. Deviations from the paper: obstacles have the same fall-off ``d`` as the body (in metres a
square would vanish beside a fifth power), counted up to ``FAR_M`` and shifted to reach zero there. The ground counts as
``GROUND_M`` farther away than it is: what rests on it would outweigh everything else.
"""

from __future__ import annotations

import math

from understudy.collision._segment_kernels import segments_nearest, segments_signed
from understudy.collision.tables import BOUND, CENTRE, HALF_SPACE
from understudy.compiling.kernel import njit
from understudy.postures._placing_kernels import place
from understudy.postures._solid_kernels import axis_distance
from understudy.postures.tables import (
    APART,
    AT,
    AXIS,
    FORCE,
    GAP,
    HALF,
    MIDDLE,
    MOMENT,
    NORMAL,
    PARENT,
    POINT,
    RADIUS,
    SUPPORT,
    Room,
    Solids,
    SpaceArrays,
)
from understudy.typing import FloatArray, IntArray

#: [m] obstacles farther away do not count.
FAR_M = 1.0
#: [m] how much farther the ground seems.
GROUND_M = 0.03


@njit(cache=True)
def measure_pairs(
    pairs: IntArray, touching: FloatArray, keep: FloatArray, capsules: FloatArray, near: FloatArray
) -> float:
    """Fill the rows of ``near`` for the body's own pairs; the least gap above what must be kept [m]."""
    least = math.inf
    for k in range(pairs.shape[0]):
        a, b = capsules[pairs[k, 0]], capsules[pairs[k, 1]]
        d2, s, t = segments_nearest(a[0], a[1], a[2], a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5])
        d = math.sqrt(d2)
        if d > 1e-9:
            for m in range(3):
                p = a[m] + s * (a[3 + m] - a[m])
                near[k, POINT + m] = p
                near[k, NORMAL + m] = (p - b[m] - t * (b[3 + m] - b[m])) / d
        else:
            d, s, nx, ny, nz = segments_signed(a[0], a[1], a[2], a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5])
            near[k, NORMAL], near[k, NORMAL + 1], near[k, NORMAL + 2] = nx, ny, nz
            for m in range(3):
                near[k, POINT + m] = a[m] + s * (a[3 + m] - a[m])
        near[k, APART] = d
        near[k, GAP] = d - touching[k]
        least = min(least, near[k, GAP] - keep[k])
    return least


@njit(cache=True)
def measure_solids(solids: Solids, body: FloatArray, keep: FloatArray, capsules: FloatArray, near: FloatArray) -> float:
    """Fill the last rows of ``near``, for capsules and solids; the least gap above what must be kept [m]."""
    rows, count = solids.rows, capsules.shape[0]
    least = math.inf
    k = near.shape[0] - rows.shape[0] * count
    for i in range(rows.shape[0]):
        for c in range(count):
            a = capsules[c]
            near[k, GAP] = math.inf
            x, y, z = (
                a[MIDDLE] - rows[i, CENTRE],
                a[MIDDLE + 1] - rows[i, CENTRE + 1],
                a[MIDDLE + 2] - rows[i, CENTRE + 2],
            )
            apart = math.sqrt(x * x + y * y + z * z) - body[c, HALF] - body[c, RADIUS] - rows[i, BOUND]
            if keep[k] > -math.inf and apart < FAR_M:
                d, s, nx, ny, nz = axis_distance(solids, i, a)
                near[k, GAP] = d - body[c, RADIUS]
                near[k, NORMAL], near[k, NORMAL + 1], near[k, NORMAL + 2] = nx, ny, nz
                near[k, APART] = near[k, GAP] + (GROUND_M if solids.kinds[i, 0] == HALF_SPACE else 0.0)
                for m in range(3):
                    near[k, POINT + m] = a[m] + s * (a[3 + m] - a[m])
                least = min(least, near[k, GAP] - keep[k])
            k += 1
    return least


@njit(cache=True)
def measure(space: SpaceArrays, solids: Solids | None, keep: FloatArray, room: Room) -> float:
    """Fill ``room.near`` for a placed posture; the least gap above what must be kept [m]."""
    least = measure_pairs(space.pairs, space.touching, keep, room.capsules, room.near)
    if solids is not None:
        least = min(least, measure_solids(solids, space.capsules, keep, room.capsules, room.near))
    return least


@njit(cache=True)
def power(gap: float, d: int) -> float:
    """``1 / gap^d``."""
    value = 1.0
    for _ in range(d):
        value *= gap
    return 1.0 / value


@njit(cache=True)
def push(row: FloatArray, near: FloatArray, shift: float, size: float) -> None:
    """Add the force ``size`` along a row's normal, at its first point moved by ``-shift`` along it, to a joint."""
    nx, ny, nz = near[NORMAL], near[NORMAL + 1], near[NORMAL + 2]
    x, y, z = near[POINT] - shift * nx, near[POINT + 1] - shift * ny, near[POINT + 2] - shift * nz
    fx, fy, fz = size * nx, size * ny, size * nz
    row[FORCE] += fx
    row[FORCE + 1] += fy
    row[FORCE + 2] += fz
    row[MOMENT] += y * fz - z * fy
    row[MOMENT + 1] += z * fx - x * fz
    row[MOMENT + 2] += x * fy - y * fx


@njit(cache=True)
def ground_answer(carriers: IntArray, capsules: FloatArray, joints: FloatArray) -> float:
    """Let the floor answer all vertical force where it carries the body; how much that was."""
    lift = 0.0
    for j in range(joints.shape[0]):
        lift += joints[j, FORCE + 1]
    for c in range(carriers.shape[0]):
        row = joints[carriers[c]]
        for e in range(2):
            f = -lift * capsules[c, SUPPORT + e]
            row[FORCE + 1] += f
            row[MOMENT] -= capsules[c, 3 * e + 2] * f
            row[MOMENT + 2] += capsules[c, 3 * e] * f
    return lift


@njit(cache=True)
def gather(tree: IntArray, movable: FloatArray, joints: FloatArray, gradient: FloatArray) -> None:
    """Turn forces and moments on joints into the gradient, from the tips to the root; uses them up."""
    for j in range(joints.shape[0] - 1, -1, -1):
        row = joints[j]
        fx, fy, fz = row[FORCE], row[FORCE + 1], row[FORCE + 2]
        tx = row[MOMENT] - (row[AT + 1] * fz - row[AT + 2] * fy)
        ty = row[MOMENT + 1] - (row[AT + 2] * fx - row[AT] * fz)
        tz = row[MOMENT + 2] - (row[AT] * fy - row[AT + 1] * fx)
        for k in range(3):
            a = AXIS + 3 * k
            gradient[3 + 3 * j + k] = row[a] * tx + row[a + 1] * ty + row[a + 2] * tz
        p = tree[j, PARENT]
        if p >= 0:
            for m in range(6):
                joints[p, FORCE + m] += row[FORCE + m]
    gradient[0], gradient[1], gradient[2] = joints[0, FORCE], joints[0, FORCE + 1], joints[0, FORCE + 2]
    for c in range(gradient.shape[0]):
        gradient[c] *= movable[c]


@njit(cache=True)
def energy(
    space: SpaceArrays,
    solids: Solids | None,
    keep: FloatArray,
    q: FloatArray,
    d: int,
    room: Room,
    gradient: FloatArray,
) -> tuple[float, float]:
    """Energy, and the least gap above what must be kept [m]; fills ``gradient`` unless it is empty.

    The energy is infinite, and the gradient not filled, where anything touches.
    """
    place(space, q, room)
    least = measure(space, solids, keep, room)
    near, joints, pairs = room.near, room.joints, space.pairs.shape[0]
    capsules = space.carriers.shape[0]
    joints[:, FORCE:] = 0.0
    total, far = 0.0, power(FAR_M, d)
    wanted = gradient.shape[0] > 0
    for k in range(near.shape[0]):
        gap = near[k, GAP]
        if k >= pairs and (gap == math.inf or near[k, APART] >= FAR_M or keep[k] == -math.inf):
            continue
        if gap <= 0.0:
            return math.inf, least
        if k >= pairs:
            gap = near[k, APART]
        value = power(gap, d)
        size = -d * value / gap
        total += value if k < pairs else value - far
        if not wanted:
            continue
        if k < pairs:
            push(joints[space.carriers[space.pairs[k, 0]]], near[k], 0.0, size)
            push(joints[space.carriers[space.pairs[k, 1]]], near[k], near[k, APART], -size)
        else:
            push(joints[space.carriers[(k - pairs) % capsules]], near[k], 0.0, size)
    if wanted:
        lift = ground_answer(space.carriers, room.capsules, joints) if space.grounded else 0.0
        gather(space.tree, space.movable, joints, gradient)
        if space.grounded:
            gradient[1] = lift * space.movable[1]
    return total, least
