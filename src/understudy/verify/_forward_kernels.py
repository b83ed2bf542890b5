"""The judge's own compiled forward kinematics: slerp between frames, rotation matrices down the chain of joints.

Planners turn with quaternions, the judge with matrices, so that a fault in one cannot hide in the other.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def _turned(first: FloatArray, last: FloatArray, share: float, out: FloatArray) -> None:
    """Write the matrix ``(3, 3)`` of the rotation at a share of the way between two quaternions wxyz."""
    cosine = first[0] * last[0] + first[1] * last[1] + first[2] * last[2] + first[3] * last[3]
    sign = -1.0 if cosine < 0.0 else 1.0
    angle = math.acos(min(abs(cosine), 1.0))
    sine = math.sin(angle)
    if sine < 1e-7:
        one, two = 1.0 - share, sign * share
    else:
        one, two = math.sin((1.0 - share) * angle) / sine, sign * math.sin(share * angle) / sine
    w, x = one * first[0] + two * last[0], one * first[1] + two * last[1]
    y, z = one * first[2] + two * last[2], one * first[3] + two * last[3]
    scale = 2.0 / (w * w + x * x + y * y + z * z)
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - scale * (y * y + z * z), scale * (x * y - w * z), scale * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = scale * (x * y + w * z), 1.0 - scale * (x * x + z * z), scale * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = scale * (x * z - w * y), scale * (y * z + w * x), 1.0 - scale * (x * x + y * y)


@njit(cache=True)
def placed_joints(
    roots: FloatArray,
    rotations: FloatArray,
    parents: IntArray,
    offsets: FloatArray,
    places: FloatArray,
    positions: FloatArray,
    world: FloatArray,
) -> None:
    """World positions ``(n, joints, 3)`` [m] and matrices ``(n, joints, 3, 3)`` at ``places (n,)``, in frames.

    Between frames the root moves straight and each joint turns at constant speed about one axis.
    """
    frames, own = roots.shape[0], np.empty((3, 3))
    for n in range(places.shape[0]):
        before = min(math.floor(places[n]), max(frames - 2, 0))
        after = min(before + 1, frames - 1)
        share = places[n] - before
        for i in range(3):
            positions[n, 0, i] = (1.0 - share) * roots[before, i] + share * roots[after, i]
        _turned(rotations[before, 0], rotations[after, 0], share, world[n, 0])
        for j in range(1, parents.shape[0]):
            above = world[n, parents[j]]
            _turned(rotations[before, j], rotations[after, j], share, own)
            for i in range(3):
                x, y, z = above[i, 0], above[i, 1], above[i, 2]
                moved = x * offsets[j, 0] + y * offsets[j, 1] + z * offsets[j, 2]
                positions[n, j, i] = positions[n, parents[j], i] + moved
                for k in range(3):
                    world[n, j, i, k] = x * own[0, k] + y * own[1, k] + z * own[2, k]


@njit(cache=True)
def placed_ends(
    positions: FloatArray, world: FloatArray, joints: IntArray, starts: FloatArray, ends: FloatArray, out: FloatArray
) -> None:
    """Both ends of every capsule's axis: ``out (n, capsules, 2, 3)`` [m]."""
    for n in range(positions.shape[0]):
        for c in range(joints.shape[0]):
            at, turn = positions[n, joints[c]], world[n, joints[c]]
            for i in range(3):
                x, y, z = turn[i, 0], turn[i, 1], turn[i, 2]
                out[n, c, 0, i] = at[i] + x * starts[c, 0] + y * starts[c, 1] + z * starts[c, 2]
                out[n, c, 1, i] = at[i] + x * ends[c, 0] + y * ends[c, 1] + z * ends[c, 2]
