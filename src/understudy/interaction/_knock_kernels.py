"""Rows of arcs that begin off another ball."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._launch_kernels import launch, launch_ends
from understudy.interaction._row_kernels import Arcs, Bends, Columns, Nodes, Weights, add_time, arrival, clear, scatter
from understudy.typing import FloatArray


@njit(cache=True, error_model="numpy")
def knocked(
    a: int,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    residual: FloatArray,
    out: FloatArray,
) -> None:
    """An arc that begins off another ball, without friction: ``v' = v - f c n`` with ``f = (1 + e) m2 / (m1 + m2)``."""
    o = arcs.other[a]
    s, q, before, other = arcs.start[a], arcs.start[o], arcs.before[a], arcs.before[o]
    v1, v2, by1, by2, n = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    fell1, fell2 = arrival(before, nodes, arcs, jets, v1, by1), arrival(other, nodes, arcs, jets, v2, by2)
    f = (1.0 + arcs.ball[a, 3]) * arcs.ball[a, 4]
    apart = np.sqrt(np.sum((jets.place[s] - jets.place[q]) ** 2))
    c = 0.0
    for i in range(3):
        n[i] = (jets.place[s, i] - jets.place[q, i]) / apart
        c += (v1[i] - v2[i]) * n[i]
    given = v1 - f * c * n
    duration = launch(a, given, nodes, arcs, jets, residual)
    if a < o:
        row = nodes.surface_row[s]
        residual[row] = apart - arcs.ball[a, 0] - arcs.ball[o, 0]
        if out.shape[0]:
            for i in range(3):
                out[row, nodes.point_column[s] + i] += n[i]
                out[row, nodes.point_column[q] + i] -= n[i]
    if out.shape[0] == 0:
        return
    launch_ends(a, given, duration, weights, nodes, arcs, jets, bends, columns, out)
    by_v, by_x = np.empty((3, 3)), np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            by_v[i, j] = -f * n[i] * n[j]
            turned = 0.0
            for k in range(3):
                across = ((1.0 if k == j else 0.0) - n[k] * n[j]) / apart
                turned += -f * (n[i] * (v1[k] - v2[k]) + (c if i == k else 0.0)) * across
            by_x[i, j] = turned
    for side in range(2):
        node, arc, fell, by, sign = (s, before, fell1, by1, 1.0) if side == 0 else (q, other, fell2, by2, -1.0)
        start = arcs.start[arc]
        own = 1.0 if side == 0 else 0.0
        clear(weights)
        for i in range(3):
            for j in range(3):
                unit = own if i == j else 0.0
                through = unit + sign * by_v[i, j]
                weights.place[i, j] = -duration * (through / fell + sign * by_x[i, j]) - unit
        scatter(node, weights, arcs.row[a], nodes, jets, bends, columns, out)
        amount = np.zeros(3)
        for i in range(3):
            for j in range(3):
                through = (own if i == j else 0.0) + sign * by_v[i, j]
                weights.place[i, j] = duration * through / fell
                amount[i] += through * by[j]
        scatter(start, weights, arcs.row[a], nodes, jets, bends, columns, out)
        add_time(nodes.time_column[node], arcs.row[a], amount, -duration, out)
        add_time(nodes.time_column[start], arcs.row[a], amount, duration, out)
