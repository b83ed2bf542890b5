"""Rows for what a person drags or pins: a ball in flight, or a point of a body, at a time."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._row_kernels import (
    GRAVITY,
    Arcs,
    Bends,
    Columns,
    Nodes,
    Weights,
    add_time,
    arrival,
    clear,
    scatter,
)
from understudy.typing import FloatArray, IntArray

#: What is asked: a flying ball's place or velocity, an arc's highest point, a node's place or velocity, and the speed
#: at which a ball comes to the surface its arc begins at.
PLACE, VELOCITY, APEX, NODE_PLACE, NODE_VELOCITY, APPROACH = 0, 1, 2, 3, 4, 5
#: Asked of ``rods``: a capsule's axis and angular velocity in flight, and in a hand.
POINTING, TURNING, NODE_POINTING, NODE_TURNING = 6, 7, 8, 9


@njit(cache=True, error_model="numpy")
def probe(
    kind: int,
    which: int,
    time: float,
    row: int,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    value: FloatArray,
    out: FloatArray,
) -> None:
    """Fill ``value`` ``(3,)`` and three rows of the Jacobian ``out``, which must be zero there.

    ``kind`` is one of the constants above, ``which`` an arc, or a node for the kinds called so, ``time`` [s] for
    places and velocities in flight. An apex is a height: only its second row means anything; of an approach only the
    first does.
    """
    weights = Weights(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    if kind == APPROACH:
        _approach(which, row, weights, nodes, arcs, jets, bends, columns, value, out)
        return
    if kind >= NODE_PLACE:
        for i in range(3):
            if kind == NODE_PLACE:
                value[i], weights.place[i, i] = jets.place[which, i], 1.0
            else:
                value[i], weights.velocity[i, i] = jets.velocity[which, i], 1.0
        if out.shape[0]:
            scatter(which, weights, row, nodes, jets, bends, columns, out)
        return
    a, b = arcs.start[which], arcs.end[which]
    duration = nodes.time[b] - nodes.time[a]
    share = (time - nodes.time[a]) / duration
    at_a, at_b, time_a, time_b = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    for i in range(3):
        way = jets.place[b, i] - jets.place[a, i]
        g = GRAVITY if i == 1 else 0.0
        if kind == PLACE:
            value[i] = jets.place[a, i] + share * way - 0.5 * g * duration * duration * share * (1.0 - share)
            at_a[i], at_b[i] = 1.0 - share, share
            for end in range(2):
                dshare = (-(1.0 - share) if end == 0 else -share) / duration
                dduration = -1.0 if end == 0 else 1.0
                change = way * dshare - g * duration * dduration * share * (1.0 - share)
                change -= 0.5 * g * duration * duration * (1.0 - 2.0 * share) * dshare
                if end == 0:
                    time_a[i] = change
                else:
                    time_b[i] = change
        elif kind == VELOCITY:
            value[i] = way / duration + g * (time - nodes.time[a] - 0.5 * duration)
            at_a[i], at_b[i] = -1.0 / duration, 1.0 / duration
            time_a[i] = way / (duration * duration) - 0.5 * g
            time_b[i] = -way / (duration * duration) - 0.5 * g
        elif i == 1:
            up = way / duration - 0.5 * g * duration
            gain = -up / g
            value[i] = jets.place[a, i] - 0.5 * up * up / g
            at_a[i], at_b[i] = 1.0 - gain / duration, gain / duration
            time_b[i] = gain * (-way / (duration * duration) - 0.5 * g)
            time_a[i] = -time_b[i]
        else:
            value[i] = 0.0
    if out.shape[0] == 0:
        return
    for i in range(3):
        weights.place[i, i] = at_a[i]
    scatter(a, weights, row, nodes, jets, bends, columns, out)
    clear(weights)
    for i in range(3):
        weights.place[i, i] = at_b[i]
    scatter(b, weights, row, nodes, jets, bends, columns, out)
    add_time(nodes.time_column[a], row, time_a, 1.0, out)
    add_time(nodes.time_column[b], row, time_b, 1.0, out)


@njit(cache=True, error_model="numpy")
def _approach(
    a: int,
    row: int,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    value: FloatArray,
    out: FloatArray,
) -> None:
    """Speed ``(surface's velocity - ball's) n`` [m/s] just before the bounce that arc ``a`` begins with."""
    s, before = arcs.start[a], arcs.before[a]
    p = arcs.start[before]
    v, by_duration = np.empty(3), np.empty(3)
    fell = arrival(before, nodes, arcs, jets, v, by_duration)
    value[:] = 0.0
    change = np.zeros(3)
    for i in range(3):
        n = bends.normal[s, i]
        value[0] -= (v[i] - jets.velocity[s, i]) * n
        weights.place[0, i], weights.velocity[0, i] = -n / fell, n
        weights.normal[0, i] = jets.velocity[s, i] - v[i]
        change[0] -= n * by_duration[i]
    if out.shape[0] == 0:
        return
    scatter(s, weights, row, nodes, jets, bends, columns, out)
    clear(weights)
    for i in range(3):
        weights.place[0, i] = bends.normal[s, i] / fell
    scatter(p, weights, row, nodes, jets, bends, columns, out)
    add_time(nodes.time_column[s], row, change, 1.0, out)
    add_time(nodes.time_column[p], row, change, -1.0, out)


@njit(cache=True, error_model="numpy")
def separation(
    a: int,
    n: int,
    since: float,
    row: int,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    out: FloatArray,
) -> float:
    """How far a ball is off the hand, along the palm's normal at node ``n``, shortly after a throw or before a catch.

    ``since``: time after the start of arc ``a``, or, negative, before its end [s]; the node's own time is the same.
    Its derivatives are added to row ``row``; the two rows after it must be there, and stay zero.
    """
    s, e = arcs.start[a], arcs.end[a]
    duration = nodes.time[e] - nodes.time[s]
    u = abs(since)
    near, far = (s, e) if since > 0.0 else (e, s)
    share = u / duration
    change, off = np.zeros(3), np.zeros(3)
    gap = 0.0
    for i in range(3):
        g = GRAVITY if i == 1 else 0.0
        way = jets.place[far, i] - jets.place[near, i]
        at = jets.place[near, i] + share * way - 0.5 * g * u * (duration - u)
        off[i] = at - jets.place[n, i]
        gap += bends.normal[n, i] * off[i]
        change[0] += bends.normal[n, i] * (-share * way / duration - 0.5 * g * u)
    if out.shape[0] == 0:
        return gap
    weights = Weights(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    for part in range(2):
        amount = 1.0 - share if part == 0 else share
        for i in range(3):
            weights.place[0, i] = amount * bends.normal[n, i]
        scatter(near if part == 0 else far, weights, row, nodes, jets, bends, columns, out)
    for i in range(3):
        weights.place[0, i], weights.normal[0, i] = -bends.normal[n, i], off[i]
    scatter(n, weights, row, nodes, jets, bends, columns, out)
    add_time(nodes.time_column[s], row, change, -1.0, out)
    add_time(nodes.time_column[e], row, change, 1.0, out)
    return gap


@njit(cache=True, error_model="numpy")
def separations(
    which: IntArray,
    since: FloatArray,
    first_node: int,
    near: float,
    row: int,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    gaps: FloatArray,
    out: FloatArray,
) -> int:
    """:func:`separation` of many arcs and nodes; rows from ``row`` on for those nearer than ``near``; how many."""
    nothing = out[:0]
    taken = 0
    for k in range(which.shape[0]):
        n = first_node + k
        gaps[k] = separation(which[k], n, since[k], 0, nodes, arcs, jets, bends, columns, nothing)
        if out.shape[0] and gaps[k] < near:
            separation(which[k], n, since[k], row + taken, nodes, arcs, jets, bends, columns, out)
            taken += 1
    return taken
