"""What every arc has in common: its end, its duration, and how far a launch would miss."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._row_kernels import GRAVITY, Arcs, Bends, Columns, Nodes, Weights, add_time, clear, scatter
from understudy.typing import FloatArray


@njit(cache=True, error_model="numpy")
def launch(a: int, given: FloatArray, nodes: Nodes, arcs: Arcs, jets: Jets, residual: FloatArray) -> float:
    """Residual of an arc launched with velocity ``given``: its end less where that launch would arrive [m]."""
    s, e, row = arcs.start[a], arcs.end[a], arcs.row[a]
    duration = nodes.time[e] - nodes.time[s]
    for i in range(3):
        g = GRAVITY if i == 1 else 0.0
        residual[row + i] = jets.place[e, i] - jets.place[s, i] - duration * (given[i] + 0.5 * g * duration)
    return duration


@njit(cache=True, error_model="numpy")
def launch_ends(
    a: int,
    given: FloatArray,
    duration: float,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    out: FloatArray,
) -> None:
    """Derivatives of a launch by the arc's end and by its duration; the start's own are the caller's."""
    s, e, row = arcs.start[a], arcs.end[a], arcs.row[a]
    clear(weights)
    for i in range(3):
        weights.place[i, i] = 1.0
    scatter(e, weights, row, nodes, jets, bends, columns, out)
    by_duration = np.empty(3)
    for i in range(3):
        by_duration[i] = -given[i] - (GRAVITY * duration if i == 1 else 0.0)
    add_time(nodes.time_column[s], row, by_duration, -1.0, out)
    add_time(nodes.time_column[e], row, by_duration, 1.0, out)
