"""What a place that moves with a body depends on: rows of the Jacobian by controls, contact times, places and axes.

A *node* is a place where an arc of a ball's way begins or ends: a point that moves with a joint, or one of the world.
"""

from __future__ import annotations

from typing import NamedTuple

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.interaction._curve_kernels import Jets, Player, jet
from understudy.interaction._small_kernels import cross_columns
from understudy.typing import FloatArray, IntArray


class Nodes(NamedTuple):
    """All nodes.

    Attributes:
        player: ``(n,)`` whose joint; -1 for a place of the world.
        joint: ``(n,)`` which joint.
        time: ``(n,)`` [s].
        time_column: ``(n,)`` unknown of the time; -1 when it is given.
        point: ``(n, 3)`` in the joint's (or the world's) frame [m].
        point_column: ``(n,)`` first of three unknowns; -1 when it is given.
        axis: ``(n, 3)`` a capsule's axis in that frame.
        axis_column: ``(n,)`` first of three unknowns; -1 when it is given.
        across: ``(n, 2, 3)`` two directions across an axis that is given.
        ends: ``(n, 2, 3)`` of the axis of what is there to be touched, in that frame [m].
        feature: ``(n, 7)`` of that: kind, thickness, end, normal and level, as in ``_law_kernels``.
    """

    player: IntArray
    joint: IntArray
    time: FloatArray
    time_column: IntArray
    point: FloatArray
    point_column: IntArray
    axis: FloatArray
    axis_column: IntArray
    across: FloatArray
    ends: FloatArray
    feature: FloatArray


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


class Weights(NamedTuple):
    """How up to three rows depend on a node's place, velocity, rotation and spin; each ``(3, 3)``."""

    place: FloatArray
    velocity: FloatArray
    turn: FloatArray
    spin: FloatArray


@njit(cache=True, error_model="numpy")
def body_jets(player: Player, number: int, nodes: Nodes, jets: Jets) -> None:
    """Fill the jets of all nodes of one player."""
    for n in range(nodes.player.shape[0]):
        if nodes.player[n] == number:
            jet(player, nodes.time[n], nodes.joint[n], nodes.point[n], jets, n)


@uncounted
def scatter(
    n: int,
    weights: Weights,
    row: int,
    count: int,
    nodes: Nodes,
    jets: Jets,
    columns: Columns,
    joint: FloatArray,
    out: FloatArray,
) -> None:
    """Add what ``count`` rows depend on through a node to the Jacobian ``out``.

    With ``G`` the axes of a joint of the chain, ``r`` its arm and ``x`` its displacement, the node's frame turns by
    ``G dx``, its place changes by ``G dx * r``, its velocity by the time derivative of that, and its spin by
    ``(G dx)' + G dx * spin`` (``*`` the cross product). ``joint`` ``(3, 3, 3)`` is room to work in.
    """
    m = joint[0]
    if nodes.time_column[n] >= 0:
        for i in range(count):
            for k in range(3):
                out[row + i, nodes.time_column[n]] += (
                    weights.place[i, k] * jets.velocity[n, k]
                    + weights.velocity[i, k] * jets.acceleration[n, k]
                    + weights.turn[i, k] * jets.spin[n, k]
                    + weights.spin[i, k] * jets.spin_rate[n, k]
                )
    if nodes.point_column[n] >= 0:
        cross_columns(jets.spin[n], jets.frame[n], m)
        for i in range(count):
            for j in range(3):
                amount = 0.0
                for k in range(3):
                    amount += weights.place[i, k] * jets.frame[n, k, j] + weights.velocity[i, k] * m[k, j]
                out[row + i, nodes.point_column[n] + j] += amount
    p = nodes.player[n]
    if p < 0:
        return
    depth = columns.depth[n]
    for c in range(depth + 1):
        slot = columns.slot_base[p] + (columns.chain[n, c] if c < depth else columns.slots[p] - 2)
        m0, m1 = (joint[1], joint[2]) if c < depth else (weights.place, weights.velocity)
        if c < depth:
            _joint_weights(n, c, weights, jets, m0, m1)
        _add_dofs(n, p, slot, m0, m1, row, count, jets, columns, out)
        where = c if c < depth else jets.axes.shape[1]
        for b in range(columns.blends[p]):
            for i in range(count):
                amount = 0.0
                for k in range(3):
                    amount += m0[i, k] * jets.blends[n, 0, b, where, k] + m1[i, k] * jets.blends[n, 1, b, where, k]
                out[row + i, columns.blend[p] + b] += amount


@uncounted
def _joint_weights(n: int, c: int, weights: Weights, jets: Jets, m0: FloatArray, m1: FloatArray) -> None:
    """How rows depend on the displacement of a joint of the chain (``m0``) and on its rate (``m1``)."""
    axes, rates = jets.axes[n, c], jets.axes_rate[n, c]
    arm, arm_rate, spin = jets.arm[n, c], jets.arm_rate[n, c], jets.spin[n]
    for j in range(3):
        g0, g1, g2 = axes[0, j], axes[1, j], axes[2, j]
        h0, h1, h2 = rates[0, j], rates[1, j], rates[2, j]
        # Place: g x arm.
        p0, p1, p2 = g1 * arm[2] - g2 * arm[1], g2 * arm[0] - g0 * arm[2], g0 * arm[1] - g1 * arm[0]
        # Velocity: g' x arm + g x arm'.
        v0 = h1 * arm[2] - h2 * arm[1] + g1 * arm_rate[2] - g2 * arm_rate[1]
        v1 = h2 * arm[0] - h0 * arm[2] + g2 * arm_rate[0] - g0 * arm_rate[2]
        v2 = h0 * arm[1] - h1 * arm[0] + g0 * arm_rate[1] - g1 * arm_rate[0]
        w0 = h0 + g1 * spin[2] - g2 * spin[1]
        w1 = h1 + g2 * spin[0] - g0 * spin[2]
        w2 = h2 + g0 * spin[1] - g1 * spin[0]
        for i in range(3):
            a, b, d, e = weights.place[i], weights.velocity[i], weights.turn[i], weights.spin[i]
            m0[i, j] = a[0] * p0 + a[1] * p1 + a[2] * p2 + b[0] * v0 + b[1] * v1 + b[2] * v2
            m0[i, j] += d[0] * g0 + d[1] * g1 + d[2] * g2 + e[0] * w0 + e[1] * w1 + e[2] * w2
            m1[i, j] = b[0] * p0 + b[1] * p1 + b[2] * p2 + e[0] * g0 + e[1] * g1 + e[2] * g2


@uncounted
def _add_dofs(
    n: int,
    p: int,
    slot: int,
    m0: FloatArray,
    m1: FloatArray,
    row: int,
    count: int,
    jets: Jets,
    columns: Columns,
    out: FloatArray,
) -> None:
    """Add the columns of all freedoms of a joint."""
    first = jets.first[n]
    for d in range(columns.starts[slot], columns.starts[slot + 1]):
        axis = columns.axes[columns.dof_base[p] + d]
        column = columns.first[p] + d * columns.knots[p] + first
        for i in range(count):
            still = m0[i, 0] * axis[0] + m0[i, 1] * axis[1] + m0[i, 2] * axis[2]
            moving = m1[i, 0] * axis[0] + m1[i, 1] * axis[1] + m1[i, 2] * axis[2]
            if still == 0.0 and moving == 0.0:
                continue
            for k in range(4):
                out[row + i, column + k] += still * jets.basis[n, 0, k] + moving * jets.basis[n, 1, k]
