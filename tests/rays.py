"""What rays meet in a drawing."""

from __future__ import annotations

import numpy as np

from understudy.pictures._kernels import trace
from understudy.pictures.drawing import Drawing


def first_hits(drawing: Drawing, origins: np.ndarray, directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances ``(n,)`` [m], ``inf`` for the sky, and ``(n, 3)`` kind, index, and prop of what rays meet first."""
    distances, hits = np.empty(len(origins)), np.empty((len(origins), 3), dtype=np.int64)
    trace(np.ascontiguousarray(origins), np.ascontiguousarray(directions), drawing, distances, hits)
    return distances, hits
