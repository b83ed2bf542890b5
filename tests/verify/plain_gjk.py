"""Distance of convex solids (Gilbert, Johnson and Keerthi 1988) in batches of NumPy, written for reading."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from understudy.typing import BoolArray, FloatArray
from understudy.verify.distances.pairs import Support

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
