"""Offsets put on a clip: local rotations of a limb's joints with parameters added to their own."""

from __future__ import annotations

from understudy.compiling.kernel import njit
from understudy.limbs._pose_kernels import own_turn
from understudy.limbs._window_kernels import own_coordinates
from understudy.limbs.tables import SpaceArrays
from understudy.rotations._kernels import qmul, qnormalize, qslerp
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def _coordinates(space: SpaceArrays, k: int, w: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Coordinates [rad] of joint ``k`` of the chain in its local rotation."""
    before, after = space.before[k], space.after[k]
    w, x, y, z = qmul(before[0], -before[1], -before[2], -before[3], w, x, y, z)
    w, x, y, z = qmul(w, x, y, z, after[0], -after[1], -after[2], -after[3])
    return own_coordinates(space.kinds[k], w, x, y, z)


@njit(cache=True, error_model="numpy")
def _moved(space: SpaceArrays, k: int, own: FloatArray, offset: FloatArray) -> tuple[float, float, float, float]:
    """Local rotation of joint ``k`` of the chain with an offset ``(parameters,)`` added to its own."""
    spread, before, after = space.spread, space.before[k], space.after[k]
    a, b, c = _coordinates(space, k, own[0], own[1], own[2], own[3])
    for d in range(offset.shape[0]):
        a += spread[3 * k, d] * offset[d]
        b += spread[3 * k + 1, d] * offset[d]
        c += spread[3 * k + 2, d] * offset[d]
    w, x, y, z = own_turn(space.kinds[k], a, b, c)
    w, x, y, z = qmul(before[0], before[1], before[2], before[3], w, x, y, z)
    w, x, y, z = qmul(w, x, y, z, after[0], after[1], after[2], after[3])
    return qnormalize(w, x, y, z)


@njit(cache=True, error_model="numpy")
def change_between(
    space: SpaceArrays, joints: IntArray, frames: FloatArray, offsets: FloatArray, share: float, out: FloatArray
) -> None:
    """How far coordinates ``out (3 joints,)`` [rad] are from the clip's a share of the way from a frame to the next.

    The clip's local rotations ``frames (2, all joints, 4)`` with ``offsets (2, parameters)`` are interpolated by slerp.
    """
    for k in range(joints.shape[0]):
        one, two = frames[0, joints[k]], frames[1, joints[k]]
        w, x, y, z = qslerp(one[0], one[1], one[2], one[3], two[0], two[1], two[2], two[3], share)
        clip = _coordinates(space, k, w, x, y, z)
        a, b = _moved(space, k, one, offsets[0]), _moved(space, k, two, offsets[1])
        w, x, y, z = qslerp(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], share)
        made = _coordinates(space, k, w, x, y, z)
        for i in range(3):
            out[3 * k + i] = made[i] - clip[i]


@njit(cache=True, error_model="numpy")
def add_offsets(
    space: SpaceArrays, joints: IntArray, frames: IntArray, offsets: FloatArray, rotations: FloatArray
) -> None:
    """Add offsets ``(n, parameters)`` to frames ``(n,)`` of local rotations ``(frames, all joints, 4)``, in place."""
    for n in range(frames.shape[0]):
        for k in range(joints.shape[0]):
            own = rotations[frames[n], joints[k]]
            own[0], own[1], own[2], own[3] = _moved(space, k, own, offsets[n])


@njit(cache=True, error_model="numpy")
def set_coordinates(
    joints: IntArray,
    kinds: IntArray,
    before: FloatArray,
    after: FloatArray,
    coordinates: FloatArray,
    rotations: FloatArray,
) -> None:
    """Set the chain of local rotations ``(n, all joints, 4)`` from coordinates ``(n, 3 joints)``, in place."""
    for n in range(rotations.shape[0]):
        for k in range(joints.shape[0]):
            own = coordinates[n, 3 * k : 3 * k + 3]
            w, x, y, z = own_turn(kinds[k], own[0], own[1], own[2])
            w, x, y, z = qmul(before[k, 0], before[k, 1], before[k, 2], before[k, 3], w, x, y, z)
            w, x, y, z = qmul(w, x, y, z, after[k, 0], after[k, 1], after[k, 2], after[k, 3])
            q = rotations[n, joints[k]]
            q[0], q[1], q[2], q[3] = qnormalize(w, x, y, z)
