"""How a posture's points and gaps move when its coordinates move."""

from __future__ import annotations

import math

from understudy.collision._segment_kernels import segments_nearest
from understudy.compiling.kernel import njit
from understudy.postures.tables import AT, AXIS, HALF, MIDDLE, PARENT, TURNED, Room, SpaceArrays
from understudy.rotations._kernels import qrot
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def _add_point(
    tree: IntArray, joints: FloatArray, joint: int, x: float, y: float, z: float, sign: float, row: FloatArray
) -> None:
    """Add ``sign`` times the Jacobian of a world point fixed to a joint; ``row (3, size)``."""
    for i in range(3):
        row[i, i] += sign
    j = joint
    while j >= 0:
        own = joints[j]
        rx, ry, rz = x - own[AT], y - own[AT + 1], z - own[AT + 2]
        for k in range(3):
            ax, ay, az = own[AXIS + 3 * k], own[AXIS + 3 * k + 1], own[AXIS + 3 * k + 2]
            c = 3 + 3 * j + k
            row[0, c] += sign * (ay * rz - az * ry)
            row[1, c] += sign * (az * rx - ax * rz)
            row[2, c] += sign * (ax * ry - ay * rx)
        j = tree[j, PARENT]


@njit(cache=True)
def point_rows(
    space: SpaceArrays, room: Room, carriers: IntArray, points: FloatArray, places: FloatArray, rows: FloatArray
) -> None:
    """World places ``(n, 3)`` [m] of points fixed to joints of a placed posture, and their Jacobians.

    Args:
        space: The body.
        room: Holds the placed posture.
        carriers: ``(n,)`` joints.
        points: ``(n, 3)`` in the joints' frames [m].
        places: Filled.
        rows: ``(n, 3, size)``, filled.
    """
    rows[:] = 0.0
    for n in range(carriers.shape[0]):
        own = room.joints[carriers[n]]
        x, y, z = qrot(
            own[TURNED],
            own[TURNED + 1],
            own[TURNED + 2],
            own[TURNED + 3],
            points[n, 0],
            points[n, 1],
            points[n, 2],
        )
        x, y, z = x + own[AT], y + own[AT + 1], z + own[AT + 2]
        places[n, 0], places[n, 1], places[n, 2] = x, y, z
        _add_point(space.tree, room.joints, carriers[n], x, y, z, 1.0, rows[n])


@njit(cache=True)
def gap_rows(space: SpaceArrays, room: Room, near_m: float, which: IntArray, gaps: FloatArray, rows: FloatArray) -> int:
    """Pairs of the body's own capsules nearer than ``near_m``: number, gap [m], gradient of the gap ``(size,)``.

    Returns:
        How many; no more than there is room for in ``which``, ``gaps`` and ``rows``.
    """
    count, scratch = 0, rows[: 3 * which.shape[0]]
    for k in range(space.pairs.shape[0]):
        i, j = space.pairs[k, 0], space.pairs[k, 1]
        a, b = room.capsules[i], room.capsules[j]
        x, y, z = a[MIDDLE] - b[MIDDLE], a[MIDDLE + 1] - b[MIDDLE + 1], a[MIDDLE + 2] - b[MIDDLE + 2]
        reach = space.touching[k] + near_m + space.capsules[i, HALF] + space.capsules[j, HALF]
        if x * x + y * y + z * z > reach * reach:
            continue
        d2, s, t = segments_nearest(a[0], a[1], a[2], a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5])
        apart = math.sqrt(d2)
        if apart - space.touching[k] > near_m or apart < 1e-9 or count == which.shape[0]:
            continue
        ax, ay, az = a[0] + s * (a[3] - a[0]), a[1] + s * (a[4] - a[1]), a[2] + s * (a[5] - a[2])
        bx, by, bz = b[0] + t * (b[3] - b[0]), b[1] + t * (b[4] - b[1]), b[2] + t * (b[5] - b[2])
        own = scratch[3 * count : 3 * count + 3]
        own[:] = 0.0
        _add_point(space.tree, room.joints, space.carriers[i], ax, ay, az, 1.0, own)
        _add_point(space.tree, room.joints, space.carriers[j], bx, by, bz, -1.0, own)
        for c in range(own.shape[1]):
            own[0, c] = ((ax - bx) * own[0, c] + (ay - by) * own[1, c] + (az - bz) * own[2, c]) / apart
        which[count], gaps[count] = k, apart - space.touching[k]
        count += 1
    for n in range(count):
        rows[n] = scratch[3 * n]
    return count
