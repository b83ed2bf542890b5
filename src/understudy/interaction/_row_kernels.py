"""Residuals of all flights and contacts, and their derivatives by every control, contact time and contact place.

A *node* is a place where an arc of a ball's way begins or ends: a point that moves with a joint, or one of the world.
An *arc* is the exact parabola between two nodes, so it cannot miss them; what can be wrong is how it begins. Its three
rows say by how many metres the ball, launched as its hand or the law of impact says, would miss the arc's end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Jets, Player, jet
from understudy.interaction._small_kernels import cross, cross_columns, matmul, matvec
from understudy.interaction._surface_kernels import NOTHING, surface
from understudy.typing import FloatArray, IntArray

#: How an arc begins: with a given velocity, from a hand, off a surface, off another ball.
GIVEN, RELEASED, BOUNCED, KNOCKED = 0, 1, 2, 3
#: [m/s^2] along Y.
GRAVITY = -9.81


class Nodes(NamedTuple):
    """All nodes.

    Attributes:
        player: ``(n,)`` whose joint; -1 for a place of the world.
        joint: ``(n,)`` which joint.
        time: ``(n,)`` [s].
        time_column: ``(n,)`` unknown of the time; -1 when it is given.
        point: ``(n, 3)`` in the joint's (or the world's) frame [m].
        point_column: ``(n,)`` first of three unknowns; -1 when it is given.
        surface: ``(n,)`` kind of the surface the point has to stay on.
        shape: ``(n, 8)`` that surface.
        surface_row: ``(n,)`` row of that condition; -1 when there is none.
        still_place: ``(n, 3)`` of the frame of a node that moves with nobody [m].
        still_turn: ``(n, 3, 3)`` of that frame.
    """

    player: IntArray
    joint: IntArray
    time: FloatArray
    time_column: IntArray
    point: FloatArray
    point_column: IntArray
    surface: IntArray
    shape: FloatArray
    surface_row: IntArray
    still_place: FloatArray
    still_turn: FloatArray


class Arcs(NamedTuple):
    """All arcs.

    Attributes:
        start: ``(m,)`` node.
        end: ``(m,)`` node.
        before: ``(m,)`` arc that ends where this one begins; -1 for none.
        law: ``(m,)`` how it begins.
        row: ``(m,)`` first of its three rows; -1 for none.
        spin: ``(m, 3)`` [rad/s].
        spin_column: ``(m,)`` first of three unknowns; -1 when the spin is given.
        spin_row: ``(m,)`` first of three rows; -1 for none.
        ball: ``(m, 5)`` radius [m], inertia, friction, restitution, and for knocks the share of the other's mass.
        restitution_column: ``(m,)`` unknown of the restitution; -1 when it is given.
        other: ``(m,)`` for knocks the arc of the other ball that begins there.
        given: ``(m, 3)`` velocity it is given [m/s].
        given_column: ``(m,)`` first of three unknowns; -1 when it stays.
    """

    start: IntArray
    end: IntArray
    before: IntArray
    law: IntArray
    row: IntArray
    spin: FloatArray
    spin_column: IntArray
    spin_row: IntArray
    ball: FloatArray
    restitution_column: IntArray
    other: IntArray
    given: FloatArray
    given_column: IntArray


class Columns(NamedTuple):
    """Where each character's controls are.

    Attributes:
        first: ``(P,)`` first column of each player's control points.
        knots: ``(P,)`` control points of each freedom.
        blend: ``(P,)`` first column of the blend weights.
        blends: ``(P,)`` how many.
        chain: ``(n, depth)`` joints from the root to each node's joint.
        depth: ``(n,)``.
        dof_base: ``(P,)`` first of each player's freedoms in ``axes``.
        slot_base: ``(P,)`` where each player's ``dof_starts`` begin in ``starts``.
        slots: ``(P,)`` ``J + 2`` of each player.
        starts: ``(sum of J + 2,)``.
        axes: ``(sum of D, 3)``.
    """

    first: IntArray
    knots: IntArray
    blend: IntArray
    blends: IntArray
    chain: IntArray
    depth: IntArray
    dof_base: IntArray
    slot_base: IntArray
    slots: IntArray
    starts: IntArray
    axes: FloatArray


class Bends(NamedTuple):
    """Normals at the nodes: ``(n, 3)`` in the world, ``(n, 3, 3)`` derivative by the point, in the world."""

    normal: FloatArray
    by_point: FloatArray


class Weights(NamedTuple):
    """How three rows depend on a node's place, velocity, normal and spin; each ``(3, 3)``."""

    place: FloatArray
    velocity: FloatArray
    normal: FloatArray
    spin: FloatArray


