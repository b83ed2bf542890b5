"""Signed distances of two scene shapes, the first placed in the second's frame."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from understudy.scene.shapes import Box, Cylinder, HalfSpace, Mesh
from understudy.typing import FloatArray
from understudy.verify.distances._gjk_kernels import BOX, CYLINDER, HULL, TRIANGLES, Convex, convex_gaps
from understudy.verify.distances.solids import Solid

#: [m] beyond this distance a lower bound is as good as the answer.
_FAR_M = 0.5
#: Farthest points ``(n, 3)`` of ``n`` solids in directions ``(n, 3)``, both in the world.
Support = Callable[[FloatArray], FloatArray]


#: [m] how exactly depths are found, and in how many steps at most.
_DEPTH_TOLERANCE_M, _MOST_STEPS = 1e-6, 100
_START = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z], dtype=float)


def solid_distance(first: Solid, second: Solid, offset: FloatArray, turn: FloatArray) -> FloatArray:
    """Signed distance ``(n,)`` [m] of ``first``, turned by ``(n, 3, 3)`` and moved by ``(n, 3)``, from ``second``.

    Spheres and capsules are segments with a radius; boxes, cylinders and hulls are compared as convex solids; a mesh
    is compared triangle by triangle, and two meshes by the edges of each against the triangles of the other.
    """
    if isinstance(first.shape, HalfSpace):
        return -np.ones(len(offset)) if isinstance(second.shape, HalfSpace) else _swapped(first, second, offset, turn)
    core = first.core
    if core is not None:
        start, end, radius = core
        return second.segments(offset + turn @ start, offset + turn @ end) - radius
    if isinstance(second.shape, HalfSpace):
        down = np.tile([0.0, -1.0, 0.0], (len(offset), 1))
        return _placed(first, offset, turn)(down)[:, 1]
    if second.core is not None:
        return _swapped(first, second, offset, turn)
    if isinstance(first.shape, Mesh) and isinstance(second.shape, Mesh):
        return np.minimum(
            _edges_against(first, second, offset, turn), _swapped(first, second, offset, turn, _edges_against)
        )
    if isinstance(first.shape, Mesh):
        return _swapped(first, second, offset, turn)
    if isinstance(second.shape, Mesh):
        return _convex_and_mesh(first, second, offset, turn)
    return _convex_pair(first, second, offset, turn)


def _swapped(first: Solid, second: Solid, offset: FloatArray, turn: FloatArray, how: object = None) -> FloatArray:
    back = np.swapaxes(turn, 1, 2)
    moved = -np.einsum("nij,nj->ni", back, offset)
    function = solid_distance if how is None else how
    return np.asarray(function(second, first, moved, back))  # type: ignore[operator]


def _placed(solid: Solid, offset: FloatArray, turn: FloatArray) -> Support:
    def support(directions: FloatArray) -> FloatArray:
        local = np.einsum("nji,nj->ni", turn, directions)
        return offset + np.einsum("nij,nj->ni", turn, solid.farthest(local))

    return support


def _convex_pair(first: Solid, second: Solid, offset: FloatArray, turn: FloatArray) -> FloatArray:
    gap = convex_gaps(_convex(first), _convex(second), np.ascontiguousarray(offset), np.ascontiguousarray(turn))
    for k in np.flatnonzero(gap <= 0.0):
        gap[k] = -convex_depth(_placed(first, offset[k : k + 1], turn[k : k + 1]), second.farthest)
    return np.asarray(gap)


def _convex(solid: Solid) -> Convex:
    """A box, a cylinder or a hull as compiled loops know them."""
    shape, none = solid.shape, np.zeros((0, 3))
    if isinstance(shape, Box):
        return Convex(BOX, 0.5 * np.array(shape.size_m), none)
    if isinstance(shape, Cylinder):
        return Convex(CYLINDER, np.array([shape.radius_m, 0.5 * shape.height_m, 0.0]), none)
    return Convex(HULL, np.zeros(3), np.array(solid.points, dtype=np.float64))


def _convex_and_mesh(first: Solid, second: Solid, offset: FloatArray, turn: FloatArray) -> FloatArray:
    """A convex solid against every triangle near it."""
    surface = second.surface
    if surface is None:
        raise TypeError("the second solid is not a mesh")
    low, high = first.bounds
    reach = 0.5 * float(np.linalg.norm(high - low))
    centre = offset + turn @ (0.5 * (low + high))
    # The centre belongs to the solid, so its distance bounds the answer from above, and less the reach from below.
    gap = surface.points(centre)
    far = gap > reach + _FAR_M
    best = np.where(far, gap - reach, gap)
    near = np.flatnonzero(~far)
    for owner, faces in surface.candidates(centre[near], reach + gap[near]):
        row = near[owner]
        triangles = Convex(TRIANGLES, np.zeros(3), surface.corners[faces].reshape(-1, 3))
        np.minimum.at(best, row, convex_gaps(_convex(first), triangles, offset[row], turn[row]))
    if second.closed_mesh is not None:
        # Where the surfaces cross, or the solid is swallowed, its deepest edge tells the depth.
        doubtful = np.flatnonzero((best <= 0.0) | second.closed_mesh.inside(centre))
        best[doubtful] = np.minimum(best[doubtful], _edges_against(first, second, offset[doubtful], turn[doubtful]))
    return best


def _edges_against(first: Solid, second: Solid, offset: FloatArray, turn: FloatArray) -> FloatArray:
    """The lowest signed distance of the first solid's edges from the second."""
    edges = first.edges
    best = np.full(len(offset), np.inf)
    for index in range(len(offset)):
        placed = offset[index] + edges @ turn[index].T
        best[index] = second.segments(placed[:, 0], placed[:, 1]).min()
    return best


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
