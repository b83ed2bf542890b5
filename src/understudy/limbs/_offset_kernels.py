"""Offsets put on a clip: local rotations of a limb's joints with parameters added to their own."""

from __future__ import annotations

from numba import njit

from understudy.limbs._pose_kernels import own_turn
from understudy.limbs._window_kernels import own_coordinates
from understudy.limbs.tables import SpaceArrays
from understudy.rotations._kernels import qmul, qnormalize
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def add_offsets(
    space: SpaceArrays, joints: IntArray, frames: IntArray, offsets: FloatArray, rotations: FloatArray
) -> None:
    """Add offsets ``(n, parameters)`` to frames ``(n,)`` of local rotations ``(frames, all joints, 4)``, in place."""
    kinds, before, after, spread = space.kinds, space.before, space.after, space.spread
    for n in range(frames.shape[0]):
        for k in range(joints.shape[0]):
            own = rotations[frames[n], joints[k]]
            w, x, y, z = qmul(before[k, 0], -before[k, 1], -before[k, 2], -before[k, 3], own[0], own[1], own[2], own[3])
            w, x, y, z = qmul(w, x, y, z, after[k, 0], -after[k, 1], -after[k, 2], -after[k, 3])
            a, b, c = own_coordinates(kinds[k], w, x, y, z)
            for d in range(offsets.shape[1]):
                a += spread[3 * k, d] * offsets[n, d]
                b += spread[3 * k + 1, d] * offsets[n, d]
                c += spread[3 * k + 2, d] * offsets[n, d]
            w, x, y, z = own_turn(kinds[k], a, b, c)
            w, x, y, z = qmul(before[k, 0], before[k, 1], before[k, 2], before[k, 3], w, x, y, z)
            w, x, y, z = qmul(w, x, y, z, after[k, 0], after[k, 1], after[k, 2], after[k, 3])
            own[0], own[1], own[2], own[3] = qnormalize(w, x, y, z)


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