@njit(cache=True, error_model="numpy")
def body_jets(player: Player, number: int, nodes: Nodes, jets: Jets) -> None:
    """Fill the jets of all nodes of one player."""
    for n in range(nodes.player.shape[0]):
        if nodes.player[n] == number:
            jet(player, nodes.time[n], nodes.joint[n], nodes.point[n], jets, n)


@njit(cache=True, error_model="numpy")
def world_jets(nodes: Nodes, jets: Jets, bends: Bends, gaps: FloatArray) -> None:
    """Fill the jets of places of the world, and normals and gaps of all nodes; after :func:`body_jets`."""
    normal, bend = np.empty(3), np.empty((3, 3))
    for n in range(nodes.player.shape[0]):
        if nodes.player[n] < 0:
            jets.frame[n] = nodes.still_turn[n]
            matvec(nodes.still_turn[n], nodes.point[n], jets.place[n])
            for i in range(3):
                jets.place[n, i] += nodes.still_place[n, i]
                jets.velocity[n, i] = jets.acceleration[n, i] = jets.spin[n, i] = jets.spin_rate[n, i] = 0.0
        gaps[n] = 0.0
        if nodes.surface[n] != NOTHING:
            gaps[n] = surface(nodes.surface[n], nodes.shape[n], nodes.point[n], normal, bend)
            matvec(jets.frame[n], normal, bends.normal[n])
            matmul(jets.frame[n], bend, bends.by_point[n])


@njit(cache=True, error_model="numpy")
def scatter(
    n: int, weights: Weights, row: int, nodes: Nodes, jets: Jets, bends: Bends, columns: Columns, out: FloatArray
) -> None:
    """Add what three rows depend on through a node to the Jacobian ``out``.

    With ``G`` the axes of a joint of the chain, ``r`` its arm and ``x`` its displacement, the node's place changes by
    ``G dx * r``, its velocity by the time derivative of that, its normal by ``G dx * n``, and its spin by
    ``(G dx)' + G dx * spin`` (``*`` the cross product).
    """
    tmp, m, m0, m1 = np.empty(3), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    if nodes.time_column[n] >= 0:
        cross(jets.spin[n], bends.normal[n], tmp)
        for i in range(3):
            for k in range(3):
                out[row + i, nodes.time_column[n]] += (
                    weights.place[i, k] * jets.velocity[n, k]
                    + weights.velocity[i, k] * jets.acceleration[n, k]
                    + weights.normal[i, k] * tmp[k]
                    + weights.spin[i, k] * jets.spin_rate[n, k]
                )
    if nodes.point_column[n] >= 0:
        cross_columns(jets.spin[n], jets.frame[n], m)
        for i in range(3):
            for j in range(3):
                amount = 0.0
                for k in range(3):
                    amount += weights.place[i, k] * jets.frame[n, k, j] + weights.velocity[i, k] * m[k, j]
                    amount += weights.normal[i, k] * bends.by_point[n, k, j]
                out[row + i, nodes.point_column[n] + j] += amount
    p = nodes.player[n]
    if p < 0:
        return
    depth = columns.depth[n]
    for c in range(depth + 1):
        slot = columns.slot_base[p] + (columns.chain[n, c] if c < depth else columns.slots[p] - 2)
        if c < depth:
            _joint_weights(n, c, weights, jets, bends, m, m0, m1)
        else:
            m0[:] = weights.place
            m1[:] = weights.velocity
        add_dofs(n, p, slot, m0, m1, row, jets, columns, out)
        where = c if c < depth else jets.axes.shape[1]
        for b in range(columns.blends[p]):
            for i in range(3):
                amount = 0.0
                for k in range(3):
                    amount += m0[i, k] * jets.blends[n, 0, b, where, k] + m1[i, k] * jets.blends[n, 1, b, where, k]
                out[row + i, columns.blend[p] + b] += amount


