"""How far overlapping convex solids must be moved apart, known by their farthest points only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from understudy.typing import FloatArray

#: Farthest points ``(n, 3)`` of ``n`` solids in directions ``(n, 3)``, both in the world.
Support = Callable[[FloatArray], FloatArray]

_MOST_STEPS = 100


def convex_depth(first: Support, second: Support) -> float:
    """How far one overlapping pair must be moved apart [m] (van den Bergen's expanding polytope, 2001).

    The set of all differences of points holds the origin; the hull of a few of its farthest points grows at its
    facet nearest the origin until that facet is one of the set's own.
    """
    from scipy.spatial import ConvexHull

    def farthest(directions: FloatArray) -> FloatArray:
        return np.concatenate([first(one[None]) - second(-one[None]) for one in directions])

    hull = ConvexHull(farthest(_START), incremental=True)
    reached = 0.0
    for _ in range(_MOST_STEPS):
        nearest = hull.equations[hull.equations[:, 3].argmax()]
        point = farthest(nearest[None, :3])
        reached = float(point[0] @ nearest[:3])
        if reached + nearest[3] < _DEPTH_TOLERANCE_M:
            break
        hull.add_points(point)
    hull.close()
    return max(reached, 0.0)


#: [m] how exactly depths are found.
_DEPTH_TOLERANCE_M = 1e-6
_START = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z], dtype=float)
