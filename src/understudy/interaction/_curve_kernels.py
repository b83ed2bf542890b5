"""A character's motion as a smooth function of time and of its controls, with exact derivatives.

Every joint turns by ``B(t) Exp(theta(t))``: a smooth base and a displacement that is linear in all controls, be they
spline control points or blend weights. With the right Jacobian ``J(theta)`` a change of ``theta`` turns the joint by
``W J dtheta`` in the world (``W`` its world rotation), which is all the derivatives below are made of.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._small_kernels import (
    bspline,
    cross,
    cross_columns,
    displacement,
    identity,
    matmul,
    matvec,
    quaternion_of,
    quaternion_rates,
)
from understudy.rotations._kernels import qmul, qnormalize
from understudy.typing import FloatArray, IntArray


class Player(NamedTuple):
    """One character for kernels.

    Attributes:
        fps: Pieces of the base curve per second.
        offsets: ``(J, 3)`` [m].
        chains: ``(J, depth)`` joints from the root to each joint, filled up with -1.
        depths: ``(J,)`` how many of them.
        root_base: ``(F - 1, 4, 3)`` cubic pieces of the root's place, lowest power first [m, s].
        turn_base: ``(F - 1, 4, J, 4)`` cubic pieces of quaternions of any length.
        dof_axes: ``(D, 3)`` axis of every freedom: in the joint's frame, or of the world for the root's translation.
        dof_starts: ``(J + 2,)`` first freedom of every joint; the last interval is the root's translation.
        knots: ``(D, K)`` control points of the freedoms [rad or m].
        spacing_s: Seconds between control points.
        spans: Intervals of the spline; ``K = spans + 3``.
        blend_root: ``(B, F - 1, 4, 3)`` displacement of the root by each blend at weight 1.
        blend_turn: ``(B, F - 1, 4, J, 3)`` rotation vectors of the joints.
        weights: ``(B,)`` blend weights.
    """

    fps: float
    offsets: FloatArray
    chains: IntArray
    depths: IntArray
    root_base: FloatArray
    turn_base: FloatArray
    dof_axes: FloatArray
    dof_starts: IntArray
    knots: FloatArray
    spacing_s: float
    spans: int
    blend_root: FloatArray
    blend_turn: FloatArray
    weights: FloatArray


class Jets(NamedTuple):
    """Places that move with bodies, and how everything at them depends on controls; one row per node.

    Attributes:
        place: ``(n, 3)`` [m].
        velocity: ``(n, 3)`` [m/s].
        acceleration: ``(n, 3)`` [m/s^2].
        frame: ``(n, 3, 3)`` world rotation of the joint.
        spin: ``(n, 3)`` its angular velocity [rad/s].
        spin_rate: ``(n, 3)`` [rad/s^2].
        axes: ``(n, depth, 3, 3)`` ``G = W J`` of every joint of the chain.
        axes_rate: ``(n, depth, 3, 3)`` its time derivative.
        arm: ``(n, depth, 3)`` from that joint to the place [m].
        arm_rate: ``(n, depth, 3)`` [m/s].
        basis: ``(n, 2, 4)`` spline weights and their time derivative.
        first: ``(n,)`` first of the four control points.
        blends: ``(n, 2, B, depth + 1, 3)`` displacement by each blend at weight 1 along the chain, the root's
            translation last, and its time derivative.
    """

    place: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    frame: FloatArray
    spin: FloatArray
    spin_rate: FloatArray
    axes: FloatArray
    axes_rate: FloatArray
    arm: FloatArray
    arm_rate: FloatArray
    basis: FloatArray
    first: IntArray
    blends: FloatArray


def new_jets(count: int, depth: int, blends: int) -> Jets:
    """Room for the jets of some nodes."""
    return Jets(
        place=np.zeros((count, 3)),
        velocity=np.zeros((count, 3)),
        acceleration=np.zeros((count, 3)),
        frame=np.zeros((count, 3, 3)),
        spin=np.zeros((count, 3)),
        spin_rate=np.zeros((count, 3)),
        axes=np.zeros((count, depth, 3, 3)),
        axes_rate=np.zeros((count, depth, 3, 3)),
        arm=np.zeros((count, depth, 3)),
        arm_rate=np.zeros((count, depth, 3)),
        basis=np.zeros((count, 2, 4)),
        first=np.zeros(count, dtype=np.int64),
        blends=np.zeros((count, 2, blends, depth + 1, 3)),
    )


@njit(cache=True, error_model="numpy")
def piece_of(player: Player, t: float) -> tuple[int, float]:
    """Number of the base curve's piece at a time, and the time within it [s]."""
    last = player.root_base.shape[0] - 1
    piece = min(max(int(t * player.fps), 0), last)
    return piece, t - piece / player.fps


