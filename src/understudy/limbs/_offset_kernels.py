"""Offsets put on a clip: local rotations of a limb's joints with parameters added to their own."""

from __future__ import annotations

from understudy.compiling.kernel import njit
from understudy.limbs._pose_kernels import joint_coordinates, joint_turn
from understudy.limbs.tables import SpaceArrays
from understudy.rotations._kernels import qnormalize, qslerp
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def _moved(space: SpaceArrays, k: int, own: FloatArray, offset: FloatArray) -> tuple[float, float, float, float]:
    """Local rotation of joint ``k`` of the chain with an offset ``(parameters,)`` added to its own."""
    spread = space.spread
    a, b, c = joint_coordinates(space, k, own[0], own[1], own[2], own[3])
    for d in range(offset.shape[0]):
        a += spread[3 * k, d] * offset[d]
        b += spread[3 * k + 1, d] * offset[d]
        c += spread[3 * k + 2, d] * offset[d]
    w, x, y, z = joint_turn(space, k, a, b, c)
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
        clip = joint_coordinates(space, k, w, x, y, z)
        a, b = _moved(space, k, one, offsets[0]), _moved(space, k, two, offsets[1])
        w, x, y, z = qslerp(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], share)
        made = joint_coordinates(space, k, w, x, y, z)
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
def set_coordinates(space: SpaceArrays, joints: IntArray, coordinates: FloatArray, rotations: FloatArray) -> None:
    """Set the chain of local rotations ``(n, all joints, 4)`` from coordinates ``(n, 3 joints)``, in place."""
    for n in range(rotations.shape[0]):
        for k in range(joints.shape[0]):
            own, q = coordinates[n], rotations[n, joints[k]]
            w, x, y, z = joint_turn(space, k, own[3 * k], own[3 * k + 1], own[3 * k + 2])
            q[0], q[1], q[2], q[3] = qnormalize(w, x, y, z)
