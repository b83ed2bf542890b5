"""Convex outlines in a plane. SciPy has them too, but importing it takes longer than the floor of a room does."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray

#: [m] a corner that stands out by less is none.
_FLAT_M = 1e-9


def convex_outline(points: FloatArray) -> FloatArray:
    """Corners of the convex hull of points ``(n, 2)``, anticlockwise; fewer than three where all lie on a line."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))].tolist()
    halves = [_chain(ordered), _chain(ordered[::-1])]
    return np.array(halves[0][:-1] + halves[1][:-1])


def _chain(points: list[list[float]]) -> list[list[float]]:
    """The right-hand side of points from the first one to the last (Andrew's monotone chain)."""
    chain: list[list[float]] = []
    for x, z in points:
        while len(chain) >= 2:
            (x0, z0), (x1, z1) = chain[-2], chain[-1]
            turn = (x1 - x0) * (z - z0) - (z1 - z0) * (x - x0)
            if turn > _FLAT_M * max(abs(x - x0), abs(z - z0)):
                break
            chain.pop()
        chain.append([x, z])
    return chain