@njit(cache=True, error_model="numpy")
def _joint_weights(
    n: int, c: int, weights: Weights, jets: Jets, bends: Bends, m: FloatArray, m0: FloatArray, m1: FloatArray
) -> None:
    """How three rows depend on the displacement of a joint of the chain (``m0``) and on its rate (``m1``)."""
    axes, rates = jets.axes[n, c], jets.axes_rate[n, c]
    arm, arm_rate, spin, normal = jets.arm[n, c], jets.arm_rate[n, c], jets.spin[n], bends.normal[n]
    for j in range(3):
        g0, g1, g2 = axes[0, j], axes[1, j], axes[2, j]
        h0, h1, h2 = rates[0, j], rates[1, j], rates[2, j]
        # Place: g x arm.
        p0, p1, p2 = g1 * arm[2] - g2 * arm[1], g2 * arm[0] - g0 * arm[2], g0 * arm[1] - g1 * arm[0]
        # Velocity: g' x arm + g x arm'.
        v0 = h1 * arm[2] - h2 * arm[1] + g1 * arm_rate[2] - g2 * arm_rate[1]
        v1 = h2 * arm[0] - h0 * arm[2] + g2 * arm_rate[0] - g0 * arm_rate[2]
        v2 = h0 * arm[1] - h1 * arm[0] + g0 * arm_rate[1] - g1 * arm_rate[0]
        n0, n1, n2 = g1 * normal[2] - g2 * normal[1], g2 * normal[0] - g0 * normal[2], g0 * normal[1] - g1 * normal[0]
        w0 = h0 + g1 * spin[2] - g2 * spin[1]
        w1 = h1 + g2 * spin[0] - g0 * spin[2]
        w2 = h2 + g0 * spin[1] - g1 * spin[0]
        for i in range(3):
            a, b, d, e = weights.place[i], weights.velocity[i], weights.normal[i], weights.spin[i]
            m0[i, j] = a[0] * p0 + a[1] * p1 + a[2] * p2 + b[0] * v0 + b[1] * v1 + b[2] * v2
            m0[i, j] += d[0] * n0 + d[1] * n1 + d[2] * n2 + e[0] * w0 + e[1] * w1 + e[2] * w2
            m1[i, j] = b[0] * p0 + b[1] * p1 + b[2] * p2 + e[0] * g0 + e[1] * g1 + e[2] * g2


@njit(cache=True, error_model="numpy")
def add_dofs(
    n: int,
    p: int,
    slot: int,
    m0: FloatArray,
    m1: FloatArray,
    row: int,
    jets: Jets,
    columns: Columns,
    out: FloatArray,
) -> None:
    """Add the columns of all freedoms of a joint."""
    first = jets.first[n]
    for d in range(columns.starts[slot], columns.starts[slot + 1]):
        axis = columns.axes[columns.dof_base[p] + d]
        column = columns.first[p] + d * columns.knots[p] + first
        for i in range(3):
            still = m0[i, 0] * axis[0] + m0[i, 1] * axis[1] + m0[i, 2] * axis[2]
            moving = m1[i, 0] * axis[0] + m1[i, 1] * axis[1] + m1[i, 2] * axis[2]
            for k in range(4):
                out[row + i, column + k] += still * jets.basis[n, 0, k] + moving * jets.basis[n, 1, k]


@njit(cache=True, error_model="numpy")
def arrival(a: int, nodes: Nodes, arcs: Arcs, jets: Jets, v: FloatArray, by_duration: FloatArray) -> float:
    """Velocity at the end of an arc, its derivative by the arc's duration, and the duration [s]."""
    s, e = arcs.start[a], arcs.end[a]
    duration = nodes.time[e] - nodes.time[s]
    for i in range(3):
        way = jets.place[e, i] - jets.place[s, i]
        g = GRAVITY if i == 1 else 0.0
        v[i] = way / duration + 0.5 * g * duration
        by_duration[i] = -way / (duration * duration) + 0.5 * g
    return duration


@njit(cache=True, error_model="numpy")
def clear(weights: Weights) -> None:
    weights.place[:] = 0.0
    weights.velocity[:] = 0.0
    weights.normal[:] = 0.0
    weights.spin[:] = 0.0


@njit(cache=True, error_model="numpy")
def add_time(column: int, row: int, amount: FloatArray, scale: float, out: FloatArray) -> None:
    if column >= 0:
        for i in range(3):
            out[row + i, column] += scale * amount[i]
