"""Pairs that stay apart, or within reach of each other, at chosen moments: room, and rows of the Jacobian.

Either side is the axis of something fixed to a joint, a ball that flies, or a place of the world.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.collision._segment_kernels import axes_nearest
from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._probe_kernels import PLACE, probe
from understudy.interaction._row_kernels import Arcs, Bends, Columns, Nodes, Weights, scatter
from understudy.typing import FloatArray, IntArray

#: In place of an arc: something that flies with none, and something that was to fly but does not then.
_STILL, _DOWN = -1, -2


class Pairs(NamedTuple):
    """Guarded pairs.

    Attributes:
        nodes: ``(n, 2)`` node each side is fixed to; -1 for what flies and for places of the world.
        arcs: ``(n, 2, 2)`` first arc of what flies and the one after its last; twice the same where nothing flies.
        ends: ``(n, 2, 2, 3)`` ends of both axes in their joints' frames, or in the world [m].
        times: ``(n,)`` [s].
        bounds: ``(n,)`` distance of the axes [m].
        signs: ``(n,)`` 1 where that is the least distance, -1 where it is the largest.
    """

    nodes: IntArray
    arcs: IntArray
    ends: FloatArray
    times: FloatArray
    bounds: FloatArray
    signs: FloatArray


@njit(cache=True, error_model="numpy")
def _placed(
    k: int,
    side: int,
    pairs: Pairs,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    nothing: FloatArray,
    out: FloatArray,
) -> int:
    """Ends ``(2, 3)`` of one side in the world; returns the arc it flies, or one of the constants above."""
    n, first, last = pairs.nodes[k, side], pairs.arcs[k, side, 0], pairs.arcs[k, side, 1]
    ends = pairs.ends[k, side]
    if n >= 0:
        for e in range(2):
            for i in range(3):
                out[e, i] = jets.place[n, i]
                for j in range(3):
                    out[e, i] += jets.frame[n, i, j] * (ends[e, j] - nodes.point[n, j])
        return _STILL
    if first == last:
        out[:] = ends
        return _STILL
    for arc in range(first, last):
        if nodes.time[arcs.start[arc]] < pairs.times[k] < nodes.time[arcs.end[arc]]:
            probe(PLACE, arc, pairs.times[k], 0, nodes, arcs, jets, bends, columns, out[0], nothing)
            out[1] = out[0]
            return arc
    return _DOWN


@njit(cache=True, error_model="numpy")
def _add_slope(
    n: int,
    arc: int,
    time: float,
    point: FloatArray,
    way: FloatArray,
    row: int,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    scratch: FloatArray,
    out: FloatArray,
) -> None:
    """Add the derivatives of a side's nearest point along ``way`` to a row; the two rows after it stay as they are.

    The point slides along its axis, but that does not change a distance at first order.
    """
    if n >= 0:
        weights.place[0] = way
        arm = point - jets.place[n]
        jets.arm[n] += arm
        scatter(n, weights, row, nodes, jets, bends, columns, out)
        jets.arm[n] -= arm
    elif arc >= 0:
        scratch[:] = 0.0
        probe(PLACE, arc, time, 0, nodes, arcs, jets, bends, columns, np.empty(3), scratch)
        for j in range(out.shape[1]):
            out[row, j] += way[0] * scratch[0, j] + way[1] * scratch[1, j] + way[2] * scratch[2, j]


@njit(cache=True, error_model="numpy")
def pair_rooms(
    pairs: Pairs,
    near: float,
    row: int,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    rooms: FloatArray,
    out: FloatArray,
) -> None:
    """Room of all pairs ``(n,)`` [m], infinite where something does not fly; rows for those nearer than ``near``.

    Rows begin at ``row``; two rows after the last must be there. An ``out`` without rows is left alone.
    """
    a, b, one, two = np.empty((2, 3)), np.empty((2, 3)), np.empty(3), np.empty(3)
    scratch = np.zeros((3 if out.shape[0] else 0, out.shape[1]))
    weights = Weights(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    nothing = scratch[:0]
    for k in range(rooms.shape[0]):
        first = _placed(k, 0, pairs, nodes, arcs, jets, bends, columns, nothing, a)
        second = _placed(k, 1, pairs, nodes, arcs, jets, bends, columns, nothing, b)
        rooms[k] = np.inf
        if first == _DOWN or second == _DOWN:
            continue
        d2, s, t = axes_nearest(a[0], a[1], b[0], b[1])
        far, time = math.sqrt(d2), pairs.times[k]
        rooms[k] = pairs.signs[k] * (far - pairs.bounds[k])
        if out.shape[0] == 0 or rooms[k] > near:
            continue
        if far > 1e-9:
            for i in range(3):
                one[i] = a[0, i] + s * (a[1, i] - a[0, i])
                two[i] = b[0, i] + t * (b[1, i] - b[0, i])
            way = pairs.signs[k] * (one - two) / far
            for side in range(2):
                n, arc, point = (pairs.nodes[k, 0], first, one) if side == 0 else (pairs.nodes[k, 1], second, two)
                toward = way if side == 0 else -way
                _add_slope(n, arc, time, point, toward, row, weights, nodes, arcs, jets, bends, columns, scratch, out)
        row += 1
