"""Strides: where transitions lead, put together once so that a search only has to turn and add."""

from __future__ import annotations

import numpy as np

from understudy.library.planar_arrays import about, composed
from understudy.locomotion.tables import GraphTable, Strides


def strides_of(graph: GraphTable) -> Strides:
    """The strides of every transition of a graph."""
    pivots = graph.pivots[:, 1] + 1j * graph.pivots[:, 0]
    frames = [composed(about(pivots, turn), graph.transforms) for turn in (0.0 * graph.costs, *graph.ranges.T)]
    ends = [composed(frame, graph.moves[graph.targets]) for frame in frames]
    return Strides(np.ascontiguousarray(frames), np.ascontiguousarray(ends))