@njit(cache=True, error_model="numpy")
def cubic(c: FloatArray, u: float, out: FloatArray) -> None:
    """Value, first and second derivative ``(3, d)`` of a cubic piece ``(4, d)``."""
    for i in range(c.shape[1]):
        out[0, i] = c[0, i] + u * (c[1, i] + u * (c[2, i] + u * c[3, i]))
        out[1, i] = c[1, i] + u * (2.0 * c[2, i] + 3.0 * u * c[3, i])
        out[2, i] = 2.0 * c[2, i] + 6.0 * u * c[3, i]


@njit(cache=True, error_model="numpy")
def displaced(
    player: Player, slot: int, piece: int, u: float, basis: FloatArray, first: int, theta: FloatArray, work: FloatArray
) -> None:
    """Displacement ``theta`` ``(3, 3)``: value, rate and second derivative of a joint, or of the root's translation."""
    theta[:] = 0.0
    for d in range(player.dof_starts[slot], player.dof_starts[slot + 1]):
        for r in range(3):
            amount = 0.0
            for m in range(4):
                amount += basis[r, m] * player.knots[d, first + m]
            for i in range(3):
                theta[r, i] += amount * player.dof_axes[d, i]
    joints = player.offsets.shape[0]
    for b in range(player.weights.shape[0]):
        if slot < joints:
            cubic(player.blend_turn[b, piece, :, slot], u, work)
        else:
            cubic(player.blend_root[b, piece], u, work)
        for r in range(3):
            for i in range(3):
                theta[r, i] += player.weights[b] * work[r, i]


@njit(cache=True, error_model="numpy")
def basis_at(player: Player, t: float, basis: FloatArray) -> int:
    first = bspline(t / player.spacing_s, player.spans, basis[0], basis[1], basis[2])
    for m in range(4):
        basis[1, m] /= player.spacing_s
        basis[2, m] /= player.spacing_s * player.spacing_s
    return first


@njit(cache=True, error_model="numpy")
def jet(player: Player, t: float, joint: int, point: FloatArray, jets: Jets, n: int) -> None:
    """Fill row ``n`` of ``jets`` for a point fixed to a joint."""
    basis, theta, work = np.empty((3, 4)), np.empty((3, 3)), np.empty((3, 3))
    quaternion = np.empty((3, 4))
    base, turn, local, world = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    jac, jac_rate, above = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    omega, alpha, carried, own = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    own_rate, tmp, tmp2, arm = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    piece, u = piece_of(player, t)
    first = basis_at(player, t, basis)
    joints = player.offsets.shape[0]
    cubic(player.root_base[piece], u, work)
    displaced(player, joints, piece, u, basis, first, theta, jac)
    place, velocity, acceleration = jets.place[n], jets.velocity[n], jets.acceleration[n]
    spin, spin_rate, frame = jets.spin[n], jets.spin_rate[n], jets.frame[n]
    for i in range(3):
        place[i], velocity[i] = work[0, i] + theta[0, i], work[1, i] + theta[1, i]
        acceleration[i] = work[2, i] + theta[2, i]
        spin[i], spin_rate[i] = 0.0, 0.0
    identity(frame)
    depth = player.depths[joint]
    for c in range(depth):
        j = player.chains[joint, c]
        if c:
            matvec(frame, player.offsets[j], arm)
            _carry(place, velocity, acceleration, spin, spin_rate, arm, tmp, tmp2)
        for i in range(3):
            jets.arm[n, c, i], jets.arm_rate[n, c, i] = place[i], velocity[i]
        cubic(player.turn_base[piece, :, j], u, quaternion)
        quaternion_rates(quaternion[0], quaternion[1], quaternion[2], base, omega, alpha)
        displaced(player, j, piece, u, basis, first, theta, work)
        displacement(theta[0], theta[1], turn, jac, jac_rate)
        matmul(base, turn, local)
        matmul(frame, local, world)
        frame[:] = world
        for i in range(3):
            # The base's velocity and acceleration seen from the displaced frame: Exp(theta)^T omega.
            carried[i] = turn[0, i] * omega[0] + turn[1, i] * omega[1] + turn[2, i] * omega[2]
            own_rate[i] = turn[0, i] * alpha[0] + turn[1, i] * alpha[1] + turn[2, i] * alpha[2]
        matvec(jac, theta[1], tmp)
        cross(tmp, carried, tmp2)
        for i in range(3):
            own[i] = carried[i] + tmp[i]
            own_rate[i] -= tmp2[i]
        matvec(jac_rate, theta[1], tmp)
        matvec(jac, theta[2], tmp2)
        for i in range(3):
            own_rate[i] += tmp[i] + tmp2[i]
        matvec(frame, own, tmp)
        for i in range(3):
            spin[i] += tmp[i]
        cross(spin, tmp, tmp2)
        matvec(frame, own_rate, tmp)
        for i in range(3):
            spin_rate[i] += tmp[i] + tmp2[i]
        matmul(frame, jac, jets.axes[n, c])
        cross_columns(spin, jets.axes[n, c], above)
        matmul(frame, jac_rate, jets.axes_rate[n, c])
        jets.axes_rate[n, c] += above
        _blend_values(player, j, piece, u, jets, n, c, work)
    _blend_values(player, joints, piece, u, jets, n, jets.axes.shape[1], work)
    matvec(frame, point, arm)
    _carry(place, velocity, acceleration, spin, spin_rate, arm, tmp, tmp2)
    for c in range(depth):
        for i in range(3):
            jets.arm[n, c, i] = place[i] - jets.arm[n, c, i]
            jets.arm_rate[n, c, i] = velocity[i] - jets.arm_rate[n, c, i]
    jets.first[n] = first
    for r in range(2):
        for m in range(4):
            jets.basis[n, r, m] = basis[r, m]


