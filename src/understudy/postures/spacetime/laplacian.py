"""Who is near whom: Laplacian coordinates of a posture's joints ([Postures], stage 2).

Joints are the corners of a Delaunay tetrahedralisation. A joint's Laplacian coordinate is its place less the mean of
its neighbours', weighed by one over their distance; keeping it keeps limbs beside what they are beside.
"""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray

#: [m] neighbours nearer than this count no more.
_NEAREST_M = 0.02


def laplacian_matrix(places: FloatArray) -> FloatArray:
    """``(n, n)`` matrix that takes places ``(n, 3)`` [m] to Laplacian coordinates."""
    from scipy.spatial import Delaunay

    # Joints on a line or plane would have no tetrahedra; a fixed, tiny spread gives them some.
    spread = np.random.default_rng(0).normal(scale=1e-4, size=places.shape)
    count = len(places)
    joined = np.zeros((count, count), dtype=bool)
    for corners in Delaunay(places + spread).simplices:
        joined[np.ix_(corners, corners)] = True
    np.fill_diagonal(joined, False)
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    weights = np.where(joined, 1.0 / np.maximum(apart, _NEAREST_M), 0.0)
    return np.asarray(np.eye(count) - weights / weights.sum(axis=1, keepdims=True))
