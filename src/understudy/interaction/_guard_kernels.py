"""Limits of joints and gaps between capsules, for all frames or for chosen moments."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.collision._segment_kernels import axes_nearest
from understudy.compiling.kernel import njit
from understudy.core.limits import LimitKind
from understudy.interaction._curve_kernels import Jets, Player, basis_at, cubic, displaced, jet, piece_of
from understudy.interaction._small_kernels import displacement, quaternion_of
from understudy.rotations._kernels import qmul, qnormalize
from understudy.typing import FloatArray, IntArray

_FREE, _ELLIPSE, _AXES = int(LimitKind.FREE), int(LimitKind.ELLIPSE), int(LimitKind.AXES)
#: [rad] step of the differences.
_STEP = 1e-5


class Fences(NamedTuple):
    """Limits of all joints: ``before q after`` is a local rotation in its limit's own frame.

    Attributes:
        before: ``(J, 4)``.
        after: ``(J, 4)``.
        kinds: ``(J,)``.
        low: ``(J, 3)`` [rad].
        high: ``(J, 3)`` [rad].
    """

    before: FloatArray
    after: FloatArray
    kinds: IntArray
    low: FloatArray
    high: FloatArray


@njit(cache=True, error_model="numpy")
def margin(fences: Fences, j: int, q: FloatArray) -> float:
    """How far a joint with local rotation ``q`` is within its limit [rad]; negative beyond it."""
    kind = fences.kinds[j]
    if kind == _FREE:
        return math.pi
    a, b = fences.before[j], fences.after[j]
    w, x, y, z = qmul(a[0], a[1], a[2], a[3], q[0], q[1], q[2], q[3])
    w, x, y, z = qmul(w, x, y, z, b[0], b[1], b[2], b[3])
    if kind == _AXES:
        # Intrinsic XYZ.
        first = math.atan2(2.0 * (w * x - y * z), 1.0 - 2.0 * (x * x + y * y))
        second = math.asin(min(1.0, max(-1.0, 2.0 * (x * z + w * y))))
        third = math.atan2(2.0 * (w * z - x * y), 1.0 - 2.0 * (y * y + z * z))
    else:
        cosine = math.hypot(w, z)
        tw, tp = (1.0, 0.0) if cosine < 1e-12 else (w / cosine, z / cosine)
        s1, s2 = tw * x - tp * y, tw * y + tp * x
        sine = math.hypot(s1, s2)
        scale = 2.0 if sine == 0.0 else 2.0 * math.atan2(sine, cosine) / sine
        first, second, third = scale * s1, scale * s2, 2.0 * math.atan2(tp if tw >= 0.0 else -tp, abs(tw))
    low, high = fences.low[j], fences.high[j]
    last = min(high[2] - third, third - low[2])
    if kind == _ELLIPSE:
        r1, r2 = max(0.5 * (high[0] - low[0]), 1e-9), max(0.5 * (high[1] - low[1]), 1e-9)
        share = math.hypot((first - 0.5 * (low[0] + high[0])) / r1, (second - 0.5 * (low[1] + high[1])) / r2)
        return min((1.0 - share) * min(r1, r2), last)
    return min(min(high[0] - first, first - low[0]), min(min(high[1] - second, second - low[1]), last))


@njit(cache=True, error_model="numpy")
def margins(fences: Fences, turns: FloatArray, out: FloatArray) -> None:
    """:func:`margin` of all joints ``(n, J)`` in all poses ``(n, J, 4)``."""
    for n in range(turns.shape[0]):
        for j in range(turns.shape[1]):
            out[n, j] = margin(fences, j, turns[n, j])


@njit(cache=True, error_model="numpy")
def turn_room(player: Player, fences: Fences, j: int, t: float, slope: FloatArray) -> float:
    """A joint's margin at a time [rad]; fills its derivative ``(3,)`` by the joint's displacement."""
    basis, theta, work, quaternion = np.empty((3, 4)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 4))
    own, small, turned = np.empty(4), np.empty(4), np.empty(4)
    turn, jac, rate, step = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    piece, u = piece_of(player, t)
    first = basis_at(player, t, basis)
    cubic(player.turn_base[piece, :, j], u, quaternion)
    s = quaternion[0]
    w, x, y, z = qnormalize(s[0], s[1], s[2], s[3])
    displaced(player, j, piece, u, basis, first, theta, work)
    quaternion_of(theta[0], small)
    own[0], own[1], own[2], own[3] = qmul(w, x, y, z, small[0], small[1], small[2], small[3])
    room = margin(fences, j, own)
    displacement(theta[0], theta[1], turn, jac, rate)
    slope[:] = 0.0
    for axis in range(3):
        change = 0.0
        for sign in (1.0, -1.0):
            step[:] = 0.0
            step[axis] = sign * _STEP
            quaternion_of(step, small)
            turned[0], turned[1], turned[2], turned[3] = qmul(
                own[0], own[1], own[2], own[3], small[0], small[1], small[2], small[3]
            )
            change += sign * margin(fences, j, turned)
        for i in range(3):
            slope[i] += change / (2.0 * _STEP) * jac[axis, i]
    return room


@njit(cache=True, error_model="numpy")
def turn_rooms(
    player: Player, fences: Fences, joints: IntArray, times: FloatArray, rooms: FloatArray, slopes: FloatArray
) -> None:
    """:func:`turn_room` of many joints and times."""
    for k in range(joints.shape[0]):
        rooms[k] = turn_room(player, fences, joints[k], times[k], slopes[k])


@njit(cache=True, error_model="numpy")
def pair_gaps(track: FloatArray, pairs: IntArray, radii: FloatArray, out: FloatArray) -> None:
    """Gaps ``(n, pairs)`` [m] between pairs of capsules whose ends are ``track`` ``(n, C, 2, 3)``."""
    for n in range(track.shape[0]):
        for k in range(pairs.shape[0]):
            a, b = pairs[k, 0], pairs[k, 1]
            d2, _, _ = axes_nearest(track[n, a, 0], track[n, a, 1], track[n, b, 0], track[n, b, 1])
            out[n, k] = math.sqrt(d2) - radii[a] - radii[b]


@njit(cache=True, error_model="numpy")
def ball_gaps(track: FloatArray, radii: FloatArray, places: FloatArray, out: FloatArray) -> None:
    """Gaps ``(n, C)`` [m] of a ball's centres ``(n, 3)`` and capsules ``(n, C, 2, 3)`` with summed radii ``(C,)``."""
    for n in range(places.shape[0]):
        for c in range(radii.shape[0]):
            d2, _, _ = axes_nearest(track[n, c, 0], track[n, c, 1], places[n], places[n])
            out[n, c] = math.sqrt(d2) - radii[c]


@njit(cache=True, error_model="numpy")
def point_track(
    player: Player, times: FloatArray, joint: int, point: FloatArray, jets: Jets, places: FloatArray, rates: FloatArray
) -> None:
    """Places and velocities ``(n, 3)`` of a point fixed to a joint at times; ``jets`` has room for one."""
    for n in range(times.shape[0]):
        jet(player, times[n], joint, point, jets, 0)
        for i in range(3):
            places[n, i], rates[n, i] = jets.place[0, i], jets.velocity[0, i]
