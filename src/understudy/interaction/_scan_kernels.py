"""Looking for contacts: all capsules at a grid of times, and the first interval in which a flying ball meets one."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Player, pose
from understudy.interaction._row_kernels import GRAVITY
from understudy.interaction._surface_kernels import surface
from understudy.rotations._kernels import qmul, qrot
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def capsule_track(
    player: Player,
    times: FloatArray,
    joints: IntArray,
    starts: FloatArray,
    ends: FloatArray,
    out: FloatArray,
) -> None:
    """World ends ``(T, C, 2, 3)`` of capsules at times."""
    count = player.offsets.shape[0]
    root, local = np.empty(3), np.empty((count, 4))
    place, turn = np.empty((count, 3)), np.empty((count, 4))
    for t in range(times.shape[0]):
        pose(player, times[t], root, local)
        place[0] = root
        turn[0] = local[0]
        for j in range(1, count):
            p = player.chains[j, player.depths[j] - 2]
            x, y, z = qrot(
                turn[p, 0],
                turn[p, 1],
                turn[p, 2],
                turn[p, 3],
                player.offsets[j, 0],
                player.offsets[j, 1],
                player.offsets[j, 2],
            )
            place[j, 0], place[j, 1], place[j, 2] = place[p, 0] + x, place[p, 1] + y, place[p, 2] + z
            a, b = turn[p], local[j]
            turn[j, 0], turn[j, 1], turn[j, 2], turn[j, 3] = qmul(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])
        for c in range(joints.shape[0]):
            j = joints[c]
            for e in range(2):
                at = starts[c] if e == 0 else ends[c]
                x, y, z = qrot(turn[j, 0], turn[j, 1], turn[j, 2], turn[j, 3], at[0], at[1], at[2])
                out[t, c, e, 0], out[t, c, e, 1], out[t, c, e, 2] = place[j, 0] + x, place[j, 1] + y, place[j, 2] + z


@njit(cache=True, error_model="numpy")
def point_gap(a: FloatArray, b: FloatArray, x: float, y: float, z: float) -> float:
    """Distance of a point from the segment ``ab`` [m]."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    wx, wy, wz = x - a[0], y - a[1], z - a[2]
    length2 = ux * ux + uy * uy + uz * uz
    share = 0.0 if length2 < 1e-18 else min(max((ux * wx + uy * wy + uz * wz) / length2, 0.0), 1.0)
    dx, dy, dz = wx - share * ux, wy - share * uy, wz - share * uz
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@njit(cache=True, error_model="numpy")
def first_meeting(
    times: FloatArray, capsules: FloatArray, radii: FloatArray, place: FloatArray, velocity: FloatArray, start: float
) -> tuple[int, int]:
    """First grid interval in which a flying ball comes into a capsule it was clear of, and which capsule.

    Args:
        times: ``(T,)`` grid [s].
        capsules: ``(T, C, 2, 3)`` ends.
        radii: ``(C,)`` sums of both radii [m].
        place: ``(3,)`` of the ball at ``start`` [m].
        velocity: ``(3,)`` [m/s].
        start: [s].

    Returns:
        The interval's first grid point and the capsule; -1 and -1 when there is none.
    """
    count = radii.shape[0]
    clear = np.zeros(count, dtype=np.bool_)
    before = int(np.searchsorted(times, start))
    for t in range(before, times.shape[0]):
        u = times[t] - start
        x, y, z = (
            place[0] + u * velocity[0],
            place[1] + u * (velocity[1] + 0.5 * GRAVITY * u),
            place[2] + u * velocity[2],
        )
        for c in range(count):
            gap = point_gap(capsules[t, c, 0], capsules[t, c, 1], x, y, z) - radii[c]
            if gap > 1e-7:
                clear[c] = True
            elif clear[c] or (t == before and gap < -2e-3):
                return t - 1, c
    return -1, -1


@njit(cache=True, error_model="numpy")
def still_meeting(
    kind: int,
    shape: FloatArray,
    origin: FloatArray,
    turn: FloatArray,
    flight: FloatArray,
    start: float,
    end: float,
    step: float,
) -> float:
    """When a flying ball first is inside a surface that stands still, looked at every ``step`` [s]; -1 for never.

    ``flight``: ``(2, 3)`` place and velocity at ``start``. The ball has to come clear of the surface first.
    """
    normal, bend, inside = np.empty(3), np.empty((3, 3)), np.empty(3)
    clear = False
    count = math.ceil((end - start) / step)
    for k in range(count + 1):
        u = min(k * step, end - start)
        for i in range(3):
            inside[i] = 0.0
            for j in range(3):
                drop = 0.5 * GRAVITY * u * u if j == 1 else 0.0
                inside[i] += turn[j, i] * (flight[0, j] + u * flight[1, j] + drop - origin[j])
        gap = surface(kind, shape, inside, normal, bend)
        if gap > 1e-7:
            clear = True
        elif clear or gap < -1e-3:
            return start + u
    return -1.0


@njit(cache=True, error_model="numpy")
def ball_gaps(capsules: FloatArray, radii: FloatArray, places: FloatArray, out: FloatArray) -> None:
    """Gaps ``(T, C)`` [m] of a ball's centres ``(T, 3)`` and capsules ``(T, C, 2, 3)`` with summed radii ``(C,)``."""
    for t in range(places.shape[0]):
        for c in range(radii.shape[0]):
            gap = point_gap(capsules[t, c, 0], capsules[t, c, 1], places[t, 0], places[t, 1], places[t, 2])
            out[t, c] = gap - radii[c]
