"""Compiled inner loops: forward kinematics, point Jacobians, centroidal momentum.

Arrays in, arrays out, nothing checked: callers pass what ``_inputs`` has checked. ``joint i`` hangs from
``parents[i] < i``; the root is 0.
"""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.rotations._kernels import qmul, qrot, qto_matrix
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def forward_frames(
    parents: IntArray,
    offsets: FloatArray,
    root_positions: FloatArray,
    rotations: FloatArray,
    out_positions: FloatArray,
    out_rotations: FloatArray,
) -> None:
    """World positions ``(F, J, 3)`` and rotations ``(F, J, 4)`` of ``F`` poses."""
    for f in range(rotations.shape[0]):
        for i in range(3):
            out_positions[f, 0, i] = root_positions[f, i]
        for i in range(4):
            out_rotations[f, 0, i] = rotations[f, 0, i]
        for j in range(1, parents.shape[0]):
            p = parents[j]
            w, x, y, z = (
                out_rotations[f, p, 0],
                out_rotations[f, p, 1],
                out_rotations[f, p, 2],
                out_rotations[f, p, 3],
            )
            dx, dy, dz = qrot(w, x, y, z, offsets[j, 0], offsets[j, 1], offsets[j, 2])
            out_positions[f, j, 0] = out_positions[f, p, 0] + dx
            out_positions[f, j, 1] = out_positions[f, p, 1] + dy
            out_positions[f, j, 2] = out_positions[f, p, 2] + dz
            qw, qx, qy, qz = qmul(
                w, x, y, z, rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            )
            out_rotations[f, j, 0] = qw
            out_rotations[f, j, 1] = qx
            out_rotations[f, j, 2] = qy
            out_rotations[f, j, 3] = qz


@njit(cache=True)
def points_frames(
    positions: FloatArray, rotations: FloatArray, joints: IntArray, points: FloatArray, out: FloatArray
) -> None:
    """World positions ``(F, P, 3)`` of points fixed to joints, from the joints' world transforms."""
    for f in range(positions.shape[0]):
        for k in range(joints.shape[0]):
            j = joints[k]
            dx, dy, dz = qrot(
                rotations[f, j, 0],
                rotations[f, j, 1],
                rotations[f, j, 2],
                rotations[f, j, 3],
                points[k, 0],
                points[k, 1],
                points[k, 2],
            )
            out[f, k, 0] = positions[f, j, 0] + dx
            out[f, k, 1] = positions[f, j, 1] + dy
            out[f, k, 2] = positions[f, j, 2] + dz


@njit(cache=True)
def point_jacobians(
    parents: IntArray,
    positions: FloatArray,
    rotations: FloatArray,
    joints: IntArray,
    points: FloatArray,
    columns: IntArray,
    root_column: int,
    out_linear: FloatArray,
    out_angular: FloatArray,
) -> None:
    """Fill the linear and angular Jacobians ``(P, 3, width)`` of points fixed to joints.

    ``columns[j]`` is the first of joint j's three columns, negative for a joint held still; the same for
    ``root_column`` and the root's translation.
    """
    out_linear[:] = 0.0
    out_angular[:] = 0.0
    r = np.empty((3, 3))
    for k in range(joints.shape[0]):
        j = joints[k]
        dx, dy, dz = qrot(
            rotations[j, 0],
            rotations[j, 1],
            rotations[j, 2],
            rotations[j, 3],
            points[k, 0],
            points[k, 1],
            points[k, 2],
        )
        px, py, pz = positions[j, 0] + dx, positions[j, 1] + dy, positions[j, 2] + dz
        if root_column >= 0:
            for i in range(3):
                out_linear[k, i, root_column + i] = 1.0
        while j >= 0:
            c = columns[j]
            if c >= 0:
                qto_matrix(rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3], r)
                ax, ay, az = px - positions[j, 0], py - positions[j, 1], pz - positions[j, 2]
                for i in range(3):
                    # Turning about axis i of the joint moves the point by axis x arm.
                    out_linear[k, 0, c + i] = r[1, i] * az - r[2, i] * ay
                    out_linear[k, 1, c + i] = r[2, i] * ax - r[0, i] * az
                    out_linear[k, 2, c + i] = r[0, i] * ay - r[1, i] * ax
                    out_angular[k, 0, c + i] = r[0, i]
                    out_angular[k, 1, c + i] = r[1, i]
                    out_angular[k, 2, c + i] = r[2, i]
            j = parents[j]


