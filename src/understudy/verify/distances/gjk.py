"""Distance of two convex solids known by their farthest points only (Gilbert, Johnson and Keerthi 1988), in batches.

The nearest point of a simplex to the origin is found by trying all of its faces (15 for a tetrahedron) and keeping
the nearest valid one, which is slower than the usual case analysis and cannot take a wrong turn.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from understudy.typing import BoolArray, FloatArray

#: Farthest points ``(n, 3)`` of ``n`` solids in directions ``(n, 3)``, both in the world.
Support = Callable[[FloatArray], FloatArray]

_FACES = [list(face) for size in (1, 2, 3, 4) for face in combinations(range(4), size)]
_MOST_STEPS = 100


def convex_distance(first: Support, second: Support, count: int) -> FloatArray:
    """Distance ``(count,)`` [m] of ``count`` pairs of solids; 0 where they overlap."""
    far = np.tile([1.0, 0.0, 0.0], (count, 1))
    nearest = first(far) - second(-far)
    simplex = np.repeat(nearest[:, None], 4, axis=1)
    used = np.zeros((count, 4), dtype=bool)
    used[:, 0] = True
    open_pairs = np.ones(count, dtype=bool)
    rows = np.arange(count)
    for _ in range(_MOST_STEPS):
        size = np.linalg.norm(nearest, axis=1)
        fresh = first(-nearest) - second(nearest)
        gain = np.einsum("ni,ni->n", nearest, nearest - fresh)
        # The distance lies between (nearest . fresh) / |nearest| and |nearest|.
        open_pairs &= (size > 1e-10) & (gain > 1e-13 * np.maximum(size, 1e-4)) & (gain > 1e-10 * size * size)
        open_pairs &= ~(used & (np.linalg.norm(simplex - fresh[:, None], axis=-1) < 1e-14)).any(axis=1)
        open_pairs &= ~used.all(axis=1)
        if not open_pairs.any():
            break
        slot = np.argmin(used, axis=1)
        at = rows[open_pairs]
        simplex[at, slot[at]] = fresh[at]
        used[at, slot[at]] = True
        nearest[at], used[at] = _nearest_face(simplex[at], used[at])
    distance = np.linalg.norm(nearest, axis=1)
    return np.where(used.all(axis=1) | (distance < 1e-9), 0.0, distance)


def _nearest_face(simplex: FloatArray, used: BoolArray) -> tuple[FloatArray, BoolArray]:
    """Point of each simplex ``(n, 4, 3)`` nearest the origin, and the corners of the face that holds it."""
    best = np.full(len(simplex), np.inf)
    point, kept = np.zeros((len(simplex), 3)), used.copy()
    for face in _FACES:
        corners = simplex[:, face]
        there = used[:, face].all(axis=1)
        at, valid = _flat_nearest(corners)
        size = np.einsum("ni,ni->n", at, at)
        # Faces are tried small to large; a larger one must be clearly nearer, which keeps simplices small.
        better = there & valid & (size < best * (1.0 - 1e-12))
        best = np.where(better, size, best)
        point[better] = at[better]
        mask = np.zeros(4, dtype=bool)
        mask[face] = True
        kept[better] = mask
    return point, kept


def _flat_nearest(corners: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Point nearest the origin on the flat through ``corners`` ``(n, k, 3)``, and whether it lies between them."""
    base = corners[:, 0]
    if corners.shape[1] == 1:
        return base, np.ones(len(base), dtype=bool)
    edges = corners[:, 1:] - base[:, None]
    gram = np.einsum("nik,njk->nij", edges, edges)
    scale = np.maximum(np.einsum("nii->n", gram), 1e-300)
    sound = np.linalg.det(gram / scale[:, None, None]) > 1e-13
    gram = np.where(sound[:, None, None], gram, np.eye(gram.shape[1]))
    right = -np.einsum("nik,nk->ni", edges, base)
    shares = np.linalg.solve(gram, right[..., None])[..., 0]
    valid = sound & (shares >= 0.0).all(axis=1) & (shares.sum(axis=1) <= 1.0)
    return base + np.einsum("ni,nik->nk", shares, edges), valid


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