@njit(cache=True, error_model="numpy")
def _carry(
    place: FloatArray,
    velocity: FloatArray,
    acceleration: FloatArray,
    spin: FloatArray,
    spin_rate: FloatArray,
    arm: FloatArray,
    tmp: FloatArray,
    tmp2: FloatArray,
) -> None:
    """Go along an arm that turns with ``spin``: place, velocity and acceleration of its end."""
    cross(spin, arm, tmp)
    cross(spin, tmp, tmp2)
    for i in range(3):
        place[i] += arm[i]
        velocity[i] += tmp[i]
        acceleration[i] += tmp2[i]
    cross(spin_rate, arm, tmp)
    for i in range(3):
        acceleration[i] += tmp[i]


@njit(cache=True, error_model="numpy")
def _blend_values(
    player: Player, slot: int, piece: int, u: float, jets: Jets, n: int, c: int, work: FloatArray
) -> None:
    joints = player.offsets.shape[0]
    for b in range(player.weights.shape[0]):
        if slot < joints:
            cubic(player.blend_turn[b, piece, :, slot], u, work)
        else:
            cubic(player.blend_root[b, piece], u, work)
        for i in range(3):
            jets.blends[n, 0, b, c, i], jets.blends[n, 1, b, c, i] = work[0, i], work[1, i]


@njit(cache=True, error_model="numpy")
def pose(player: Player, t: float, root: FloatArray, local: FloatArray) -> None:
    """Root place ``(3,)`` and local unit quaternions ``(J, 4)`` at a time."""
    basis, theta, work = np.empty((3, 4)), np.empty((3, 3)), np.empty((3, 3))
    quaternion, turn = np.empty((3, 4)), np.empty(4)
    piece, u = piece_of(player, t)
    first = basis_at(player, t, basis)
    joints = player.offsets.shape[0]
    cubic(player.root_base[piece], u, work)
    for i in range(3):
        root[i] = work[0, i]
    displaced(player, joints, piece, u, basis, first, theta, work)
    for i in range(3):
        root[i] += theta[0, i]
    for j in range(joints):
        cubic(player.turn_base[piece, :, j], u, quaternion)
        s = quaternion[0]
        w, x, y, z = qnormalize(s[0], s[1], s[2], s[3])
        displaced(player, j, piece, u, basis, first, theta, work)
        quaternion_of(theta[0], turn)
        local[j, 0], local[j, 1], local[j, 2], local[j, 3] = qmul(w, x, y, z, turn[0], turn[1], turn[2], turn[3])


@njit(cache=True, error_model="numpy")
def poses(player: Player, times: FloatArray, roots: FloatArray, locals_: FloatArray) -> None:
    """:func:`pose` at many times."""
    for n in range(times.shape[0]):
        pose(player, times[n], roots[n], locals_[n])
