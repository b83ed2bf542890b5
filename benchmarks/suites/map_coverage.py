"""How well a library gets to every place around a start within its maps: error maps after Reitsma and Pollard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.errors import PlanningInputError
from understudy.library.motion_maps import CELL_RAD, SECTORS, MotionMaps
from understudy.typing import FloatArray, IntArray

#: [m] a way that ends nearer to a target than this has reached it.
REACHED_M = 0.1


@dataclass(frozen=True, eq=False, kw_only=True)
class ReachMap:
    """How well targets on a square floor are reached from its middle, facing +Z; rows along +Z, columns along +X.

    Attributes:
        size_m: Side of the floor [m].
        error_m: ``(n, n)`` distance from a target to the nearest end of a way [m].
        length_ratio: ``(n, n)`` length of the shortest way within 0.1 m over the straight distance; NaN for none.
        headings: ``(n, n)`` sectors of 30 degrees in which a target is reached within 0.1 m.
    """

    size_m: float
    error_m: FloatArray
    length_ratio: FloatArray
    headings: IntArray

    @property
    def reached(self) -> float:
        """Share of the targets that are reached within 0.1 m."""
        return float((self.error_m <= REACHED_M).mean())


def reach_map(maps: MotionMaps, nodes: IntArray, *, size_m: float = 10.0, cells: int = 100) -> ReachMap:
    """Where ways that begin with some clips end, each clip beginning in the middle of a floor.

    Args:
        maps: The maps.
        nodes: Clips to begin with.
        size_m: Side of the floor [m].
        cells: Targets along a side.
    """
    from scipy.spatial import cKDTree

    chosen = np.asarray(nodes, dtype=np.int64)
    if len(chosen) == 0 or chosen.min() < 0 or chosen.max() >= maps.nodes:
        raise PlanningInputError(f"maps of clips {chosen.tolist()[:8]} do not exist; there are 0..{maps.nodes - 1}")
    rows = np.concatenate([np.arange(maps.starts[node], maps.starts[node + 1]) for node in chosen])
    ends, roots = maps.places[rows].astype(np.float64), rows[maps.parents[rows] < 0]
    # A way's length is counted from the end of its first clip.
    first = np.hypot(*maps.places[roots, :2].T.astype(np.float64))
    lengths = maps.lengths_m[rows] + np.repeat(first, np.diff(maps.starts)[chosen])
    middle = (np.arange(cells) + 0.5) / cells * size_m - size_m / 2.0
    targets = np.stack(np.meshgrid(middle, middle), axis=-1).reshape(-1, 2)
    tree = cKDTree(ends[:, :2])
    error, _ = tree.query(targets)
    ratio, headings = np.full(len(targets), np.nan), np.zeros(len(targets), dtype=np.int64)
    sectors = np.floor(np.mod(ends[:, 2] + np.pi, 2.0 * np.pi) / CELL_RAD).astype(np.int64) % SECTORS
    for k in np.flatnonzero(error <= REACHED_M):
        near = tree.query_ball_point(targets[k], REACHED_M)
        ratio[k] = lengths[near].min() / max(float(np.hypot(*targets[k])), REACHED_M)
        headings[k] = len(np.unique(sectors[near]))
    shape = (cells, cells)
    return ReachMap(
        size_m=size_m,
        error_m=error.reshape(shape),
        length_ratio=ratio.reshape(shape),
        headings=headings.reshape(shape),
    )
