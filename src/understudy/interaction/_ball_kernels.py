"""Flying balls that stay off capsules of bodies, many at once: room, and rows of the Jacobian."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._gap_kernels import capsule_ends, nearest_points
from understudy.interaction._probe_kernels import PLACE, probe
from understudy.interaction._row_kernels import Arcs, Bends, Columns, Nodes, Weights, scatter
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def arc_at(first: int, last: int, time: float, nodes: Nodes, arcs: Arcs) -> int:
    """Which of the arcs from ``first`` up to before ``last`` is flown at a time [s]; -1 for none."""
    for k in range(first, last):
        if nodes.time[arcs.start[k]] < time < nodes.time[arcs.end[k]]:
            return k
    return -1


@njit(cache=True, error_model="numpy")
def _slope(
    arc: int,
    time: float,
    n: int,
    point: FloatArray,
    way: FloatArray,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    scratch: FloatArray,
    out: FloatArray,
) -> None:
    """Derivatives ``(unknowns,)`` of the distance along ``way`` of a flying ball from a point that follows a node."""
    value, arm = np.empty(3), np.empty(3)
    weights = Weights(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    for i in range(3):
        weights.place[i, i] = -1.0
        arm[i] = point[i] - jets.place[n, i]
    scratch[:] = 0.0
    probe(PLACE, arc, time, 0, nodes, arcs, jets, bends, columns, value, scratch)
    # The nearest point slides along its capsule, but that does not change a distance at first order.
    jets.arm[n] += arm
    scatter(n, weights, 0, nodes, jets, bends, columns, scratch)
    jets.arm[n] -= arm
    for j in range(out.shape[0]):
        out[j] = way[0] * scratch[0, j] + way[1] * scratch[1, j] + way[2] * scratch[2, j]


@njit(cache=True, error_model="numpy")
def ball_rooms(
    watched: IntArray,
    times: FloatArray,
    ends: FloatArray,
    least: FloatArray,
    near: float,
    row: int,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    rooms: FloatArray,
    out: FloatArray,
) -> int:
    """Room between flying balls and capsules [m], infinite for a ball that does not fly; rows for the near; how many.

    Args:
        watched: ``(n, 3)`` first of the ball's arcs, the one after its last, node of the capsule's joint.
        times: ``(n,)`` [s].
        ends: ``(n, 2, 3)`` ends of the capsule in its joint's frame [m].
        least: ``(n,)`` least distance of the ball's centre from the capsule's axis [m].
        near: Balls with more room than this take no row [m].
        row: First row.
        nodes: All nodes.
        arcs: All flights.
        jets: Jets of the nodes.
        bends: Normals of the nodes.
        columns: Where controls are.
        rooms: Filled, ``(n,)``.
        out: The Jacobian; left alone when it has no rows.
    """
    ball, capsule, one, two = np.empty((2, 3)), np.empty((2, 3)), np.empty(3), np.empty(3)
    scratch = np.zeros((3 if out.shape[0] else 0, out.shape[1]))
    value = np.empty(3)
    taken = 0
    for k in range(times.shape[0]):
        n = watched[k, 2]
        rooms[k] = np.inf
        arc = arc_at(watched[k, 0], watched[k, 1], times[k], nodes, arcs)
        if arc < 0:
            continue
        probe(PLACE, arc, times[k], 0, nodes, arcs, jets, bends, columns, value, scratch[:0])
        ball[0] = value
        ball[1] = value
        capsule_ends(n, ends[k], nodes, jets, capsule)
        far = nearest_points(ball, capsule, one, two)
        rooms[k] = far - least[k]
        if out.shape[0] == 0 or rooms[k] > near:
            continue
        if far > 1e-9:
            way = (one - two) / far
            _slope(arc, times[k], n, two, way, nodes, arcs, jets, bends, columns, scratch, out[row + taken])
        taken += 1
    return taken
