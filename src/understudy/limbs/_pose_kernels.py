"""A limb in one pose at one time of its clip: joints, parts, the rest of the body and moving solids in place."""

from __future__ import annotations

import math

from understudy.collision._placing_kernels import place_moving
from understudy.compiling.kernel import njit
from understudy.core.limits import LimitKind
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.limbs.tables import Scratch, Setting, SpaceArrays, WindowArrays
from understudy.rotations._kernels import qexp, qmul, qnormalize, qrot, qswing_twist_coords
from understudy.typing import FloatArray, IntArray

_AXES = int(LimitKind.AXES)
_ELLIPSE = int(LimitKind.ELLIPSE)


@uncounted_inline
def own_turn(kind: int, a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """A joint's turn from its coordinates, in the frame of its limits."""
    cosine, sine = math.cos(0.5 * c), math.sin(0.5 * c)
    if kind != _AXES:
        w, x, y, z = qexp(a, b, 0.0)
        return qmul(w, x, y, z, cosine, 0.0, 0.0, sine)
    w, x, y, z = qmul(math.cos(0.5 * a), math.sin(0.5 * a), 0.0, 0.0, math.cos(0.5 * b), 0.0, math.sin(0.5 * b), 0.0)
    return qmul(w, x, y, z, cosine, 0.0, 0.0, sine)


@uncounted
def joint_turn(space: SpaceArrays, j: int, a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """Local rotation of joint ``j`` of the chain with some coordinates [rad]."""
    before, after = space.before, space.after
    w, x, y, z = own_turn(space.kinds[j], a, b, c)
    w, x, y, z = qmul(before[j, 0], before[j, 1], before[j, 2], before[j, 3], w, x, y, z)
    return qmul(w, x, y, z, after[j, 0], after[j, 1], after[j, 2], after[j, 3])


@uncounted
def joint_coordinates(space: SpaceArrays, j: int, w: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Coordinates [rad] of joint ``j`` of the chain in its local rotation, as ``JointLimits.coordinates`` has them."""
    before, after = space.before, space.after
    w, x, y, z = qmul(before[j, 0], -before[j, 1], -before[j, 2], -before[j, 3], w, x, y, z)
    w, x, y, z = qmul(w, x, y, z, after[j, 0], -after[j, 1], -after[j, 2], -after[j, 3])
    if space.kinds[j] != _AXES:
        return qswing_twist_coords(w, x, y, z, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
    sine = min(max(2.0 * (x * z + w * y), -1.0), 1.0)
    first = math.atan2(-2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))
    last = math.atan2(-2.0 * (x * y - w * z), 1.0 - 2.0 * (y * y + z * z))
    return first, math.asin(sine), last


@njit(cache=True, error_model="numpy")
def chain_coordinates(space: SpaceArrays, joints: IntArray, local: FloatArray, out: FloatArray) -> None:
    """Coordinates ``(n, 3 joints)`` [rad] of the chain at ``joints`` of local rotations ``(n, all joints, 4)``."""
    for n in range(local.shape[0]):
        for k in range(joints.shape[0]):
            q = local[n, joints[k]]
            a, b, c = joint_coordinates(space, k, q[0], q[1], q[2], q[3])
            out[n, 3 * k], out[n, 3 * k + 1], out[n, 3 * k + 2] = a, b, c


@uncounted_inline
def place_chain(space: SpaceArrays, coordinates: FloatArray, at: FloatArray, turned: FloatArray) -> None:
    """Positions and rotations of a limb's joints in its parent's frame."""
    pw, px, py, pz = 1.0, 0.0, 0.0, 0.0
    x, y, z = 0.0, 0.0, 0.0
    for j in range(space.kinds.shape[0]):
        dx, dy, dz = qrot(pw, px, py, pz, space.offsets[j, 0], space.offsets[j, 1], space.offsets[j, 2])
        x, y, z = x + dx, y + dy, z + dz
        qw, qx, qy, qz = joint_turn(space, j, coordinates[3 * j], coordinates[3 * j + 1], coordinates[3 * j + 2])
        pw, px, py, pz = qmul(pw, px, py, pz, qw, qx, qy, qz)
        at[j, 0], at[j, 1], at[j, 2] = x, y, z
        turned[j, 0], turned[j, 1], turned[j, 2], turned[j, 3] = pw, px, py, pz


@uncounted_inline
def grid_place(window: WindowArrays, t: float) -> tuple[int, float]:
    """Cell of a time and the share of it that has passed."""
    place = (t - window.clock[0]) / window.clock[1]
    cell = min(max(math.floor(place), 0), window.coordinates.shape[0] - 2)
    return cell, min(max(place - cell, 0.0), 1.0)


@uncounted_inline
def read_coordinates(setting: Setting, offset: FloatArray, t: float, out: FloatArray) -> None:
    """Coordinates of the clip at a time with parameters added."""
    spread, table = setting.space.spread, setting.window.coordinates
    cell, share = grid_place(setting.window, t)
    for i in range(out.shape[0]):
        value = table[cell, i] + share * (table[cell + 1, i] - table[cell, i])
        for d in range(offset.shape[0]):
            value += spread[i, d] * offset[d]
        out[i] = value


@uncounted_inline
def _middle(segments: FloatArray, c: int) -> None:
    for i in range(3):
        segments[c, 6 + i] = 0.5 * (segments[c, i] + segments[c, 3 + i])


@uncounted_inline
def place_own(setting: Setting, scratch: Scratch, offset: FloatArray, t: float) -> None:
    """Put the limb's parts, ``offset`` added to the clip's parameters, in place at ``t`` in the parent's frame."""
    window, own, turned = setting.window, scratch.own, scratch.turned
    read_coordinates(setting, offset, t, scratch.coordinates)
    place_chain(setting.space, scratch.coordinates, scratch.at, turned)
    cell, share = grid_place(window, t)
    still = window.own.shape[0] == 1
    for c in range(own.shape[0]):
        j = window.carriers[c]
        for end in (0, 3):
            if still:
                x, y, z = window.own[0, c, end], window.own[0, c, end + 1], window.own[0, c, end + 2]
            else:
                a, b = window.own[cell, c], window.own[cell + 1, c]
                x = a[end] + share * (b[end] - a[end])
                y = a[end + 1] + share * (b[end + 1] - a[end + 1])
                z = a[end + 2] + share * (b[end + 2] - a[end + 2])
            x, y, z = qrot(turned[j, 0], turned[j, 1], turned[j, 2], turned[j, 3], x, y, z)
            own[c, end], own[c, end + 1], own[c, end + 2] = (
                x + scratch.at[j, 0],
                y + scratch.at[j, 1],
                z + scratch.at[j, 2],
            )


@uncounted_inline
def _place_world(window: WindowArrays, scratch: Scratch, cell: int, share: float) -> None:
    """Put the limb's placed parts into the world."""
    own, world, base = scratch.own, scratch.world, window.base
    bx = base[cell, 0] + share * (base[cell + 1, 0] - base[cell, 0])
    by = base[cell, 1] + share * (base[cell + 1, 1] - base[cell, 1])
    bz = base[cell, 2] + share * (base[cell + 1, 2] - base[cell, 2])
    bw, b1, b2, b3 = qnormalize(
        base[cell, 3] + share * (base[cell + 1, 3] - base[cell, 3]),
        base[cell, 4] + share * (base[cell + 1, 4] - base[cell, 4]),
        base[cell, 5] + share * (base[cell + 1, 5] - base[cell, 5]),
        base[cell, 6] + share * (base[cell + 1, 6] - base[cell, 6]),
    )
    for c in range(own.shape[0]):
        for end in (0, 3):
            x, y, z = qrot(bw, b1, b2, b3, own[c, end], own[c, end + 1], own[c, end + 2])
            world[c, end], world[c, end + 1], world[c, end + 2] = bx + x, by + y, bz + z
        _middle(own, c)
        _middle(world, c)


@uncounted_inline
def place_limb(setting: Setting, scratch: Scratch, offset: FloatArray, t: float) -> None:
    """Put the limb with parameters ``offset`` added to the clip's, and all it can meet, where they are at ``t``."""
    window, rest = setting.window, scratch.rest
    cell, share = grid_place(window, t)
    place_own(setting, scratch, offset, t)
    _place_world(window, scratch, cell, share)
    for c in range(rest.shape[0]):
        for i in range(6):
            rest[c, i] = window.rest[cell, c, i] + share * (window.rest[cell + 1, c, i] - window.rest[cell, c, i])
        _middle(rest, c)
    place_moving(setting.tracks, t, scratch.rows)


@uncounted_inline
def joint_excess(space: SpaceArrays, coordinates: FloatArray, j: int) -> float:
    """How far joint ``j`` is outside its limit [rad]."""
    kind = space.kinds[j]
    beyond = 0.0
    for i in range(3):
        if kind != _AXES and i < 2:
            continue
        value = coordinates[3 * j + i]
        beyond = max(beyond, space.low[j, i] - value, value - space.high[j, i])
    if kind == _AXES:
        return beyond
    if kind != _ELLIPSE:
        return 0.0
    share, length = 0.0, 0.0
    for i in range(2):
        away = coordinates[3 * j + i] - 0.5 * (space.low[j, i] + space.high[j, i])
        share += (away / max(0.5 * (space.high[j, i] - space.low[j, i]), 1e-9)) ** 2
        length += away * away
    if share > 1.0:
        beyond = max(beyond, math.sqrt(length) * (1.0 - 1.0 / math.sqrt(share)))
    return beyond


@uncounted_inline
def breaks_limits(setting: Setting, scratch: Scratch, offset: FloatArray, t: float) -> int:
    """The first joint further outside its limits than the clip itself at this time, or -1."""
    read_coordinates(setting, offset, t, scratch.coordinates)
    window = setting.window
    cell, share = grid_place(window, t)
    for j in range(setting.space.kinds.shape[0]):
        allowed = window.excess[cell, j] + share * (window.excess[cell + 1, j] - window.excess[cell, j])
        if joint_excess(setting.space, scratch.coordinates, j) > allowed + 1e-9:
            return j
    return -1