@njit(cache=True)
def _add_point_inertia(inertia: FloatArray, mass: float, x: float, y: float, z: float) -> None:
    """Add ``mass (|d|^2 1 - d d^T)``, the inertia of a point mass at ``d = (x, y, z)``."""
    inertia[0, 0] += mass * (y * y + z * z)
    inertia[1, 1] += mass * (x * x + z * z)
    inertia[2, 2] += mass * (x * x + y * y)
    inertia[0, 1] -= mass * x * y
    inertia[1, 0] -= mass * x * y
    inertia[0, 2] -= mass * x * z
    inertia[2, 0] -= mass * x * z
    inertia[1, 2] -= mass * y * z
    inertia[2, 1] -= mass * y * z


@njit(cache=True)
def _subtree_sums(
    parents: IntArray,
    positions: FloatArray,
    rotations: FloatArray,
    masses: FloatArray,
    coms: FloatArray,
    inertias: FloatArray,
    mass: FloatArray,
    moment: FloatArray,
    inertia: FloatArray,
) -> None:
    """Mass, first moment and inertia of every joint's subtree, about the root's position, world axes."""
    r = np.empty((3, 3))
    for j in range(parents.shape[0]):
        qto_matrix(rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3], r)
        mass[j] = masses[j]
        for i in range(3):
            arm = positions[j, i] - positions[0, i]
            for k in range(3):
                arm += r[i, k] * coms[j, k]
            moment[j, i] = arm
        for i in range(3):
            for k in range(3):
                total = 0.0
                for m in range(3):
                    for n in range(3):
                        total += r[i, m] * inertias[j, m, n] * r[k, n]
                inertia[j, i, k] = total
        _add_point_inertia(inertia[j], mass[j], moment[j, 0], moment[j, 1], moment[j, 2])
        for i in range(3):
            moment[j, i] *= mass[j]
    for j in range(parents.shape[0] - 1, 0, -1):
        p = parents[j]
        mass[p] += mass[j]
        for i in range(3):
            moment[p, i] += moment[j, i]
            for k in range(3):
                inertia[p, i, k] += inertia[j, i, k]


@njit(cache=True)
def centroidal_map(
    parents: IntArray,
    positions: FloatArray,
    rotations: FloatArray,
    masses: FloatArray,
    coms: FloatArray,
    inertias: FloatArray,
    centre: FloatArray,
    out: FloatArray,
) -> None:
    """Fill the centre of mass ``(3,)`` and the centroidal momentum matrix ``(6, 3 + 3 J)``.

    Turning joint j with world angular velocity w moves its whole subtree (mass m, first moment s and inertia
    I about the root's position o) as one rigid body about the joint:
    linear momentum  w x a  with  a = s - m (p_j - o);
    angular about o  I w - s x (w x (p_j - o)); about the centre of mass, that less (c - o) x linear.
    """
    joints = parents.shape[0]
    mass, moment, inertia = np.empty(joints), np.empty((joints, 3)), np.empty((joints, 3, 3))
    _subtree_sums(parents, positions, rotations, masses, coms, inertias, mass, moment, inertia)
    cx, cy, cz = moment[0, 0] / mass[0], moment[0, 1] / mass[0], moment[0, 2] / mass[0]
    centre[0], centre[1], centre[2] = positions[0, 0] + cx, positions[0, 1] + cy, positions[0, 2] + cz
    out[:] = 0.0
    for i in range(3):
        out[i, i] = mass[0]
    r = np.empty((3, 3))
    for j in range(joints):
        qto_matrix(rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3], r)
        px, py, pz = (
            positions[j, 0] - positions[0, 0],
            positions[j, 1] - positions[0, 1],
            positions[j, 2] - positions[0, 2],
        )
        sx, sy, sz = moment[j, 0], moment[j, 1], moment[j, 2]
        ax, ay, az = sx - mass[j] * px, sy - mass[j] * py, sz - mass[j] * pz
        for k in range(3):
            wx, wy, wz = r[0, k], r[1, k], r[2, k]
            lx, ly, lz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
            tx, ty, tz = wy * pz - wz * py, wz * px - wx * pz, wx * py - wy * px
            c = 3 + 3 * j + k
            out[0, c], out[1, c], out[2, c] = lx, ly, lz
            i = inertia[j]
            out[3, c] = i[0, 0] * wx + i[0, 1] * wy + i[0, 2] * wz - (sy * tz - sz * ty) - (cy * lz - cz * ly)
            out[4, c] = i[1, 0] * wx + i[1, 1] * wy + i[1, 2] * wz - (sz * tx - sx * tz) - (cz * lx - cx * lz)
            out[5, c] = i[2, 0] * wx + i[2, 1] * wy + i[2, 2] * wz - (sx * ty - sy * tx) - (cx * ly - cy * lx)
