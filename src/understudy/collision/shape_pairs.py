"""Any two shapes at any poses: how far apart they are, and whether they meet.

For carried objects: boxes, cylinders, hulls and meshes against everything else. Distances are exact to 1e-9 m
(convex solids) or exact triangle by triangle (meshes). Where two shapes meet the distance is 0, not a depth, unless
one of them is a sphere, a capsule or a half-space.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.collision.convex import Convex, convex_of, triangles_of
from understudy.collision.solids import solid_arrays
from understudy.errors import OptionError
from understudy.kinematics._inputs import checked
from understudy.scene.shapes import Capsule, HalfSpace, Mesh, Shape, Sphere
from understudy.typing import FloatArray


class ShapePose(NamedTuple):
    """Where a shape is: position ``(3,)`` [m] and unit quaternion ``(4,)`` wxyz."""

    position: npt.ArrayLike
    rotation: npt.ArrayLike = (1.0, 0.0, 0.0, 0.0)


class Nearest(NamedTuple):
    """Distance of two shapes [m] and the nearest point ``(3,)`` of each; see the module for overlapping ones."""

    distance_m: float
    on_first: FloatArray
    on_second: FloatArray


def shape_distance(first: Shape, first_pose: ShapePose, second: Shape, second_pose: ShapePose) -> Nearest:
    """Distance of two placed shapes.

    Raises:
        OptionError: A pose that is not finite, or two half-spaces.
    """
    a, b = _pose(first_pose), _pose(second_pose)
    if isinstance(first, Sphere | Capsule):
        return _round_distance(first, a, second, b)
    if isinstance(second, Sphere | Capsule):
        return _swapped(_round_distance(second, b, first, a))
    if isinstance(second, HalfSpace):
        return _plane_distance(first, a, b)
    if isinstance(first, HalfSpace):
        return _swapped(_plane_distance(second, b, a))
    if isinstance(first, Mesh):
        return _mesh_distance(first, a, second, b)
    if isinstance(second, Mesh):
        return _swapped(_mesh_distance(second, b, first, a))
    return _convex_distance(convex_of(first).placed(*a), convex_of(second).placed(*b))


def _pose(pose: ShapePose) -> tuple[FloatArray, FloatArray]:
    position, rotation = checked(pose.position, (3,), "position"), checked(pose.rotation, (4,), "rotation")
    length = float(np.linalg.norm(rotation))
    if length < 1e-9:
        raise OptionError("rotation is a zero quaternion")
    return position, rotation / length


def _swapped(found: Nearest) -> Nearest:
    return Nearest(found.distance_m, found.on_second, found.on_first)


def _round_distance(
    ball: Sphere | Capsule, pose: tuple[FloatArray, FloatArray], other: Shape, at: tuple[FloatArray, FloatArray]
) -> Nearest:
    """A sphere or capsule against anything, by the exact segment kernels: signed."""
    from understudy.collision._placing_kernels import place_still
    from understudy.collision._shape_kernels import solid_signed

    solids = solid_arrays([other], np.zeros(1, dtype=np.int64))
    place_still(at[0][None], at[1][None], solids.rows)
    core = convex_of(ball).placed(*pose)
    a, b = core.points[0], core.points[-1]
    d, s, *n = solid_signed(solids, solids.rows, 0, *a, *b)
    normal, point = np.array(n), a + s * (b - a)
    return Nearest(d - core.ball, point - core.ball * normal, point - d * normal)


def _plane_distance(solid: Shape, pose: tuple[FloatArray, FloatArray], plane: tuple[FloatArray, FloatArray]) -> Nearest:
    """Anything above a half-space: its lowest point, signed."""
    if isinstance(solid, HalfSpace):
        raise OptionError("two half-spaces have no distance; one of them must be bounded")
    up = Convex(np.zeros((1, 3)), np.array([0.0, 0.0, 1.0, 0.0]), 0.0).placed(np.zeros(3), plane[1]).disc[1:]
    if isinstance(solid, Mesh):
        points = triangles_of(solid, *pose).reshape(-1, 3)
        lowest = points[np.argmin(points @ up)]
    else:
        core = convex_of(solid).placed(*pose)
        lowest = core.points[np.argmin(core.points @ up)]
        level = up - (up @ core.disc[1:]) * core.disc[1:]
        length = float(np.linalg.norm(level))
        if core.disc[0] > 0 and length > 1e-12:
            lowest = lowest - core.disc[0] * level / length
    height = float((lowest - plane[0]) @ up)
    return Nearest(height, lowest, lowest - height * up)


def _convex_distance(first: Convex, second: Convex) -> Nearest:
    from understudy.collision._gjk_kernels import convex_distance

    out = np.empty(6)
    d = float(convex_distance(first.points, first.disc, second.points, second.disc, out))
    return Nearest(d, out[:3], out[3:])


def _mesh_distance(
    mesh: Mesh, pose: tuple[FloatArray, FloatArray], other: Shape, at: tuple[FloatArray, FloatArray]
) -> Nearest:
    """A mesh against a convex solid or another mesh; 0 when one is inside the other and closed."""
    from understudy.collision._gjk_kernels import soup_distance

    triangles, out = triangles_of(mesh, *pose), np.empty(6)
    if not isinstance(other, Mesh):
        core = convex_of(other).placed(*at)
        d = float(soup_distance(triangles, core.points, core.disc, 0.0, out))
        inside = mesh.closed and _contains(mesh, pose, core.points[0])
        return Nearest(0.0 if inside else d, out[:3].copy(), out[3:].copy())
    best = Nearest(np.inf, np.zeros(3), np.zeros(3))
    none = np.array([0.0, 0.0, 1.0, 0.0])
    others = triangles_of(other, *at)
    for corners in others:
        d = float(soup_distance(triangles, corners.reshape(3, 3), none, 0.0, out))
        if d < best.distance_m:
            best = Nearest(d, out[:3].copy(), out[3:].copy())
        if d == 0.0:
            return best
    inside = (mesh.closed and _contains(mesh, pose, others[0, :3])) or (
        other.closed and _contains(other, at, triangles[0, :3])
    )
    return best._replace(distance_m=0.0) if inside else best


def _contains(mesh: Mesh, pose: tuple[FloatArray, FloatArray], point: FloatArray) -> bool:
    """Whether a point lies inside a closed mesh at a pose."""
    found = _round_distance(Sphere(radius_m=1e-12), (point, np.array([1.0, 0.0, 0.0, 0.0])), mesh, pose)
    return found.distance_m < 0.0
